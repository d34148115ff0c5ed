/* The speed of a GPU's memories, measured by our own kernels (assets/gpus/facts.cu). */
#ifndef LANESCOPE_CUDA_FACTS_H
#define LANESCOPE_CUDA_FACTS_H
#include "cuda/cuda.h"

struct cuda_fact {
    const char *name, *unit;
    double value;
    const char *method; /* one sentence */
};
/* Measures all facts, into the arena. module: facts.cu, compiled and parsed. */
bool cuda_facts(struct arena *arena, const struct ptx_module *module, const struct cuda_fact **facts, size_t *count,
                struct error *error);
/* Measures the bytes per second that a kernel which only writes can write. */
bool cuda_write_rate(const struct ptx_module *module, double *bytes_a_second, struct error *error);
#endif
