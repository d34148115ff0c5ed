/* What is known of a GPU: assets/gpus/NAME.yaml, each figure with where it is from. */
#ifndef LANESCOPE_MODEL_GPU_H
#define LANESCOPE_MODEL_GPU_H
#include "base/arena.h"
#include "base/error.h"
#include "model/clock.h"

#define GPU_DEFAULT "nvidia-h200"

struct gpu_fact {
    const char *name, *unit;
    const char *from; /* how it was measured, or the document it is taken from */
    double value;     /* of a range its middle, of "at least" the least */
};

struct gpu {
    const char *path; /* of its file */
    const char *name; /* "NVIDIA H200" */
    bool measured;    /* by Lanescope on that GPU; else from literature */
    const struct gpu_fact *facts;
    size_t fact_count;
};

/* name: of a file in assets/gpus without its ending, or a path that ends in .yaml. All in the arena. */
bool gpu_read(struct arena *arena, const char *name, struct gpu *gpu, struct error *error);
/* What the model clock needs of the GPU called name, NULL for GPU_DEFAULT; the name it shows is in the arena. A fact
 * that is missing or makes no sense is an error that says which, and in which file; the figures are then as they were.
 */
bool gpu_clock(struct arena *arena, const char *name, struct clock_figures *figures, struct error *error);
#endif
