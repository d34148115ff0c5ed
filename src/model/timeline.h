/* One block of a trace, prepared to be drawn at any of its events. The picture is a function of (trace, position), so a
 * step back is as exact as a step forward. Building takes time proportional to the block's events; lanes at a position
 * then take constant time. */
#ifndef LANESCOPE_MODEL_TIMELINE_H
#define LANESCOPE_MODEL_TIMELINE_H
#include "model/divergence.h"

enum { TIMELINE_LINES = 8 };
struct timeline {
    const struct trace *trace;
    uint64_t block;
    uint32_t warp_count;
    size_t count;
    uint32_t *events;         /* by position: index in trace.events, in the trace's order */
    struct lane_masks *lanes; /* by position */
    bool diverges;            /* lanes of some warp parted at a branch */
    /* By position. held: with a model clock, else NULL: the cycles for which an access keeps its warp from its next
     * instruction because passes before it, or further ones of its own, are in the pipe to memory; or for which the
     * warp waits for values or copies. line: of an access whose value is on its way, its place among those of its warp
     * that are on their way at the same time, from 0 and below `lines`; of other events 0. */
    uint32_t *held;
    uint8_t *line;
    uint32_t lines; /* 1 to TIMELINE_LINES; further accesses share the last */
    /* Positions of warp w's events: warp_positions[warp_starts[w]] up to, but not including, [warp_starts[w + 1]]. */
    uint32_t *warp_positions, *warp_starts;
};
/* Returns the timeline of one block, in the arena. The trace must outlive it and must be sorted. */
struct timeline *timeline_new(struct arena *arena, const struct trace *trace, uint64_t block);

/* Returns the model time at which the value of the access at a position is there; 0: it brings none to its warp. */
uint64_t timeline_there(const struct timeline *timeline, size_t position);

/* Fills the states of the lanes of the warp whose event is at a position: see model_lane_states. */
void timeline_lanes(const struct timeline *timeline, size_t position, enum lane_state lanes[32]);

/* Returns the lanes that are on the else-path, or wait for it, of an open branch at a position: of the innermost one
 * that the lane reached. */
uint32_t timeline_else(const struct timeline *timeline, size_t position);
/* Returns the position of the innermost open branch at a position, or SIZE_MAX if there is none. */
size_t timeline_branch(const struct timeline *timeline, size_t position);

enum timeline_state {
    TIMELINE_READY,
    TIMELINE_MEMORY,  /* its access is the event at this position; or, by the model clock, it is held: see timeline.held
                       */
    TIMELINE_BARRIER, /* some of its lanes arrived at a barrier and were not released yet */
    TIMELINE_DONE,    /* all its lanes have exited */
    TIMELINE_FAULT    /* its last event is a fault */
};
/* Fills the state of each of the warp_count warps at a position. */
void timeline_warps(const struct timeline *timeline, size_t position, enum timeline_state *states);

/* Returns the model clock's cycles of the whole block; 0 without a model clock. Other warps hide a warp's latency, so
 * the idle share falls as warps are added. */
struct timeline_cycles {
    uint64_t all;  /* from the start to the last event */
    uint64_t idle; /* the part in which every warp that had not exited waited for memory or at a barrier */
};
struct timeline_cycles timeline_cycles(const struct timeline *timeline);
#endif
