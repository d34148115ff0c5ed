/* The meaning of the words of matrix instructions: wmma, mma, ldmatrix, stmatrix, movmatrix. The parser keeps an
 * instruction's words as a set without order, but `.s4.u4` differs from `.u4.s4`; therefore this module reads the text
 * again. */
#ifndef LANESCOPE_PTX_MATRIX_H
#define LANESCOPE_PTX_MATRIX_H
#include "ptx/module.h"

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

/* How the hardware accesses memory. Matrix units hold tiles in registers: 8 rows of 4 lanes, where each lane has its
 * part of the row's 16 bytes (8 or 32 bytes for other widths). */
enum ptx_matrix_way {
    PTX_MATRIX_ROWS,   /* 8 lanes per tile, each with the address of a row of 16 bytes; up to 4 tiles at once */
    PTX_MATRIX_WORDS,  /* 32 lanes per tile, each with its own part of a row */
    PTX_MATRIX_SINGLES /* 32 lanes per tile, one element at a time */
};

/* The tiles of a matrix in a warp's registers: 8 rows by 4 lanes each, each lane with `per` neighbouring elements of a
 * row, so that lane l holds row l / 4. The rows of a and of most sums are the matrix's rows; those of b are its
 * columns. The layouts of mma are from the PTX manual. The manual leaves wmma's open; they were measured on an H200
 * (docs/validation.md) and are the same tiles. */
enum { PTX_TILE_ROWS = 8, PTX_TILE_LANES = 4 };
struct ptx_tiles {
    uint8_t bits, per;    /* bits of an element; elements of a lane in a tile */
    uint8_t outer, inner; /* tiles down and across */
    bool across_first;    /* the tiles are numbered across first; otherwise in pairs down, then across */
    bool turned;          /* of sums: a tile's rows are the matrix's columns */
};

struct ptx_matrix {
    enum ptx_matrix_action action;
    bool whole;                /* wmma: shapes and formats describe whole matrices */
    uint16_t m, n, k;          /* 8 by 8 for ldmatrix, stmatrix and movmatrix */
    char which;                /* of a wmma load or store: a, b, c or d */
    bool by_columns;           /* column-major in memory */
    bool transposed;           /* .trans */
    enum ptx_number format[4]; /* as written: of d, a, b, c; of the matrix that is moved */
    bool saturates, exclusive; /* .satfinite; .xor.popc */
    bool sparse;               /* mma.sp: a holds half of its k columns */
    uint8_t rounding;          /* of f64: enum ptx_modifier; PTX_MOD_rn when not written */
    /* of a load or store: */
    enum ptx_matrix_way way;
    struct ptx_tiles held;
    bool together;      /* a tile's row is contiguous in memory */
    uint8_t bytes;      /* bytes that a lane moves at once */
    uint8_t step_tiles; /* tiles per step of PTX_MATRIX_ROWS */
    uint8_t steps;      /* number of accesses */
    uint16_t stride;    /* in elements, when the instruction has no stride */
};

/* Reads a matrix instruction. Returns false when its form is not known. */
bool ptx_matrix_read(const struct ptx_module *module, const struct ptx_instruction *instruction,
                     struct ptx_matrix *matrix);
/* Returns the tiles of matrix a, b, c or d. opaque: elements shorter than a byte are moved as whole words. */
struct ptx_tiles ptx_tiles_of(const struct ptx_matrix *matrix, char which, enum ptx_number format, bool opaque);
/* Finds a tile's place by its number in the registers. Numbers beyond the last tile repeat. */
void ptx_tile_place(const struct ptx_tiles *tiles, unsigned tile, unsigned *outer, unsigned *inner);

/* The registers of a lane that hold matrix a, b, c or d of a product, or the matrix of a load or store. */
enum { PTX_PART_BYTES = 16 };
struct ptx_fragment {
    enum ptx_number format;
    struct ptx_tiles tiles;
    uint8_t registers, bits;   /* how many, and the bits of one */
    uint8_t first_part, parts; /* of a product: pieces of 16 bytes a lane, numbered on from a to b, c and d */
};
struct ptx_fragment ptx_matrix_fragment(const struct ptx_matrix *matrix, char which);
/* Returns true for an instruction that multiplies matrices. */
bool ptx_is_product(const struct ptx_instruction *instruction);
/* Returns how many elements a register holds. */
unsigned ptx_fragment_packed(const struct ptx_fragment *fragment);
/* Finds the row and the column of the tiles that element `index` of a lane's register holds. */
void ptx_fragment_place(const struct ptx_fragment *fragment, unsigned lane, unsigned number, unsigned index,
                        unsigned *outer, unsigned *inner);

/* Elements that one lane moves in one step: `count` elements, the first at row `outer` and column `inner` of the tiles,
 * the others following in memory order. In memory the piece begins `line` strides and `bytes` bytes after the matrix,
 * unless lanes give their own addresses, as in ldmatrix and stmatrix. */
struct ptx_piece {
    unsigned outer, inner, count, line, bytes;
};
struct ptx_piece ptx_matrix_piece(const struct ptx_matrix *matrix, unsigned step, unsigned lane);
uint32_t ptx_matrix_lanes(const struct ptx_matrix *matrix); /* mask of the lanes that move an element in a step */
/* Returns the memory address of a lane's piece. base: the address that the lane gives; stride: in elements, for whole
 * matrices. */
uint64_t ptx_matrix_address(const struct ptx_matrix *matrix, struct ptx_piece piece, uint64_t base, uint64_t stride);
#endif
