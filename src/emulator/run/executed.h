/* How often each instruction is executed by warps. A worker counts only where straight runs of ops begin; the sum
 * spreads these counts over the instructions of each run. */
#ifndef LANESCOPE_EMULATOR_RUN_EXECUTED_H
#define LANESCOPE_EMULATOR_RUN_EXECUTED_H
#include "emulator/core/emulation.h"

struct executions {       /* of one op */
    uint64_t runs, alone; /* runs that begin here and go to their end; times that this op was executed alone */
};

/* Numbers the ops of all decoded functions. */
void executed_number(struct emulation *emulation);
/* Returns the counts of all workers, by function and instruction. */
const uint64_t *const *executed_sum(const struct emulation *emulation, const struct worker *workers);
#endif
