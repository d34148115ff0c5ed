/* Matrices that a warp holds in registers. All of them are made of tiles: 8 rows by 4 lanes, each lane with `per`
 * neighbouring elements of a row, so that lane l holds row l / 4. The rows of a and of most sums are the matrix's own,
 * those of b its columns. The layouts of mma are those of the PTX manual; wmma's, which it leaves open, were read out
 * of an H200 (docs/validation.md): the same tiles. */
#ifndef LANESCOPE_EMULATOR_MATRIX_H
#define LANESCOPE_EMULATOR_MATRIX_H
#include "emulator/machine.h"
#include "ptx/matrix.h"

enum { MATRIX_ELEMENTS = 1024, MATRIX_REGISTERS = 16, TILE_ROWS = 8, TILE_LANES = 4 };

struct matrix_part {
    enum ptx_number format;
    uint8_t bits, per;         /* of an element; elements of a lane in a tile */
    uint8_t outer, inner;      /* tiles down and across */
    bool across_first;         /* order of the tiles; else in pairs down, then across */
    bool turned;               /* of sums: its rows are the matrix's columns */
    uint8_t registers, needed; /* the further ones repeat the first, and only loads write them */
    uint8_t register_bits;
    uint32_t rows[MATRIX_REGISTERS];
};

static inline unsigned matrix_width(const struct matrix_part *part)
{
    return (unsigned)part->inner * TILE_LANES * part->per;
}
void matrix_tile(const struct matrix_part *part, unsigned tile, unsigned *outer, unsigned *inner);
/* Row after row, matrix_width elements each. */
void matrix_gather(const struct warp *w, const struct matrix_part *part, uint64_t *values);
void matrix_scatter(struct warp *w, const struct matrix_part *part, const uint64_t *values);

struct matrix_product {
    struct ptx_matrix form;
    struct matrix_part d, a, b, c;
    uint8_t at_once; /* products that the unit adds at once */
};
const struct op *matrix_multiply(struct warp *w, const struct op *op);

/* A load or store. Begins with the access that checks and records know. */
struct matrix_move {
    struct access access;
    struct matrix_part part;
    enum ptx_matrix_way way;
    bool together;   /* a tile's row lies together in memory */
    bool own_rows;   /* ldmatrix, stmatrix: lanes give the addresses of rows */
    uint8_t steps;   /* accesses */
    uint8_t tiles;   /* of a step by rows */
    uint8_t unit;    /* bits of an element as the stride counts */
    uint32_t stride; /* row, or 0: as in stride_elements */
    uint32_t stride_elements;
};
const struct op *matrix_move(struct warp *w, const struct op *op);
const struct op *matrix_transpose(struct warp *w, const struct op *op); /* op->a to op->d */

/* tensor.c: one element of a product. a: row, b: column, count elements each. */
struct tensor_numbers { /* floats taken apart: significand * 2^exponent, nothing rounded */
    int32_t significand[MATRIX_ELEMENTS];
    int32_t exponent[MATRIX_ELEMENTS];
    bool special; /* infinities or NaNs are among them */
};
void tensor_take_apart(enum ptx_number format, const uint64_t *values, unsigned count, struct tensor_numbers *numbers);
/* Adds count products, from `at` in a and `bt` in b, and c, all at once as the H200 does: see tensor.c. The sum as f32;
 * narrow: as f16. */
uint32_t tensor_sum(const struct tensor_numbers *a, unsigned at, const struct tensor_numbers *b, unsigned bt,
                    unsigned count, uint32_t c, bool narrow);
#endif
