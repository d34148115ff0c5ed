/* What a kernel takes the bytes of its parameters for: PTX keeps the size of a structure, but not its members. The
 * values that the kernel reads from its parameters are followed forwards through registers to the addresses of loads
 * and stores. */
#ifndef LANESCOPE_PTX_USES_H
#define LANESCOPE_PTX_USES_H
#include "base/arena.h"
#include "ptx/module.h"

struct ptx_use {                /* what is read from a parameter at once */
    uint32_t parameter, offset; /* bytes into the parameter */
    uint32_t bytes;             /* 1, 2, 4 or 8 */
    bool pointer;               /* it becomes an address of global memory */
    /* Of a pointer, the elements that are read or written there; else of the number itself. Whole numbers without a
     * sign where nothing in the kernel says more. PTX_TYPE_NONE: a pointer of whose elements nothing is known. */
    enum ptx_type type;
};
/* Returns what the kernel reads from its parameters, by parameter and offset, each place once, in the arena. */
struct ptx_use *ptx_uses(struct arena *arena, const struct ptx_function *kernel, uint32_t *count);
/* Returns the first 64 parameters, a bit each, that an instruction of the kernel names. The others are never read. */
uint64_t ptx_named_parameters(const struct ptx_function *kernel);
#endif
