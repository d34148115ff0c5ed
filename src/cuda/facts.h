/* How fast a GPU's memories are, measured by kernels of our own (assets/gpus/facts.cu). */
#ifndef LANESCOPE_CUDA_FACTS_H
#define LANESCOPE_CUDA_FACTS_H
#include "cuda/cuda.h"

struct cuda_fact {
    const char *name, *unit;
    double value;
    const char *method; /* one sentence */
};
/* program: facts.cu compiled and parsed. The facts lie in the arena. */
bool cuda_facts(struct arena *arena, const struct ptx_program *program, const struct cuda_fact **facts, size_t *count,
                struct error *error);
/* Bytes a second that a kernel which only writes can write. */
bool cuda_write_rate(const struct ptx_program *program, double *bytes_a_second, struct error *error);
#endif
