/* Pictures and their files. A new format is one file in this folder and one row in pictures.def. */
#ifndef LANESCOPE_PLATFORM_PICTURE_H
#define LANESCOPE_PLATFORM_PICTURE_H
#include "base/error.h"
#include "platform/raster.h"

/* Allocates a zeroed picture. Returns false for a size outside 1 to 16384 pixels or without memory. */
bool picture_new(struct picture *picture, int width, int height, struct error *error);
void picture_free(struct picture *picture);

struct film; /* an animation that is being written; each format that has them defines its own */

struct picture_format {
    const char *ending; /* of the names of such files: ".png" */
    bool (*write)(const struct picture *picture, const char *path, struct error *error);
    /* Animations; both are NULL when the format has only still pictures. The first frame begins the file: *film is NULL
     * then. All frames have the size of the first and stand for so many hundredths of a second. Both functions close
     * the file and set *film to NULL when they fail. */
    bool (*add_frame)(struct film **film, const struct picture *picture, int hundredths, const char *path,
                      struct error *error);
    bool (*finish)(struct film **film, struct error *error); /* ends the file; *film becomes NULL */
};

#define PICTURE_FORMAT(name) extern const struct picture_format picture_format_##name;
#include "platform/pictures.def"
#undef PICTURE_FORMAT

/* The format for a path, by its ending; NULL, with an error that lists the known endings, when no format has it. */
const struct picture_format *picture_format_of(const char *path, bool frames, struct error *error);
#endif
