/* Executes one launch on one executor and fills a run: trace, counts, DRAM, printed text. */
#ifndef LANESCOPE_RUN_EXECUTE_H
#define LANESCOPE_RUN_EXECUTE_H
#include "run/options.h"
#include "run/run.h"

struct compile_define;

/* Makes traces on a GPU in a way of its own, in place of cuda_trace and cuda_trace_values. */
struct execute_tracer {
    bool (*trace)(void *context, struct launch_blocks recorded, bool values, const struct trace_listener *listener,
                  struct trace **trace, struct error *error);
    void *context;
};

struct execute_request {
    const struct ptx_module *module;
    struct launch *launch;
    const struct compile_define *defines; /* macros that the source was compiled with */
    size_t define_count;
    const struct source *tokens; /* of run->source, if it is read already: a program launches a kernel often; or NULL */
    struct run_options options;  /* the executor is EXECUTOR_GPU or EXECUTOR_EMULATOR */
    const struct clock_figures *clock;
    bool dram_of_all_blocks; /* DRAM counts cover all blocks, one after the other; otherwise the recorded ones in the
                                order of the trace */
    const struct execute_tracer *tracer; /* NULL: none */
};
/* Expects run->source, compiler_name and dram_preset, and copies them into the trace. */
bool execute(struct run *run, const struct execute_request *request, struct error *error);
/* Counts a trace that is already in run->trace: events, branches and DRAM. */
void execute_count(struct run *run);
/* Replaces EXECUTOR_BEST by the executor to use. Returns false when the request wants a GPU and this computer has none.
 */
bool execute_choose(enum executor *executor, struct error *error);
#endif
