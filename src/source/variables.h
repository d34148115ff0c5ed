/* Variables that a source declares, with what PTX does not keep: automatic ones, and how arrays are made of elements
 * and fields. Another form than the usual ones gives nothing, and only names on screen depend on it. */
#ifndef LANESCOPE_SOURCE_VARIABLES_H
#define LANESCOPE_SOURCE_VARIABLES_H
#include "source/kernel.h"

/* An automatic variable that the source of a kernel declares. */
struct source_variable {
    const char *name;
    bool array;
    uint64_t bytes; /* 0: not known from the text */
};
/* Returns the automatic variables of a kernel's body in their order, in the arena; each name once. */
struct source_variable *source_variables(const struct source_kernel *kernel, uint32_t *count);
/* Returns the layout of a __shared__ variable of `bytes` bytes (0: dynamic). NULL: the declaration is not understood,
 * or does not have so many bytes. */
const struct ptx_layout *source_shared_layout(const struct source_kernel *kernel, const char *name, uint64_t bytes);
/* Returns the type of the elements of a __constant__ or __device__ array, for which PTX has bytes alone. PTX_TYPE_NONE
 * when the text does not show it, and for arrays of vectors or structures. */
enum ptx_type source_array_type(const struct source *source, const char *name);
#endif
