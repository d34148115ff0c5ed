/* Counts launches with a profiler, for `lanescope record --counters`: a command makes the launches in a fixed order,
 * and the profiler's rows become NAME.counters.json. */
#ifndef LANESCOPE_RECORDING_COUNTING_H
#define LANESCOPE_RECORDING_COUNTING_H
#include "recording/profiler.h"

struct counting {
    const struct profiler *profiler;
    const char *const *command; /* a program that makes the launches, NULL-terminated */
    const char *folder;         /* contains the folders of GPUs: FOLDER/nvidia-h200 */
    bool cold;                  /* the caches are emptied before each launch */
};
struct counting_result {
    char path[512];
    size_t launches;
};
/* A launch that the command makes: its kernel's symbol and its key (run/launch_key.h). */
struct counted_launch {
    const char *kernel, *key;
};
/* Counts the command's launches into FOLDER/GPU/NAME.counters.json. An error leaves an old file as it was; launches
 * that differ from the expected ones are an error. */
bool count_launches(const struct counting *how, const char *name, const struct counter_source *sources,
                    size_t source_count, const struct counted_launch *expected, size_t expected_count,
                    struct counting_result *result, struct error *error);

/* Makes the launch of a file once on the GPU. */
bool file_launch(const struct run_file_request *request, struct error *error);
/* Counts it: the command calls file_launch. */
bool file_count(const struct run_file_request *request, const struct counting *how, struct counting_result *result,
                struct error *error);
#endif
