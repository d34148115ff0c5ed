/* Times the unchanged kernel between two events. Buffers are copied once. Launches run one after the other on one
 * stream, each between its own pair of events, so pauses of the host between launches are not measured. Where the
 * caches must not help, several copies of the buffers take turns. */
#include "base/file.h"
#include "cuda/driver.h"
#include "cuda/gpu/gpu.h"
#include <stdlib.h>

enum { WARM_UP = 5, RUNS_LEAST = 30, RUNS_MOST = 10000, SETS_MOST = 64 };

struct timing {
    const struct cuda_gpu *gpu;
    const struct cuda_api *api;
    struct job *job;
    const struct job_host *host;
    struct cuda_kernel kernel;
    struct job_arguments sets[SETS_MOST]; /* copies of the buffers */
    unsigned set_count;
    bool beyond_cache;
    void **events; /* start and stop of each run */
    double *times;
    unsigned runs;
    struct gpu_state state;
};

static void note_state(struct timing *timing)
{
    char bus[32] = "";
    struct driver_state now;
    if (timing->api->device_bus(bus, (int)sizeof bus, timing->gpu->device) || !driver_state(bus, &now))
        return;
    struct gpu_state const seen = {.clock_mhz = {now.clock_mhz, now.clock_mhz},
                                   .memory_clock_mhz = {now.memory_clock_mhz, now.memory_clock_mhz},
                                   .temperature = {now.temperature, now.temperature}};
    gpu_state_widen(&timing->state, &seen);
}

static bool make_events(struct timing *timing, struct error *error)
{
    timing->events = calloc(2 * (size_t)timing->runs, sizeof *timing->events);
    timing->times = calloc(timing->runs, sizeof *timing->times);
    if (!timing->events || !timing->times)
        return error_set(error, ERROR_RUN, "no memory to time %u {launch|launches}", timing->runs);
    for (unsigned i = 0; i < 2 * timing->runs; i++)
        if (!cuda_api_did(timing->api, timing->api->event_create(&timing->events[i], 0), "making an event", error))
            return false;
    return true;
}

/* Returns how many copies fill the L2 twice, within half of the free memory. */
static unsigned sets_wanted(struct timing *timing)
{
    const struct job_buffer *buffers = job_at(timing->job, timing->job->buffers);
    uint64_t bytes = 0, wanted;
    int cache = 0;
    size_t available = 0, total = 0;
    for (uint32_t i = 0; i < timing->job->buffer_count; i++)
        bytes += buffers[i].bytes;
    if (!timing->job->timing.beyond_cache || !bytes ||
        timing->api->device_attribute(&cache, CUDA_API_ATTRIBUTE_L2, timing->gpu->device) ||
        timing->api->memory_info(&available, &total))
        return 1;
    wanted = 1 + (2 * (uint64_t)cache + bytes - 1) / bytes;
    uint64_t const least = wanted;
    wanted = wanted < available / 2 / bytes ? wanted : available / 2 / bytes;
    timing->beyond_cache = wanted >= least && least <= SETS_MOST;
    return wanted < 1 ? 1 : wanted > SETS_MOST ? SETS_MOST : (unsigned)wanted;
}

static bool make_sets(struct timing *timing, struct error *error)
{
    unsigned const wanted = sets_wanted(timing);
    while (timing->set_count < wanted)
        if (!job_arguments_new(timing->api, timing->job, &timing->sets[timing->set_count++], error))
            return false;
    return true;
}

static void timing_free(struct timing *timing)
{
    for (unsigned i = 0; timing->events && i < 2 * timing->runs; i++)
        if (timing->events[i])
            timing->api->event_destroy(timing->events[i]);
    free(timing->events);
    free(timing->times);
    for (unsigned i = 0; i < timing->set_count; i++)
        job_arguments_free(timing->api, &timing->sets[i]);
    cuda_kernel_unload(timing->api, &timing->kernel);
}

static bool start(const struct timing *timing, unsigned run, struct error *error)
{
    const struct job *job = timing->job;
    struct cuda_start const start = {.kernel = timing->kernel.kernel,
                                     .grid = job->grid,
                                     .block = job->block,
                                     .shared_bytes = job->shared_bytes,
                                     .arguments = timing->sets[run % timing->set_count].pointers};
    return cuda_start(timing->api, &start, error);
}

static bool did(const struct timing *timing, int code, struct error *error)
{
    return cuda_api_did(timing->api, code, "timing the kernel", error);
}

/* Makes five unmeasured launches, and waits for each: the last one tells how long a launch takes. */
static bool warm_up(const struct timing *timing, double *seconds, struct error *error)
{
    for (unsigned i = 0; i < WARM_UP; i++) {
        double const begin = clock_seconds();
        timing->host->say(timing->host->context, JOB_RUNNING);
        if (!start(timing, i, error) || !did(timing, timing->api->context_wait(), error))
            return false;
        *seconds = clock_seconds() - begin;
    }
    return true;
}

/* Measures the launches. The watchdog gets a message after at most half a second's worth of launches. */
static bool measure(struct timing *timing, struct error *error)
{
    const struct cuda_api *api = timing->api;
    double each = 0, ahead = 0;
    if (!timing->job->timing.once && !warm_up(timing, &each, error))
        return false;
    note_state(timing);
    for (unsigned i = 0; i < timing->runs; i++) {
        ahead += each;
        if (ahead > 0.5) {
            if (!did(timing, api->context_wait(), error))
                return false;
            timing->host->say(timing->host->context, JOB_RUNNING);
            ahead = each;
        }
        if (!did(timing, api->event_record(timing->events[2 * i], NULL), error) || !start(timing, i, error) ||
            !did(timing, api->event_record(timing->events[2 * i + 1], NULL), error))
            return false;
    }
    if (!did(timing, api->context_wait(), error))
        return false;
    note_state(timing);
    for (unsigned i = 0; i < timing->runs; i++) {
        float milliseconds = 0;
        if (!did(timing, api->event_elapsed(&milliseconds, timing->events[2 * i], timing->events[2 * i + 1]), error))
            return false;
        timing->times[i] = (double)milliseconds * 1e3;
    }
    return true;
}

bool job_time(const struct cuda_gpu *gpu, struct job *job, const struct job_host *host, struct error *error)
{
    unsigned const runs = job->timing.runs;
    struct timing timing = {.gpu = gpu,
                            .api = &gpu->api,
                            .job = job,
                            .host = host,
                            .runs = job->timing.once    ? 1
                                    : runs < RUNS_LEAST ? RUNS_LEAST
                                    : runs > RUNS_MOST  ? RUNS_MOST
                                                        : runs};
    bool good =
        cuda_kernel_load(&gpu->api, job_at(job, job->ptx), job_at(job, job->kernel), 0, &timing.kernel, error) &&
        make_sets(&timing, error) && make_events(&timing, error) && measure(&timing, error);
    if (good) {
        times_sort(timing.times, timing.runs);
        job->answer.time = (struct cuda_time){.median = time_quantile(timing.times, timing.runs, 0.5),
                                              .p25 = time_quantile(timing.times, timing.runs, 0.25),
                                              .p75 = time_quantile(timing.times, timing.runs, 0.75),
                                              .minimum = timing.times[0],
                                              .runs = timing.runs,
                                              .input_sets = timing.set_count,
                                              .beyond_cache = timing.beyond_cache,
                                              .state = timing.state};
        good = !job->timing.read_back ||
               job_arguments_read(&gpu->api, job, &timing.sets[(timing.runs - 1) % timing.set_count], error);
    }
    timing_free(&timing);
    return good;
}
