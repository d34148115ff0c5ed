/* Launches that repeat an earlier one. A launch depends on nothing but its kernel, its shape, its arguments and the
 * memory that it can reach, so the same launch on the same bytes leaves the same bytes, counts the same and prints the
 * same: programs that measure time launch so hundreds of times. Such a launch is not executed again. The bytes are
 * compared by 128-bit hashes: of each allocation that the earlier launch used, and of which of its bytes were ever
 * written. What it did not use may be anything. A launch that read nothing that it changed would do the same again on
 * the memory that it left. LANESCOPE_REPEATS=execute executes every launch. */
#ifndef LANESCOPE_CUDART_REPEAT_H
#define LANESCOPE_CUDART_REPEAT_H
#include "cudart/layer/launch.h"

struct repeat_result {
    const struct run *run; /* without a fault */
    uint64_t launch;       /* that was executed */
    double model_us;
};

/* Returns the result of an earlier launch like this one on the same memory, which is then as that launch left it. NULL:
 * the launch must be executed, and repeat_end follows. */
const struct repeat_result *repeat_begin(const struct kernel_launch *launch);
/* The launch was executed; good: to its end, or up to a fault. Returns whether the run is kept for launches to come;
 * otherwise the caller releases it. may_keep: it can be, since nothing but memory, counts, findings and printed text
 * came of it. */
bool repeat_end(struct run *run, double model_us, bool good, bool may_keep);
#endif
