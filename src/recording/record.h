/* Making recordings: what `lanescope record` does for each lesson. */
#ifndef LANESCOPE_RECORDING_RECORD_H
#define LANESCOPE_RECORDING_RECORD_H
#include "lesson/lesson_run.h"

struct record_options {
    enum executor
        executor; /* EXECUTOR_GPU: traces and times; EXECUTOR_EMULATOR: traces alone, labelled as the emulator's */
    const atomic_bool *cancel;
    void (*progress)(void *context, const char *lesson, size_t done, size_t all);
    void *progress_context;
};
struct record_result {
    size_t timings, traces;
    size_t trace_bytes, json_bytes; /* of the two files */
    char folder[512];               /* where they are: FOLDER/nvidia-h200 */
};
/* "NVIDIA H200" as a folder: "nvidia-h200". */
void record_folder(char *to, size_t size, const char *name);
/* The settings that a profiler counts, each once: those of which the lesson's `record` section wants traces, and those
 * it lists under `counters`. Freed by the caller. */
size_t lesson_counted_settings(const struct lesson *lesson, struct lesson_setting **settings);
/* All settings that the lesson's `record` section names, into folder/GPU/LESSON.json and LESSON.traces. A wrong result,
 * lost events or a stop leave the old files as they are. */
bool lesson_record(const struct lesson *lesson, const char *folder, const struct record_options *options,
                   struct record_result *result, struct error *error);
#endif
