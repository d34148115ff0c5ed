/* The kernel as it is, between two events. Buffers are copied once; launches run one after the other on one stream,
 * each between a pair of events of its own, so that the host's pauses between launches are in no measurement. */
#include "cuda/gpu.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>

enum { WARM_UP = 5, RUNS_LEAST = 30, RUNS_MOST = 10000 };

struct timing {
    cudaEvent_t *events; /* start and stop of each run */
    double *times;
    unsigned runs;
};

static void timing_free(struct timing *timing)
{
    for (unsigned i = 0; timing->events && i < 2 * timing->runs; i++)
        if (timing->events[i])
            cudaEventDestroy(timing->events[i]);
    free(timing->events);
    free(timing->times);
}

static bool timing_new(struct timing *timing, unsigned runs, struct error *error)
{
    *timing = (struct timing){.runs = runs};
    timing->events = calloc(2 * (size_t)runs, sizeof(cudaEvent_t));
    timing->times = calloc(runs, sizeof *timing->times);
    if (!timing->events || !timing->times)
        return error_set(error, ERROR_RUN, "no memory to time %u launches", runs);
    for (unsigned i = 0; i < 2 * runs; i++) {
        cudaError_t const code = cudaEventCreate(&timing->events[i]);
        if (code != cudaSuccess)
            return gpu_failed((int)code, "making an event", error);
    }
    return true;
}

static int compare_times(const void *left, const void *right)
{
    double const a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Between the two runs next to it, as the share of all runs below it asks. */
static double quantile(const struct timing *timing, double share)
{
    double const at = share * (timing->runs - 1);
    unsigned const low = (unsigned)at, high = low + 1 < timing->runs ? low + 1 : low;
    return timing->times[low] + (at - low) * (timing->times[high] - timing->times[low]);
}

static bool measure(const struct timing *timing, void *kernel, const struct launch *launch, void **pointers,
                    struct error *error)
{
    for (unsigned i = 0; i < WARM_UP; i++)
        if (!gpu_start(kernel, launch, pointers, error))
            return false;
    cudaError_t code = cudaDeviceSynchronize();
    for (unsigned i = 0; i < timing->runs && code == cudaSuccess; i++) {
        code = cudaEventRecord(timing->events[2 * i], NULL);
        if (code != cudaSuccess)
            break;
        if (!gpu_start(kernel, launch, pointers, error))
            return false;
        code = cudaEventRecord(timing->events[2 * i + 1], NULL);
    }
    if (code == cudaSuccess)
        code = cudaDeviceSynchronize();
    for (unsigned i = 0; i < timing->runs && code == cudaSuccess; i++) {
        float milliseconds = 0;
        code = cudaEventElapsedTime(&milliseconds, timing->events[2 * i], timing->events[2 * i + 1]);
        timing->times[i] = (double)milliseconds * 1e3;
    }
    return code == cudaSuccess || gpu_failed((int)code, "timing the kernel", error);
}

bool cuda_time_kernel(const struct ptx_program *program, const struct launch *launch, unsigned runs,
                      struct cuda_time *time, struct error *error)
{
    *time = (struct cuda_time){0};
    const struct ptx_function *kernel;
    if (!gpu_check_launch(program, launch, &kernel, error) || !gpu_ready(error))
        return false;
    unsigned const wanted = runs < RUNS_LEAST ? RUNS_LEAST : runs > RUNS_MOST ? RUNS_MOST : runs;
    struct gpu_module module = {0};
    struct gpu_arguments arguments = {0};
    struct timing timing = {0};
    bool const good = gpu_load(program->text, kernel->name, 0, &module, error) &&
                      gpu_arguments_new(launch, &arguments, error) && timing_new(&timing, wanted, error) &&
                      measure(&timing, module.kernel, launch, arguments.pointers, error);
    if (good) {
        qsort(timing.times, timing.runs, sizeof *timing.times, compare_times);
        *time = (struct cuda_time){.median = quantile(&timing, 0.5),
                                   .p25 = quantile(&timing, 0.25),
                                   .p75 = quantile(&timing, 0.75),
                                   .minimum = timing.times[0],
                                   .runs = timing.runs};
    }
    timing_free(&timing);
    gpu_arguments_free(&arguments);
    gpu_unload(&module);
    return good;
}
