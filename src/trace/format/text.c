/* The text dump: one event per line, with one blank between columns, for golden files and for people. */
#include "base/arena.h"
#include "trace/format/registry.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *items;
    size_t count, capacity;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...)
{
    va_list arguments;
    enum { LINE = 256 };
    text->items = array_grow(text->items, &text->capacity, text->count + LINE, 1);
    va_start(arguments, format);
    int const length = vsnprintf(text->items + text->count, LINE, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->count += (size_t)(length < LINE ? length : LINE - 1);
}

static const char *kind_word(enum trace_kind kind)
{
    static const char *const words[] = {"access",  "arrive", "release", "branch", "reconverge", "exit", "fault",
                                        "shuffle", "target", "group",   "wait",   "registers",  "use"};
    return words[kind];
}

static void put_place(struct text *text, const struct trace *trace, uint32_t site)
{
    if (site >= trace->site_count)
        return;
    put(text, " %" PRIu32 ":%" PRIu32, trace->sites[site].line, trace->sites[site].column);
}

/* Writes "first+stride" when the active lanes have one stride, else the address of every active lane. */
static void put_lanes(struct text *text, const uint64_t lanes[32], uint32_t mask)
{
    if (!mask)
        return;
    unsigned const first = (unsigned)__builtin_ctz(mask);
    int64_t stride;
    if (trace_stride(lanes, mask, &stride)) {
        put(text, " 0x%" PRIx64 "%+" PRId64, lanes[first], stride);
        return;
    }
    for (unsigned lane = first; lane < WARP_LANES; lane++)
        if (mask >> lane & 1)
            put(text, " 0x%" PRIx64, lanes[lane]);
}

static void put_event(struct text *text, const struct trace *trace, const struct trace_event *event)
{
    put(text, "%" PRIu64 " block %" PRIu64 " warp %" PRIu32 " %s", event->time, event->block, event->warp,
        kind_word(event->kind));
    if (event->kind == TRACE_ACCESS) {
        const struct trace_site *site = &trace->sites[event->site];
        put(text, " %s.%s %u", trace_operation_word(site->operation), ptx_space_name(trace_space(site, event)),
            site->bytes);
    }
    put_place(text, trace, event->site);
    put(text, " mask %08" PRIx32, event->mask);
    if (event->kind == TRACE_BRANCH_TAKEN)
        put(text, " taken %08" PRIx32, event->other);
    if (trace_has_addresses(event->kind))
        put_lanes(text, trace_addresses(trace, event), event->mask);
    put(text, "\n");
}

static void put_finding(struct text *text, const struct finding *finding)
{
    const struct finding_place *at = &finding->at;
    put(text, "finding %.60s block %" PRIu64 " thread %" PRIu32 " %" PRIu32 " %" PRIu32 " %s%" PRIu32 ":%" PRIu32 "\n",
        finding_word(finding), at->block, at->thread[0], at->thread[1], at->thread[2], at->near ? "near " : "",
        at->line, at->column);
}

char *trace_dump(const struct trace *trace, struct arena *arena)
{
    struct text text = {0};
    put(&text, "kernel %.200s\n", trace->kernel);
    put(&text,
        "grid %" PRIu32 " %" PRIu32 " %" PRIu32 " block %" PRIu32 " %" PRIu32 " %" PRIu32 " shared %" PRIu32 "\n",
        trace->grid[0], trace->grid[1], trace->grid[2], trace->block[0], trace->block[1], trace->block[2],
        trace->shared_bytes);
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        put(&text, "buffer %.100s %s %" PRIu64 " 0x%" PRIx64 "\n", trace->buffers[i].name,
            ptx_type_name(trace->buffers[i].type), trace->buffers[i].count, trace->buffers[i].address);
    for (uint32_t i = 0; i < trace->finding_count; i++)
        put_finding(&text, &trace->findings[i]);
    for (size_t i = 0; i < trace->events.count; i++)
        put_event(&text, trace, &trace->events.items[i]);
    if (trace->lost)
        put(&text, "lost %" PRIu64 "\n", trace->lost);
    char *copy = arena_text_n(arena, text.items, text.count);
    free(text.items);
    return copy;
}

static bool write_text(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size,
                       struct error *error)
{
    (void)error;
    char *text = trace_dump(trace, arena);
    *bytes = (uint8_t *)text;
    *size = strlen(text);
    return true;
}

const struct trace_format trace_format_text = {.name = "a text dump", .ending = ".txt", .write = write_text};
