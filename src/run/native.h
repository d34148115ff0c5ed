/* Machine code of kernels for this processor: compiled by clang beside the running launch, kept in the cache. */
#ifndef LANESCOPE_RUN_NATIVE_H
#define LANESCOPE_RUN_NATIVE_H
#include "emulator/emulator.h"

/* Returns the maker of this process, or NULL when launches are to be interpreted: LANESCOPE_TIER is `interpreter`. With
 * `compiled`, every launch waits for its code; otherwise code is made for kernels that run long. */
const struct emulator_native *native_maker(void);
/* Compiles code of no kernel, and throws it away. Returns whether that works, and how long it took. */
bool native_try(double *seconds);
#endif
