/* A profiler's counters of launches, shipped as assets/recordings/GPU/NAME.counters.json. NAME is a lesson,
 * "matmul", or a kernel file, "matmul.cu". `lanescope record --counters` writes them; docs/recordings.md has the
 * format. A launch is found by its key, and only if the kernel's source is unchanged. */
#ifndef LANESCOPE_RECORDING_COUNTERS_H
#define LANESCOPE_RECORDING_COUNTERS_H
#include "model/sass.h"
#include "run/file.h"

/* Names of the counters, in the file's order. After the first 16 a file may lack a counter. */
extern const char *const counter_names[];
extern const size_t counter_name_count;
enum { COUNTER_NAMES_MAX = 64 };
#define COUNTER_ABSENT UINT64_MAX
/* The counter that has a value for each opcode of the machine code. */
extern const char counter_opcodes[];

struct counter_row {
    const char *launch;            /* its key */
    const uint64_t *values;        /* counter_name_count values, or COUNTER_ABSENT */
    const struct counter *opcodes; /* "BRA", and how many warps executed it; none if they were not counted */
    size_t opcode_count;
};

struct counter_source { /* "banks.cu", and the digest_of its text */
    const char *name, *digest;
};

struct counter_table {
    const char *device, *driver, *date, *profiler;
    bool cold; /* the caches were empty when each launch began */
    const struct counter_source *sources;
    size_t source_count;
    const struct counter_row *rows;
    size_t row_count;
};

bool counters_read(struct arena *arena, const char *path, struct counter_table *table, struct error *error);
bool counters_write(const char *path, const struct counter_table *table, struct error *error);

/* Returns the counts of a launch, which point into the table and the arena. `counted` is false without any. */
struct sass_counts counters_find(const struct counter_table *table, const char *source_name, const char *source,
                                 const char *key, struct arena *arena);
/* Returns the registers of a thread in the machine code of a launch's kernel, from any counted launch of the same
 * kernel and defines. Returns 0 if there is none. */
uint32_t counters_registers(const struct counter_table *table, const char *source_name, const char *source,
                            const char *key);
/* Reads NAME.counters.json from the first GPU folder of assets/recordings that has it. Without such a file, or if it is
 * damaged, the table is empty. */
void counters_read_shipped(struct arena *arena, const char *name, struct counter_table *table);
/* Sets the run's counts of machine code and lines where its launch was counted. A run of only some blocks gets none. */
void counters_add(struct run *run, const struct run_file_request *request);
#endif
