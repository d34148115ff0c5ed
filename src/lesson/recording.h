/* Makes recordings and counters of a lesson, for `lanescope record`. */
#ifndef LANESCOPE_LESSON_RECORDING_H
#define LANESCOPE_LESSON_RECORDING_H
#include "lesson/lesson_run.h"
#include "recording/counting.h"
#include <stdatomic.h>

struct recording_options {
    enum executor
        executor; /* EXECUTOR_GPU: traces and times; EXECUTOR_EMULATOR: traces alone, labelled as the emulator's */
    const atomic_bool *cancel;
    void (*progress)(void *context, const char *lesson, size_t done, size_t all);
    void *progress_context;
};
struct recording_result {
    size_t timings, traces;
    size_t trace_bytes, json_bytes; /* of the two files */
    char folder[512];               /* the folder of the files: FOLDER/nvidia-h200 */
};
/* Recordings of one lesson, in bytes: twenty lessons then add at most 8 MB to the installed program. */
enum { RECORDING_BYTES_MAX = 400000 };
enum { TIMED_THREADS_MIN = 256 }; /* of a block; smaller ones can leave much of a GPU idle */
/* Lists the settings that are timed, each once. The caller frees the list. */
size_t lesson_timed_settings(const struct lesson *lesson, struct lesson_setting **settings);
/* Lists the settings that a profiler counts, each once: those under `traces` and `counters` of the lesson's `record`
 * section. The caller frees the list. */
size_t lesson_counted_settings(const struct lesson *lesson, struct lesson_setting **settings);
/* Returns the number of launches that lesson_launch_all makes: of these settings, then the timed launch of each timed
 * setting. */
size_t lesson_counted_launches(const struct lesson *lesson);
/* Records all settings of the lesson's `record` section into folder/GPU/LESSON.json and LESSON.traces. A wrong result,
 * lost events or a stop leave the old files unchanged. */
bool lesson_record(const struct lesson *lesson, const char *folder, const struct recording_options *options,
                   struct recording_result *result, struct error *error);

/* Launches the kernels to count, each once on the GPU, in their order. */
bool lesson_launch_all(const struct lesson *lesson, struct error *error);
/* Counts these launches. The command of `how` calls lesson_launch_all. */
bool lesson_count(const struct lesson *lesson, const struct counting *how, struct counting_result *result,
                  struct error *error);
#endif
