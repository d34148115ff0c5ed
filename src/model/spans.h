/* What each warp of a block does along the trace's clock: it runs, or it waits and for what. */
#ifndef LANESCOPE_MODEL_SPANS_H
#define LANESCOPE_MODEL_SPANS_H
#include "model/timeline.h"

enum span_kind {
    SPAN_RUNS,
    SPAN_MEMORY, /* until a value that it uses, or its copies, are there. By a GPU's clock: from an access to the warp's
                    next event, because the trace does not say when the data came */
    SPAN_PIPE,   /* passes of other accesses, or further passes of its own, occupy the pipe. Model clock only */
    SPAN_BARRIER, /* at a barrier, or it asks whether the phase of a barrier object is over */
    SPAN_KINDS
};
struct span {
    uint64_t from, until; /* cycles */
    enum span_kind kind;
    uint32_t position; /* in the timeline: of the event that it begins with, or, before all events, of the first one */
};
struct spans {
    struct span *items; /* of warp w: items[starts[w]] up to, but not including, [starts[w + 1]], in order */
    uint32_t *starts, warp_count;
    uint64_t first, last;           /* cycles */
    uint64_t (*cycles)[SPAN_KINDS]; /* of each warp */
    uint64_t all[SPAN_KINDS];       /* of all warps together */
};
/* Returns the spans of the timeline's warps, in the arena. */
struct spans *spans_new(struct arena *arena, const struct timeline *timeline);
#endif
