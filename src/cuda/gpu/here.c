/* A launch with probes in the program's own process. The kernel works on the program's memory, which is saved before
 * and restored after each launch with probes, so that what the program sees comes from the unchanged kernel alone. */
#include "base/file.h"
#include "cuda/gpu/probed_launch.h"
#include "cuda/probe/probe.h"
#include <inttypes.h>
#include <stdlib.h>

struct running {
    const struct cuda_here *here;
    const struct cuda_api *api;
    const struct probed *probed;
    const struct trace_listener *listener;
    struct trace *trace;
    uint64_t saved;   /* device memory: the contents of here->memory, one after the other */
    uint8_t *records; /* on the host */
};

/* ---- the memory of the program ---- */

static uint64_t saved_bytes(const struct cuda_here *here)
{
    uint64_t all = 0;
    for (size_t i = 0; i < here->memory_count; i++)
        all += (here->memory[i].bytes + 255) / 256 * 256;
    return all;
}

static bool move_memory(const struct running *running, bool save, struct error *error)
{
    const struct cuda_api *api = running->api;
    uint64_t at = running->saved;
    for (size_t i = 0; i < running->here->memory_count; i++) {
        const struct cuda_place *place = &running->here->memory[i];
        int const code =
            save ? api->copy(at, place->address, place->bytes) : api->copy(place->address, at, place->bytes);
        if (!cuda_api_did(api, code, "copying the program's memory", error))
            return false;
        at += (place->bytes + 255) / 256 * 256;
    }
    return true;
}

/* The module with probes has variables of its own: they begin like the program's. */
static bool copy_variables(const struct running *running, void *probed, struct error *error)
{
    const struct cuda_api *api = running->api;
    const struct ptx_module *module = running->here->module;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        uint64_t from = 0, to = 0;
        size_t bytes = 0, same = 0;
        if (trace_is_buffer(&module->variables[i]) &&
            !api->module_variable(&from, &bytes, running->here->driver_module, module->variables[i].name) &&
            !api->module_variable(&to, &same, probed, module->variables[i].name) && bytes == same &&
            !cuda_api_did(api, api->copy(to, from, bytes), "copying the module's variables", error))
            return false;
    }
    return true;
}

/* ---- launches and records ---- */

static struct cuda_start start_of(const struct cuda_here *here, void *kernel)
{
    return (struct cuda_start){.kernel = kernel,
                               .grid = here->launch->grid,
                               .block = here->launch->block,
                               .shared_bytes = here->launch->shared_bytes,
                               .cooperative = here->cooperative,
                               .arguments = here->arguments};
}

/* Runs the kernel with probes once and gives the program its memory back. */
static bool launch(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    const struct running *running = r->owner;
    struct cuda_start const start = start_of(running->here, r->probed.kernel);
    return copy_variables(running, r->probed.module, error) && probed_prepare(r, plan, first, error) &&
           cuda_start(r->api, &start, error) &&
           cuda_api_did(r->api, r->api->context_wait(), "running the kernel", error) &&
           move_memory(running, false, error);
}

static bool take(struct probed_launch *r, const struct record_batch *batch, struct error *error)
{
    struct running *running = r->owner;
    struct record_batch taken = *batch;
    uint64_t const bytes = batch->chunk_count * batch->chunk_bytes;
    free(running->records);
    running->records = malloc(bytes + 1);
    if (!running->records)
        return error_set(error, ERROR_MISSING, "no memory for %" PRIu64 " MiB of records", (bytes >> 20) + 1);
    taken.chunks = running->records;
    taken.layout = running->probed->layout;
    return cuda_to_host(r->api, running->records, r->chunks, bytes, error) &&
           record_decode(&taken, running->listener, running->trace, error);
}

/* A block must be able to start with the registers of the probes. The blocks of a cooperative launch must run at once,
 * so there as many fit as without probes. */
static bool load(const struct running *running, struct cuda_kernel *probed, struct error *error)
{
    const struct cuda_here *here = running->here;
    struct cuda_start const plain = start_of(here, here->kernel);
    uint32_t const block = plain.block[0] * plain.block[1] * plain.block[2];
    uint32_t const together = here->cooperative ? cuda_threads_at_once(running->api, &plain) : 0;
    return cuda_kernel_load(running->api, running->probed->ptx, here->launch->kernel, together ? together : block,
                            probed, error);
}

static void describe(const struct running *running, const struct probed_launch *r)
{
    const struct cuda_here *here = running->here;
    struct trace *trace = running->trace;
    uint32_t at = here->launch->buffer_count;
    char date[11];
    clock_date(date);
    trace->executor = EXECUTOR_GPU;
    trace->device = arena_text(&trace->arena, here->device);
    trace->driver = arena_text(&trace->arena, here->driver);
    trace->date = arena_text(&trace->arena, date);
    trace->clock = TRACE_CLOCK_GPU;
    trace->shared_base = r->windows.shared_base;
    trace->lost += r->lost;
    for (uint32_t i = 0; i < at; i++)
        trace->buffers[i].address = here->launch->buffers[i].address;
    for (uint32_t i = 0; i < here->module->variable_count; i++) {
        size_t size = 0;
        uint64_t address = 0;
        if (!trace_is_buffer(&here->module->variables[i]))
            continue;
        if (!running->api->module_variable(&address, &size, r->probed.module, here->module->variables[i].name))
            trace->buffers[at].address = address;
        at++;
    }
}

static bool trace_made(struct running *running, struct launch_blocks blocks, struct error *error)
{
    enum { ROOM_GIB = 2 }; /* as much again is taken on the host */
    const struct probed *probed = running->probed;
    const struct cuda_api *api = running->api;
    int clock_khz = 0;
    struct probed_launch run = {.api = api,
                                .control = probed->control,
                                .window = probed->window,
                                .block = running->here->launch->block,
                                .blocks = blocks,
                                .room = (uint64_t)ROOM_GIB << 30,
                                .chunk_bytes = record_chunk_bytes(&probed->layout),
                                .record_bytes = record_most_bytes(&probed->layout),
                                .owner = running,
                                .launch = launch,
                                .take = take};
    api->device_attribute(&clock_khz, CUDA_API_ATTRIBUTE_CLOCK, 0);
    run.clock_khz = (uint32_t)clock_khz;
    bool const good =
        load(running, &run.probed, error) &&
        cuda_api_allocate(api, saved_bytes(running->here), "a copy of the program's memory", &running->saved, error) &&
        move_memory(running, true, error) && probed_run(&run, error);
    if (good)
        describe(running, &run);
    probed_free(&run);
    cuda_release(api, running->saved);
    free(running->records);
    return good;
}

bool cuda_trace_here(const struct cuda_here *here, struct launch_blocks recorded, bool values,
                     const struct trace_listener *listener, struct trace **trace, int *code, struct error *error)
{
    const struct launch *launch = here->launch;
    const struct ptx_function *kernel = ptx_kernel(here->module, launch->kernel);
    struct launch_blocks const all = {0, (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] - 1};
    struct arena arena = {0};
    struct probed probed = {0};
    *trace = NULL;
    *code = 0;
    if (!kernel)
        return error_set(error, ERROR_INPUT, "there is no kernel %s", launch->kernel);
    if (recorded.last > all.last)
        recorded.last = all.last;
    if (recorded.first > recorded.last)
        return error_set(error, ERROR_INPUT, "there is no block %" PRIu64 ": the grid has %" PRIu64, recorded.first,
                         all.last + 1);
    struct trace *made = trace_new(here->module, launch);
    made->recorded = recorded;
    struct running running = {.here = here, .api = here->api, .probed = &probed, .listener = listener, .trace = made};
    bool const good = probe_module(&arena, here->module, kernel, launch, values, &probed, error) &&
                      trace_made(&running, listener ? all : recorded, error);
    *code = good ? 0 : here->api->context_wait();
    arena_free(&arena);
    if (good)
        *trace = made;
    else
        trace_free(made);
    return good;
}
