/* Nsight Compute beside us: it runs a command and counts every kernel that the command launches. */
#ifndef LANESCOPE_RECORDING_PROFILER_H
#define LANESCOPE_RECORDING_PROFILER_H
#include "recording/counters.h"

struct profiler {
    char path[512];
    char name[64]; /* "Nsight Compute 2025.3.1.0" */
};
/* False, with what to install, when this machine has no ncu. */
bool profiler_find(struct profiler *profiler, struct error *error);

/* Runs the command under the profiler, and gives a row a launch, in order, in the arena: `launch` is the kernel's name.
 * Several passes replay each launch; clocks and caches are left as they are. */
bool profiler_count(const struct profiler *profiler, const char *const *command, struct arena *arena,
                    struct counter_row **rows, size_t *count, struct error *error);

/* What ncu prints, as `--csv --page raw` writes it: remarks of its own, then names, units, and a row a launch. The text
 * is cut up in place. */
bool profiler_read(char *text, struct arena *arena, struct counter_row **rows, size_t *count, struct error *error);
#endif
