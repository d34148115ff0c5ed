/* Divergence of one warp: which paths its lanes took one after another, and what the masked steps cost. From branch,
 * reconverge and access events of a trace. To ask about many events of a trace, use model/timeline.h. */
#ifndef LANESCOPE_MODEL_DIVERGENCE_H
#define LANESCOPE_MODEL_DIVERGENCE_H
#include "trace/trace.h"

struct divergence {
    uint64_t branches, divergent;
    uint64_t steps;      /* accesses, barrier arrivals and branches of the warp */
    uint64_t lane_steps; /* active lanes summed over them */
    uint64_t idle_steps; /* steps * lanes that have not exited, less lane_steps */
};
void model_divergence(const struct trace *trace, uint64_t block, uint32_t warp, struct divergence *result);

enum lane_state { LANE_ACTIVE, LANE_MASKED, LANE_ELSE, LANE_EXITED, LANE_ABSENT };
/* What each lane of a warp is doing at one event of the trace: active; masked; waiting for its turn on the other path
 * of an open branch; ended; or never there (a block that is no multiple of 32). A lane that skips a branch without
 * another path of its own is masked. Goes through the whole trace. */
void model_lanes(const struct trace *trace, size_t event, enum lane_state lanes[32]);

/* Lanes that a warp has: all of them, but in the last warp of a block that is no multiple of 32. */
uint32_t model_warp_mask(const struct trace *trace, uint32_t warp);

/* The work behind model_lanes, for all events of one warp at once: events are their indices in the trace, in order. */
struct lane_masks {
    uint32_t waiting, exited; /* before or at the event; what is neither, nor in its mask, is masked */
};
void model_lane_masks(const struct trace *trace, const uint32_t *events, size_t count, struct lane_masks *masks);
void model_lane_states(const struct trace *trace, const struct trace_event *event, struct lane_masks masks,
                       enum lane_state lanes[32]);
#endif
