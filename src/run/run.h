/* A run: a kernel that was compiled, executed, recorded, checked and counted. It is plain data made of traces, models
 * and times, and its executor is a field. */
#ifndef LANESCOPE_RUN_RUN_H
#define LANESCOPE_RUN_RUN_H
#include "model/caches.h"
#include "model/clock.h"
#include "model/counts.h"
#include "model/dram.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "model/sass.h"
#include "ptx/variables.h"
#include "trace/time.h"

struct run_check { /* results against the host's reference */
    bool checked, right;
    uint64_t index; /* the first wrong element, of buffer `name` */
    const char *name;
    double expected, got;
    uint64_t wrong_count;
};

/* A named number of a run, for expressions. */
struct run_fact {
    const char *name;
    double value;
    enum { FACT_KNOWN, FACT_UNASKED, FACT_FAILED } state; /* unasked: its value is found when it is asked for */
};

struct run {
    struct arena arena;
    enum executor executor; /* never EXECUTOR_BEST */
    struct trace *trace;    /* owned */
    struct counts counts;
    struct launch_blocks counted;   /* the blocks that the counts cover */
    struct clock_figures clock;     /* the model clock that ordered the emulator's accesses; gpu is NULL without it */
    struct clock_figures latencies; /* for the reader, of the clock's GPU even where no clock ran; gpu NULL: unknown */
    /* The parsed PTX, which outlives the run, with the sites of the trace; NULL: it is not known. */
    const struct ptx_module *module;
    const uint64_t *const *executed;    /* as in emulator_result, for the blocks that the counts cover; NULL: unknown */
    const struct ptx_placed *variables; /* of the kernel, each in its space; NULL: the module is not known */
    uint32_t variable_count;
    const char *dram_preset;
    /* One burst per sector. In the order of the trace, or of a file on the emulator block after block. */
    uint64_t dram_requests, dram_hits, dram_misses, dram_conflicts;
    /* Where the sectors came from; NULL: nobody asked, or caches_unknown says why it cannot be told. */
    const struct caches *caches;
    const char *caches_unknown;
    bool caches_warm;                    /* of a second launch: run/options.h */
    const struct gpu_caches *caches_gpu; /* whose sizes caches_machine has; NULL: it is not filled */
    struct caches_machine caches_machine;
    struct run_check check;
    struct measured_time time; /* of this setting */
    /* The same launch as counted by a profiler on a GPU, compared with the PTX as written (model/sass.h). Only for a
     * whole grid; empty where assets/recordings has no counters of this launch. */
    struct sass_counts sass;
    struct sass_counts timed_sass; /* those of the launch that is timed, where it is another one */
    struct sass_line *sass_lines;
    size_t sass_line_count;
    struct occupancy_case occupancy;
    struct run_fact *facts; /* set by who wants expressions of the run; first those of the run itself */
    size_t fact_count, own_fact_count;
    const char *source, *source_name; /* text on screen */
    const char *compiler_name, *output;
    double seconds;                /* duration of the whole run on this computer */
    bool cancelled;                /* the run was stopped early; counters cover the blocks that ran */
    struct executor_progress at;   /* then: where it was */
    bool exhausted;                /* by options.most_work */
    uint64_t blocks, blocks_run;   /* on the emulator: blocks to run, and blocks that ended */
    bool partial;                  /* only the recorded blocks ran: options.run_enough */
    struct unchecked unchecked;    /* the part that a requested check did not cover */
    const struct launch_use *uses; /* of the emulator: as in emulator_result */
    uint32_t use_count;
    const struct launch_picture *picture; /* NULL: none was asked for */
    struct kernel_text_kept *kernel_text; /* run/kernel_text.h */
    struct launch launch;                 /* only run_file keeps its buffers, with the results, until run_free */
};

/* Returns an empty run, or NULL without memory. */
struct run *run_new(void);
void run_free(struct run *run);
#endif
