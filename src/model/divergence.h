/* Divergence of one warp: which paths its lanes took one after another, and what the masked steps cost. From branch,
 * reconverge and access events of a trace. */
#ifndef LANESCOPE_MODEL_DIVERGENCE_H
#define LANESCOPE_MODEL_DIVERGENCE_H
#include "trace/trace.h"

struct divergence {
    uint64_t branches, divergent;
    uint64_t steps;      /* events of the warp */
    uint64_t lane_steps; /* active lanes summed over them */
    uint64_t idle_steps; /* steps * lanes that have not exited, less lane_steps */
};
void model_divergence(const struct trace *trace, uint64_t block, uint32_t warp, struct divergence *result);

enum lane_state { LANE_ACTIVE, LANE_MASKED, LANE_ELSE, LANE_EXITED, LANE_ABSENT };
/* What each lane of a warp is doing at one event of the trace: active; masked; waiting for its turn on the else-path of
 * the innermost open branch; ended; or never there (a block that is no multiple of 32). */
void model_lanes(const struct trace *trace, size_t event, enum lane_state lanes[32]);
#endif
