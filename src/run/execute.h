/* One launch on one executor, into a run: trace, counts, DRAM, hazards, printed text. */
#ifndef LANESCOPE_RUN_EXECUTE_H
#define LANESCOPE_RUN_EXECUTE_H
#include "run/options.h"
#include "run/run.h"

struct execute_request {
    const struct ptx_program *program;
    struct launch *launch;
    struct run_options options; /* executor: EXECUTOR_GPU or EXECUTOR_EMULATOR */
    const struct clock_figures *clock;
    bool dram_of_all_blocks; /* block after block, recorded or not; else the recorded ones in the trace's order */
};
/* run->source, compiler_name and dram_preset are set before; they are copied into the trace. */
bool execute(struct run *run, const struct execute_request *request, struct error *error);
/* Counts, hazards and DRAM of a trace that is already in run->trace. */
void execute_count(struct run *run);
/* EXECUTOR_BEST and EXECUTOR_GPU made definite; false when a GPU is asked for and there is none. */
bool execute_choose(enum executor *executor, struct error *error);
#endif
