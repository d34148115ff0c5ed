/* Making counters: what `lanescope record --counters` does, and the launches that it has a profiler look at. */
#ifndef LANESCOPE_RECORDING_COUNTING_H
#define LANESCOPE_RECORDING_COUNTING_H
#include "recording/profiler.h"

/* The kernels as they are, each launched once on the GPU, in an order that never changes: lesson_counted_settings,
 * or the launch of a file. */
bool lesson_launch_all(const struct lesson *lesson, struct error *error);
bool file_launch(const struct run_file_request *request, struct error *error);

struct counting {
    const struct profiler *profiler;
    const char *const *command; /* a program that makes the very launches above, NULL-terminated */
    const char *folder;         /* that of the GPU's folder, FOLDER/nvidia-h200 */
};
/* The command's launches counted, into FOLDER/GPU/NAME.counters.json; an error leaves an old file as it was. result:
 * the path and how many launches. */
struct counting_result {
    char path[512];
    size_t launches;
};
bool lesson_count(const struct lesson *lesson, const struct counting *how, struct counting_result *result,
                  struct error *error);
bool file_count(const struct run_file_request *request, const struct counting *how, struct counting_result *result,
                struct error *error);
#endif
