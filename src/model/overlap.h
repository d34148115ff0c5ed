/* Copy and compute of a block on the model clock: for each warp, the data on its way from global memory, and whether
 * the warp works meanwhile or waits. It follows from the trace alone, of any kernel. Only the emulator records when
 * copies arrive, so a trace of a GPU has none.
 *
 * The copies are the groups of cp.async. A plain load from global memory is on its way, too: its warp goes on until an
 * instruction uses the value. */
#ifndef LANESCOPE_MODEL_OVERLAP_H
#define LANESCOPE_MODEL_OVERLAP_H
#include "model/timeline.h"

/* What a warp does. Accesses to shared and local memory, stores and branches are part of its work. */
enum overlap_state {
    OVERLAP_WORKS,
    OVERLAP_WAITS_FOR_COPY,
    OVERLAP_WAITS_FOR_LOAD, /* an instruction uses a value from global memory */
    OVERLAP_WAITS_AT_BARRIER
};

#define OVERLAP_NO_GROUP UINT32_MAX
struct overlap_span {
    uint64_t from, until; /* cycles; until: the first one after it */
    enum overlap_state state;
    uint32_t group;    /* of the warp whose copy it last read from shared memory; OVERLAP_NO_GROUP: none */
    uint32_t buffer;   /* of that group */
    uint32_t position; /* in the timeline: of its first event */
};

/* A group of asynchronous copies of a warp. Groups that write to the same place of shared memory share a buffer; the
 * buffers of a warp are numbered by these places, from 0. */
struct overlap_group {
    uint64_t from, until; /* from the issue of its first copy to the arrival of its last */
    uint32_t number;      /* among the warp's groups that have copies, from 0 */
    uint32_t buffer, position;
    uint64_t target; /* the lowest place in shared memory that it writes */
};

/* A load or an atomic that brings a value from global memory to registers, from its issue to its arrival. */
struct overlap_load {
    uint64_t from, until;
    uint32_t position;
    uint32_t line; /* its place among those of its warp that are on their way at the same time: timeline.line */
};

struct overlap {
    /* Of warp w: items [starts[w]] up to, but not including, [starts[w + 1]]. */
    const struct overlap_span *spans;
    const uint32_t *span_starts;
    const struct overlap_group *groups;
    const uint32_t *group_starts;
    const struct overlap_load *loads;
    const uint32_t *load_starts;
    uint32_t lines;      /* of loads: each one's line is smaller */
    uint32_t buffers;    /* the largest number of a warp's buffers; 0: no cp.async */
    uint64_t last;       /* cycle of the block's last event; the first cycle is 0 */
    uint64_t in_flight;  /* cycles in which data are on their way to some warp */
    uint64_t overlapped; /* those of them in which some warp works */
    uint32_t most;       /* groups of one warp that are in flight at a time */
};

/* Returns the overlap of a block, in the arena. NULL: its trace has no model clock, or nothing comes from global
 * memory. */
const struct overlap *overlap_new(struct arena *arena, const struct timeline *timeline);
#endif
