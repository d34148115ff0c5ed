/* Whether the emulator's run makes the same accesses as a GPU's, by trace_compare. */
#ifndef LANESCOPE_DOCUMENT_LIKENESS_H
#define LANESCOPE_DOCUMENT_LIKENESS_H
#include "base/arena.h"
#include "trace/trace.h"

struct likeness {
    enum { LIKE_UNKNOWN, LIKE_SAME, LIKE_DIFFERENT } verdict; /* unknown: there is no trace of a GPU at this setting */
    const char *device;
    enum trace_difference_kind kind;
    char difference[512];
};

/* Compares an emulator's trace with a GPU's; the GPU's name is copied to the arena. */
struct likeness likeness_between(struct arena *arena, const struct trace *emulator, const struct trace *gpu);
/* Returns the reason for the difference if it is known, or else the first difference. */
const char *likeness_words(const struct likeness *likeness);
#endif
