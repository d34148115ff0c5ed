/* The job of a trace: launches of the probed kernel on copies of the job's buffers. Each batch of records goes into the
 * job's memory, from where the parent takes it. */
#include "cuda/gpu/probed_launch.h"
#include <stdlib.h>

struct tracing {
    const struct cuda_api *api;
    struct job *job;
    const struct job_host *host;
    struct cuda_kernel plain; /* without probes, when its time is wanted */
    struct job_arguments arguments;
    uint8_t *saved; /* the module's variables before the first launch, one after the other */
    void *begin, *end;
    bool started; /* a launch was made, so its inputs may have changed */
};

static struct cuda_start start_of(const struct tracing *tracing, const struct cuda_kernel *kernel)
{
    const struct job *job = tracing->job;
    return (struct cuda_start){.kernel = kernel->kernel,
                               .grid = job->grid,
                               .block = job->block,
                               .shared_bytes = job->shared_bytes,
                               .arguments = tracing->arguments.pointers};
}

/* Finds the addresses of the module's variables and saves their contents. Variables that the driver left out, because
 * nothing uses them, have address 0. */
static bool find_variables(struct tracing *tracing, void *module, struct error *error)
{
    struct job *job = tracing->job;
    struct job_variable *variables = job_at(job, job->variables);
    uint64_t all = 0;
    for (uint32_t i = 0; i < job->variable_count; i++) {
        uint64_t address = 0;
        size_t size = 0;
        int const code = tracing->api->module_variable(&address, &size, module, job_at(job, variables[i].name));
        variables[i].address = code || size < variables[i].bytes ? 0 : address;
        all += variables[i].bytes;
    }
    tracing->saved = malloc(all + 1);
    if (!tracing->saved)
        return error_set(error, ERROR_RUN, "no memory for the module's variables");
    uint8_t *at = tracing->saved;
    for (uint32_t i = 0; i < job->variable_count; at += variables[i++].bytes)
        if (variables[i].address && !cuda_to_host(tracing->api, at, variables[i].address, variables[i].bytes, error))
            return false;
    return true;
}

/* Restores buffers and variables as they were before the first launch. */
static bool restore(struct tracing *tracing, struct error *error)
{
    const struct job_variable *variables = job_at(tracing->job, tracing->job->variables);
    const uint8_t *at = tracing->saved;
    for (uint32_t i = 0; i < tracing->job->variable_count; at += variables[i++].bytes)
        if (variables[i].address && !cuda_to_device(tracing->api, variables[i].address, at, variables[i].bytes, error))
            return false;
    return job_arguments_write(tracing->api, tracing->job, &tracing->arguments, error);
}

/* Makes one launch, from the same inputs and the same state of the memories each time. */
static bool start_once(struct probed_launch *r, const struct cuda_kernel *kernel, const struct record_plan *plan,
                       uint64_t first, double *microseconds, struct error *error)
{
    struct tracing *tracing = r->owner;
    const struct cuda_api *api = r->api;
    const struct job_host *host = tracing->host;
    struct cuda_start const start = start_of(tracing, kernel);
    float milliseconds = 0;
    if ((tracing->started && !restore(tracing, error)) || !probed_prepare(r, plan, first, error) ||
        !cuda_api_did(api, api->context_wait(), "preparing", error))
        return false;
    host->say(host->context, JOB_RUNNING);
    if (!cuda_api_did(api, api->event_record(tracing->begin, NULL), "recording an event", error) ||
        !cuda_start(api, &start, error) ||
        !cuda_api_did(api, api->event_record(tracing->end, NULL), "recording an event", error) ||
        !cuda_api_did(api, api->context_wait(), "running the kernel", error))
        return false;
    host->say(host->context, JOB_LOADING);
    if (!cuda_api_did(api, api->event_elapsed(&milliseconds, tracing->begin, tracing->end), "reading an event", error))
        return false;
    *microseconds = (double)milliseconds * 1e3;
    tracing->started = true;
    return true;
}

/* Launches the whole grid and records some of its blocks. When its time is wanted, it repeats this in turn with the
 * unchanged kernel. */
static bool launch(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    enum { REPEATS_MOST = 32 };
    double times[REPEATS_MOST + 1], alone[REPEATS_MOST + 1];
    const struct tracing *tracing = r->owner;
    struct cuda_cost *cost = &tracing->job->answer.cost;
    uint32_t const asked = tracing->job->repeats, repeats = asked < REPEATS_MOST ? asked : REPEATS_MOST;
    for (uint32_t i = 0; i <= repeats; i++)
        if ((repeats && !start_once(r, &tracing->plain, plan, first, &alone[i], error)) ||
            !start_once(r, &r->probed, plan, first, &times[i], error))
            return false;
    double *measured = times + (repeats > 0); /* the first launch was the warm-up */
    size_t const count = repeats ? repeats : 1;
    times_sort(measured, count);
    cost->launches++;
    cost->microseconds += measured[count / 2];
    cost->fastest += measured[0];
    cost->slowest += measured[count - 1];
    if (repeats) {
        times_sort(alone + 1, count);
        cost->alone = alone[1 + count / 2];
    }
    return true;
}

static bool take(struct probed_launch *r, const struct record_batch *batch, struct error *error)
{
    struct tracing *tracing = r->owner;
    struct job *job = tracing->job;
    job->answer.batch = *batch;
    if (!cuda_to_host(r->api, job_at(job, job->records), r->chunks, batch->chunk_count * batch->chunk_bytes, error))
        return false;
    return tracing->host->say(tracing->host->context, JOB_BATCH) ||
           error_set(error, ERROR_RUN, "the caller stopped the recording");
}

/* Loads the kernels. Probes take registers, also from blocks that run none of them. If few blocks are recorded, as many
 * blocks run at once as without probes, at the expense of the recorded ones. */
static bool load(struct tracing *tracing, struct cuda_kernel *probed, struct error *error)
{
    enum { FEW = 8 /* one block in this many */ };
    const struct cuda_api *api = tracing->api;
    struct job *job = tracing->job;
    const char *ptx = job_at(job, job->ptx), *name = job_at(job, job->kernel);
    double const blocks = (double)job->grid[0] * job->grid[1] * job->grid[2];
    bool const few = (double)(job->last - job->first + 1) * FEW <= blocks;
    if (!cuda_kernel_load(api, ptx, name, job->block[0] * job->block[1] * job->block[2], probed, error))
        return false;
    if ((few || job->repeats) && !cuda_kernel_load(api, job_at(job, job->plain), name, 0, &tracing->plain, error))
        return false;
    struct cuda_start const with = start_of(tracing, probed), without = start_of(tracing, &tracing->plain);
    uint32_t const wanted = few ? cuda_threads_at_once(api, &without) : 0;
    if (wanted <= cuda_threads_at_once(api, &with))
        return true;
    cuda_kernel_unload(api, probed);
    return cuda_kernel_load(api, ptx, name, wanted, probed, error);
}

static void tracing_free(struct tracing *tracing)
{
    if (tracing->begin)
        tracing->api->event_destroy(tracing->begin);
    if (tracing->end)
        tracing->api->event_destroy(tracing->end);
    free(tracing->saved);
    job_arguments_free(tracing->api, &tracing->arguments);
    cuda_kernel_unload(tracing->api, &tracing->plain);
}

bool job_trace(const struct cuda_gpu *gpu, struct job *job, const struct job_host *host, struct error *error)
{
    const struct cuda_api *api = &gpu->api;
    struct tracing tracing = {.api = api, .job = job, .host = host};
    struct probed_launch run = {.api = api,
                                .control = job_at(job, job->control),
                                .window = job_at(job, job->window),
                                .block = job->block,
                                .blocks = {job->first, job->last},
                                .room = job->room,
                                .chunk_bytes = job->chunk_bytes,
                                .record_bytes = job->record_bytes,
                                .owner = &tracing,
                                .launch = launch,
                                .take = take};
    bool good = job_device(gpu, &job->answer.device, error) && load(&tracing, &run.probed, error) &&
                job_arguments_new(api, job, &tracing.arguments, error) &&
                find_variables(&tracing, run.probed.module, error) &&
                cuda_api_did(api, api->event_create(&tracing.begin, 0), "making an event", error) &&
                cuda_api_did(api, api->event_create(&tracing.end, 0), "making an event", error);
    run.clock_khz = (uint32_t)job->answer.device.clock_khz;
    good = good && probed_run(&run, error) && job_arguments_read(api, job, &tracing.arguments, error);
    job->answer.lost = run.lost;
    probed_free(&run);
    tracing_free(&tracing);
    return good;
}
