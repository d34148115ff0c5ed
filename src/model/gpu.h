/* Figures of one GPU, each with its source, from assets/gpus/NAME.yaml. */
#ifndef LANESCOPE_MODEL_GPU_H
#define LANESCOPE_MODEL_GPU_H
#include "base/arena.h"
#include "base/error.h"
#include "model/clock.h"
#include "model/occupancy.h"

#define GPU_DEFAULT "nvidia-h200"

struct gpu_fact {
    const char *name, *unit;
    const char *from; /* the method of measurement, or the document */
    double value;     /* of a range the middle; of "at least" the lower bound */
};

struct gpu {
    const char *path;               /* path of its file */
    const char *name;               /* "NVIDIA H200" */
    const char *compute_capability; /* "9.0"; NULL: not in the file */
    bool measured;                  /* measured by Lanescope on that GPU; otherwise from literature */
    const char *date;               /* of the measurement, "" when the file does not say */
    const struct gpu_fact *facts;   /* those of the list, then the numbers at the top of the file: "clock_mhz" */
    size_t fact_count;
};

/* Returns a GPU's name without the maker and without what follows from a word such as "80GB" on, in the arena: "H100"
 * for "NVIDIA H100 80GB HBM3". */
const char *gpu_short_name(struct arena *arena, const char *device);

/* Returns a fact, or NULL when the file does not hold it. */
const struct gpu_fact *gpu_find(const struct gpu *gpu, const char *name);

/* Returns the name of a fact in texts of lessons: "gpu_shared_latency". */
#define gpu_fact_word(arena, name) arena_format(arena, GPU_WORD "%s", name)
#define GPU_WORD "gpu_"

/* Reads a GPU's file into the arena. name: a file in assets/gpus without its ending, or a path that ends in .yaml.
 * Errors name the file and, if there is one, the line. */
bool gpu_read(struct arena *arena, const char *name, struct gpu *gpu, struct error *error);
/* Fills the figures of the model clock. They are valid as long as the GPU's facts. Returns false and leaves `figures`
 * unchanged when a fact is missing or out of range; the error names the fact and the file. Only the latency of
 * constants may be missing. */
bool gpu_figures(const struct gpu *gpu, struct clock_figures *figures, struct error *error);
/* Does the same for a GPU by name, or for GPU_DEFAULT when name is NULL. Texts are in the arena. */
bool gpu_clock(struct arena *arena, const char *name, struct clock_figures *figures, struct error *error);
/* Finds the limits of the GPU's compute capability. *limits is in the arena, NULL if the GPU's file or
 * assets/compute_capabilities.yaml does not have it. */
bool gpu_limits(struct arena *arena, const struct gpu *gpu, const struct occupancy_limits **limits,
                struct error *error);
/* The sizes of a GPU's caches. They are from documents where the file of the GPU is. */
struct gpu_caches {
    const char *path; /* of the GPU's file */
    const char *gpu;  /* its name */
    bool measured;    /* the rules of the model were found on a GPU of this compute capability */
    const struct occupancy_limits *limits;
    const struct gpu_fact *multiprocessors, *l2; /* l2: its size in bytes */
};
/* What the files lack of them. */
enum gpu_caches_lack {
    GPU_CACHES_COMPLETE,
    GPU_CACHES_NO_FILE,       /* there is no such GPU, or its file cannot be read */
    GPU_CACHES_NO_CAPABILITY, /* its file does not say its compute capability */
    GPU_CACHES_NO_LIMITS,     /* assets/compute_capabilities.yaml does not have this capability */
    GPU_CACHES_NO_L1,         /* it has it without the size of its L1 */
    GPU_CACHES_NO_L2,
    GPU_CACHES_NO_MULTIPROCESSORS
};
/* Fills the sizes of a GPU by name, or of GPU_DEFAULT when name is NULL. Texts are in the arena. */
enum gpu_caches_lack gpu_caches(struct arena *arena, const char *name, struct gpu_caches *caches);
/* Fills how many blocks of a trace's launch fit on a multiprocessor of a GPU (NULL: GPU_DEFAULT) at a time, as far as
 * its threads, barriers and shared memory say; a trace does not know registers. False: the GPU's limits are unknown. */
bool gpu_fit(struct arena *arena, const char *name, const struct trace *trace, struct occupancy_case *fit);
#endif
