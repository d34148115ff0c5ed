/* Shared by the files of cuda/runtime: a module on the GPU, a launch's buffers there, and errors in words. Libraries,
 * kernels and device memory are plain pointers and numbers, so no CUDA type is named here. */
#ifndef LANESCOPE_CUDA_RUNTIME_GPU_H
#define LANESCOPE_CUDA_RUNTIME_GPU_H
#include "cuda/process/job.h"

/* Sets the error for a cudaError_t that happened during `doing` ("copying the buffers"), and returns false. After a
 * fault of the kernel this process cannot use the GPU any more, and its data there is gone. */
bool gpu_failed(int code, const char *doing, struct error *error);
/* Returns true when the driver is present, new enough, and has a GPU. */
bool gpu_ready(struct error *error);

struct gpu_module {
    void *library; /* cudaLibrary_t, or NULL */
    void *kernel;  /* cudaKernel_t */
};
/* Loads a module. threads: the machine code uses at most as many registers as let this many threads run on a
 * multiprocessor at once (at least one block, which could not start otherwise). 0: as the PTX says. */
bool gpu_load(const char *ptx, const char *kernel, uint32_t threads, struct gpu_module *module, struct error *error);
/* Returns how many threads of a launch run on a multiprocessor at once, in whole blocks of whole warps; 0: unknown. */
uint32_t gpu_threads_at_once(const struct gpu_module *module, const struct job *job);
void gpu_unload(struct gpu_module *module);

struct gpu_arguments {
    uint64_t *addresses; /* of the job's buffers in device memory; 0: no buffer */
    uint32_t buffer_count;
    void **pointers; /* to the value of each argument, as cudaLaunchKernel takes them */
    struct arena arena;
};
/* Checks that the arguments fit the kernel's parameters and that the shape can be launched. */
bool gpu_check_launch(const struct ptx_program *program, const struct launch *launch,
                      const struct ptx_function **kernel, struct error *error);
/* Copies the buffers to the device, 256-byte aligned. */
bool gpu_arguments_new(struct job *job, struct gpu_arguments *arguments, struct error *error);
/* Copies the job's inputs to the device again. */
bool gpu_arguments_write(struct job *job, const struct gpu_arguments *arguments, struct error *error);
/* Copies the results back into the job. */
bool gpu_arguments_read(struct job *job, const struct gpu_arguments *arguments, struct error *error);
void gpu_arguments_free(struct gpu_arguments *arguments);

bool gpu_allocate(uint64_t bytes, const char *what, uint64_t *address, struct error *error);
void gpu_release(uint64_t address);
bool gpu_to_device(uint64_t address, const void *bytes, size_t size, struct error *error);
bool gpu_to_host(void *bytes, uint64_t address, size_t size, struct error *error);
/* Starts a kernel. Its errors appear when it is waited for. */
bool gpu_start(void *kernel, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes, void **pointers,
               struct error *error);

/* The work itself, in the process that uses the GPU. The answer goes into the job. */
bool gpu_device(struct cuda_device *device, struct error *error);
bool gpu_pitch(uint64_t row_bytes, uint64_t *pitch, struct error *error);
bool gpu_copy(const struct cuda_copy *copy, double *microseconds, struct error *error);
bool gpu_trace(struct job *job, const struct job_host *host, struct error *error);
bool gpu_time(struct job *job, const struct job_host *host, struct error *error);
#endif
