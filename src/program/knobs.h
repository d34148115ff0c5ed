/* The integers of a source that a user can turn: a #define, a const or constexpr, and the constants of a launch between
 * <<< and >>>. A turned source is a text of its own; the user's file is never written. */
#ifndef LANESCOPE_PROGRAM_KNOBS_H
#define LANESCOPE_PROGRAM_KNOBS_H
#include "base/arena.h"
#include "compile/compile.h"
#include <stdbool.h>
#include <stdint.h>

enum program_knob_role { PROGRAM_KNOB_VALUE, PROGRAM_KNOB_GRID, PROGRAM_KNOB_BLOCK };

struct program_knob {
    enum program_knob_role role; /* how a launch uses it; VALUE: in none, or inside a computation */
    const char *name;            /* "TILE"; of a number between <<< and >>> "scale<<<" and its place */
    const char *kernel;          /* the name is none of the source: the kernel of the launch; NULL: a name */
    int dimension;               /* of a dim3: 0 x, 1 y, 2 z; -1: a plain number */
    uint32_t line;
    unsigned nth;      /* of those with this name, kernel and dimension */
    bool in_main;      /* not at file scope */
    size_t at, length; /* the text of the value */
    long long value;
};
/* A block size that cannot be turned. */
enum program_fixed_why { PROGRAM_FIXED_COMPUTED, PROGRAM_FIXED_CHANGED, PROGRAM_FIXED_DEFINED };
struct program_fixed {
    const char *name; /* as the source has it */
    uint32_t line;
    enum program_fixed_why why; /* computed while it runs; changed by the program; given by -D */
};
enum { PROGRAM_KNOBS_MAX = 32 };
struct program_knobs {
    struct program_knob items[PROGRAM_KNOBS_MAX]; /* those of block sizes first, then by line */
    size_t count;
    struct program_fixed fixed[PROGRAM_KNOBS_MAX];
    size_t fixed_count;
};
/* defines: of the command line, which win over the source's. */
void program_knobs_find(struct arena *arena, const char *source, const struct compile_define *defines,
                        size_t define_count, struct program_knobs *knobs);

struct program_turn { /* a knob at another value than the file's */
    const char *name, *kernel;
    int dimension;
    unsigned nth;
    long long value;
};
bool program_turn_fits(const struct program_turn *turn, const struct program_knob *knob);
/* Returns the source with these values. No line moves, and no column where the new value is no longer than the old. */
const char *program_knobs_apply(struct arena *arena, const char *source, const struct program_knobs *knobs,
                                const struct program_turn *turns, size_t turn_count);
/* Reads a constant of integer literals and operators, such as (1 << 10). Returns false for anything else. */
bool program_constant(const char *text, size_t length, long long *value);
#endif
