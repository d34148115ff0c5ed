/* The kinds of executors and their words. */
#ifndef LANESCOPE_TRACE_EXECUTOR_H
#define LANESCOPE_TRACE_EXECUTOR_H
#include <stdbool.h>
#include <stdint.h>

/* A trace names the executor that made it: the emulator or a GPU. A run may also come from a recording, whose trace
 * still names its executor. */
enum executor {
    EXECUTOR_BEST, /* in a request: the GPU where there is one, else the emulator; in a trace: unknown */
    EXECUTOR_GPU,
    EXECUTOR_EMULATOR,
    EXECUTOR_RECORDING
};

/* What the block that runs is doing: its warps have come back to their instructions very often; or a warp waits for
 * another thread to change a value in memory. */
enum executor_doing { EXECUTOR_GOES_ON, EXECUTOR_LOOPS, EXECUTOR_POLLS };

/* Where a launch on the emulator is: blocks that ended, and the place and the work of one that runs. */
struct executor_progress {
    uint64_t done, blocks;
    uint64_t block, instructions, budget; /* instructions: of its warps; budget: after which it counts as endless */
    uint32_t line;                        /* 0: unknown */
    enum executor_doing doing;
};

/* Returns the word for an executor in files, JSON and options: "gpu", "emulator", "recording"; "" for EXECUTOR_BEST. */
const char *executor_word(enum executor executor);
/* Finds the executor of a word. Returns false when there is none. */
bool executor_from_word(const char *word, enum executor *executor);
#endif
