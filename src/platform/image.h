/* Writes pictures to PNG and GIF files. */
#ifndef LANESCOPE_PLATFORM_IMAGE_H
#define LANESCOPE_PLATFORM_IMAGE_H
#include "base/error.h"
#include "platform/raster.h"

bool picture_new(struct picture *picture, int width, int height, struct error *error);
/* Allocates a zeroed picture. Returns false for a size outside 1 to 16384 pixels or without memory. */
void picture_free(struct picture *picture);
bool image_write_png(const struct picture *picture, const char *path, struct error *error);

/* An animation while it is written. gif_add opens the file with the first frame and shows each frame for `hundredths`
 * of a second. All frames have the first frame's size. On failure *gif becomes NULL. */
struct gif;
bool gif_add(struct gif **gif, const struct picture *picture, int hundredths, const char *path, struct error *error);
/* Writes the end and closes the file. *gif becomes NULL, also on failure. */
bool gif_finish(struct gif **gif, struct error *error);
#endif
