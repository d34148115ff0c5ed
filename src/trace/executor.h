/* The kinds of executors and their words. */
#ifndef LANESCOPE_TRACE_EXECUTOR_H
#define LANESCOPE_TRACE_EXECUTOR_H
#include <stdbool.h>

/* A trace names the executor that made it: the emulator or a GPU. A run may also come from a recording, whose trace
 * still names its executor. */
enum executor {
    EXECUTOR_BEST, /* in a request: the GPU where there is one, else the emulator; in a trace: unknown */
    EXECUTOR_GPU,
    EXECUTOR_EMULATOR,
    EXECUTOR_RECORDING
};

/* Returns the word for an executor in files, JSON and options: "gpu", "emulator", "recording"; "" for EXECUTOR_BEST. */
const char *executor_word(enum executor executor);
/* Finds the executor of a word. Returns false when there is none. */
bool executor_from_word(const char *word, enum executor *executor);
#endif
