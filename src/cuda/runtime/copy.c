/* Times a copy between two events, as a program's own cudaEventElapsedTime would. */
#include "cuda/runtime/gpu.h"
#include "trace/time.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 5, RUNS = 31 };

struct ends {
    void *host, *device[2];
    cudaEvent_t begin, end;
};

static cudaError_t make(struct ends *ends, const struct cuda_copy *copy)
{
    cudaError_t code = cudaMalloc(&ends->device[0], copy->bytes);
    if (code == cudaSuccess)
        code = cudaMalloc(&ends->device[1], copy->bytes);
    if (code == cudaSuccess && copy->pinned)
        code = cudaMallocHost(&ends->host, copy->bytes);
    if (code == cudaSuccess && !copy->pinned && !(ends->host = malloc(copy->bytes)))
        code = cudaErrorMemoryAllocation;
    if (code == cudaSuccess)
        memset(ends->host, 1, copy->bytes); /* its pages are there before the first copy */
    if (code == cudaSuccess)
        code = cudaEventCreate(&ends->begin);
    return code == cudaSuccess ? cudaEventCreate(&ends->end) : code;
}

static void drop(struct ends *ends, const struct cuda_copy *copy)
{
    if (ends->begin)
        cudaEventDestroy(ends->begin);
    if (ends->end)
        cudaEventDestroy(ends->end);
    if (copy->pinned)
        cudaFreeHost(ends->host);
    else
        free(ends->host);
    cudaFree(ends->device[0]);
    cudaFree(ends->device[1]);
}

static cudaError_t time_one(const struct ends *ends, const struct cuda_copy *copy, double *microseconds)
{
    float milliseconds = 0;
    bool const out = copy->way == CUDA_FROM_DEVICE, in = copy->way == CUDA_TO_DEVICE;
    void *to = out ? ends->host : ends->device[0];
    const void *from = in ? ends->host : ends->device[1];
    cudaError_t code = cudaEventRecord(ends->begin, NULL);
    if (code == cudaSuccess)
        code = cudaMemcpy(to, from, copy->bytes, cudaMemcpyDefault);
    if (code == cudaSuccess)
        code = cudaEventRecord(ends->end, NULL);
    if (code == cudaSuccess)
        code = cudaEventSynchronize(ends->end);
    if (code == cudaSuccess)
        code = cudaEventElapsedTime(&milliseconds, ends->begin, ends->end);
    *microseconds = (double)milliseconds * 1e3;
    return code;
}

bool gpu_copy(const struct cuda_copy *copy, double *microseconds, struct error *error)
{
    double times[RUNS];
    struct ends ends = {0};
    if (!gpu_ready(error))
        return false;
    cudaError_t code = make(&ends, copy);
    for (int i = -WARM_UP; i < RUNS && code == cudaSuccess; i++)
        code = time_one(&ends, copy, &times[i < 0 ? 0 : i]);
    drop(&ends, copy);
    if (code != cudaSuccess)
        return gpu_failed((int)code, "timing a copy", error);
    times_sort(times, RUNS);
    *microseconds = time_quantile(times, RUNS, 0.5);
    return true;
}
