/* Pictures to files. */
#ifndef LANESCOPE_PLATFORM_IMAGE_H
#define LANESCOPE_PLATFORM_IMAGE_H
#include "base/error.h"
#include "platform/raster.h"

bool picture_new(struct picture *picture, int width, int height, struct error *error);
void picture_free(struct picture *picture);
bool image_write_png(const struct picture *picture, const char *path, struct error *error);

/* An animation being written. All frames have the size of the first. */
struct gif;
bool gif_add(struct gif **gif, const struct picture *picture, int hundredths, const char *path, struct error *error);
/* Writes the end and closes; *gif becomes NULL, also on failure. */
bool gif_finish(struct gif **gif, struct error *error);
#endif
