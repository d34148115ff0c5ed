/* What the cuda_runtime_*.c files share: a module on the GPU, a launch's buffers there, and errors in words. No CUDA
 * type is named here: libraries, kernels and device memory are plain pointers and numbers. */
#ifndef LANESCOPE_CUDA_GPU_H
#define LANESCOPE_CUDA_GPU_H
#include "cuda/cuda.h"

/* A cudaError_t in words: what happened while doing what ("copying the buffers"). Returns false. A kernel that faulted
 * closes the GPU to this process for good; what lay there is gone. */
bool gpu_failed(int code, const char *doing, struct error *error);
/* The driver is there, new enough, and has a GPU. */
bool gpu_ready(struct error *error);

struct gpu_module {
    void *library; /* cudaLibrary_t; NULL: none */
    void *kernel;  /* cudaKernel_t */
};
/* threads: of a block, so that the machine code takes no more registers than let it start; 0: as the PTX says. */
bool gpu_load(const char *ptx, const char *kernel, uint32_t threads, struct gpu_module *module, struct error *error);
void gpu_unload(struct gpu_module *module);

struct gpu_arguments {
    uint64_t *addresses; /* of the launch's buffers, in device memory; 0: not there */
    uint32_t buffer_count;
    void **pointers; /* to each argument's value, as cudaLaunchKernel takes them */
    struct arena arena;
};
/* Whether the arguments fit the kernel's parameters and the shape is one that can be launched. */
bool gpu_check_launch(const struct ptx_program *program, const struct launch *launch,
                      const struct ptx_function **kernel, struct error *error);
/* Buffers to the device, 256-byte aligned. */
bool gpu_arguments_new(const struct launch *launch, struct gpu_arguments *arguments, struct error *error);
/* Results back into the launch's own buffers. */
bool gpu_arguments_read(const struct launch *launch, const struct gpu_arguments *arguments, struct error *error);
void gpu_arguments_free(struct gpu_arguments *arguments);

bool gpu_allocate(uint64_t bytes, const char *what, uint64_t *address, struct error *error);
void gpu_release(uint64_t address);
/* Starts a kernel; what goes wrong in it shows when it is waited for. */
bool gpu_start(void *kernel, const struct launch *launch, void **pointers, struct error *error);
#endif
