/* The integers of a source that a user can turn: a #define, a const or constexpr, and the constants of a launch between
 * <<< and >>>. A turned source is a text of its own; the user's file is never written. */
#ifndef LANESCOPE_SOURCE_KNOBS_H
#define LANESCOPE_SOURCE_KNOBS_H
#include "base/arena.h"
#include "base/define.h"
#include <stdbool.h>
#include <stdint.h>

/* EXCHANGE: 1 exchanges x and y in threadIdx and its like in a launched kernel that uses both, so that other threads
 * lie side by side. Its text is the whole kernel, its value in the file 0. */
enum source_knob_role { SOURCE_KNOB_VALUE, SOURCE_KNOB_GRID, SOURCE_KNOB_BLOCK, SOURCE_KNOB_EXCHANGE };

struct source_knob {
    enum source_knob_role role; /* how a launch uses it; VALUE: in none, or inside a computation */
    const char *name;           /* "TILE"; where `kernel` is given "block", "grid" or "x, y" */
    const char *kernel;         /* the name is none of the source: the kernel of the launch; NULL: a name */
    int dimension;              /* of a dim3: 0 x, 1 y, 2 z; -1: a plain number */
    uint32_t line;
    unsigned nth;      /* of those with this name, kernel and dimension */
    bool in_main;      /* not at file scope */
    size_t at, length; /* the text of the value */
    long long value;
};
/* A block size that cannot be turned. */
enum source_fixed_why { SOURCE_FIXED_COMPUTED, SOURCE_FIXED_CHANGED, SOURCE_FIXED_DEFINED };
struct source_fixed {
    const char *name; /* as the source has it */
    uint32_t line;
    enum source_fixed_why why; /* computed while it runs; changed by the program; given by -D */
};
enum { SOURCE_KNOBS_MAX = 32 };
struct source_knobs {
    struct source_knob items[SOURCE_KNOBS_MAX]; /* those of block sizes first, then by line */
    size_t count;
    struct source_fixed fixed[SOURCE_KNOBS_MAX];
    size_t fixed_count;
};
/* defines: of the command line, which win over the source's. */
void source_knobs_find(struct arena *arena, const char *source, const struct compile_define *defines,
                       size_t define_count, struct source_knobs *knobs);

struct source_turn { /* a knob at another value than the file's */
    const char *name, *kernel;
    int dimension;
    unsigned nth;
    long long value;
};
bool source_turn_fits(const struct source_turn *turn, const struct source_knob *knob);
/* Returns the source with these values. No line moves, and no column where the new value is no longer than the old. */
const char *source_knobs_apply(struct arena *arena, const char *source, const struct source_knobs *knobs,
                               const struct source_turn *turns, size_t turn_count);
#endif
