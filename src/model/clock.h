/* The model clock: model times for the accesses of a recorded block. It orders the animation and shows latency hiding.
 * It measures nothing, and every figure from it is labelled "model" where it is shown. Rules: docs/model.md. */
#ifndef LANESCOPE_MODEL_CLOCK_H
#define LANESCOPE_MODEL_CLOCK_H
#include "trace/trace.h"

/* Latencies of one GPU in cycles, from assets/gpus (model/gpu.h reads them). */
struct clock_figures {
    const char *gpu;                /* name, shown with every figure of the clock */
    bool measured;                  /* measured on that GPU by Lanescope; otherwise from literature */
    uint32_t instruction;           /* between two instructions of one warp */
    uint32_t shared, l1, l2, dram;  /* from a load to its value */
    double constant, constant_step; /* a constant at one address, and for each further one; 0: not known */
};

struct coalescing;
/* Returns the passes for which an access occupies the pipe to memory; 0: it goes by the pipe (constants). coalescing
 * receives the sectors of an access to global memory. */
uint32_t clock_passes(const struct trace_site *site, const struct trace_event *event, const uint64_t addresses[32],
                      struct coalescing *coalescing);
/* Returns a timer for a run. The figures must outlive it. Each block starts with empty caches and a free pipe. */
struct trace_timer clock_timer(const struct clock_figures *figures);
#endif
