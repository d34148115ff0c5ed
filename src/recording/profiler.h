/* Nsight Compute as a child program: it runs a command and counts every kernel that the command launches. */
#ifndef LANESCOPE_RECORDING_PROFILER_H
#define LANESCOPE_RECORDING_PROFILER_H
#include "recording/counters.h"

struct profiler {
    char path[512];
    char name[64]; /* "Nsight Compute 2025.3.1.0" */
};
/* Returns false when this computer has no ncu; the error says what to install. */
bool profiler_find(struct profiler *profiler, struct error *error);

/* Runs the command under the profiler and returns one row per launch, in order, in the arena; `launch` is the kernel's
 * name. Several passes replay each launch. Clocks keep their state, and so do caches that are not `cold`: emptied
 * before each pass. */
bool profiler_count(const struct profiler *profiler, const char *const *command, bool cold, struct arena *arena,
                    struct counter_row **rows, size_t *count, struct error *error);

/* Reads the output of `ncu --csv --page raw`: remarks, then names, units, and one row per launch. The text is cut up in
 * place. */
bool profiler_read(char *text, struct arena *arena, struct counter_row **rows, size_t *count, struct error *error);
#endif
