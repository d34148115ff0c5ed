/* A trace in memory: four growing arrays and an arena. An event is small and has a fixed size. The 32 addresses of an
 * access are stored apart, so that readers of the events alone do not load them into the cache. */
#include "trace/trace.h"
#include "trace/places.h"
#include <stdlib.h>
#include <string.h>

const char *trace_operation_word(enum trace_operation operation)
{
    static const char *const words[] = {"ld", "st", "atom", "red", "bar", "bra", "shfl", "", "mma"};
    return words[operation];
}

uint32_t trace_pieces(uint64_t first, uint64_t bytes, uint64_t addresses[WARP_LANES])
{
    uint64_t const left = bytes / TRACE_PIECE, count = left < WARP_LANES ? left : WARP_LANES;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = lane < count ? first + (uint64_t)lane * TRACE_PIECE : 0;
    return count < WARP_LANES ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
}

static void copy_files(struct trace *trace, const struct ptx_module *module)
{
    const char **files = arena_array(&trace->arena, const char *, module->file_count);
    for (uint32_t i = 0; i < module->file_count; i++)
        files[i] = arena_text(&trace->arena, module->files[i] ? module->files[i] : "");
    trace->files = files;
    trace->file_count = module->file_count;
}

/* Names the launch's buffers, then the module's variables. */
static void name_buffers(struct trace *trace, const struct ptx_module *module, const struct launch *launch)
{
    size_t const most = (size_t)launch->buffer_count + module->variable_count;
    trace->buffers = arena_array(&trace->arena, struct trace_buffer, most);
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        const struct launch_buffer *buffer = &launch->buffers[i];
        trace->buffers[trace->buffer_count++] =
            (struct trace_buffer){.name = arena_text(&trace->arena, buffer->name ? buffer->name : ""),
                                  .type = buffer->type,
                                  .count = buffer->count,
                                  .shape = buffer->shape};
    }
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (trace_is_buffer(&module->variables[i]))
            trace->buffers[trace->buffer_count++] =
                (struct trace_buffer){.name = arena_text(&trace->arena, module->variables[i].name),
                                      .type = PTX_U8,
                                      .count = module->variables[i].size};
}

bool trace_is_buffer(const struct ptx_variable *variable)
{
    return (variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST) && variable->size > 0;
}

struct trace *trace_new(const struct ptx_module *module, const struct launch *launch)
{
    struct arena arena = {0};
    struct trace *trace = arena_new(&arena, struct trace);
    trace->arena = arena; /* the trace lies in its own arena: from here on only trace->arena may be used */
    const struct ptx_function *kernel = ptx_kernel(module, launch->kernel);
    const char *name = launch->kernel ? launch->kernel : kernel ? kernel->name : "";
    trace->kernel = arena_text(&trace->arena, name);
    trace->source = trace->device = trace->driver = trace->compiler = trace->date = "";
    memcpy(trace->grid, launch->grid, sizeof trace->grid);
    memcpy(trace->block, launch->block, sizeof trace->block);
    trace->shared_bytes = launch->shared_bytes + (kernel ? (uint32_t)ptx_shared_bytes(module, kernel) : 0);
    trace->recorded = LAUNCH_ALL_BLOCKS;
    copy_files(trace, module);
    trace->sites = trace_sites(&trace->arena, module, &trace->site_count);
    name_buffers(trace, module, launch);
    return trace;
}

static uint32_t count_class(const struct trace *trace, bool hazards)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->finding_count; i++)
        count += (finding_class_of(&trace->findings[i]) == FINDING_HAZARD) == hazards;
    return count;
}

uint32_t trace_faults(const struct trace *trace)
{
    return count_class(trace, false);
}

uint32_t trace_hazards(const struct trace *trace)
{
    return count_class(trace, true);
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    free(trace->events.items);
    free(trace->addresses.items);
    free(trace->values.items);
    struct arena arena = trace->arena;
    arena_free(&arena);
}

/* Copies the lanes of the mask and sets the others to 0, so that equal runs give equal traces. */
static void copy_lanes(uint64_t *to, const uint64_t *from, uint32_t mask)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to[lane] = from[lane] & (0 - (uint64_t)(mask >> lane & 1));
}

void trace_add(struct trace *trace, const struct trace_event *event, const uint64_t *addresses, const uint64_t *values)
{
    if (trace->events.count >= TRACE_EVENTS_MAX) {
        trace->lost++;
        return;
    }
    struct trace_event added = *event;
    added.lanes = 0;
    if (trace_has_addresses(event->kind)) {
        size_t const first = trace->addresses.count, needed = first + WARP_LANES;
        trace->addresses.items =
            array_grow(trace->addresses.items, &trace->addresses.capacity, needed, sizeof(uint64_t));
        copy_lanes(trace->addresses.items + first, addresses, event->mask);
        trace->addresses.count = needed;
        if (values || trace->values.count) { /* accesses without values, among others that have them, get zeros */
            static const uint64_t none[WARP_LANES];
            trace->values.items = array_grow(trace->values.items, &trace->values.capacity, needed, sizeof(uint64_t));
            memset(trace->values.items + trace->values.count, 0, (first - trace->values.count) * sizeof(uint64_t));
            copy_lanes(trace->values.items + first, values ? values : none, event->mask);
            trace->values.count = needed;
        }
        added.lanes = first;
    }
    array_push(&trace->events, added);
}

uint32_t trace_warp_lanes(const struct trace *trace, uint32_t warp)
{
    uint64_t const threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    uint64_t const first = (uint64_t)warp * WARP_LANES;
    if (first >= threads)
        return 0;
    return threads - first >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << (threads - first)) - 1;
}

struct sort_key {
    uint64_t time, block;
    uint32_t warp, index;
};

static int compare_keys(const struct sort_key *a, const struct sort_key *b)
{
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static struct sort_key key_of(const struct trace_event *event, size_t index)
{
    return (struct sort_key){event->time, event->block, event->warp, (uint32_t)index};
}

static bool is_sorted(const struct trace *trace)
{
    for (size_t i = 1; i < trace->events.count; i++) {
        struct sort_key const before = key_of(&trace->events.items[i - 1], i - 1);
        struct sort_key const here = key_of(&trace->events.items[i], i);
        if (compare_keys(&before, &here) > 0)
            return false;
    }
    return true;
}

/* Returns the end of the sorted run that begins there. */
static size_t run_end(const struct sort_key *keys, size_t begin, size_t count)
{
    size_t end = begin;
    while (end < count && (end == begin || compare_keys(&keys[end - 1], &keys[end]) < 0))
        end++;
    return end;
}

/* Merges each two neighbouring runs of `from` into one of `to`. Returns the number of runs there. */
static size_t merge_runs(const struct sort_key *from, struct sort_key *to, size_t count)
{
    size_t runs = 0;
    for (size_t at = 0; at < count; runs++) {
        size_t const middle = run_end(from, at, count), end = run_end(from, middle, count);
        size_t left = at, right = middle;
        while (at < end) {
            bool const first = right == end || (left < middle && compare_keys(&from[left], &from[right]) < 0);
            to[at++] = first ? from[left++] : from[right++];
        }
    }
    return runs;
}

/* Returns the sorted keys, in one of the two arrays. The blocks of a launch arrive as a few sorted runs. */
static const struct sort_key *sort_keys(struct sort_key *keys, struct sort_key *other, size_t count)
{
    for (;;) {
        struct sort_key *merged = other;
        if (merge_runs(keys, merged, count) <= 1)
            return merged;
        other = keys;
        keys = merged;
    }
}

void trace_sort(struct trace *trace)
{
    size_t const count = trace->events.count;
    if (is_sorted(trace))
        return;
    struct arena scratch = {0};
    struct sort_key *keys = arena_array(&scratch, struct sort_key, count);
    struct sort_key *other = arena_array(&scratch, struct sort_key, count);
    struct trace_event *sorted = arena_array(&scratch, struct trace_event, count);
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(&trace->events.items[i], i);
    const struct sort_key *in_order = sort_keys(keys, other, count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = trace->events.items[in_order[i].index];
    memcpy(trace->events.items, sorted, count * sizeof *sorted);
    arena_free(&scratch);
}

const struct trace_buffer *trace_find_buffer(const struct trace *trace, uint64_t address, uint64_t *element)
{
    uint32_t const known = trace->places ? trace_places_find(trace->places, address) : 0;
    uint32_t const end = trace->places && known != PTX_NO_INDEX ? known + 1 : trace->buffer_count;
    for (uint32_t i = known; i < end; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        size_t const size = ptx_type_size(buffer->type);
        if (size == 0 || buffer->address == 0 || address < buffer->address)
            continue;
        uint64_t const index = (address - buffer->address) / size;
        if (index >= buffer->count)
            continue;
        if (element)
            *element = index;
        return buffer;
    }
    return NULL;
}

bool trace_stride(const uint64_t lanes[32], uint32_t mask, int64_t *stride)
{
    unsigned const first = (unsigned)__builtin_ctz(mask);
    uint32_t const rest = mask & (mask - 1);
    *stride = 0;
    if (!rest)
        return true;
    unsigned const second = (unsigned)__builtin_ctz(rest);
    int64_t const step = (int64_t)(lanes[second] - lanes[first]), apart = second - first;
    if (step % apart != 0)
        return false;
    *stride = step / apart;
    for (unsigned lane = second; lane < WARP_LANES; lane++)
        if ((rest >> lane & 1) && lanes[lane] != lanes[first] + (uint64_t)*stride * (lane - first))
            return false;
    return true;
}
