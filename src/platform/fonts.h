/* Finds font files by role. fonts/ in the data folder comes first (text.ttf, bold.ttf, code.ttf, korean.ttf,
 * korean-bold.ttf), then fontconfig: first the families that the design was made with, then any suitable font. */
#ifndef LANESCOPE_PLATFORM_FONTS_H
#define LANESCOPE_PLATFORM_FONTS_H
#include "base/arena.h"
#include "base/error.h"
#include "ui/draw.h"

struct font_file {
    const char *path; /* NULL: none found */
    long index;       /* face number in a font collection */
};
struct font_finder {
    struct arena arena;
    void *config; /* FcConfig */
    struct font_file latin[FONT_ROLE_COUNT];
    struct font_file korean[2]; /* regular, bold; the path is NULL when there is no Korean font */
};
/* Finds the fonts of all roles. Returns false with ERROR_MISSING, naming the Debian package, when a role has no font.
 * Korean fonts may be absent. */
bool font_finder_open(struct font_finder *finder, struct error *error);
void font_finder_close(struct font_finder *finder);
/* Returns any font that has the character; its path is NULL when there is none. */
struct font_file font_finder_any(struct font_finder *finder, uint32_t character, bool bold);
/* Returns the font's family in the arena, and whether it is bold: how other programs find it. */
const char *font_family(struct font_file file, struct arena *arena, bool *bold);
#endif
