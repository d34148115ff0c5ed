/* A launch with probes in the program's own process. The kernel works on the program's memory, which is saved before
 * and restored after each launch with probes, so that what the program sees comes from the unchanged kernel alone. */
#include "base/file.h"
#include "cuda/api/api.h"
#include "cuda/probe/probe.h"
#include "cuda/record/decode.h"
#include "cuda/record/plan.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    const struct cuda_here *here;
    const struct cuda_api *api;
    const struct probed *probed;
    void *module, *kernel; /* with probes */
    uint64_t saved;        /* device memory: the contents of here->memory, one after the other */
    uint64_t chunks, chunks_bytes, counters;
    uint8_t *records; /* on the host */
    struct record_windows windows;
    struct record_counters counted;
    uint32_t warps, chunk_bytes, record_bytes;
    int clock_khz;
    int code; /* the driver's last error */
};

static uint64_t number_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Returns true for success. */
static bool did(struct recording *r, int code, const char *doing, struct error *error)
{
    r->code = code;
    return !code || error_set(error, ERROR_RUN, "%s failed on the GPU: error %d", doing, code);
}

static bool allocate(struct recording *r, uint64_t bytes, const char *what, uint64_t *address, struct error *error)
{
    size_t available = 0, total = 0;
    r->code = r->api->allocate(address, bytes ? bytes : 1);
    if (!r->code)
        return true;
    *address = 0;
    r->api->memory_info(&available, &total);
    return error_set(error, ERROR_MISSING, "the GPU has no room for %s: %" PRIu64 " MiB needed, %zu of %zu MiB free",
                     what, (bytes >> 20) + 1, available >> 20, total >> 20);
}

/* ---- the memory of the program ---- */

static uint64_t saved_bytes(const struct cuda_here *here)
{
    uint64_t all = 0;
    for (size_t i = 0; i < here->memory_count; i++)
        all += (here->memory[i].bytes + 255) / 256 * 256;
    return all;
}

static bool move_memory(struct recording *r, bool save, struct error *error)
{
    uint64_t at = r->saved;
    for (size_t i = 0; i < r->here->memory_count; i++) {
        const struct cuda_place *place = &r->here->memory[i];
        int const code =
            save ? r->api->copy(at, place->address, place->bytes) : r->api->copy(place->address, at, place->bytes);
        if (!did(r, code, "copying the program's memory", error))
            return false;
        at += (place->bytes + 255) / 256 * 256;
    }
    return true;
}

/* The module with probes has variables of its own: they begin like the program's. */
static bool copy_variables(struct recording *r, struct error *error)
{
    const struct ptx_program *program = r->here->program;
    for (uint32_t i = 0; i < program->variable_count; i++) {
        uint64_t from = 0, to = 0;
        size_t bytes = 0, same = 0;
        if (trace_is_buffer(&program->variables[i]) &&
            !r->api->module_variable(&from, &bytes, r->here->module, program->variables[i].name) &&
            !r->api->module_variable(&to, &same, r->module, program->variables[i].name) && bytes == same &&
            !did(r, r->api->copy(to, from, bytes), "copying the module's variables", error))
            return false;
    }
    return true;
}

/* ---- one launch ---- */

static int start(const struct recording *r)
{
    const struct launch *l = r->here->launch;
    const uint32_t *g = l->grid, *b = l->block;
    if (r->here->cooperative)
        return r->api->launch_cooperative(r->kernel, g[0], g[1], g[2], b[0], b[1], b[2], l->shared_bytes, NULL,
                                          r->here->arguments);
    return r->api->launch(r->kernel, g[0], g[1], g[2], b[0], b[1], b[2], l->shared_bytes, NULL, r->here->arguments,
                          NULL);
}

static bool control_address(struct recording *r, uint64_t *address, struct error *error)
{
    size_t size = 0;
    return did(r, r->api->module_variable(address, &size, r->module, r->probed->control),
               "finding the probes' control variable", error);
}

static bool find_windows(struct recording *r, struct error *error)
{
    void *kernel = NULL;
    uint64_t address = 0, control = 0;
    void *arguments[] = {&address};
    bool const good =
        allocate(r, sizeof r->windows, "the record", &address, error) &&
        did(r, r->api->module_kernel(&kernel, r->module, r->probed->window), "loading the probes", error) &&
        did(r, r->api->launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "running the probes", error) &&
        did(r, r->api->copy(number_of(&r->windows), address, sizeof r->windows), "running the probes", error) &&
        control_address(r, &control, error);
    r->windows.constant_generic = control - r->windows.constant_generic;
    if (address)
        r->api->release(address);
    return good;
}

static bool prepare(struct recording *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    uint64_t const bytes = (plan->own_chunks + plan->more_chunks) * plan->chunk_bytes;
    if (bytes > r->chunks_bytes) {
        if (r->chunks)
            r->api->release(r->chunks);
        r->chunks = r->chunks_bytes = 0;
        if (!allocate(r, bytes, "the record", &r->chunks, error))
            return false;
        r->chunks_bytes = bytes;
    }
    struct record_control const control = {.first = first,
                                           .span = plan->blocks - 1,
                                           .own = r->chunks,
                                           .more = r->chunks + plan->own_chunks * plan->chunk_bytes,
                                           .more_chunks = plan->more_chunks,
                                           .counters = r->counters,
                                           .chunk_bytes = plan->chunk_bytes,
                                           .warps = r->warps,
                                           .row_shift = record_row_shift(r->here->launch->block)};
    uint64_t address = 0;
    return did(r, r->api->fill(r->chunks, 0, bytes, NULL), "clearing memory", error) &&
           did(r, r->api->fill(r->counters, 0, sizeof r->counted, NULL), "clearing memory", error) &&
           control_address(r, &address, error) &&
           did(r, r->api->copy(address, number_of(&control), sizeof control), "copying to the GPU", error);
}

/* Runs the kernel with probes once and gives the program its memory back. */
static bool run_once(struct recording *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    return copy_variables(r, error) && prepare(r, plan, first, error) &&
           did(r, start(r), "starting the kernel with probes", error) &&
           did(r, r->api->context_wait(), "the kernel", error) &&
           did(r, r->api->copy(number_of(&r->counted), r->counters, sizeof r->counted), "reading the record", error) &&
           move_memory(r, false, error);
}

/* ---- records ---- */

static uint64_t memory_limit(const struct recording *r)
{
    uint64_t const host = UINT64_C(2) << 30; /* as much again is taken on the host */
    size_t available = 0, total = 0;
    if (r->api->memory_info(&available, &total))
        return host;
    uint64_t const half = (available + r->chunks_bytes) / 2;
    return half < host ? half : host;
}

static bool take(struct recording *r, const struct record_plan *plan, uint64_t first,
                 const struct trace_listener *listener, struct trace *trace, struct error *error)
{
    uint64_t const taken = r->counted.taken < plan->more_chunks ? r->counted.taken : plan->more_chunks;
    uint64_t const count = plan->own_chunks + taken;
    struct record_batch batch = {.chunk_count = count,
                                 .own_chunks = plan->own_chunks,
                                 .first = first,
                                 .warps = r->warps,
                                 .layout = r->probed->layout,
                                 .chunk_bytes = plan->chunk_bytes,
                                 .row_shift = record_row_shift(r->here->launch->block),
                                 .windows = r->windows,
                                 .clock_khz = (uint32_t)r->clock_khz,
                                 .complete = r->counted.lost == 0};
    free(r->records);
    r->records = malloc(count * plan->chunk_bytes + 1);
    if (!r->records)
        return error_set(error, ERROR_MISSING, "no memory for %" PRIu64 " MiB of records",
                         (count * plan->chunk_bytes >> 20) + 1);
    batch.chunks = r->records;
    trace->lost += r->counted.lost;
    return did(r, r->api->copy(number_of(r->records), r->chunks, count * plan->chunk_bytes), "reading the record",
               error) &&
           record_decode(&batch, listener, trace, error);
}

static bool record_all(struct recording *r, struct launch_blocks blocks, const struct trace_listener *listener,
                       struct trace *trace, struct error *error)
{
    uint64_t at = blocks.first, a_block = 0;
    while (at <= blocks.last) {
        struct record_plan const plan =
            record_plan(blocks.last - at + 1, r->warps, r->chunk_bytes, a_block, memory_limit(r));
        if (!plan.blocks)
            return error_set(error, ERROR_MISSING, "the GPU has no room for the record of a single block");
        if (!run_once(r, &plan, at, error))
            return false;
        if (r->counted.lost && !plan.all_memory) {
            uint64_t const used = (plan.own_chunks + plan.more_chunks) * plan.chunk_bytes;
            uint64_t const need = (used + r->counted.lost * r->record_bytes) / plan.blocks + 1;
            a_block = need > 2 * a_block ? need : 2 * a_block;
            continue;
        }
        if (!take(r, &plan, at, listener, trace, error))
            return false;
        at += plan.blocks;
    }
    return true;
}

/* ---- the module ---- */

static uint32_t threads_of(const struct launch *launch)
{
    return (launch->block[0] * launch->block[1] * launch->block[2] + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
}

/* Returns how many registers a thread may have so that a block can start. The blocks of a cooperative launch must run
 * at once, so there as many fit as without probes. */
static unsigned registers_that_fit(const struct recording *r)
{
    enum { REGISTERS = 65536, STEP = 8, MOST = 255 };
    const struct launch *launch = r->here->launch;
    uint32_t const threads = threads_of(launch);
    int blocks = 1;
    if (r->here->cooperative &&
        r->api->blocks_at_once(&blocks, r->here->kernel, (int)threads, launch->shared_bytes) != 0)
        blocks = 1;
    uint32_t const fit = REGISTERS / (threads * (uint32_t)(blocks > 0 ? blocks : 1)) / STEP * STEP;
    return fit < MOST ? fit : MOST;
}

static bool load(struct recording *r, struct error *error)
{
    enum { WITHOUT_ASKING = 48 << 10 };
    const struct launch *launch = r->here->launch;
    r->code = cuda_api_load_module(r->api, r->probed->ptx, registers_that_fit(r), &r->module, error);
    return !r->code &&
           did(r, r->api->module_kernel(&r->kernel, r->module, launch->kernel), "loading the probes", error) &&
           (launch->shared_bytes <= WITHOUT_ASKING ||
            did(r, r->api->kernel_set(r->kernel, CUDA_API_DYNAMIC_SHARED, (int)launch->shared_bytes),
                "asking for shared memory", error));
}

static void describe(struct recording *r, struct trace *trace)
{
    const struct cuda_here *here = r->here;
    uint32_t at = here->launch->buffer_count;
    char date[11];
    clock_date(date);
    trace->executor = EXECUTOR_GPU;
    trace->device = arena_text(&trace->arena, here->device);
    trace->driver = arena_text(&trace->arena, here->driver);
    trace->date = arena_text(&trace->arena, date);
    trace->clock = TRACE_CLOCK_GPU;
    trace->shared_base = r->windows.shared_base;
    for (uint32_t i = 0; i < at; i++)
        trace->buffers[i].address = here->launch->buffers[i].address;
    for (uint32_t i = 0; i < here->program->variable_count; i++) {
        size_t size = 0;
        uint64_t address = 0;
        if (!trace_is_buffer(&here->program->variables[i]))
            continue;
        if (!r->api->module_variable(&address, &size, r->module, here->program->variables[i].name))
            trace->buffers[at].address = address;
        at++;
    }
}

static void recording_free(struct recording *r)
{
    uint64_t const memory[] = {r->chunks, r->counters, r->saved};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (memory[i])
            r->api->release(memory[i]);
    if (r->module)
        r->api->module_unload(r->module);
    free(r->records);
}

static bool trace_made(struct recording *r, struct launch_blocks blocks, const struct trace_listener *listener,
                       struct trace *trace, struct error *error)
{
    bool const values = r->probed->layout.values;
    r->warps = threads_of(r->here->launch) / WARP_LANES;
    r->chunk_bytes = values ? RECORD_VALUES_CHUNK : r->probed->layout.chunk_bytes;
    r->record_bytes = values ? sizeof(struct record_values) : sizeof(struct record) + WARP_LANES * sizeof(uint64_t);
    r->api->device_attribute(&r->clock_khz, CUDA_API_ATTRIBUTE_CLOCK, 0);
    bool const good =
        load(r, error) && allocate(r, saved_bytes(r->here), "a copy of the program's memory", &r->saved, error) &&
        allocate(r, sizeof r->counted, "the record", &r->counters, error) && move_memory(r, true, error) &&
        find_windows(r, error) && record_all(r, blocks, listener, trace, error);
    if (good)
        describe(r, trace);
    recording_free(r);
    return good;
}

bool cuda_trace_here(const struct cuda_here *here, struct launch_blocks recorded, bool values,
                     const struct trace_listener *listener, struct trace **trace, int *code, struct error *error)
{
    const struct launch *launch = here->launch;
    const struct ptx_function *kernel = ptx_kernel(here->program, launch->kernel);
    struct launch_blocks const all = {0, (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] - 1};
    struct arena arena = {0};
    struct probed probed = {0};
    struct recording r = {.here = here, .api = here->api, .probed = &probed};
    *trace = NULL;
    *code = 0;
    if (!kernel)
        return error_set(error, ERROR_INPUT, "there is no kernel %s", launch->kernel);
    if (recorded.last > all.last)
        recorded.last = all.last;
    if (recorded.first > recorded.last)
        return error_set(error, ERROR_INPUT, "there is no block %" PRIu64 ": the grid has %" PRIu64, recorded.first,
                         all.last + 1);
    struct trace *made = trace_new(here->program, launch);
    made->recorded = recorded;
    bool const good = probe_program(&arena, here->program, kernel, launch, values, &probed, error) &&
                      trace_made(&r, listener ? all : recorded, listener, made, error);
    *code = good ? 0 : r.code;
    arena_free(&arena);
    if (good)
        *trace = made;
    else
        trace_free(made);
    return good;
}
