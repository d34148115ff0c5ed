/* Work on the GPU in this process, through the driver's functions: what the jobs of cuda.h have the GPU do. */
#ifndef LANESCOPE_CUDA_GPU_GPU_H
#define LANESCOPE_CUDA_GPU_GPU_H
#include "cuda/api/api.h"
#include "cuda/process/job.h"

struct cuda_gpu {
    struct cuda_api api;
    int device;
    void *context; /* the device's primary context, which a CUDA runtime in this process would share; NULL: not open */
    bool lost;     /* a kernel faulted: this process cannot use the GPU any more, and its data there is gone */
};
/* Opens the first GPU where that was not done yet, and makes its context that of the calling thread. The error says
 * what is missing. */
bool cuda_gpu_open(struct cuda_gpu *gpu, struct error *error);
/* Notes whether the work that just failed has lost the GPU. */
void cuda_gpu_failed(struct cuda_gpu *gpu);

struct cuda_kernel {
    void *module, *kernel;
};
/* Loads a kernel. threads: the machine code uses at most as many registers as let this many threads run on a
 * multiprocessor at once (at least one block, which could not start otherwise). 0: as the PTX says. */
bool cuda_kernel_load(const struct cuda_api *api, const char *ptx, const char *name, uint32_t threads,
                      struct cuda_kernel *kernel, struct error *error);
void cuda_kernel_unload(const struct cuda_api *api, struct cuda_kernel *kernel);

struct cuda_start {
    void *kernel;
    const uint32_t *grid, *block; /* three numbers each */
    uint32_t shared_bytes;        /* dynamic */
    bool cooperative;
    void **arguments; /* pointers to their values */
};
/* Returns how many threads of such a launch run on a multiprocessor at once, in whole blocks of whole warps; 0:
 * unknown. */
uint32_t cuda_threads_at_once(const struct cuda_api *api, const struct cuda_start *start);
/* Starts a kernel. Its errors appear when it is waited for. */
bool cuda_start(const struct cuda_api *api, const struct cuda_start *start, struct error *error);

bool cuda_to_device(const struct cuda_api *api, uint64_t address, const void *bytes, size_t size, struct error *error);
bool cuda_to_host(const struct cuda_api *api, void *bytes, uint64_t address, size_t size, struct error *error);
void cuda_release(const struct cuda_api *api, uint64_t address);

/* A job's buffers on the GPU. */
struct job_arguments {
    uint64_t *addresses; /* of the buffers; 0: no buffer */
    uint32_t buffer_count;
    void **pointers; /* to the value of each argument */
    struct arena arena;
};
/* Allocates the buffers and copies them to the GPU. */
bool job_arguments_new(const struct cuda_api *api, struct job *job, struct job_arguments *arguments,
                       struct error *error);
/* Copies the job's inputs to the GPU again. */
bool job_arguments_write(const struct cuda_api *api, struct job *job, const struct job_arguments *arguments,
                         struct error *error);
/* Copies the results back into the job. */
bool job_arguments_read(const struct cuda_api *api, struct job *job, const struct job_arguments *arguments,
                        struct error *error);
void job_arguments_free(const struct cuda_api *api, struct job_arguments *arguments);

/* The jobs. The answer goes into the job. */
bool job_device(const struct cuda_gpu *gpu, struct cuda_device *device, struct error *error);
bool job_pitch(const struct cuda_gpu *gpu, uint64_t row_bytes, uint64_t *pitch, struct error *error);
bool job_copy(const struct cuda_gpu *gpu, const struct cuda_copy *copy, double *microseconds, struct error *error);
bool job_trace(const struct cuda_gpu *gpu, struct job *job, const struct job_host *host, struct error *error);
bool job_time(const struct cuda_gpu *gpu, struct job *job, const struct job_host *host, struct error *error);
#endif
