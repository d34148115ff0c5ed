/* A warp waits for values and copies in events of their own, for the pipe in those of its accesses. */
#include "model/spans.h"

static const struct trace_event *event_at(const struct timeline *timeline, size_t position)
{
    return &timeline->trace->events.items[timeline->events[position]];
}

struct builder {
    const struct timeline *timeline;
    struct spans *spans;
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
    bool const last = next == UINT64_MAX, access = event->kind == TRACE_ACCESS && site;
    uint64_t const from = event->time;
    uint64_t until = from; /* the end of the wait */
    if (event->kind == TRACE_BARRIER_ARRIVE || (event->kind == TRACE_BRANCH_TAKEN && site && trace_waits(site))) {
        until = last ? from : next;
        add(builder, SPAN_BARRIER, from, until, position);
    } else if (timeline->held) {
        until = least_of(from + timeline->held[position], next);
        add(builder, access ? SPAN_PIPE : SPAN_MEMORY, from, until, position);
    } else if (access) {
        until = last ? from : next;
        add(builder, SPAN_MEMORY, from, until, position);
    }
    if (!last && event->kind != TRACE_FAULT)
        add(builder, SPAN_RUNS, until, next, position);
}

struct spans *spans_new(struct arena *arena, const struct timeline *timeline)
{
    struct spans *spans = arena_new(arena, struct spans);
    struct builder builder = {.timeline = timeline, .spans = spans};
    spans->warp_count = timeline->warp_count;
    spans->items = arena_array(arena, struct span, 2 * timeline->count + timeline->warp_count);
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
    return spans;
}
