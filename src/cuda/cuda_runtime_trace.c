/* One run of the probed kernel: memory for records, the control variable, the launch, and what came back as a trace. */
#include "base/file.h"
#include "cuda/gpu.h"
#include "cuda/probe.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

struct recording {
    struct record_plan plan;
    uint64_t chunks, pools, windows; /* device memory */
    struct record_windows found;
    struct record_pool *counters; /* the pools' counters, back on the host */
    uint8_t *bytes;               /* the chunks that were taken, back on the host */
    uint64_t chunk_count;
};

static uint64_t block_count(const struct launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* What the records may take: half of what the GPU has free, and a quarter of the host's memory, where they come next.
 */
static uint64_t memory_limit(void)
{
    uint64_t const most = UINT64_C(2) << 30;
    size_t available = 0, total = 0;
    struct sysinfo host = {0};
    uint64_t limit = most;
    if (cudaMemGetInfo(&available, &total) == cudaSuccess && available / 2 < limit)
        limit = available / 2;
    if (sysinfo(&host) == 0 && (uint64_t)host.totalram * host.mem_unit / 4 < limit)
        limit = (uint64_t)host.totalram * host.mem_unit / 4;
    return limit;
}

static bool to_device(uint64_t address, const void *bytes, size_t size, struct error *error)
{
    cudaError_t const code = cudaMemcpy((void *)(uintptr_t)address, bytes, size, cudaMemcpyHostToDevice);
    return code == cudaSuccess || gpu_failed((int)code, "copying to the GPU", error);
}

static bool to_host(void *bytes, uint64_t address, size_t size, struct error *error)
{
    cudaError_t const code = cudaMemcpy(bytes, (const void *)(uintptr_t)address, size, cudaMemcpyDeviceToHost);
    return code == cudaSuccess || gpu_failed((int)code, "copying from the GPU", error);
}

static bool allocate_zeros(uint64_t bytes, uint64_t *address, struct error *error)
{
    if (!gpu_allocate(bytes, "the record", address, error))
        return false;
    cudaError_t const code = cudaMemset((void *)(uintptr_t)*address, 0, bytes);
    return code == cudaSuccess || gpu_failed((int)code, "clearing memory on the GPU", error);
}

/* Runs the module's own kernel once. */
static bool find_windows(struct recording *recording, const struct gpu_module *module, const char *name,
                         struct error *error)
{
    if (!allocate_zeros(sizeof recording->found, &recording->windows, error))
        return false;
    cudaKernel_t kernel = NULL;
    cudaError_t const code = cudaLibraryGetKernel(&kernel, module->library, name);
    if (code != cudaSuccess)
        return gpu_failed((int)code, "loading the probes", error);
    struct launch const one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    void *pointers[] = {&recording->windows};
    return gpu_start(kernel, &one, pointers, error) &&
           to_host(&recording->found, recording->windows, sizeof recording->found, error);
}

static bool prepare(struct recording *recording, const struct gpu_module *module, const struct probed *probed,
                    const struct launch *launch, struct launch_blocks recorded, struct error *error)
{
    uint32_t const threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t const blocks = recorded.last - recorded.first + 1;
    recording->plan = record_plan(blocks, (threads + WARP_LANES - 1) / WARP_LANES, memory_limit());
    const struct record_plan *plan = &recording->plan;
    if (!find_windows(recording, module, probed->window, error) ||
        !allocate_zeros(plan->pools * plan->pool_chunks * plan->chunk_bytes, &recording->chunks, error) ||
        !allocate_zeros(plan->pools * sizeof(struct record_pool), &recording->pools, error))
        return false;
    struct record_control const control = {.first = recorded.first,
                                           .span = recorded.last - recorded.first,
                                           .chunks = recording->chunks,
                                           .pools = recording->pools,
                                           .pool_chunks = plan->pool_chunks,
                                           .chunk_bytes = plan->chunk_bytes,
                                           .pool_mask = plan->pools - 1};
    void *address = NULL;
    size_t size = 0;
    cudaError_t const code = cudaLibraryGetGlobal(&address, &size, module->library, probed->control);
    if (code != cudaSuccess || size != sizeof control)
        return gpu_failed((int)code, "finding the probes' control variable", error);
    return to_device((uint64_t)(uintptr_t)address, &control, sizeof control, error);
}

/* The chunks that were taken, pool after pool, into one array on the host. */
static bool fetch(struct recording *recording, struct trace *trace, struct error *error)
{
    const struct record_plan *plan = &recording->plan;
    recording->counters = calloc(plan->pools, sizeof *recording->counters);
    if (!recording->counters)
        return error_set(error, ERROR_RUN, "no memory to read back what the GPU recorded");
    if (!to_host(recording->counters, recording->pools, plan->pools * sizeof *recording->counters, error))
        return false;
    for (uint32_t i = 0; i < plan->pools; i++) {
        struct record_pool *pool = &recording->counters[i];
        pool->taken = pool->taken < plan->pool_chunks ? pool->taken : plan->pool_chunks;
        recording->chunk_count += pool->taken;
        trace->lost += pool->lost;
    }
    recording->bytes = malloc(recording->chunk_count * plan->chunk_bytes + 1);
    if (!recording->bytes) {
        error_set(error, ERROR_RUN, "no memory to read back %" PRIu64 " MiB that the GPU recorded",
                  recording->chunk_count * plan->chunk_bytes >> 20);
        return error_remedy(error, "record fewer blocks with --blocks");
    }
    uint8_t *at = recording->bytes;
    for (uint32_t i = 0; i < plan->pools; i++) {
        size_t const bytes = recording->counters[i].taken * plan->chunk_bytes;
        if (bytes && !to_host(at, recording->chunks + i * plan->pool_chunks * plan->chunk_bytes, bytes, error))
            return false;
        at += bytes;
    }
    return true;
}

static void recording_free(struct recording *recording)
{
    gpu_release(recording->chunks);
    gpu_release(recording->pools);
    gpu_release(recording->windows);
    free(recording->counters);
    free(recording->bytes);
}

static bool decode(const struct recording *recording, const struct cuda_device *device,
                   const struct trace_listener *listener, struct trace *trace, struct error *error)
{
    struct record_batch const batch = {.chunks = recording->bytes,
                                       .chunk_count = recording->chunk_count,
                                       .chunk_bytes = recording->plan.chunk_bytes,
                                       .windows = recording->found,
                                       .clock_khz = (uint32_t)device->clock_khz};
    return record_decode(&batch, listener, trace, error);
}

static void describe(struct trace *trace, const struct cuda_device *device, const struct gpu_arguments *arguments,
                     const struct recording *recording, struct launch_blocks recorded)
{
    char date[11];
    clock_date(date);
    trace->executor = "gpu";
    trace->device = arena_text(&trace->arena, device->name);
    trace->driver = arena_text(&trace->arena, device->driver);
    trace->date = arena_text(&trace->arena, date);
    trace->recorded = recorded;
    trace->clock = TRACE_CLOCK_GPU;
    trace->shared_base = recording->found.shared_base;
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        trace->buffers[i].address = arguments->addresses[i];
}

/* Everything between the loaded module and the trace. */
static bool record_run(const struct gpu_module *module, const struct probed *probed, const struct launch *launch,
                       struct launch_blocks recorded, const struct cuda_device *device,
                       const struct trace_listener *listener, struct trace *trace, struct error *error)
{
    struct recording recording = {0};
    struct gpu_arguments arguments = {0};
    bool good = gpu_arguments_new(launch, &arguments, error) &&
                prepare(&recording, module, probed, launch, recorded, error) &&
                gpu_start(module->kernel, launch, arguments.pointers, error);
    if (good) {
        cudaError_t const code = cudaDeviceSynchronize();
        good = code == cudaSuccess || gpu_failed((int)code, "running the kernel", error);
    }
    good = good && gpu_arguments_read(launch, &arguments, error) && fetch(&recording, trace, error);
    if (good) {
        describe(trace, device, &arguments, &recording, recorded);
        good = decode(&recording, device, listener, trace, error);
    }
    recording_free(&recording);
    gpu_arguments_free(&arguments);
    return good;
}

bool cuda_trace(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    *trace = NULL;
    const struct ptx_function *kernel;
    struct cuda_device device;
    if (!gpu_check_launch(program, launch, &kernel, error))
        return false;
    uint64_t const blocks = block_count(launch);
    if (recorded.last >= blocks)
        recorded.last = blocks - 1;
    if (recorded.first > recorded.last)
        return error_set(error, ERROR_INPUT, "no block from %" PRIu64 " on: the grid has %" PRIu64, recorded.first,
                         blocks);
    if (!cuda_device(&device, error))
        return false;
    struct arena arena = {0};
    struct probed probed = {0};
    struct gpu_module module = {0};
    struct trace *made = trace_new(program, launch);
    bool const good =
        probe_program(&arena, program, kernel, &probed, error) &&
        gpu_load(probed.ptx, kernel->name, launch->block[0] * launch->block[1] * launch->block[2], &module, error) &&
        record_run(&module, &probed, launch, recorded, &device, listener, made, error);
    gpu_unload(&module);
    arena_free(&arena);
    if (good)
        *trace = made;
    else
        trace_free(made);
    return good;
}
