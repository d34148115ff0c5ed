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
    const char *ending; /* ending of file names in this format: ".png" */
    /* Writes the pixels; NULL when the format has shapes and text instead, or animations only. */
    bool (*write)(const struct picture *picture, const char *path, struct error *error);
    /* Writes the shapes and the text of a draw list; NULL when the format has pixels. */
    bool (*draw)(const struct draw_list *list, struct glyphs *glyphs, int width, int height, struct color background,
                 const char *path, struct error *error);
    /* Animations; all are NULL when the format has only still pictures. *film is NULL before the first frame, which
     * begins the file. All frames have the first frame's size and stay for `hundredths` of a second. On failure both
     * functions close the file and set *film to NULL. */
    bool (*add_frame)(struct film **film, const struct picture *picture, int hundredths, const char *path,
                      struct error *error);
    bool (*finish)(struct film **film, struct error *error); /* ends the file; *film becomes NULL */
    void (*drop)(struct film **film);                        /* removes what was written of it; *film becomes NULL */
};

#define PICTURE_FORMAT(name) extern const struct picture_format picture_format_##name;
#include "platform/pictures.def"
#undef PICTURE_FORMAT

/* Returns the format for the path's ending, or NULL when no format has it; the error then lists the known endings.
 * frames: only formats with animations count. */
const struct picture_format *picture_format_of(const char *path, bool frames, struct error *error);
#endif
