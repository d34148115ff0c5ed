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

struct ptx_matrix {
    enum ptx_matrix_action action;
    bool whole;                /* wmma: shapes and formats are those of whole matrices */
    uint16_t m, n, k;          /* 8 by 8 for ldmatrix, stmatrix and movmatrix */
    char which;                /* of a load or store of wmma: a, b, c or d */
    bool by_columns;           /* it lies in memory column by column */
    bool transposed;           /* .trans */
    uint8_t tiles;             /* of ldmatrix and stmatrix: 1, 2, 4 */
    enum ptx_number format[4]; /* as written: of d, a, b, c; of the one moved */
    bool saturates, exclusive; /* .satfinite; .xor.popc */
    uint8_t rounding;          /* of f64: enum ptx_modifier, PTX_MOD_rn when not written */
    enum ptx_matrix_way way;
    uint8_t bytes; /* a lane moves at once */
};

/* False when the form is none that is known here. */
bool ptx_matrix_read(const struct ptx_program *program, const struct ptx_instruction *instruction,
                     struct ptx_matrix *matrix);
#endif
