/* As written and as the machine ran it: a trace counts the loads and stores of the PTX; a profiler counts those of the
 * machine code that ptxas made of it, which may have merged, moved or dropped some. Both side by side, and the
 * difference explained where the counts alone prove it. */
#ifndef LANESCOPE_MODEL_MACHINE_H
#define LANESCOPE_MODEL_MACHINE_H
#include "model/counts.h"

/* One launch, the kernel untouched, as Nsight Compute counted it on a GPU. */
struct machine_counts {
    bool counted; /* false: nobody counted this launch, and nothing else here is set */
    char device[128], driver[32], date[11];
    char profiler[64];              /* "Nsight Compute 2025.3.1.0" */
    const struct counter *counters; /* Nsight Compute's names */
    size_t counter_count;
};
/* False when it was not counted. */
bool machine_counter(const struct machine_counts *machine, const char *name, uint64_t *value);

enum machine_verdict {
    MACHINE_SAME,   /* instructions, sectors or wavefronts, and conflicts all equal */
    MACHINE_MERGED, /* fewer instructions, because wide ones took the work of several narrow ones: the widths prove it
                     */
    MACHINE_OTHER   /* they differ, and the counts do not prove why */
};

enum { MACHINE_WIDTHS = 5 }; /* 1, 2, 4, 8 and 16 bytes a lane */

/* The loads from, or the stores to, one space. */
struct machine_line {
    enum trace_operation operation;            /* TRACE_LOAD or TRACE_STORE */
    enum ptx_space space;                      /* PTX_SPACE_GLOBAL or PTX_SPACE_SHARED */
    uint64_t written, ran;                     /* instructions, each executed by a warp with any lane active */
    uint64_t written_units, ran_units;         /* global: sectors; shared: wavefronts */
    uint64_t written_conflicts, ran_conflicts; /* shared: wavefronts beyond those the width needs */
    enum machine_verdict verdict;
    /* Instructions by width, of 1 << i bytes a lane. MACHINE_MERGED: all that is written has one width, and what ran,
     * each taken for as many of that width as it is wide, makes up exactly the written number. The profiler counts
     * widths over all spaces at once: those that ran are known where at most one line did not run as written, else 0.
     */
    uint64_t written_by_width[MACHINE_WIDTHS], ran_by_width[MACHINE_WIDTHS];
};

/* One line for each operation and space that either did, in the arena: global loads, global stores, shared loads,
 * shared stores. 0 when the launch was not counted. counts: of the whole grid. */
size_t machine_lines(const struct counts *counts, const struct trace_site *sites, const struct machine_counts *machine,
                     struct arena *arena, struct machine_line **lines);
#endif
