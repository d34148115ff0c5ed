/* Glyphs: measured at a large size, so that widths scale exactly; drawn into atlas pages on demand, at quarter-pixel
 * places for small text, so that what is drawn is as wide as what was measured. */
#ifndef LANESCOPE_PLATFORM_GLYPHS_H
#define LANESCOPE_PLATFORM_GLYPHS_H
#include "platform/fonts.h"

enum { ATLAS_SIDE = 1024, ATLAS_PAGES = 8, ATLAS_WHITE = 4 /* this square at 0,0 of each page is solid */ };

struct glyph {
    uint16_t page, u, v, w, h; /* w 0: nothing to draw */
    int16_t left, top;         /* of the bitmap, from the pen; top counts up */
};
struct atlas_page {
    uint8_t *alpha;           /* ATLAS_SIDE squared */
    int dirty_from, dirty_to; /* rows not yet in the texture */
    int shelf_x, shelf_y, shelf_height;
};

struct glyphs;
bool glyphs_open(struct glyphs **glyphs, struct error *error);
void glyphs_close(struct glyphs *glyphs);
float glyphs_width(void *glyphs, enum font_role role, float size, const char *text, size_t length);
float glyphs_ascent(void *glyphs, enum font_role role, float size);
float glyphs_descent(void *glyphs, enum font_role role, float size);
/* Calls put for each glyph of a line from the pen at x; false when the atlas is full: glyphs_forget, and draw all
 * again.
 */
bool glyphs_line(struct glyphs *glyphs, enum font_role role, float size, float x, const char *text,
                 void (*put)(void *context, const struct glyph *glyph, int pen_x), void *context);
/* A disc of a whole radius, or a ring `thick` wide within it when thick > 0, 2 x radius each way: rounded corners are
 * quarters of it. False when the atlas is full. */
bool glyphs_disc(struct glyphs *glyphs, int radius, int thick, struct glyph *glyph);
/* Empties the atlas; glyphs handed out before are void. */
void glyphs_forget(struct glyphs *glyphs);
struct atlas_page *glyphs_page(struct glyphs *glyphs, int page);
int glyphs_page_count(const struct glyphs *glyphs);
const char *glyphs_font_path(const struct glyphs *glyphs, enum font_role role, bool hangul);
#endif
