/* The device that a program sees: the emulator, with the figures of a GPU of assets/gpus. */
#ifndef LANESCOPE_CUDART_DEVICE_H
#define LANESCOPE_CUDART_DEVICE_H
#include "cudart/state.h"
#include "model/gpu.h"

const struct clock_figures *device_clock(void);
const char *device_name(void);       /* "NVIDIA H200" */
const char *device_capability(void); /* "9.0" */
/* The limits of its compute capability. */
const struct occupancy_limits *device_limits(void);
/* Returns a fact of the GPU, or `otherwise` when its file does not hold it. */
double device_fact(const char *name, double otherwise);
/* The most bytes that kernels have from malloc at a time. */
size_t device_heap_limit(void);
/* Blocks of a kernel that are resident on one multiprocessor. */
uint32_t device_blocks(const struct ptx_function *kernel, uint32_t threads, uint64_t dynamic_shared);
/* A cooperative launch must have all its blocks resident at once. */
cudaError_t device_cooperative_fits(const struct ptx_function *kernel, const struct dim3 *grid,
                                    const struct dim3 *block, uint64_t dynamic_shared);
#endif
