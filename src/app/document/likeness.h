/* Whether the emulator's run makes the same accesses as a GPU's, as trace_compare finds. */
#ifndef LANESCOPE_APP_DOCUMENT_LIKENESS_H
#define LANESCOPE_APP_DOCUMENT_LIKENESS_H
#include "base/arena.h"
#include "trace/trace.h"

struct likeness {
    enum { LIKE_UNKNOWN, LIKE_SAME, LIKE_DIFFERENT } verdict; /* unknown: there is no trace of a GPU at this setting */
    const char *device;
    enum trace_difference_kind kind;
    char difference[512];
};

/* The traces of an emulator and of a GPU; the GPU's name lies in the arena. */
struct likeness likeness_of(struct arena *arena, const struct trace *emulator, const struct trace *gpu);
/* Why they differ, or where first. */
const char *likeness_words(const struct likeness *likeness);
#endif
