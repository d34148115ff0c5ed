/* Writes the body of a trace file: first the tables, then the events column by column. Columns whose neighbours are
 * alike hold differences instead of values, because zstd compresses columns of small numbers well, in one trace and in
 * many similar ones. */
#include "trace/format/format.h"
#include <stdlib.h>
#include <string.h>

/* The file holds spaces and operations as these numbers. */
_Static_assert(PTX_SPACE_GLOBAL == 1 && PTX_SPACE_SHARED == 2 && PTX_SPACE_LOCAL == 3, "docs/trace-format.md");
_Static_assert(TRACE_REDUCTION == 3 && TRACE_PRODUCT == 8 && TRACE_COPY_WAIT == 10 && TRACE_REGISTERS == 11 &&
                   TRACE_LOAD_WAIT == 12,
               "docs/trace-format.md");

struct bytes {
    uint8_t *items;
    size_t count, capacity;
};

/* Writes LEB128: seven bits per byte, lowest first. */
static void put_number(struct bytes *out, uint64_t number)
{
    out->items = array_grow(out->items, &out->capacity, out->count + 10, 1);
    while (number >= 0x80) {
        out->items[out->count++] = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    out->items[out->count++] = (uint8_t)number;
}

static void put_difference(struct bytes *out, uint64_t value, uint64_t before)
{
    put_number(out, trace_zigzag(value - before));
}

static void put_index(struct bytes *out, uint32_t index)
{
    put_number(out, index == PTX_NO_INDEX ? 0 : (uint64_t)index + 1);
}

static void put_text(struct bytes *out, const char *text)
{
    size_t const length = text ? strlen(text) : 0;
    put_number(out, length);
    out->items = array_grow(out->items, &out->capacity, out->count + length, 1);
    if (length)
        memcpy(out->items + out->count, text, length);
    out->count += length;
}

static void put_launch(struct bytes *out, const struct trace *trace)
{
    const char *const texts[] = {trace->kernel, trace->source, executor_word(trace->executor),
                                 trace->device, trace->driver, trace->compiler,
                                 trace->date};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put_text(out, texts[i]);
    for (unsigned i = 0; i < 3; i++)
        put_number(out, trace->grid[i]);
    for (unsigned i = 0; i < 3; i++)
        put_number(out, trace->block[i]);
    put_number(out, trace->shared_bytes);
    put_number(out, trace->shared_base);
    put_number(out, trace->recorded.first);
    put_number(out, trace->recorded.last);
    put_number(out, trace->clock);
    put_number(out, trace->lost);
    put_number(out, trace->totals.warp_instructions);
    put_number(out, trace->totals.thread_instructions);
    put_number(out, trace->totals.branches);
    put_number(out, trace->totals.branches_divergent);
}

/* Writes arguments with their names, so that a reader may know fewer or more of them. */
static void put_arguments(struct bytes *out, const struct finding *finding)
{
    size_t count;
    const struct finding_field *fields = finding_fields(finding->form, &count);
    put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        const struct finding_field *field = &fields[i];
        put_text(out, field->name);
        put_number(out, trace_argument_of(field->type));
        if (field->type == FINDING_STRING)
            put_text(out, finding_string(finding, field));
        else if (field->type == FINDING_SIGNED64)
            put_number(out, trace_zigzag(finding_number(finding, field)));
        else if (field->type == FINDING_SITE || field->type == FINDING_FILE)
            put_index(out, (uint32_t)finding_number(finding, field));
        else
            put_number(out, finding_number(finding, field));
    }
}

static void put_finding(struct bytes *out, const struct finding *finding)
{
    put_text(out, finding_form_word(finding->form));
    put_text(out, finding_word(finding));
    put_number(out, finding_class_of(finding));
    put_index(out, finding->at.site);
    put_index(out, finding->at.file);
    put_number(out, finding->at.line);
    put_number(out, finding->at.column);
    put_number(out, finding->at.near);
    put_number(out, finding->at.block);
    for (unsigned axis = 0; axis < 3; axis++)
        put_number(out, finding->at.thread[axis]);
    put_number(out, finding->lanes);
    put_number(out, finding->address);
    put_number(out, finding->wait_total);
    put_number(out, finding->wait_count);
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct finding_wait *wait = &finding->waits[i];
        put_number(out, wait->thing);
        put_number(out, wait->warp);
        put_number(out, wait->threads);
        put_number(out, wait->line);
        put_number(out, wait->near);
    }
    put_arguments(out, finding);
}

static void put_tables(struct bytes *out, const struct trace *trace)
{
    put_number(out, trace->file_count);
    for (uint32_t i = 0; i < trace->file_count; i++)
        put_text(out, trace->files[i]);
    put_number(out, trace->site_count);
    for (uint32_t i = 0; i < trace->site_count; i++) {
        const struct trace_site *site = &trace->sites[i];
        put_number(out, site->operation == TRACE_ATOMIC && site->unread ? TRACE_UNREAD : site->operation);
        put_number(out, site->space);
        put_number(out, site->bytes);
        put_index(out, site->file);
        put_number(out, site->line);
        put_number(out, site->column);
        put_text(out, site->text);
    }
    put_number(out, trace->buffer_count);
    for (uint32_t i = 0; i < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        put_text(out, buffer->name);
        put_text(out, ptx_type_name(buffer->type));
        put_number(out, buffer->address);
        put_number(out, buffer->count);
        put_number(out, buffer->shape.rows);
        put_number(out, buffer->shape.columns);
        put_number(out, buffer->shape.pitch);
    }
    put_number(out, trace->finding_count);
    for (uint32_t i = 0; i < trace->finding_count; i++)
        put_finding(out, &trace->findings[i]);
}

static void put_events(struct bytes *out, const struct trace *trace)
{
    const struct trace_event *events = trace->events.items;
    size_t const count = trace->events.count;
    put_number(out, count);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].kind);
    for (size_t i = 0; i < count; i++)
        put_index(out, events[i].site);
    for (size_t i = 0; i < count; i++)
        put_difference(out, events[i].block, i ? events[i - 1].block : 0);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].warp);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].mask);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].other);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].sm);
    for (size_t i = 0; i < count; i++)
        put_number(out, events[i].space);
    for (size_t i = 0; i < count; i++)
        put_difference(out, events[i].time, i ? events[i - 1].time : 0);
}

static void put_details(struct bytes *out, const uint64_t lanes[32], uint32_t mask)
{
    int64_t stride;
    if (trace_stride(lanes, mask, &stride)) {
        put_number(out, trace_zigzag((uint64_t)stride));
        return;
    }
    unsigned before = (unsigned)__builtin_ctz(mask);
    for (unsigned lane = before + 1; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        put_difference(out, lanes[lane], lanes[before]);
        before = lane;
    }
}

static void put_lanes(struct bytes *out, const struct trace *trace)
{
    size_t const count = trace->events.count;
    struct arena scratch = {0};
    uint64_t *before = arena_array(&scratch, uint64_t, trace->site_count);
    int64_t stride;
    bool const values = trace->values.count == trace->addresses.count && trace->values.count != 0;
    put_number(out, values);
    for (size_t i = 0; i < count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (!trace_has_lanes(event))
            continue;
        uint64_t const first = trace_addresses(trace, event)[__builtin_ctz(event->mask)];
        put_difference(out, first, before[event->site]);
        before[event->site] = first;
    }
    for (size_t i = 0; i < count; i++)
        if (trace_has_lanes(&trace->events.items[i]))
            put_number(out, !trace_stride(trace_addresses(trace, &trace->events.items[i]), trace->events.items[i].mask,
                                          &stride));
    for (size_t i = 0; i < count; i++)
        if (trace_has_lanes(&trace->events.items[i]))
            put_details(out, trace_addresses(trace, &trace->events.items[i]), trace->events.items[i].mask);
    for (size_t i = 0; values && i < count; i++)
        for (unsigned lane = 0; trace_has_lanes(&trace->events.items[i]) && lane < WARP_LANES; lane++)
            if (trace->events.items[i].mask >> lane & 1)
                put_number(out, trace_values(trace, &trace->events.items[i])[lane]);
    arena_free(&scratch);
}

uint8_t *trace_encode(const struct trace *trace, struct arena *arena, size_t *size)
{
    struct bytes out = {0};
    put_launch(&out, trace);
    put_tables(&out, trace);
    put_events(&out, trace);
    put_lanes(&out, trace);
    uint8_t *body = arena_list(arena, out);
    free(out.items);
    *size = out.count;
    return body;
}
