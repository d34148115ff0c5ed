/* NAME.json: the measured times of settings, with the GPU, the driver and the date. Format: docs/recordings.md. */
#ifndef LANESCOPE_RECORDING_TIMES_H
#define LANESCOPE_RECORDING_TIMES_H
#include "base/arena.h"
#include "base/error.h"
#include "trace/time.h"

/* The parts of the names of settings. A setting's name is its variant, then each knob with its value: "load stride=8
 * element=4". */
struct recording_names {
    const char *name; /* name of the recorded lesson and of its files */
    const char *const *variants, *const *knobs;
    size_t variant_count, knob_count;
};

struct recorded_time {
    const char *setting; /* the setting's name, with only those knobs on which the time depends */
    double median, p25, p75;
    unsigned runs;
};

struct recorded_times {
    char device[128], driver[32], date[11];
    struct gpu_state state;
    bool beyond_cache;
    const struct recorded_time *rows;
    size_t count;
};
/* Reads a file into the arena. A row whose variant or knob is unknown is an error. */
bool recorded_times_read(struct arena *arena, const char *path, const struct recording_names *names,
                         struct recorded_times *times, struct error *error);
/* Returns the time of a setting; its source is TIME_NONE when no row fits. A knob without a column is ignored. */
struct measured_time recorded_times_find(const struct recorded_times *times, const char *setting);

/* Returns a text as JSON writes it, quoted, in the arena. */
const char *recorded_string(struct arena *arena, const char *text);
/* Returns the text of the file, in the arena, one row a line. names: with the knobs that are columns. what: the subject
 * of the measurement. */
const char *recorded_times_text(const struct recorded_times *times, const struct recording_names *names,
                                const char *what, struct arena *arena);
#endif
