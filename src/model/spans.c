/* The model clock stores how long an access holds its warp, but not why. The pipe's part of it follows from the passes
 * of the accesses before it, since the accesses of a block enter the pipe in the order of their times. */
#include "model/spans.h"
#include "model/clock.h"
#include "model/coalescing.h"

static const struct trace_event *event_at(const struct timeline *timeline, size_t position)
{
    return &timeline->trace->events.items[timeline->events[position]];
}

/* Returns for each position the cycles in which the event's access waits for the pipe; NULL with a GPU's clock. */
static uint64_t *pipe_cycles(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    struct coalescing coalescing;
    uint64_t pipe_free = 0;
    if (trace->clock != TRACE_CLOCK_MODEL)
        return NULL;
    uint64_t *cycles = arena_array(arena, uint64_t, timeline->count);
    for (size_t at = 0; at < timeline->count; at++) {
        const struct trace_event *event = event_at(timeline, at);
        if (event->kind != TRACE_ACCESS || event->site >= trace->site_count)
            continue;
        uint32_t const passes =
            clock_passes(&trace->sites[event->site], event, trace_addresses(trace, event), &coalescing);
        if (!passes)
            continue;
        uint64_t const start = event->time > pipe_free ? event->time : pipe_free;
        cycles[at] = start - event->time + passes - 1;
        pipe_free = start + passes;
    }
    return cycles;
}

struct builder {
    const struct timeline *timeline;
    struct spans *spans;
    const uint64_t *pipe;
    uint32_t warp, count;
};

static void add(struct builder *builder, enum span_kind kind, uint64_t from, uint64_t until, uint32_t position)
{
    struct spans *spans = builder->spans;
    if (until <= from)
        return;
    spans->items[builder->count++] = (struct span){from, until, kind, position};
    spans->cycles[builder->warp][kind] += until - from;
    spans->all[kind] += until - from;
    if (until > spans->last)
        spans->last = until;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Adds the spans from an event to the warp's next one, at `next`. UINT64_MAX: there is none. */
static void add_event(struct builder *builder, uint32_t position, uint64_t next)
{
    const struct timeline *timeline = builder->timeline;
    const struct trace *trace = timeline->trace;
    const struct trace_event *event = event_at(timeline, position);
    const struct trace_site *site = event->site < trace->site_count ? &trace->sites[event->site] : NULL;
    bool const last = next == UINT64_MAX, model = trace->clock == TRACE_CLOCK_MODEL;
    uint64_t const from = event->time, held = model ? least_of(from + event->other, next) : next;
    uint64_t until = from; /* the end of the wait */
    if (event->kind == TRACE_BARRIER_ARRIVE || (event->kind == TRACE_BRANCH_TAKEN && site && trace_waits(site))) {
        until = last ? from : next;
        add(builder, SPAN_BARRIER, from, until, position);
    } else if (event->kind == TRACE_COPY_WAIT || (event->kind == TRACE_ACCESS && site)) {
        bool const store =
            event->kind == TRACE_ACCESS && (site->operation == TRACE_STORE || site->operation == TRACE_REDUCTION);
        uint64_t const end = held == UINT64_MAX ? from : held;
        until = model && event->kind == TRACE_ACCESS ? least_of(from + builder->pipe[position], end) : from;
        add(builder, SPAN_PIPE, from, until, position);
        if (!(model && store)) { /* a warp does not wait for the data of its stores */
            add(builder, SPAN_MEMORY, until, end, position);
            until = end > until ? end : until;
        } else if (last) {
            add(builder, SPAN_RUNS, until, end, position);
        }
    }
    if (!last && event->kind != TRACE_FAULT)
        add(builder, SPAN_RUNS, until, next, position);
}

struct spans *spans_new(struct arena *arena, const struct timeline *timeline)
{
    struct arena scratch = {0};
    struct spans *spans = arena_new(arena, struct spans);
    struct builder builder = {.timeline = timeline, .spans = spans, .pipe = pipe_cycles(&scratch, timeline)};
    spans->warp_count = timeline->warp_count;
    spans->items = arena_array(arena, struct span, 3 * timeline->count + timeline->warp_count);
    spans->starts = arena_array(arena, uint32_t, timeline->warp_count + 1);
    spans->cycles = arena_alloc(arena, sizeof *spans->cycles * (timeline->warp_count + 1));
    for (uint32_t warp = 0; warp <= timeline->warp_count; warp++)
        for (int kind = 0; kind < SPAN_KINDS; kind++)
            spans->cycles[warp][kind] = 0;
    if (timeline->count && timeline->trace->clock != TRACE_CLOCK_MODEL)
        spans->first = event_at(timeline, 0)->time;
    spans->last = spans->first;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        const uint32_t *positions = timeline->warp_positions + timeline->warp_starts[warp];
        uint32_t const count = timeline->warp_starts[warp + 1] - timeline->warp_starts[warp];
        builder.warp = warp;
        spans->starts[warp] = builder.count;
        if (count)
            add(&builder, SPAN_RUNS, spans->first, event_at(timeline, positions[0])->time, positions[0]);
        for (uint32_t i = 0; i < count; i++)
            add_event(&builder, positions[i], i + 1 < count ? event_at(timeline, positions[i + 1])->time : UINT64_MAX);
    }
    spans->starts[timeline->warp_count] = builder.count;
    if (timeline->count && event_at(timeline, timeline->count - 1)->time > spans->last)
        spans->last = event_at(timeline, timeline->count - 1)->time;
    arena_free(&scratch);
    return spans;
}
