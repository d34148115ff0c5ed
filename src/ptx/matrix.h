/* What the words of a matrix instruction mean: wmma, mma, ldmatrix, stmatrix, movmatrix. The parser's sets of words
 * keep no order, and here `.s4.u4` is not `.u4.s4`; so this reads the text again. */
#ifndef LANESCOPE_PTX_MATRIX_H
#define LANESCOPE_PTX_MATRIX_H
#include "ptx/program.h"

enum ptx_number {
    PTX_NUMBER_F16,
    PTX_NUMBER_BF16,
    PTX_NUMBER_TF32,
    PTX_NUMBER_F32,
    PTX_NUMBER_F64,
    PTX_NUMBER_E4M3,
    PTX_NUMBER_E5M2,
    PTX_NUMBER_S8,
    PTX_NUMBER_U8,
    PTX_NUMBER_S4,
    PTX_NUMBER_U4,
    PTX_NUMBER_B1,
    PTX_NUMBER_S32,
    PTX_NUMBER_B16,
    PTX_NUMBER_COUNT
};
unsigned ptx_number_bits(enum ptx_number number);

enum ptx_matrix_action { PTX_MATRIX_MULTIPLY, PTX_MATRIX_LOAD, PTX_MATRIX_STORE, PTX_MATRIX_MOVE };

/* How the machine reads or writes memory. Matrix units know registers of tiles: 8 rows of 4 lanes, each lane with its
 * part of the row's 16 bytes (8 or 32 bytes of wider numbers). */
enum ptx_matrix_way {
    PTX_MATRIX_ROWS,   /* 8 lanes a tile, each with the address of a row of 16 bytes; up to 4 tiles at once */
    PTX_MATRIX_WORDS,  /* 32 lanes a tile, each with its own part of a row */
    PTX_MATRIX_SINGLES /* 32 lanes a tile, one element each, as often as a lane has elements */
};

/* The tiles that a warp holds of a matrix in registers: 8 rows by 4 lanes each, each lane with `per` neighbouring
 * elements of a row, so that lane l holds row l / 4. The rows of a and of most sums are the matrix's own, those of b
 * its columns. The layouts of mma are those of the PTX manual; wmma's, which it leaves open, were read out of an H200
 * (docs/validation.md): the same tiles. */
enum { PTX_TILE_ROWS = 8, PTX_TILE_LANES = 4 };
struct ptx_tiles {
    uint8_t bits, per;    /* of an element; elements of a lane in a tile */
    uint8_t outer, inner; /* tiles down and across */
    bool across_first;    /* order of the tiles; else in pairs down, then across */
    bool turned;          /* of sums: its rows are the matrix's columns */
};

struct ptx_matrix {
    enum ptx_matrix_action action;
    bool whole;                /* wmma: shapes and formats are those of whole matrices */
    uint16_t m, n, k;          /* 8 by 8 for ldmatrix, stmatrix and movmatrix */
    char which;                /* of a load or store of wmma: a, b, c or d */
    bool by_columns;           /* it lies in memory column by column */
    bool transposed;           /* .trans */
    enum ptx_number format[4]; /* as written: of d, a, b, c; of the one moved */
    bool saturates, exclusive; /* .satfinite; .xor.popc */
    uint8_t rounding;          /* of f64: enum ptx_modifier, PTX_MOD_rn when not written */
    /* of a load or store: */
    enum ptx_matrix_way way;
    struct ptx_tiles held;
    bool together;      /* a tile's row lies together in memory */
    uint8_t bytes;      /* a lane moves at once */
    uint8_t step_tiles; /* of a step by rows */
    uint8_t steps;      /* accesses that it makes */
    uint16_t stride;    /* elements, where none is written */
};

/* False when the form is none that is known here. */
bool ptx_matrix_read(const struct ptx_program *program, const struct ptx_instruction *instruction,
                     struct ptx_matrix *matrix);
/* which: a, b, c or d. opaque: what is shorter than a byte is moved, in words. */
struct ptx_tiles ptx_tiles_of(const struct ptx_matrix *matrix, char which, enum ptx_number format, bool opaque);
/* Place of a tile by its number in the registers; those beyond the last repeat. */
void ptx_tile_place(const struct ptx_tiles *tiles, unsigned tile, unsigned *outer, unsigned *inner);

/* Elements that one lane moves in one step: `count` of them, the first at row outer, column inner of the tiles; further
 * ones lie beside it as memory has them. In memory it begins `line` strides and `bytes` behind the matrix, when lanes
 * do not give addresses of their own, as those of ldmatrix and stmatrix do. */
struct ptx_piece {
    unsigned outer, inner, count, line, bytes;
};
struct ptx_piece ptx_matrix_piece(const struct ptx_matrix *matrix, unsigned step, unsigned lane);
uint32_t ptx_matrix_lanes(const struct ptx_matrix *matrix); /* that move something in a step */
/* Where a lane's piece lies in memory. base: the address that the lane gives; stride: elements, of whole matrices. */
uint64_t ptx_matrix_address(const struct ptx_matrix *matrix, struct ptx_piece piece, uint64_t base, uint64_t stride);
#endif
