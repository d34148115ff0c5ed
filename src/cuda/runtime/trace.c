/* Runs the probed kernel: memory for records, the control variable, launches, and the batches of records that come
 * back. A launch whose records found no room is repeated from the same inputs, with more room or fewer blocks. */
#include "cuda/record/plan.h"
#include "cuda/runtime/gpu.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    struct job *job;
    const struct job_host *host;
    struct gpu_module module, plain; /* plain: without probes, when its time is wanted */
    struct gpu_arguments arguments;
    struct record_windows windows;
    struct record_counters counted;
    uint64_t chunks, chunks_bytes; /* device memory */
    uint64_t counters;
    uint8_t *saved; /* the module's variables before the first launch, one after the other */
    cudaEvent_t begin, end;
    bool started; /* a launch was made, so its inputs may have changed */
    uint32_t warps;
    uint32_t clock_khz;
};

static bool check(cudaError_t code, const char *doing, struct error *error)
{
    return code == cudaSuccess || gpu_failed((int)code, doing, error);
}

static bool find_control(const struct recording *recording, uint64_t *address, struct error *error)
{
    void *found = NULL;
    size_t size = 0;
    bool const good = check(
        cudaLibraryGetGlobal(&found, &size, recording->module.library, job_at(recording->job, recording->job->control)),
        "finding the probes' control variable", error);
    *address = (uint64_t)(uintptr_t)found;
    return good;
}

/* Runs the module's window kernel once. */
static bool find_windows(struct recording *recording, struct error *error)
{
    uint64_t address = 0, control = 0;
    cudaKernel_t kernel = NULL;
    const char *name = job_at(recording->job, recording->job->window);
    uint32_t const one[3] = {1, 1, 1};
    void *pointers[] = {&address};
    bool const good =
        check(cudaLibraryGetKernel(&kernel, recording->module.library, name), "loading the probes", error) &&
        gpu_allocate(sizeof recording->windows, "the record", &address, error) &&
        gpu_start(kernel, one, one, 0, pointers, error) &&
        gpu_to_host(&recording->windows, address, sizeof recording->windows, error) &&
        find_control(recording, &control, error);
    recording->windows.constant_generic = control - recording->windows.constant_generic;
    gpu_release(address);
    return good;
}

/* Finds the addresses of the module's variables and saves their contents. Variables that the driver left out, because
 * nothing uses them, have address 0. */
static bool find_variables(struct recording *recording, struct error *error)
{
    struct job *job = recording->job;
    struct job_variable *variables = job_at(job, job->variables);
    uint64_t all = 0;
    for (uint32_t i = 0; i < job->variable_count; i++) {
        void *address = NULL;
        size_t size = 0;
        if (cudaLibraryGetGlobal(&address, &size, recording->module.library, job_at(job, variables[i].name)) !=
                cudaSuccess ||
            size < variables[i].bytes) {
            cudaGetLastError();
            address = NULL;
        }
        variables[i].address = (uint64_t)(uintptr_t)address;
        all += variables[i].bytes;
    }
    recording->saved = malloc(all + 1);
    if (!recording->saved)
        return error_set(error, ERROR_RUN, "no memory for the module's variables");
    uint8_t *at = recording->saved;
    for (uint32_t i = 0; i < job->variable_count; at += variables[i++].bytes)
        if (variables[i].address && !gpu_to_host(at, variables[i].address, variables[i].bytes, error))
            return false;
    return true;
}

/* Restores buffers and variables as they were before the first launch. */
static bool restore(struct recording *recording, struct error *error)
{
    const struct job_variable *variables = job_at(recording->job, recording->job->variables);
    const uint8_t *at = recording->saved;
    for (uint32_t i = 0; i < recording->job->variable_count; at += variables[i++].bytes)
        if (variables[i].address && !gpu_to_device(variables[i].address, at, variables[i].bytes, error))
            return false;
    return gpu_arguments_write(recording->job, &recording->arguments, error);
}

/* Returns the memory for records: half of the GPU's free memory, within the job's room for them. */
static uint64_t memory_limit(const struct recording *recording)
{
    size_t available = 0, total = 0;
    uint64_t limit = recording->job->room;
    if (cudaMemGetInfo(&available, &total) == cudaSuccess && (available + recording->chunks_bytes) / 2 < limit)
        limit = (available + recording->chunks_bytes) / 2;
    return limit;
}

static bool prepare(struct recording *recording, const struct record_plan *plan, uint64_t first, struct error *error)
{
    uint64_t const bytes = (plan->own_chunks + plan->more_chunks) * plan->chunk_bytes;
    if (bytes > recording->chunks_bytes) {
        gpu_release(recording->chunks);
        recording->chunks = recording->chunks_bytes = 0;
        if (!gpu_allocate(bytes, "the record", &recording->chunks, error))
            return false;
        recording->chunks_bytes = bytes;
    }
    struct record_control const control = {.first = first,
                                           .span = plan->blocks - 1,
                                           .own = recording->chunks,
                                           .more = recording->chunks + plan->own_chunks * plan->chunk_bytes,
                                           .more_chunks = plan->more_chunks,
                                           .counters = recording->counters,
                                           .chunk_bytes = plan->chunk_bytes,
                                           .warps = recording->warps,
                                           .row_shift = record_row_shift(recording->job->block)};
    uint64_t address;
    return check(cudaMemset((void *)(uintptr_t)recording->chunks, 0, bytes), "clearing memory", error) &&
           check(cudaMemset((void *)(uintptr_t)recording->counters, 0, sizeof recording->counted), "clearing memory",
                 error) &&
           find_control(recording, &address, error) && gpu_to_device(address, &control, sizeof control, error);
}

/* Makes one launch, from the same inputs and the same state of the memories each time. */
static bool start_once(struct recording *recording, const struct gpu_module *module, const struct record_plan *plan,
                       uint64_t first, double *microseconds, struct error *error)
{
    struct job *job = recording->job;
    float milliseconds = 0;
    if ((recording->started && !restore(recording, error)) || !prepare(recording, plan, first, error) ||
        !check(cudaDeviceSynchronize(), "preparing", error))
        return false;
    recording->host->say(recording->host->context, JOB_RUNNING);
    if (!check(cudaEventRecord(recording->begin, NULL), "recording an event", error) ||
        !gpu_start(module->kernel, job->grid, job->block, job->shared_bytes, recording->arguments.pointers, error) ||
        !check(cudaEventRecord(recording->end, NULL), "recording an event", error) ||
        !check(cudaDeviceSynchronize(), "running the kernel", error))
        return false;
    recording->host->say(recording->host->context, JOB_LOADING);
    if (!check(cudaEventElapsedTime(&milliseconds, recording->begin, recording->end), "reading an event", error))
        return false;
    *microseconds = (double)milliseconds * 1e3;
    recording->started = true;
    return true;
}

static int compare_times(const void *left, const void *right)
{
    double const a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return times[count / 2];
}

/* Launches the whole grid and records some of its blocks. When its time is wanted, it repeats this in turn with the
 * unchanged kernel. */
static bool launch(struct recording *recording, const struct record_plan *plan, uint64_t first, struct error *error)
{
    enum { REPEATS_MOST = 32 };
    double times[REPEATS_MOST + 1], alone[REPEATS_MOST + 1];
    struct cuda_cost *cost = &recording->job->answer.cost;
    uint32_t const asked = recording->job->repeats, repeats = asked < REPEATS_MOST ? asked : REPEATS_MOST;
    for (uint32_t i = 0; i <= repeats; i++)
        if ((repeats && !start_once(recording, &recording->plain, plan, first, &alone[i], error)) ||
            !start_once(recording, &recording->module, plan, first, &times[i], error))
            return false;
    double *measured = times + (repeats > 0); /* the first launch was the warm-up */
    size_t const count = repeats ? repeats : 1;
    cost->launches++;
    cost->microseconds += median(measured, count);
    cost->fastest += measured[0];
    cost->slowest += measured[count - 1];
    if (repeats)
        cost->alone = median(alone + 1, count);
    return gpu_to_host(&recording->counted, recording->counters, sizeof recording->counted, error);
}

static bool hand_on(struct recording *recording, const struct record_plan *plan, uint64_t first, struct error *error)
{
    struct job *job = recording->job;
    uint64_t const taken = recording->counted.taken < plan->more_chunks ? recording->counted.taken : plan->more_chunks;
    uint64_t const chunk_count = plan->own_chunks + taken;
    job->answer.batch = (struct job_batch){.chunk_count = chunk_count,
                                           .own_chunks = plan->own_chunks,
                                           .first = first,
                                           .warps = recording->warps,
                                           .chunk_bytes = plan->chunk_bytes,
                                           .row_shift = record_row_shift(job->block),
                                           .windows = recording->windows,
                                           .clock_khz = recording->clock_khz,
                                           .complete = recording->counted.lost == 0};
    job->answer.lost += recording->counted.lost;
    if (!gpu_to_host(job_at(job, job->records), recording->chunks, chunk_count * plan->chunk_bytes, error))
        return false;
    return recording->host->say(recording->host->context, JOB_BATCH) ||
           error_set(error, ERROR_RUN, "the caller stopped the recording");
}

/* Records all blocks, in as many launches as that takes. */
static bool record_all(struct recording *recording, struct error *error)
{
    const struct job *job = recording->job;
    uint64_t at = job->first, a_block = 0;
    while (at <= job->last) {
        struct record_plan const plan =
            record_plan(job->last - at + 1, recording->warps, job->chunk_bytes, a_block, memory_limit(recording));
        if (!plan.blocks) {
            error_set(error, ERROR_MISSING, "the GPU has no room for the record of a single block");
            return error_remedy(error, "close other programs that use the GPU");
        }
        if (!launch(recording, &plan, at, error))
            return false;
        if (recording->counted.lost && !plan.all_memory) {
            uint64_t const used = (plan.own_chunks + plan.more_chunks) * plan.chunk_bytes;
            uint64_t const need = (used + recording->counted.lost * job->record_bytes) / plan.blocks + 1;
            a_block = need > 2 * a_block ? need : 2 * a_block;
            continue;
        }
        if (!hand_on(recording, &plan, at, error))
            return false;
        at += plan.blocks;
    }
    return true;
}

static void recording_free(struct recording *recording)
{
    if (recording->begin)
        cudaEventDestroy(recording->begin);
    if (recording->end)
        cudaEventDestroy(recording->end);
    gpu_release(recording->chunks);
    gpu_release(recording->counters);
    free(recording->saved);
    gpu_arguments_free(&recording->arguments);
    gpu_unload(&recording->module);
    gpu_unload(&recording->plain);
}

/* Loads the module. Probes take registers, also from blocks that run none of them. If few blocks are recorded, as many
 * blocks run at once as without probes, at the expense of the recorded ones. */
static bool load(struct recording *recording, struct error *error)
{
    enum { FEW = 8 /* one block in this many */ };
    struct job *job = recording->job;
    const char *ptx = job_at(job, job->ptx), *kernel = job_at(job, job->kernel);
    double const blocks = (double)job->grid[0] * job->grid[1] * job->grid[2];
    bool const few = (double)(job->last - job->first + 1) * FEW <= blocks;
    struct gpu_module *module = &recording->module;
    if (!gpu_load(ptx, kernel, job->block[0] * job->block[1] * job->block[2], module, error))
        return false;
    if ((few || job->repeats) && !gpu_load(job_at(job, job->plain), kernel, 0, &recording->plain, error))
        return false;
    uint32_t const wanted = few ? gpu_threads_at_once(&recording->plain, job) : 0;
    if (wanted <= gpu_threads_at_once(module, job))
        return true;
    gpu_unload(module);
    return gpu_load(ptx, kernel, wanted, module, error);
}

bool gpu_trace(struct job *job, const struct job_host *host, struct error *error)
{
    uint32_t const threads = job->block[0] * job->block[1] * job->block[2];
    struct recording recording = {.job = job, .host = host, .warps = (threads + WARP_LANES - 1) / WARP_LANES};
    bool const good = gpu_device(&job->answer.device, error) && load(&recording, error) &&
                      gpu_arguments_new(job, &recording.arguments, error) && find_windows(&recording, error) &&
                      find_variables(&recording, error) &&
                      gpu_allocate(sizeof recording.counted, "the record", &recording.counters, error) &&
                      check(cudaEventCreate(&recording.begin), "making an event", error) &&
                      check(cudaEventCreate(&recording.end), "making an event", error);
    recording.clock_khz = (uint32_t)job->answer.device.clock_khz;
    bool const recorded = good && record_all(&recording, error) && gpu_arguments_read(job, &recording.arguments, error);
    recording_free(&recording);
    return recorded;
}
