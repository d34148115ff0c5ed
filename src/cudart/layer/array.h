/* CUDA arrays: memory whose elements have a format, for copies. A kernel could use it by textures and surfaces alone. A
 * handle is the address of the array's memory, which lies as the copies name it: row by row, without gaps. */
#ifndef LANESCOPE_CUDART_ARRAY_H
#define LANESCOPE_CUDART_ARRAY_H
#include "cudart/layer/work.h"

struct array_handle; /* never defined */

/* Format and flags have the numbers of CUarray_format and CUDA_ARRAY3D_*. */
enum array_format {
    ARRAY_U8 = 1,
    ARRAY_U16,
    ARRAY_U32,
    ARRAY_S8 = 8,
    ARRAY_S16,
    ARRAY_S32,
    ARRAY_F16 = 0x10,
    ARRAY_F32 = 0x20
};
enum {
    ARRAY_LAYERED = 1,
    ARRAY_SURFACE = 2,
    ARRAY_CUBE = 4,
    ARRAY_GATHER = 8,
    ARRAY_DEPTH = 0x10,
    ARRAY_COLOR = 0x20,
    ARRAY_SPARSE = 0x40,
    ARRAY_DEFERRED = 0x80
};

/* What a program asks for: array_create checks it. */
struct array_request {
    size_t width, height, depth; /* in elements; height or depth 0: the array has no such dimension */
    int format;                  /* of each of an element's channels */
    unsigned channels, flags;
};
enum status array_create(struct array_handle **handle, const struct array_request *request);
enum status array_destroy(struct array_handle *handle);
/* Returns what a handle stands for, or NULL if it is none or was destroyed. */
const struct array *array_of(const struct array_handle *handle);
unsigned array_format_bytes(int format); /* 0: there is no such format */

/* Where the rows of a copy begin in an array: a byte of a row, a row and a layer. */
struct array_place {
    const struct array_handle *array;
    size_t x, y, z;
};
/* Makes an array one side of a copy whose rows have their width, height and depth. */
enum status array_side(const struct array_place *place, bool to, struct work_copy *copy);
/* Likewise of a copy of one row, which goes on in the next one where a row of the array ends. */
enum status array_side_through(const struct array_place *place, bool to, struct work_copy *copy);
#endif
