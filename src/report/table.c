#include "report/table.h"
#include "base/file.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the event is an access whose lanes are lanes, and not pieces of a copy or rows of a matrix. */
static bool by_lanes(const struct trace *trace, const struct trace_event *event)
{
    return event->kind == TRACE_ACCESS && trace->sites[event->site].unit == TRACE_BY_LANES;
}

/* Gives what an access costs. Returns its name, "sectors" or "passes"; NULL: its space has no such cost. */
static const char *cost(const struct trace *trace, const struct trace_event *event, uint32_t *count, uint32_t *least)
{
    const struct trace_site *const site = &trace->sites[event->site];
    const uint64_t *const addresses = trace_addresses(trace, event);
    enum ptx_space const space = trace_space(site, event);
    if (!by_lanes(trace, event) || !event->mask)
        return NULL;
    if (space == PTX_SPACE_GLOBAL) {
        *count = model_sectors(addresses, event->mask, site->bytes, least);
        return "sectors";
    }
    if (space != PTX_SPACE_SHARED)
        return NULL;
    *count = model_wavefronts(addresses, event->mask, site->bytes, banks_operation(site), least);
    return "passes";
}

/* Writes a text as a cell: in quotes if it needs them. */
static void cell(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static const char *file_of(const struct trace *trace, const struct trace_site *site)
{
    return site->file < trace->file_count ? path_name(trace->files[site->file]) : "";
}

static void row(FILE *out, const struct trace *trace, const struct trace_event *event, size_t number, unsigned lane)
{
    const struct trace_site *const site = &trace->sites[event->site];
    enum ptx_space const space = trace_space(site, event);
    uint64_t address = trace_addresses(trace, event)[lane], element = 0;
    uint32_t count = 0, least = 0;
    const char *const unit = cost(trace, event, &count, &least);
    const struct trace_buffer *const buffer =
        space == PTX_SPACE_GLOBAL || space == PTX_SPACE_CONST ? trace_find_buffer(trace, address, &element) : NULL;
    const uint64_t *const values = trace_values(trace, event);
    if (space == PTX_SPACE_SHARED)
        address -= trace->shared_base;
    fprintf(out, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%u,", number, event->time, event->block, event->warp, lane);
    cell(out, file_of(trace, site));
    fprintf(out, ",%" PRIu32 ",%" PRIu32 ",%s,%s,%u,0x%" PRIx64 ",", site->line, site->column,
            trace_operation_word(site->operation), ptx_space_name(space), site->bytes, address);
    if (buffer) {
        cell(out, buffer->name);
        fprintf(out, ",%" PRIu64, element);
    } else {
        putc(',', out);
    }
    putc(',', out);
    if (values)
        fprintf(out, "0x%" PRIx64, values[lane]);
    putc(',', out);
    if (unit && unit[0] == 's')
        fprintf(out, "%" PRIu32, count);
    putc(',', out);
    if (unit && unit[0] == 'p')
        fprintf(out, "%" PRIu32, count);
    fputs("\r\n", out);
}

void report_accesses_csv(FILE *out, const struct trace *trace)
{
    size_t number = 0;
    fputs("access,time,block,warp,lane,file,line,column,operation,space,bytes,address,buffer,element,value,sectors,"
          "passes\r\n",
          out);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *const event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS)
            continue;
        number++;
        for (unsigned lane = 0; by_lanes(trace, event) && lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1)
                row(out, trace, event, number, lane);
    }
}

static void put_size(FILE *out, const json_t *size)
{
    for (size_t i = 0; i < json_array_size(size); i++)
        fprintf(out, "%s%" JSON_INTEGER_FORMAT, i ? "x" : ",", json_integer_value(json_array_get(size, i)));
}

static void counter_rows(FILE *out, size_t number, const json_t *launch, const json_t *counters)
{
    const json_t *const shape = json_object_get(launch, "launch");
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)counters, name, value)
    {
        if (json_is_null(value))
            continue;
        fprintf(out, "%zu,", number);
        cell(out, json_string_value(json_object_get(launch, "kernel")));
        put_size(out, json_object_get(shape, "grid"));
        put_size(out, json_object_get(shape, "block"));
        fprintf(out, ",%s,", name);
        if (json_is_integer(value))
            fprintf(out, "%" JSON_INTEGER_FORMAT "\r\n", json_integer_value(value));
        else
            fprintf(out, "%.17g\r\n", json_number_value(value));
    }
}

void report_counters_csv(FILE *out, const json_t *report)
{
    const json_t *const launches = json_object_get(report, "launches");
    size_t const count = launches ? json_array_size(launches) : 1;
    fputs("launch,kernel,grid,block,counter,value\r\n", out);
    for (size_t i = 0; i < count; i++) {
        const json_t *const launch = launches ? json_array_get(launches, i) : report;
        counter_rows(out, i + 1, launch, json_object_get(launch, "counters"));
        const json_t *const caches = json_object_get(launch, "caches");
        json_t *const unmeasured = json_pack("{s:i}", "caches_measured", 0);
        counter_rows(out, i + 1, launch, json_object_get(caches, "counters"));
        if (json_is_false(json_object_get(caches, "measured")))
            counter_rows(out, i + 1, launch, unmeasured);
        json_decref(unmeasured);
    }
}

/* Writes an object behind those before it, and frees it. */
static void put(FILE *out, bool *first, json_t *object)
{
    fputs(*first ? "\n" : ",\n", out);
    *first = false;
    json_dumpf(object, out, JSON_COMPACT);
    json_decref(object);
}

static json_t *slice(const char *name, const struct trace_event *event, uint64_t cycles)
{
    return json_pack("{s:s,s:s,s:I,s:I,s:I,s:i,s:{s:i}}", "name", name, "ph", "X", "ts", (json_int_t)event->time, "dur",
                     (json_int_t)(cycles ? cycles : 1), "pid", (json_int_t)event->block, "tid", (int)event->warp,
                     "args", "lanes", __builtin_popcount(event->mask));
}

static json_t *access_slice(struct arena *arena, const struct trace *trace, const struct trace_event *event)
{
    const struct trace_site *const site = &trace->sites[event->site];
    uint32_t count = 0, least = 0;
    const char *const unit = cost(trace, event, &count, &least);
    json_t *const object = slice(arena_format(arena, "%s.%s line %" PRIu32, trace_operation_word(site->operation),
                                              ptx_space_name(trace_space(site, event)), site->line),
                                 event, trace->clock == TRACE_CLOCK_MODEL ? event->other : 0);
    json_t *const details = json_object_get(object, "args");
    json_object_set_new(details, "bytes of a lane", json_integer(site->bytes));
    if (site->text)
        json_object_set_new(details, "instruction", json_string(site->text));
    if (unit) {
        json_object_set_new(details, unit, json_integer(count));
        json_object_set_new(details, arena_format(arena, "%s at least", unit), json_integer(least));
    }
    return object;
}

static json_t *instant(const char *name, const struct trace_event *event)
{
    return json_pack("{s:s,s:s,s:s,s:I,s:I,s:i}", "name", name, "ph", "i", "s", "t", "ts", (json_int_t)event->time,
                     "pid", (json_int_t)event->block, "tid", (int)event->warp);
}

/* A slice that lasts from its arrival to its release, or without an end. */
static json_t *wait(const char *phase, const struct trace_event *event)
{
    return json_pack("{s:s,s:s,s:I,s:I,s:i}", "name", "barrier", "ph", phase, "ts", (json_int_t)event->time, "pid",
                     (json_int_t)event->block, "tid", (int)event->warp);
}

static json_t *event_object(struct arena *arena, const struct trace *trace, const struct trace_event *event)
{
    bool const divergent = event->other && event->other != event->mask;
    switch (event->kind) {
    case TRACE_ACCESS:
        return access_slice(arena, trace, event);
    case TRACE_BARRIER_ARRIVE:
        return wait("B", event);
    case TRACE_BARRIER_RELEASE:
        return wait("E", event);
    case TRACE_BRANCH_TAKEN:
        return instant(divergent ? "branch: lanes part" : "branch", event);
    case TRACE_RECONVERGE:
        return instant("lanes together again", event);
    case TRACE_EXIT:
        return instant("exit", event);
    case TRACE_FAULT:
        return instant("fault", event);
    default:
        return NULL;
    }
}

static int by_number(const void *a, const void *b)
{
    uint64_t const x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Names the rows of the picture: each block that has events, and each of its warps. */
static void put_names(FILE *out, bool *first, const struct trace *trace, struct arena *arena)
{
    size_t const count = trace->events.count;
    uint64_t const threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    uint64_t *const blocks = arena_array(arena, uint64_t, count);
    for (size_t i = 0; i < count; i++)
        blocks[i] = trace->events.items[i].block;
    qsort(blocks, count, sizeof *blocks, by_number);
    for (size_t i = 0; i < count; i++) {
        if (i && blocks[i] == blocks[i - 1])
            continue;
        json_int_t const block = (json_int_t)blocks[i];
        put(out, first,
            json_pack("{s:s,s:s,s:I,s:{s:s}}", "name", "process_name", "ph", "M", "pid", block, "args", "name",
                      arena_format(arena, "block %" PRIu64, blocks[i])));
        for (uint64_t warp = 0; warp * WARP_LANES < threads; warp++)
            put(out, first,
                json_pack("{s:s,s:s,s:I,s:I,s:{s:s}}", "name", "thread_name", "ph", "M", "pid", block, "tid",
                          (json_int_t)warp, "args", "name", arena_format(arena, "warp %" PRIu64, warp)));
    }
}

void report_timeline_json(FILE *out, const struct trace *trace)
{
    struct arena arena = {0};
    bool first = true;
    fputs("{\"traceEvents\":[", out);
    put_names(out, &first, trace, &arena);
    for (size_t i = 0; i < trace->events.count; i++) {
        json_t *const object = event_object(&arena, trace, &trace->events.items[i]);
        if (object)
            put(out, &first, object);
    }
    json_t *const about =
        json_pack("{s:s,s:s,s:s,s:I}", "kernel", trace->kernel, "executor", executor_word(trace->executor), "clock",
                  trace->clock == TRACE_CLOCK_MODEL ? "model cycles, which measure nothing; 1 cycle is shown as 1 us"
                                                    : "cycles of a GPU; 1 cycle is shown as 1 us",
                  "events without room", (json_int_t)trace->lost);
    char *const text = json_dumps(about, JSON_COMPACT);
    fprintf(out, "\n],\"displayTimeUnit\":\"ns\",\"otherData\":%s}\n", text ? text : "{}");
    free(text);
    json_decref(about);
    arena_free(&arena);
}
