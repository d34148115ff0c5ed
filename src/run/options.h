/* Options for the execution of a launch, from a lesson, a file or a program. The command line fills this set once, and
 * it is passed whole down to the executor. */
#ifndef LANESCOPE_RUN_OPTIONS_H
#define LANESCOPE_RUN_OPTIONS_H
#include "base/error.h"
#include "trace/executor.h"
#include "trace/launch.h"
#include <stdatomic.h>

struct run_options {
    enum executor executor;
    struct launch_blocks recorded;
    bool run_recorded_only; /* blocks that are not recorded do not run, so that counters cover the recorded alone */
    bool run_enough;        /* the same on the emulator, unless a block may depend on another: see run.partial */
    bool no_recording;      /* counters, checks and results only: `recorded` is ignored */
    struct launch_checks checks;
    const char *dram;          /* a name of dram_presets(); NULL: DRAM_OF_FILES */
    bool caches;               /* follow the caches: model/caches.h */
    bool caches_warm;          /* of a second launch: the L2 holds what a first one left */
    const char *gpu;           /* the GPU of the model clock and of the caches: see model/gpu.h; NULL: GPU_DEFAULT */
    unsigned threads;          /* 0: one for each processor */
    uint64_t budget;           /* warp instructions before a kernel counts as endless; 0: the executor's own */
    uint64_t most_work;        /* of the emulator in all, as its option counts it; 0: no limit */
    const atomic_bool *cancel; /* when set from outside, the run ends with the totals so far */
    void (*progress)(void *context, const struct executor_progress *progress);
    void *progress_context;
};
/* Returns what a launch of a file may take in all: a hundred times the budget of a block, and a second at least. */
uint64_t run_most_work(uint64_t budget);
/* Returns whether the name is one of dram_presets(). The error lists them. */
bool run_dram_known(const char *name, struct error *error);
#endif
