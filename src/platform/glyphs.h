/* Glyphs in an atlas. Widths are measured at a large size, so that they scale exactly. Bitmaps are drawn into atlas
 * pages on demand; small text has quarter-pixel positions, so that a drawn line is as wide as its measure. */
#ifndef LANESCOPE_PLATFORM_GLYPHS_H
#define LANESCOPE_PLATFORM_GLYPHS_H
#include "platform/fonts.h"

enum { ATLAS_SIDE = 1024, ATLAS_PAGES = 8, ATLAS_WHITE = 4 /* this square at 0,0 of each page is solid */ };

struct glyph {
    uint16_t page, u, v, w, h; /* w = 0: nothing to draw */
    int16_t left, top;         /* position of the bitmap relative to the pen; top counts upwards */
};
struct atlas_page {
    uint8_t *alpha;           /* ATLAS_SIDE x ATLAS_SIDE bytes */
    int dirty_from, dirty_to; /* rows that are not yet in the texture */
    int shelf_x, shelf_y, shelf_height;
};

struct glyphs;
/* Opens the fonts. Returns false with ERROR_MISSING when a role has no usable font. glyphs_close frees everything. */
bool glyphs_open(struct glyphs **glyphs, struct error *error);
void glyphs_close(struct glyphs *glyphs);
/* Width of a line, and height of the ink above and below the baseline, all in pixels: see struct text_metrics. */
float glyphs_width(void *glyphs, enum font_role role, float size, const char *text, size_t length);
float glyphs_ascent(void *glyphs, enum font_role role, float size);
float glyphs_descent(void *glyphs, enum font_role role, float size);
/* Calls `put` for each glyph of a line whose pen starts at x. Returns false when the atlas is full; the caller then
 * calls glyphs_forget and draws the whole frame again. */
bool glyphs_line(struct glyphs *glyphs, enum font_role role, float size, float x, const char *text,
                 void (*put)(void *context, const struct glyph *glyph, int pen_x), void *context);
/* Calls `put` for each character of a line whose pen starts at x, with its font and the left end of its advance. For
 * formats that keep text as text. Characters below U+0020 count as spaces. */
void glyphs_characters(struct glyphs *glyphs, enum font_role role, float size, float x, const char *text,
                       void (*put)(void *context, int face, uint32_t code, float at), void *context);
/* Returns the file of a font that glyphs_characters named. */
struct font_file glyphs_face_file(const struct glyphs *glyphs, int face);
/* Returns in `glyph` a disc of a whole radius, or a ring of width `thick` inside it when thick > 0, as a square of 2 x
 * radius pixels. Rounded corners are quarters of it. Returns false when the atlas is full. */
bool glyphs_disc(struct glyphs *glyphs, int radius, int thick, struct glyph *glyph);
/* Empties the atlas; all glyphs returned before become invalid. */
void glyphs_forget(struct glyphs *glyphs);
/* Returns how often the atlas was emptied, and how many bitmaps of glyphs were drawn. */
uint32_t glyphs_generation(const struct glyphs *glyphs);
size_t glyphs_drawn(const struct glyphs *glyphs);
struct atlas_page *glyphs_page(struct glyphs *glyphs, int page);
int glyphs_page_count(const struct glyphs *glyphs);
const char *glyphs_font_path(const struct glyphs *glyphs, enum font_role role, bool hangul);
#endif
