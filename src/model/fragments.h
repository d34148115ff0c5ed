/* Which lane and register hold which element of a matrix, for the matrix instructions of a trace (mma, wmma, ldmatrix,
 * stmatrix): the layout of the registers (ptx/matrix.h) with the values and addresses of one block's run. */
#ifndef LANESCOPE_MODEL_FRAGMENTS_H
#define LANESCOPE_MODEL_FRAGMENTS_H
#include "model/timeline.h"
#include "ptx/matrix.h"

enum { FRAGMENT_NAMES = 16, FRAGMENT_OPERANDS = 4 };

/* A matrix instruction as its site's text writes it. */
struct fragment_site {
    struct ptx_matrix form;
    const char *name; /* "mma.sync", "wmma.mma.sync", "ldmatrix.sync", ... */
    /* the registers' names: of a product those of d, a, b and c, else the first row alone */
    const char *names[FRAGMENT_OPERANDS][FRAGMENT_NAMES];
    uint8_t named[FRAGMENT_OPERANDS];
};

struct fragments {
    const struct timeline *timeline;
    const struct fragment_site *const *sites; /* by site; NULL: no matrix instruction */
    enum ptx_number halves;                   /* the format of the trace's products of 16-bit numbers, or B16 */
};
/* Returns NULL if the block has no event of a matrix instruction. */
const struct fragments *fragments_new(struct arena *arena, const struct timeline *timeline);
/* Returns the matrix instruction of a site's text, in the arena, or NULL if it is none. */
const struct fragment_site *fragment_site_read(struct arena *arena, const char *text);
/* Returns the matrix instruction of a position, or NULL. */
const struct fragment_site *fragments_at(const struct fragments *fragments, size_t position);
/* Returns the position of the first event of the instruction that the event belongs to. *step: the event's number in
 * it. */
size_t fragments_start(const struct fragments *fragments, size_t position, unsigned *step);

/* An element in the registers: of lane `lane`, in register `number`, counted from the register's low bits. */
struct fragment_element {
    unsigned lane, number, index;
};
/* Sets row and column of an element in matrix a, b, c or d of a product; of a load or store those of its tiles. */
void fragment_locate(const struct ptx_matrix *form, char which, struct fragment_element element, unsigned *row,
                     unsigned *column);

/* Return the lanes that hold elements of a row, or of a column, of matrix a, b, c or d. */
uint32_t fragment_row_lanes(const struct ptx_matrix *form, char which, unsigned row);
uint32_t fragment_column_lanes(const struct ptx_matrix *form, char which, unsigned column);

/* Sets *bits to an element's value: of a product from the recorded registers, of a load from the product that uses it,
 * else from the memory that it accesses, as far as the trace knows it. start: from fragments_start. */
bool fragment_value(const struct fragments *fragments, size_t start, char which, struct fragment_element element,
                    uint64_t *bits);

/* The memory that an element was loaded from, or is stored to. */
struct fragment_origin {
    enum ptx_space space;
    uint64_t address;
    unsigned lane;   /* that gave the address of the row, or read the piece */
    size_t position; /* of the access */
};
/* Finds the element's memory; of a product's element that of the load which wrote the register before, in this warp. */
bool fragment_origin(const struct fragments *fragments, size_t start, char which, struct fragment_element element,
                     struct fragment_origin *origin);
#endif
