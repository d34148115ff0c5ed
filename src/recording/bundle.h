/* A bundle of recorded traces: one zstd frame over a magic, a count, and for each trace its name and its packed bytes.
 */
#ifndef LANESCOPE_RECORDING_BUNDLE_H
#define LANESCOPE_RECORDING_BUNDLE_H
#include "base/arena.h"
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct bundle_entry {
    const char *name; /* the setting's name: "load stride=8 element=4 padding=0" */
    const uint8_t *bytes;
    size_t size;
};
bool bundle_pack(const struct bundle_entry *entries, size_t count, struct arena *arena, uint8_t **bytes, size_t *size,
                 struct error *error);
/* The entries point into memory of the arena. path: for messages. */
bool bundle_unpack(const char *path, const uint8_t *bytes, size_t size, struct arena *arena,
                   struct bundle_entry **entries, size_t *count, struct error *error);
#endif
