/* The model clock: when the accesses of a recorded block happen. A model that orders the animation and shows latency
 * being hidden; it measures nothing, and what it says is called "model" wherever it is shown. Rules: docs/model.md. */
#ifndef LANESCOPE_MODEL_CLOCK_H
#define LANESCOPE_MODEL_CLOCK_H
#include "trace/trace.h"

/* In cycles; of a GPU, from assets/gpus (model/gpu.h reads them). */
struct clock_figures {
    const char *gpu;               /* its name, to be shown with what the clock says */
    bool measured;                 /* on that GPU, by Lanescope; else from literature */
    uint32_t instruction;          /* until a warp's next one may issue */
    uint32_t shared, l1, l2, dram; /* of a load, until its value is there */
};

/* The figures must outlive the timer. Each block starts with empty caches and a free pipe. */
struct trace_timer clock_timer(const struct clock_figures *figures);
#endif
