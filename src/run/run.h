/* A run: a kernel compiled, executed, recorded, checked and counted. Plain data: which executor made it is a field, and
 * a panel that draws it needs traces, models and times alone. */
#ifndef LANESCOPE_RUN_RUN_H
#define LANESCOPE_RUN_RUN_H
#include "model/clock.h"
#include "model/counts.h"
#include "model/dram.h"
#include "model/machine.h"
#include "trace/time.h"

struct run_check { /* results against the host's reference */
    bool checked, right;
    uint64_t index; /* the first wrong element, of buffer `name` */
    const char *name;
    double expected, got;
    uint64_t wrong_count;
};

struct run_fact; /* lesson/expression.h */

struct run {
    struct arena arena;
    enum executor executor; /* the one that ran: never EXECUTOR_BEST */
    struct trace *trace;    /* owned */
    struct counts counts;
    struct launch_blocks counted; /* what the counts are of */
    struct clock_figures clock; /* what ordered the recorded accesses of the emulator; gpu NULL: not the model clock */
    const char *dram_preset;
    /* A burst for every sector: of a lesson in the trace's order, of a file on the emulator block after block. */
    uint64_t dram_requests, dram_hits, dram_misses, dram_conflicts;
    struct run_check check;
    struct measured_time time; /* of this setting */
    /* The same launch as a profiler counted it on a GPU, and set side by side with what is written: model/machine.h.
     * Only of a whole grid; not counted, and no lines, where assets/recordings has nothing for this launch. */
    struct machine_counts machine;
    struct machine_line *machine_lines;
    size_t machine_line_count;
    const struct run_fact *facts; /* set by a lesson, for its expressions */
    size_t fact_count;
    const char *source, *source_name; /* text on screen */
    const char *compiler_name, *output;
    double seconds;              /* the whole run took, on this machine's clock: for `bench` and the 100 ms promise */
    bool cancelled;              /* stopped early: counters are of the blocks that ran */
    uint64_t blocks, blocks_run; /* on the emulator: that were to run, and that ran to their end */
    struct unchecked unchecked;  /* what a check that was asked for did not cover */
    struct launch launch;        /* what ran; only run_file keeps its buffers, with the results, until run_free */
};

/* An empty run; NULL without memory. */
struct run *run_new(void);
void run_free(struct run *run);
#endif
