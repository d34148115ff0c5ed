/* A run: a kernel compiled, executed, recorded, checked and counted. What every client (window, command line, tests)
 * asks for; which executor did it is a field, not a different path. */
#ifndef LANESCOPE_RUN_RUN_H
#define LANESCOPE_RUN_RUN_H
#include "compile/compile.h"
#include "cuda/cuda.h"
#include "emulator/emulator.h"
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "model/clock.h"
#include "model/counts.h"
#include "model/dram.h"
#include "model/machine.h"

enum time_source { TIME_NONE, TIME_LIVE, TIME_RECORDED };
struct run_time {
    enum time_source source;
    double median, p25, p75; /* microseconds */
    unsigned runs;
    char device[128], driver[32], date[11];
    char what[128]; /* what was timed: "16,777,216 floats, block 256" */
    /* Of a kernel: how the GPU ran meanwhile (of a recorded one: during the whole recording), and whether copies of the
     * buffers took turns so that no launch found its input in the L2. */
    struct cuda_state state;
    bool beyond_cache;
};

struct run_check { /* results against the host's reference */
    bool checked, right;
    uint64_t index; /* the first wrong element, of buffer `name` */
    const char *name;
    double expected, got;
    uint64_t wrong_count;
};

struct run {
    struct arena arena;
    enum executor executor; /* the one that ran: never EXECUTOR_BEST */
    struct trace *trace;    /* owned */
    const struct emulator_hazard *hazards;
    uint32_t hazard_count;
    struct counts counts;
    struct launch_blocks counted; /* what the counts are of */
    struct clock_figures clock; /* what ordered the recorded accesses of the emulator; gpu NULL: not the model clock */
    const char *dram_preset;
    /* A burst for every sector: of a lesson in the trace's order, of a file on the emulator block after block. */
    uint64_t dram_requests, dram_hits, dram_misses, dram_conflicts;
    struct run_check check;
    struct run_time time; /* of this setting */
    /* The same launch as a profiler counted it on a GPU, and set side by side with what is written: model/machine.h.
     * Only of a whole grid; not counted, and no lines, where assets/recordings has nothing for this launch. */
    struct machine_counts machine;
    struct machine_line *machine_lines;
    size_t machine_line_count;
    const struct run_fact *facts;
    size_t fact_count;
    const char *source, *source_name; /* text on screen */
    const char *compiler_name, *output;
    double seconds;              /* the whole run took, on this machine's clock: for `bench` and the 100 ms promise */
    bool cancelled;              /* stopped early: counters are of the blocks that ran */
    uint64_t blocks, blocks_run; /* on the emulator: that were to run, and that ran to their end */
    const char *unchecked;       /* what a check that was asked for did not cover, in a sentence; or "" */
    struct launch launch;        /* what ran; only run_file keeps its buffers, with the results, until run_free */
};

/* One setting of a lesson. blocks NULL: the whole grid runs and the lesson's blocks are recorded; else only those
 * blocks run, and nothing is checked. The GPU and recordings are used as asked: EXECUTOR_BEST is the GPU if there is
 * one, else the emulator. */
bool run_lesson(const struct lesson *lesson, const struct lesson_setting *setting, enum executor executor,
                const struct launch_blocks *blocks, struct run **run, struct error *error);
void run_free(struct run *run);

/* Only the numbers of one setting, without keeping a trace: what a ladder needs for each of its points. */
bool run_lesson_fact(const struct lesson *lesson, const struct lesson_setting *setting, const char *expression,
                     double *value, struct error *error);

/* The measured time of a setting, if there is one: measured live before, else recorded. TIME_NONE else. A run takes its
 * time when it is made: run again (a millisecond) after measuring. */
struct run_time run_lesson_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* Measures now: CUDA events on a GPU, or the host's own loop. False when this machine cannot. */
bool run_lesson_measure(const struct lesson *lesson, const struct lesson_setting *setting, struct run_time *time,
                        struct error *error);

/* An expression over facts, knob names and numbers (+ - * / ^ comparisons && || ?: ceil floor). */
bool run_evaluate(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                  const char *expression, double *value, struct error *error);
/* Where a beat opens: the event of the run's trace in *event. False when this setting has no such access (the knobs
 * may make it vanish) or the beat names none: the beat then opens at the start. */
bool run_find_beat(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                   const struct lesson_beat *beat, size_t *event);

/* A lesson's text for the run: every span filled; what follows a condition `{?expression}` in a paragraph is left out
 * when it is false. */
struct lesson_text run_fill_words(const struct run *run, const struct lesson *lesson,
                                  const struct lesson_setting *setting, struct arena *arena,
                                  const struct lesson_text *text);
/* `{expression}` and `{expression:format}` in a text replaced by the run's values, in the arena. What cannot be
 * evaluated stays as it is written. */
const char *run_fill_text(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          struct arena *arena, const char *text);

/* A .cu or .ptx file with a launch given by hand: `lanescope run`, or a file dropped on the window. */
struct run_file_request {
    const char *path, *kernel;
    uint32_t grid[3], block[3]; /* 0: not said; 1 block of 32 threads */
    uint32_t shared_bytes;
    bool shared_said; /* of --shared and the comment of run/launch_words.h */
    const struct compile_define *defines;
    size_t define_count;
    const char *const *arguments; /* as on the command line: "i32=5", "f32[1024]=iota" */
    size_t argument_count;
    enum compiler compiler;
    const char *dram; /* a name of dram_presets(); NULL: DRAM_OF_FILES */
    const char *gpu;  /* whose latencies the model clock has: see model/gpu.h; NULL: GPU_DEFAULT */
    struct launch_blocks recorded;
    bool run_recorded_only; /* blocks that are not recorded do not run, so that counters cover the recorded alone */
    bool no_recording;      /* counters, checks and results only: `recorded` is not looked at */
    unsigned threads;       /* 0: one for each processor */
    bool check_memory, check_races, record_values;
    enum executor executor;
    uint64_t budget;
    const atomic_bool *cancel;
    void (*progress)(void *context, uint64_t done, uint64_t all);
    void *progress_context;
    struct launch_buffer **buffers; /* out, when not NULL: the launch's buffers, in the run's arena */
    uint32_t *buffer_count;
};
/* What a .cu is compiled for: the GPU here, without one sm_90. Lower ones lack instructions that courses use, and make
 * cuda::barrier of plain atomics, whose waiting looks like races. From sm_75 to sm_90, for which the emulator is. */
unsigned file_target(void);
/* Whether the name is one of dram_presets(); the error lists them. */
bool run_dram_known(const char *name, struct error *error);
bool run_file(const struct run_file_request *request, struct run **run, struct error *error);
/* The same up to the launch: source, program and filled buffers in run->launch, nothing executed. */
bool run_file_prepare(const struct run_file_request *request, struct run **run, const struct ptx_program **program,
                      struct error *error);
#endif
