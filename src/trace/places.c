/* Finds the buffer of an address by bisection. The ends of all buffers divide the addresses into ranges; each range
 * belongs to the first buffer of the table that holds it, as buffers may overlap. */
#include "trace/places.h"
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    uint64_t const a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t end_of(const struct trace_buffer *buffer)
{
    return buffer->address ? buffer->address + buffer->count * ptx_type_size(buffer->type) : 0;
}

/* Returns the last range that begins at the address or before it; places->count when there is none. */
static size_t range_of(const struct trace_places *places, uint64_t address)
{
    size_t low = 0, high = places->count;
    while (low < high) {
        size_t const middle = low + (high - low) / 2;
        if (places->starts[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : places->count;
}

/* Returns the first range from `at` on that has no buffer yet, and shortens the way there for the next time. */
static uint32_t first_free(uint32_t *next, uint32_t at)
{
    uint32_t free = at;
    while (next[free] != free)
        free = next[free];
    while (next[at] != free) {
        uint32_t const after = next[at];
        next[at] = free;
        at = after;
    }
    return free;
}

void trace_index_buffers(struct trace *trace)
{
    struct trace_places *places = arena_new(&trace->arena, struct trace_places);
    struct arena scratch = {0};
    size_t count = 0;
    places->starts = arena_array(&trace->arena, uint64_t, 2 * (size_t)trace->buffer_count);
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        if (end_of(&trace->buffers[i]) > trace->buffers[i].address) {
            places->starts[count++] = trace->buffers[i].address;
            places->starts[count++] = end_of(&trace->buffers[i]);
        }
    qsort(places->starts, count, sizeof *places->starts, by_value);
    for (size_t i = 0; i < count; i++)
        if (places->count == 0 || places->starts[places->count - 1] != places->starts[i])
            places->starts[places->count++] = places->starts[i];
    places->buffers = arena_array(&trace->arena, uint32_t, places->count);
    uint32_t *next = arena_array(&scratch, uint32_t, places->count);
    for (uint32_t i = 0; i < places->count; i++) {
        places->buffers[i] = PTX_NO_INDEX;
        next[i] = i;
    }
    for (uint32_t i = 0; i < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        if (end_of(buffer) <= buffer->address)
            continue;
        uint32_t const end = (uint32_t)range_of(places, end_of(buffer));
        for (uint32_t at = first_free(next, (uint32_t)range_of(places, buffer->address)); at < end;
             at = first_free(next, at)) {
            places->buffers[at] = i;
            next[at] = at + 1; /* the last range begins behind all buffers and stays free */
        }
    }
    arena_free(&scratch);
    trace->places = places;
}

uint32_t trace_places_find(const struct trace_places *places, uint64_t address)
{
    size_t const range = range_of(places, address);
    return range < places->count ? places->buffers[range] : PTX_NO_INDEX;
}
