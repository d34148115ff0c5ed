/* For the card of the code: the cost of a line, and the name below the mouse. */
#ifndef LANESCOPE_VIEW_CODE_PARTS_H
#define LANESCOPE_VIEW_CODE_PARTS_H
#include "view/cards/cards.h"

/* Returns the cost of a line, "8 passes", "4 sectors" or, of different accesses, each: "sectors: load 32, store 4".
 * NULL: it accesses no memory. bad: the cost is higher than the access width requires. */
const char *code_cost_text(struct view *view, const struct code_view *code, uint32_t line, bool *bad, bool brief);
/* Returns the cost of one access instruction, likewise. */
const char *code_site_text(struct view *view, const struct code_view *code, uint32_t site, bool *bad);
void code_cost_tip(struct view *view, struct rect box, const struct code_view *code, uint32_t line);

struct code_word {
    size_t length;       /* of the name below the mouse; 0: there is none */
    uint32_t definition; /* the line that defines it; 0: this line, or unknown */
};
/* Returns the name below the mouse in a row of a line, underlines it if a click leads to its definition, and shows the
 * value or the place that it has in this run. The row has `length` bytes of `words`, the whole line, from byte `from`
 * on. */
struct code_word code_word_below(struct view *view, struct rect row, const struct code_view *code, uint32_t line,
                                 const char *words, size_t from, size_t length);

/* code_ptx.c: the PTX of the kernel, beside or below the source */
/* The place of the PTX in the card, and the lines under the mouse in this frame: see code_ptx_lay_out. */
struct code_lines_shown {
    struct rect title, way, rows;
    const struct code_line *lines;
    uint32_t count;
    uint32_t hovered; /* the row of PTX under the mouse, counted from 1; 0: none */
};
/* Return the height of the PTX that would show it well, and the least. */
float code_ptx_height(const struct view *view, const struct code_view *code);
float code_ptx_least(const struct view *view, const struct code_view *code);
/* Cuts the room of the PTX off the box of the source. wanted: the rows that the source needs. */
struct rect code_ptx_cut(const struct view *view, struct rect *box, const struct code_view *code, uint32_t wanted);
/* Chooses the rows of PTX for the box. */
struct code_lines_shown code_ptx_lay_out(struct view *view, struct rect box, const struct code_view *code);
/* Draws them. line: of the source under the mouse; 0: none. */
struct action code_ptx_draw(struct view *view, const struct code_lines_shown *shown, const struct code_view *code,
                            uint32_t line);
#endif
