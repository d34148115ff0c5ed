/* What a source says of a kernel's launch: the constants between <<< and >>>, and those among the arguments. */
#ifndef LANESCOPE_SOURCE_LAUNCH_H
#define LANESCOPE_SOURCE_LAUNCH_H
#include "source/tokens.h"

enum { SOURCE_ARGUMENTS_MAX = 64 };
struct source_launch {
    uint32_t line;
    uint32_t grid[3], block[3]; /* grid[0] 0: it is not constant; so is block[0] */
    uint32_t shared_bytes;
    size_t argument_count;
    const char
        *arguments[SOURCE_ARGUMENTS_MAX]; /* a number in its own words, "1024", "2.5"; NULL: it is not constant */
};
/* Finds the first launch of the kernel with this name in the source whose block size is constant, else the first.
 * Returns false if there is no launch. */
bool source_launch_find(const struct source *source, const char *kernel, struct source_launch *launch);
/* Returns the constant of this name at file scope, or 0 if there is none, or if it is no size. */
uint32_t source_size_named(const struct source *source, const char *name);
#endif
