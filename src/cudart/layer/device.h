/* The figures of the device that a program sees: those of a GPU of assets/gpus, so that a program chooses the launches
 * that it would choose there, or of the GPU that it runs on. */
#ifndef LANESCOPE_CUDART_DEVICE_H
#define LANESCOPE_CUDART_DEVICE_H
#include "cudart/layer/work.h"
#include "model/gpu.h"

const struct clock_figures *device_clock(void);
const char *device_name(void); /* "NVIDIA H200" */
const char *device_path(void); /* of the file with its figures; NULL: there is none */
int device_capability(bool minor);
/* The limits of its compute capability. */
const struct occupancy_limits *device_limits(void);
/* Returns a fact of the GPU, or `otherwise` when its file does not hold it. */
double device_fact(const char *name, double otherwise);
/* Blocks of a kernel that are resident on one multiprocessor. */
uint32_t device_blocks(const struct ptx_function *kernel, uint32_t threads, uint64_t dynamic_shared);
/* The most dynamic shared memory with which so many blocks are resident. */
size_t device_shared(const struct ptx_function *kernel, uint32_t threads, uint32_t blocks);

/* model_time.c: how long work takes, in model microseconds. Nothing of it is measured. */
/* pinned: the host's memory is page-locked or registered, not of malloc */
double model_copy_us(uint64_t bytes, int kind, bool pinned);
double model_fill_us(uint64_t bytes);
struct run;
double model_launch_us(const struct run *run);
#endif
