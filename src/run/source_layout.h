/* How arrays are made of elements and fields, read from the text of the source, because PTX knows bytes alone. It knows
 * the usual declarations. Another form gives no layout, and nothing but names on screen depends on it. */
#ifndef LANESCOPE_RUN_SOURCE_LAYOUT_H
#define LANESCOPE_RUN_SOURCE_LAYOUT_H
#include "ptx/variables.h"

/* Returns the layout of the array of structures that a parameter of the kernel points to, in the arena. NULL: it points
 * to something else, or the structure is not understood. */
const struct ptx_layout *source_pointed_layout(struct arena *arena, const char *source, const char *kernel,
                                               const char *parameter);
/* Returns the layout of a structure that a declaration, `struct point p`, takes by value, in the arena. NULL: it is
 * none, or not understood. */
const struct ptx_layout *source_value_layout(struct arena *arena, const char *source, const char *words);
/* Returns the layout of a __shared__ variable of `bytes` bytes (0: dynamic). NULL: the declaration is not understood,
 * or does not have so many bytes. */
const struct ptx_layout *source_shared_layout(struct arena *arena, const char *source, const char *kernel,
                                              const char *name, uint64_t bytes);
#endif
