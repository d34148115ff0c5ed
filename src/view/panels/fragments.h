/* Shared by fragments.c and fragment_rows.c: the matrix instruction on screen and its lanes in focus. */
#ifndef LANESCOPE_VIEW_PANELS_FRAGMENTS_H
#define LANESCOPE_VIEW_PANELS_FRAGMENTS_H
#include "model/fragments.h"
#include "view/stage.h"

struct fragment_view {
    const struct fragments *fragments;
    const struct fragment_site *site;
    size_t start;  /* position of the instruction's first event */
    unsigned step; /* the event on screen, of a load or store in several steps */
    uint32_t lit;  /* the lanes in focus */
};

/* A register of a lane, or a part of it, on screen. */
struct fragment_cell {
    char which;
    struct fragment_element element;
    struct rect box;
    unsigned group; /* the registers from this one on that are drawn as one box; 0: one before it draws it */
};
/* Draws a register of a lane, and says what it holds while the mouse is over it. tall: its elements stand below one
 * another. */
void fragment_draw_cell(struct view *view, const struct fragment_view *shown, const struct fragment_cell *cell,
                        bool tall);
/* Returns the names of the registers that hold a tile, "a0", "d0 d1". */
const char *fragment_tile_name(const struct view *view, const struct ptx_fragment *fragment, char which, unsigned tile);

/* The rows that lanes give to ldmatrix, stmatrix and some forms of wmma.load: heights in units, and the drawing. */
struct panel_size fragment_rows_size(const struct fragment_view *shown, bool class);
void fragment_draw_rows(struct view *view, const struct fragment_view *shown, struct rect box);
#endif
