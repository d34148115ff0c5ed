/* The cells of a panel that a step asks the student to mark. */
#ifndef LANESCOPE_VIEW_MARKS_H
#define LANESCOPE_VIEW_MARKS_H
#include "scene/marks.h"
#include "view/view.h"

/* A mark is a height: the words that the access wants from a bank; the place of a variable, enum place; 0 or 1 of any
 * other cell. */
struct marks {
    enum mark_cells cells;
    uint32_t count, across; /* of the cells, in reading order; in one row of them */
    const uint8_t *marked;
    const uint8_t *right;   /* the run's; NULL: not checked yet */
    int cursor;             /* the cell that the keys mark; -1: none */
    int paint;              /* the height that a drag gives */
    struct actions *stroke; /* of this frame: a drag marks several cells */
};
/* Returns the marks if they are of this kind of cells; NULL: the panel is drawn as usual. */
const struct marks *marks_of(const struct view *view, enum mark_cells cells);
/* Draws one cell: marked or not and, once checked, right, missing or too many, each with its colour and its shape. The
 * label may be NULL. */
enum mark_state { MARK_EMPTY, MARK_SET, MARK_RIGHT, MARK_MISSING, MARK_EXTRA };
void marks_draw(struct view *view, struct rect box, enum mark_state state, const char *label, bool cursor);
/* Returns the state of a cell, of a stack of them the one at `level`, counted from 0. */
enum mark_state marks_state(const struct marks *marks, uint32_t cell, int level);
/* Returns the user's action on a cell: a click toggles it, a drag gives its height to others; of a bank a click adds a
 * word and the other button takes one away. */
struct action marks_touch(struct view *view, struct rect box, const struct marks *marks, uint32_t cell);
#endif
