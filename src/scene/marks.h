/* The cells that a step asks the student to mark, and which of them the run marks. */
#ifndef LANESCOPE_SCENE_MARKS_H
#define LANESCOPE_SCENE_MARKS_H
#include "model/cells.h"
#include "scene/scene.h"

enum { MARKS_MAX = 4096 };

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
/* pixels: the part of the picture that is offered, around what the block writes. False: there is none. */
struct marks_pixels {
    uint32_t left, top, across, down;
};
bool marks_pixels(const struct scene *scene, struct marks_pixels *part);
/* Returns whether a drag marks a frame of these cells instead of cell by cell. */
static inline bool marks_framed(enum mark_cells cells)
{
    return cells == CELLS_WINDOW || cells == CELLS_COPY;
}
/* rows: the index of the row of a shelf that has this many lower ones to mark, so that their order says nothing. The
 * rows to mark are those of the array that the access touches. */
uint32_t marks_row(const struct scene_shelf *shelf, uint32_t rank);
#endif
