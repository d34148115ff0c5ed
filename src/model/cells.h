/* The kinds of cells that a student can mark as the machine would: see ui/panels.def for the panel of each. Of banks a
 * cell has a height: the words that the access wants from it; of variables the place that it names. */
#ifndef LANESCOPE_MODEL_CELLS_H
#define LANESCOPE_MODEL_CELLS_H
enum mark_cells {
    CELLS_LANES,
    CELLS_THREADS,
    CELLS_BANKS,
    CELLS_SECTORS,
    CELLS_FRESH, /* sectors that no earlier access of the block has touched */
    CELLS_ROWS,
    CELLS_ELEMENTS,
    CELLS_SHARERS, /* elements of c = a * b whose threads load the element that the lane loads */
    CELLS_WINDOW,  /* pixels of a picture that one thread reads */
    CELLS_COPY,    /* pixels of a picture that the block reads */
    CELLS_VARIABLES
};
#endif
