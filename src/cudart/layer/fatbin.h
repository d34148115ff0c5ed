/* The fat binaries that nvcc puts into programs: several forms of a module's code, of which we need the PTX. */
#ifndef LANESCOPE_CUDART_FATBIN_H
#define LANESCOPE_CUDART_FATBIN_H
#include "base/arena.h"
#include "base/error.h"

/* Finds the PTX of the highest target in a fat binary, NUL-terminated and in the arena. A fat binary without code sets
 * *ptx to NULL and is no error. */
bool fatbin_ptx(struct arena *arena, const void *fatbin, const char **ptx, struct error *error);
#endif
