/* Matrices in the registers of a warp (see struct ptx_tiles), their products, loads and stores. */
#ifndef LANESCOPE_EMULATOR_LANES_MATRIX_H
#define LANESCOPE_EMULATOR_LANES_MATRIX_H
#include "emulator/memory/memory.h"
#include "ptx/matrix.h"

enum { MATRIX_ELEMENTS = 1024, MATRIX_REGISTERS = 16 };

struct matrix_part {
    enum ptx_number format;
    struct ptx_tiles tiles;
    uint8_t registers, needed; /* the further ones repeat the first, and only loads write them */
    uint8_t register_bits;
    uint32_t rows[MATRIX_REGISTERS];
};

static inline unsigned matrix_width(const struct matrix_part *part)
{
    return (unsigned)part->tiles.inner * PTX_TILE_LANES * part->tiles.per;
}
/* Row after row, matrix_width elements each. */
void matrix_gather(const struct warp *w, const struct matrix_part *part, uint64_t *values);
void matrix_scatter(struct warp *w, const struct matrix_part *part, const uint64_t *values);

struct matrix_product {
    struct ptx_matrix form;
    struct matrix_part d, a, b, c;
    uint8_t at_once; /* products that the unit adds at once */
    /* Of a sparse a, which holds two of each four columns, of tf32 one of each two: the register with the columns'
     * numbers, and the first lane of each four that has some of them. */
    uint32_t metadata;
    uint8_t first_lane;
};

/* A load or store. It begins with the access that checks and records use. */
struct matrix_move {
    struct access access;
    struct ptx_matrix form;
    struct matrix_part part;
    uint32_t stride; /* row, or 0: form.stride */
};

/* tensor.c: one element of a product. a: row, b: column, count elements each. */
struct tensor_numbers { /* floats taken apart: significand * 2^exponent, nothing rounded */
    int32_t significand[MATRIX_ELEMENTS];
    int32_t exponent[MATRIX_ELEMENTS];
    double values[MATRIX_ELEMENTS];
    int32_t low, high; /* all are multiples of 2^low; the largest exponent */
    bool special;      /* infinities or NaNs are among them */
};
void tensor_take_apart(enum ptx_number format, const uint64_t *values, unsigned count, struct tensor_numbers *numbers);
/* Adds count products, from `at` in a and `bt` in b, and c, all at once as the H200 does: see tensor.c. The sum as f32;
 * narrow: as f16. */
uint32_t tensor_sum(const struct tensor_numbers *a, unsigned at, const struct tensor_numbers *b, unsigned bt,
                    unsigned count, uint32_t c, bool narrow);
#endif
