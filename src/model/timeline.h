/* One block of a trace, ready to be drawn at any of its events: the picture is a function of (trace, position), so a
 * step back is as exact as a step forward. Built once, in time that grows with the block's events; asked in time that
 * does not. */
#ifndef LANESCOPE_MODEL_TIMELINE_H
#define LANESCOPE_MODEL_TIMELINE_H
#include "model/divergence.h"

struct timeline {
    const struct trace *trace;
    uint64_t block;
    uint32_t warp_count;
    size_t count;
    uint32_t *events;         /* by position: index in trace.events, in the trace's order */
    struct lane_masks *lanes; /* by position */
    /* The positions of warp w's events: warp_positions[warp_starts[w]] to [warp_starts[w + 1]], the last not included.
     */
    uint32_t *warp_positions, *warp_starts;
};
/* In the arena; the trace must outlive it and be sorted. */
struct timeline *timeline_new(struct arena *arena, const struct trace *trace, uint64_t block);

/* What the lanes of the warp of the event at a position are doing: see model_lanes. */
void timeline_lanes(const struct timeline *timeline, size_t position, enum lane_state lanes[32]);

enum timeline_state {
    TIMELINE_READY,
    TIMELINE_MEMORY,  /* its access is the event at this position, or holds it still by the model clock */
    TIMELINE_BARRIER, /* some of its lanes arrived and were not released yet */
    TIMELINE_DONE,    /* all its lanes have ended */
    TIMELINE_FAULT    /* its last event is a fault */
};
/* What each warp is doing at a position: warp_count of them. */
void timeline_warps(const struct timeline *timeline, size_t position, enum timeline_state *states);

/* What the model clock says of the whole block, in cycles. Latency is hidden where others go on: more warps, less of
 * the time is idle. Zero without a model clock. */
struct timeline_cycles {
    uint64_t all;  /* from the start to the last event */
    uint64_t idle; /* of them: every warp that had not ended waited for memory or at a barrier */
};
struct timeline_cycles timeline_cycles(const struct timeline *timeline);
#endif
