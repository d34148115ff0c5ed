/* Recordings of a GPU that are shipped: assets/recordings/GPU/NAME.json holds the times of settings, NAME.traces their
 * traces. A setting is found by its name, "load stride=8 element=4". Formats: docs/recordings.md. */
#ifndef LANESCOPE_RECORDING_RECORDINGS_H
#define LANESCOPE_RECORDING_RECORDINGS_H
#include "recording/times.h"
#include "trace/trace.h"

struct recordings;
/* Opens the first GPU folder of assets/recordings that has NAME.json. If it has no NAME.traces, those of the first
 * folder that has some are taken: the accesses of another GPU are the same, and a trace names its GPU. Without
 * NAME.json the set is empty. NULL: no memory. */
struct recordings *recordings_find(const struct recording_names *names);
/* Returns an empty set. NULL: no memory. */
struct recordings *recordings_none(const struct recording_names *names);
/* Opens one folder. Damage leaves the set without times, and recordings_damage says what is wrong. NULL: no memory. */
struct recordings *recordings_open(const char *folder, const struct recording_names *names);
/* Returns the error of the damaged file, or NULL when the set is whole. Accepts NULL. */
const struct error *recordings_damage(const struct recordings *recordings);
void recordings_free(struct recordings *recordings);

/* Returns the recorded time of a setting; its source is TIME_NONE without one. Accepts NULL. */
struct measured_time recordings_time(const struct recordings *recordings, const char *setting);
/* Reads the recorded trace of a setting. The error names the setting that has none. */
bool recordings_trace(struct recordings *recordings, const char *setting, struct trace **trace, struct error *error);

/* Returns the bytes of all shipped files of a lesson in the folder of one GPU: the largest sum of any GPU. */
size_t recordings_bytes(const char *lesson);

/* Writes the folder name of a GPU: "nvidia-h200" for "NVIDIA H200". */
void recording_folder(char *to, size_t size, const char *gpu);
#endif
