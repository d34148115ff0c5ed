/* What the kernel's text and the launch tell of a register before anything runs: that lanes of a warp hold values in
 * rows, each lane's a fixed step from the one left of it and a fixed step from the one above it. Then one lane's
 * address is as good as all 32, and nothing has to be compared on the GPU.
 *
 * Only what is made of nothing but parameters, constants and the numbers of thread and block is followed, and a
 * register only where one definition of it can have come: a thread finds the same there as often as it comes by, so
 * that it does not matter which lanes come together, or in which round of a loop. */
#ifndef LANESCOPE_CUDA_PROBE_AFFINE_H
#define LANESCOPE_CUDA_PROBE_AFFINE_H
#include "trace/launch.h"

struct affine_value {
    bool known;
    uint8_t bits;         /* the rest holds modulo 2^bits: 32, or 64 */
    uint64_t column, row; /* steps between lanes; rows as record_row_shift cuts them */
    bool ranged;          /* low .. high holds the value, taken as a whole number before it is cut to bits */
    int64_t low, high;
};

/* One value a register of the kernel, in the arena; only those that a single instruction defines are known. */
const struct affine_value *affine_values(struct arena *arena, const struct ptx_function *kernel,
                                         const struct launch *launch);
#endif
