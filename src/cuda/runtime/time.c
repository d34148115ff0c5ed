/* Times the unchanged kernel between two events. Buffers are copied once. Launches run one after the other on one
 * stream, each between its own pair of events, so pauses of the host between launches are not measured. Where the
 * caches must not help, several copies of the buffers take turns. */
#include "base/file.h"
#include "cuda/driver.h"
#include "cuda/runtime/gpu.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>

enum { WARM_UP = 5, RUNS_LEAST = 30, RUNS_MOST = 10000, SETS_MOST = 64 };

struct timing {
    cudaEvent_t *events; /* start and stop of each run */
    double *times;
    unsigned runs;
    struct gpu_state state;
};

static void note_state(struct gpu_state *state)
{
    char bus[32] = "";
    struct driver_state now;
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, 0) != cudaSuccess || !driver_state(bus, &now))
        return;
    struct gpu_state const seen = {.clock_mhz = {now.clock_mhz, now.clock_mhz},
                                   .memory_clock_mhz = {now.memory_clock_mhz, now.memory_clock_mhz},
                                   .temperature = {now.temperature, now.temperature}};
    gpu_state_widen(state, &seen);
}

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
        return error_set(error, ERROR_RUN, "no memory to time %u {launch|launches}", runs);
    for (unsigned i = 0; i < 2 * runs; i++) {
        cudaError_t const code = cudaEventCreate(&timing->events[i]);
        if (code != cudaSuccess)
            return gpu_failed((int)code, "making an event", error);
    }
    return true;
}

struct sets { /* copies of the buffers */
    struct gpu_arguments items[SETS_MOST];
    unsigned count;
    bool beyond_cache;
};

/* Returns how many copies fill the L2 twice, within half of the free memory. */
static unsigned sets_wanted(struct job *job, bool *enough)
{
    const struct job_buffer *buffers = job_at(job, job->buffers);
    uint64_t bytes = 0, wanted;
    int cache = 0;
    size_t available = 0, total = 0;
    for (uint32_t i = 0; i < job->buffer_count; i++)
        bytes += buffers[i].bytes;
    if (!job->timing.beyond_cache || !bytes || cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0) ||
        cudaMemGetInfo(&available, &total))
        return 1;
    wanted = 1 + (2 * (uint64_t)cache + bytes - 1) / bytes;
    uint64_t const least = wanted;
    wanted = wanted < available / 2 / bytes ? wanted : available / 2 / bytes;
    *enough = wanted >= least && least <= SETS_MOST;
    return wanted < 1 ? 1 : wanted > SETS_MOST ? SETS_MOST : (unsigned)wanted;
}

static bool sets_new(struct sets *sets, struct job *job, struct error *error)
{
    unsigned const wanted = sets_wanted(job, &sets->beyond_cache);
    while (sets->count < wanted)
        if (!gpu_arguments_new(job, &sets->items[sets->count++], error))
            return false;
    return true;
}

static void sets_free(struct sets *sets)
{
    for (unsigned i = 0; i < sets->count; i++)
        gpu_arguments_free(&sets->items[i]);
}

static bool start(const struct gpu_module *module, const struct job *job, const struct gpu_arguments *arguments,
                  struct error *error)
{
    return gpu_start(module->kernel, job->grid, job->block, job->shared_bytes, arguments->pointers, error);
}

static bool wait_for_all(struct error *error)
{
    cudaError_t const code = cudaDeviceSynchronize();
    return code == cudaSuccess || gpu_failed((int)code, "timing the kernel", error);
}

/* Makes five unmeasured launches. It waits for the first one alone, which tells how long a launch takes. */
static bool warm_up(const struct gpu_module *module, const struct job *job, const struct job_host *host,
                    const struct sets *sets, double *seconds, struct error *error)
{
    for (unsigned i = 0; i < WARM_UP; i++) {
        double const begin = clock_seconds();
        host->say(host->context, JOB_RUNNING);
        if (!start(module, job, &sets->items[i % sets->count], error) || !wait_for_all(error))
            return false;
        *seconds = clock_seconds() - begin;
    }
    return true;
}

/* Measures the launches. The watchdog gets a message after at most half a second's worth of launches. */
static bool measure(struct timing *timing, const struct gpu_module *module, const struct job *job,
                    const struct job_host *host, const struct sets *sets, struct error *error)
{
    double each = 0, ahead = 0;
    cudaError_t code = cudaSuccess;
    if (!job->timing.once && !warm_up(module, job, host, sets, &each, error))
        return false;
    note_state(&timing->state);
    for (unsigned i = 0; i < timing->runs && code == cudaSuccess; i++) {
        ahead += each;
        if (ahead > 0.5) {
            if (!wait_for_all(error))
                return false;
            host->say(host->context, JOB_RUNNING);
            ahead = each;
        }
        code = cudaEventRecord(timing->events[2 * i], NULL);
        if (code == cudaSuccess && !start(module, job, &sets->items[i % sets->count], error))
            return false;
        if (code == cudaSuccess)
            code = cudaEventRecord(timing->events[2 * i + 1], NULL);
    }
    if (code == cudaSuccess)
        code = cudaDeviceSynchronize();
    note_state(&timing->state);
    for (unsigned i = 0; i < timing->runs && code == cudaSuccess; i++) {
        float milliseconds = 0;
        code = cudaEventElapsedTime(&milliseconds, timing->events[2 * i], timing->events[2 * i + 1]);
        timing->times[i] = (double)milliseconds * 1e3;
    }
    return code == cudaSuccess || gpu_failed((int)code, "timing the kernel", error);
}

bool gpu_time(struct job *job, const struct job_host *host, struct error *error)
{
    unsigned const runs = job->timing.runs;
    unsigned const wanted = job->timing.once ? 1 : runs < RUNS_LEAST ? RUNS_LEAST : runs > RUNS_MOST ? RUNS_MOST : runs;
    struct gpu_module module = {0};
    struct sets sets = {0};
    struct timing timing = {0};
    bool good = gpu_ready(error) && gpu_load(job_at(job, job->ptx), job_at(job, job->kernel), 0, &module, error) &&
                sets_new(&sets, job, error) && timing_new(&timing, wanted, error) &&
                measure(&timing, &module, job, host, &sets, error);
    if (good) {
        times_sort(timing.times, timing.runs);
        job->answer.time = (struct cuda_time){.median = time_quantile(timing.times, timing.runs, 0.5),
                                              .p25 = time_quantile(timing.times, timing.runs, 0.25),
                                              .p75 = time_quantile(timing.times, timing.runs, 0.75),
                                              .minimum = timing.times[0],
                                              .runs = timing.runs,
                                              .input_sets = sets.count,
                                              .beyond_cache = sets.beyond_cache,
                                              .state = timing.state};
        good = !job->timing.read_back || gpu_arguments_read(job, &sets.items[(timing.runs - 1) % sets.count], error);
    }
    timing_free(&timing);
    sets_free(&sets);
    gpu_unload(&module);
    return good;
}
