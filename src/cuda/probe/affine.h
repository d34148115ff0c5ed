/* What the kernel's text and the launch tell about registers before anything runs: which registers hold values in rows,
 * where the lanes of a warp differ by a fixed step from the lane to the left and by a fixed step from the lane above.
 * One lane's address then stands for all 32, and the GPU compares nothing. Only values made of parameters, constants
 * and the numbers of thread and block are followed, and only registers with one definition that can reach the use. A
 * thread then finds the same value there every time, whichever lanes come together and whichever round of a loop it is.
 */
#ifndef LANESCOPE_CUDA_PROBE_AFFINE_H
#define LANESCOPE_CUDA_PROBE_AFFINE_H
#include "trace/launch.h"

struct affine_value {
    bool known;
    uint8_t bits;         /* 32: only the low 32 bits are valid; 64 */
    uint64_t column, row; /* steps between lanes; record_row_shift cuts the rows */
    bool ranged;          /* low .. high contains the value, as a whole number before it is cut to its bits */
    int64_t low, high;
};

/* Finds one value for each register of the kernel, in the arena. Only registers that a single instruction defines are
 * known. */
const struct affine_value *affine_values(struct arena *arena, const struct ptx_function *kernel,
                                         const struct launch *launch);
#endif
