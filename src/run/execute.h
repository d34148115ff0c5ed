/* One launch on one executor, into a run: trace, counts, DRAM, hazards, printed text. */
#ifndef LANESCOPE_RUN_EXECUTE_H
#define LANESCOPE_RUN_EXECUTE_H
#include "run/run.h"

struct execute_request {
    const struct ptx_program *program;
    struct launch *launch;
    struct launch_blocks recorded;
    bool run_recorded_only, no_recording, check_memory, check_races, record_values;
    bool dram_of_all_blocks; /* block after block, recorded or not; else the recorded ones in the trace's order */
    enum executor executor;  /* EXECUTOR_GPU or EXECUTOR_EMULATOR */
    const struct clock_figures *clock;
    unsigned threads;
    uint64_t budget;
    const atomic_bool *cancel;
    void (*progress)(void *context, uint64_t done, uint64_t all);
    void *progress_context;
};
/* run->source, compiler_name and dram_preset are set before; they are copied into the trace. */
bool execute(struct run *run, const struct execute_request *request, struct error *error);
/* Counts, hazards and DRAM of a trace that is already in run->trace. */
void execute_count(struct run *run);
/* EXECUTOR_BEST and EXECUTOR_GPU made definite; false when a GPU is asked for and there is none. */
bool execute_choose(enum executor *executor, struct error *error);

struct run *run_new(void);

/* Facts of a run: facts.c. place: of which event an access's facts speak. */
bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error);
/* The emulator's run of a setting, without check, time or facts from elsewhere: for ladders and facts. */
bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, struct run **run,
                        struct error *error);
#endif
