/* What was recorded on a GPU and is shipped: assets/recordings/GPU/LESSON.json holds the times, LESSON.traces the
 * traces. Both formats: docs/lessons.md. Written by lesson_record (record.h). */
#ifndef LANESCOPE_RECORDING_RECORDINGS_H
#define LANESCOPE_RECORDING_RECORDINGS_H
#include "lesson/lesson_run.h"
#include "lesson/plan.h"

/* The recorded time of a setting; source TIME_NONE when there is none. The first GPU folder that has one counts. */
struct measured_time recordings_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* The recorded trace; the error says which settings have one. */
bool recordings_trace(const struct lesson *lesson, const struct lesson_setting *setting, struct trace **trace,
                      struct error *error);
/* Reads from another folder than assets/recordings from now on: what was just recorded. False: it cannot be read. */
bool recordings_open(const struct lesson *lesson, const char *folder, struct error *error);
void recordings_free(struct plan_recordings *recordings);

/* The bundle of traces: one zstd frame over a magic, a count, and for each trace its name and its packed bytes. */
struct bundle_entry {
    const char *name; /* "load stride=8 element=4 padding=0" */
    const uint8_t *bytes;
    size_t size;
};
bool bundle_pack(const struct bundle_entry *entries, size_t count, struct arena *arena, uint8_t **bytes, size_t *size,
                 struct error *error);
bool bundle_unpack(const char *path, const uint8_t *bytes, size_t size, struct arena *arena,
                   struct bundle_entry **entries, size_t *count, struct error *error);
/* The name of a setting in a bundle, in the arena. */
const char *bundle_name(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena);
#endif
