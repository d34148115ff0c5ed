/* The cells of a panel that a step asks the student to mark, and how the marks compare with the run. */
#ifndef LANESCOPE_VIEW_MARKS_H
#define LANESCOPE_VIEW_MARKS_H
#include "view/view.h"

/* Which cells: each kind belongs to one panel. */
enum mark_cells { CELLS_LANES, CELLS_THREADS, CELLS_BANKS, CELLS_SECTORS, CELLS_ROWS, CELLS_ELEMENTS, CELLS_VARIABLES };
enum { MARKS_MAX = 4096, STROKE_MAX = 64 };

/* The cells that a drag went through since the last frame. */
struct mark_stroke {
    uint16_t cells[STROKE_MAX];
    int count;
};

/* A mark is a height: the words that the access wants from a bank; the place of a variable, enum place; 0 or 1 of any
 * other cell. */
struct marks {
    enum mark_cells cells;
    uint32_t count, across; /* of the cells, in reading order; in one row of them */
    const uint8_t *marked;
    const uint8_t *right;       /* the run's; NULL: not checked yet */
    int cursor;                 /* the cell that the keys mark; -1: none */
    int paint;                  /* the height that a drag gives */
    struct mark_stroke *stroke; /* of this frame: the panel that draws the cells fills it */
};
struct mark_counts {
    unsigned right, missing, extra;
};

/* Returns how many cells of the kind the scene offers, and in *across how many are in a row; 0: none. The cells of
 * sectors are those of all chunks from the lowest to the highest that the access touches, and one before and after. */
uint32_t marks_cells(const struct scene *scene, enum mark_cells cells, uint32_t *across);
/* Returns whether a cell exists: shelves of DRAM have rows of their own. */
bool marks_exist(const struct scene *scene, enum mark_cells cells, uint32_t cell);
/* Sets the heights that the run gives to the cells. */
void marks_right(const struct scene *scene, enum mark_cells cells, uint8_t right[MARKS_MAX]);
/* Of variables, `extra` counts those in a wrong place and `missing` those without a place. */
struct mark_counts marks_compare(enum mark_cells cells, const uint8_t *marked, const uint8_t *right, uint32_t count);

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
struct panel_action marks_touch(struct view *view, struct rect box, const struct marks *marks, uint32_t cell);

/* variables: their places, in the order of their numbers on screen */
enum place {
    PLACE_NONE,
    PLACE_REGISTERS,
    PLACE_SHARED,
    PLACE_LOCAL,
    PLACE_GLOBAL,
    PLACE_CONSTANT,
    PLACE_PARAMETERS,
    PLACE_COUNT
};
enum place marks_place(enum ptx_space space);
/* sectors: the first of the offered chunks, and how many there are */
uint64_t marks_chunks(const struct scene *scene, uint32_t *count);
/* rows: the index of the row of a shelf that has this many lower ones to mark, so that their order says nothing. The
 * rows to mark are those of the array that the access touches. */
uint32_t marks_row(const struct scene_shelf *shelf, uint32_t rank);
#endif
