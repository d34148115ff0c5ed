/* Font files by role. fonts/ in the data folder is asked first (text.ttf, bold.ttf, code.ttf, korean.ttf,
 * korean-bold.ttf), then fontconfig: the faces we were drawn with, then any that will do. */
#ifndef LANESCOPE_PLATFORM_FONTS_H
#define LANESCOPE_PLATFORM_FONTS_H
#include "base/arena.h"
#include "base/error.h"
#include "ui/draw.h"

struct font_file {
    const char *path; /* NULL: none found */
    long index;       /* of the face in a collection */
};
struct font_finder {
    struct arena arena;
    void *config; /* FcConfig */
    struct font_file latin[FONT_ROLE_COUNT];
    struct font_file korean[2]; /* regular, bold */
};
/* ERROR_MISSING, naming the Debian package, when a role has no font. Korean may be absent: its path is then NULL. */
bool font_finder_open(struct font_finder *finder, struct error *error);
void font_finder_close(struct font_finder *finder);
/* Any font that has the character. */
struct font_file font_finder_any(struct font_finder *finder, uint32_t character, bool bold);
#endif
