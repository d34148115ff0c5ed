/* Divergence of one warp: the paths its lanes took one after another, and the cost of masked steps, from the branch,
 * reconvergence and access events of a trace. For many events of a trace use model/timeline.h. */
#ifndef LANESCOPE_MODEL_DIVERGENCE_H
#define LANESCOPE_MODEL_DIVERGENCE_H
#include "trace/trace.h"

struct divergence {
    uint64_t branches, divergent;
    uint64_t steps;      /* accesses, barrier arrivals and branches of the warp */
    uint64_t lane_steps; /* active lanes, summed over steps */
    uint64_t idle_steps; /* lanes that have not exited and are not active, summed over steps */
};
/* Returns whether an event is a step of its warp, and not a note such as a reconvergence. */
bool model_is_step(const struct trace_event *event);
/* Counts one warp over the whole trace. */
void model_divergence(const struct trace *trace, uint64_t block, uint32_t warp, struct divergence *result);

enum lane_state { LANE_ACTIVE, LANE_MASKED, LANE_ELSE, LANE_EXITED, LANE_ABSENT };
#define NO_BRANCH UINT32_MAX
struct lane_masks {
    uint32_t waiting, exited; /* before or at the event; the other lanes outside the event's mask are masked */
    uint32_t branch;     /* index in `events` of the innermost branch at which lanes diverged and that is still open;
                            NO_BRANCH: none */
    uint32_t else_lanes; /* at a branch after which both sides made steps: the lanes of the later lines */
    uint32_t depth;      /* open branches; the rounds of one loop count once */
};
/* Fills the masks of all events of one warp. events: their indices in the trace, in order. */
void model_lane_masks(const struct trace *trace, const uint32_t *events, size_t count, struct lane_masks *masks);
/* Fills the state of each lane of a warp at one event of the trace: active; masked; waiting for the other path of an
 * open branch (LANE_ELSE); exited; or absent (in a block that is no multiple of 32). A lane that skips a branch without
 * a path of its own is masked. masks: those of the event. */
void model_lane_states(const struct trace *trace, const struct trace_event *event, struct lane_masks masks,
                       enum lane_state lanes[32]);
#endif
