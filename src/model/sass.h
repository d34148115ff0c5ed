/* Compares the PTX with the machine code. A trace counts the loads and stores of the PTX; a profiler counts those of
 * the machine code, in which ptxas may have merged, moved or removed some. Both counts stand side by side, and a
 * difference is explained only where the counts alone prove the explanation. */
#ifndef LANESCOPE_MODEL_SASS_H
#define LANESCOPE_MODEL_SASS_H
#include "model/counts.h"

/* Counts of Nsight Compute for one launch of the unmodified kernel on a GPU. */
struct sass_counts {
    bool counted; /* false: there are no counts of this launch, and no other field is set */
    bool cold;    /* the caches were empty when the launch began */
    char device[128], driver[32], date[11];
    char profiler[64];              /* "Nsight Compute 2025.3.1.0" */
    const struct counter *counters; /* names are Nsight Compute's */
    size_t counter_count;
    const struct counter *opcodes; /* executions by a warp, by the opcode of the machine code: "BRA" */
    size_t opcode_count;           /* 0: not counted */
};
/* Finds a counter's value. Returns false when it was not counted. */
bool sass_counter(const struct sass_counts *sass, const char *name, uint64_t *value);

/* Finds how often warps executed an opcode of the machine code. Returns false when opcodes were not counted. */
bool sass_opcode(const struct sass_counts *sass, const char *name, uint64_t *value);

enum sass_verdict {
    SASS_SAME,   /* instructions, sectors or wavefronts, and conflicts are all equal */
    SASS_MERGED, /* fewer instructions, because wide ones did the work of several narrow ones; the widths prove it */
    SASS_OTHER   /* they differ, and the counts do not prove a reason */
};

enum { SASS_WIDTHS = 5 }; /* 1, 2, 4, 8 and 16 bytes a lane */

/* The loads from one space, or the stores to it. */
struct sass_line {
    enum trace_operation operation; /* TRACE_LOAD or TRACE_STORE */
    enum ptx_space space;           /* PTX_SPACE_GLOBAL or PTX_SPACE_SHARED */
    /* instructions of the PTX and of the machine code: executions by a warp with an active lane */
    uint64_t written, ran;
    uint64_t written_units, ran_units;         /* global: sectors; shared: wavefronts */
    uint64_t written_conflicts, ran_conflicts; /* shared: wavefronts beyond the number that the width needs */
    enum sass_verdict verdict;
    /* Instructions of 1 << i bytes a lane. SASS_MERGED: all PTX accesses have one width, and the machine's accesses,
     * each counted as the number of narrow ones it can hold, add up to exactly `written`. The profiler counts widths
     * over all spaces together: ran_by_width is known where at most one line differs from the PTX, otherwise it is
     * 0. */
    uint64_t written_by_width[SASS_WIDTHS], ran_by_width[SASS_WIDTHS];
};

/* Returns the number of lines and the lines, in the arena: global loads, global stores, shared loads, shared stores,
 * each only if PTX or machine code has any. Returns 0 when the launch was not counted. counts must be of the whole
 * grid. */
size_t sass_lines(const struct counts *counts, const struct trace_site *sites, const struct sass_counts *sass,
                  struct arena *arena, struct sass_line **lines);
#endif
