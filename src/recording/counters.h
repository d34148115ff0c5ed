/* What a profiler counted of launches and is shipped: assets/recordings/GPU/NAME.counters.json, NAME a lesson or a
 * kernel file without ".cu". Written by `lanescope record --counters`; the format is in docs/recordings.md. A launch is
 * found again by its key, and only while the kernel's source is what was counted. */
#ifndef LANESCOPE_RECORDING_COUNTERS_H
#define LANESCOPE_RECORDING_COUNTERS_H
#include "model/machine.h"
#include "run/file.h"

/* Names of the counters kept, in the file's order: those that the command line has too, and all instructions. */
extern const char *const counter_names[];
extern const size_t counter_name_count;

struct counter_row {
    const char *launch;     /* its key */
    const uint64_t *values; /* counter_name_count of them */
};

struct counter_source { /* "banks.cu" and digest_of its text */
    const char *name, *digest;
};

struct counter_table {
    const char *device, *driver, *date, *profiler;
    const struct counter_source *sources;
    size_t source_count;
    const struct counter_row *rows;
    size_t row_count;
};

/* NAME of a file's counters: "matmul" of "matmul.cu". */
const char *counters_name(const char *source_name, struct arena *arena);

bool counters_read(struct arena *arena, const char *path, struct counter_table *table, struct error *error);
bool counters_write(const char *path, const struct counter_table *table, struct error *error);

/* The counts of a launch, which point into the table and the arena; counted is false when there are none. */
struct machine_counts counters_find(const struct counter_table *table, const char *source_name, const char *source,
                                    const char *key, struct arena *arena);
/* The counters of NAME, from the first GPU folder of assets/recordings that has NAME.counters.json, in the arena.
 * Without one, and of a damaged file, the table is empty. */
void counters_read_shipped(struct arena *arena, const char *name, struct counter_table *table);
/* Of a file's launch, from the first GPU folder of assets/recordings that has NAME.counters.json. */
struct machine_counts counters_of_file(const char *source_name, const char *source, const char *key,
                                       struct arena *arena);
/* Sets the run's machine counts and lines where its launch was counted. A run of some blocks alone gets none. */
void counters_add(struct run *run, const struct run_file_request *request);
#endif
