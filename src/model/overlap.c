/* One walk over the events of each warp. An event holds its warp for some cycles (a wait, a barrier); the time up to
 * the warp's next event is work. A table says which group wrote each word of shared memory last, so that work can be
 * named after the buffer that it reads. */
#include "model/overlap.h"
#include <stdlib.h>

enum { WORD = 4, TOGETHER_MAX = 64 };

struct spans {
    struct overlap_span *items;
    size_t count, capacity;
};
struct groups {
    struct overlap_group *items;
    size_t count, capacity;
};

struct loads {
    struct overlap_load *items;
    size_t count, capacity;
};

struct builder {
    const struct timeline *timeline;
    const struct trace *trace;
    struct spans spans;
    struct groups groups;
    struct loads loads;
    size_t first_span, first_group; /* of the current warp */
    bool open;                      /* the last group has not ended yet */
    bool cut;                       /* the next span is a new one */
    /* By word of shared memory: the place in `groups` of the last one that wrote it, + 1; of any warp. */
    uint32_t *writers;
    size_t words;
};

static const struct trace_event *event_at(const struct builder *builder, uint32_t position)
{
    return &builder->trace->events.items[builder->timeline->events[position]];
}

static const struct trace_site *site_of(const struct builder *builder, const struct trace_event *event)
{
    return event->site < builder->trace->site_count ? &builder->trace->sites[event->site] : NULL;
}

static uint64_t offset_of(const struct builder *builder, uint64_t address)
{
    return address - builder->trace->shared_base;
}

/* ---- groups of copies ---- */

static void add_copy(struct builder *builder, const struct trace_event *event, uint32_t position)
{
    uint64_t const until = event->time + event->other;
    if (!builder->open) {
        struct overlap_group const group = {.from = event->time,
                                            .until = until,
                                            .number = (uint32_t)(builder->groups.count - builder->first_group),
                                            .position = position,
                                            .target = UINT64_MAX};
        array_push(&builder->groups, group);
        builder->open = true;
        return;
    }
    struct overlap_group *group = &builder->groups.items[builder->groups.count - 1];
    group->until = until > group->until ? until : group->until;
}

static void add_target(struct builder *builder, const struct trace_event *event)
{
    if (!builder->open)
        return;
    struct overlap_group *group = &builder->groups.items[builder->groups.count - 1];
    const uint64_t *addresses = trace_addresses(builder->trace, event);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (event->mask >> lane & 1 && offset_of(builder, addresses[lane]) < group->target)
            group->target = offset_of(builder, addresses[lane]);
}

static int by_target(const void *left, const void *right)
{
    uint64_t const a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Numbers the buffers of the groups from `first` on, which are those of one warp. Returns how many there are. */
static uint32_t number_buffers(struct builder *builder, size_t first)
{
    struct overlap_group *groups = builder->groups.items ? builder->groups.items + first : NULL;
    size_t const count = groups ? builder->groups.count - first : 0;
    uint64_t *targets = calloc(count + 1, sizeof *targets);
    uint32_t buffers = 0;
    for (size_t i = 0; targets && i < count; i++)
        targets[i] = groups[i].target;
    if (targets)
        qsort(targets, count, sizeof *targets, by_target);
    for (size_t i = 0; targets && i < count; i++)
        if (i == 0 || targets[i] != targets[i - 1])
            targets[buffers++] = targets[i];
    for (size_t i = 0; targets && i < count; i++) {
        const uint64_t *found = bsearch(&groups[i].target, targets, buffers, sizeof *targets, by_target);
        groups[i].buffer = found ? (uint32_t)(found - targets) : 0;
    }
    free(targets);
    return buffers;
}

/* Returns how many of a warp's groups are in flight at the same time at most; `first` as above. More than TOGETHER_MAX
 * are not counted. */
static uint32_t most_in_flight(const struct builder *builder, size_t first)
{
    uint32_t most = 0;
    for (size_t i = first; i < builder->groups.count; i++) {
        uint32_t together = 1;
        for (size_t k = i; k-- > first && i - k < TOGETHER_MAX;)
            together += builder->groups.items[k].until > builder->groups.items[i].from;
        most = together > most ? together : most;
    }
    return most;
}

/* ---- what a warp does ---- */

static bool comes_from_global(const struct builder *builder, const struct trace_event *event)
{
    const struct trace_site *site = site_of(builder, event);
    return (event->kind == TRACE_ACCESS || event->kind == TRACE_LOAD_WAIT) && site &&
           trace_space(site, event) == PTX_SPACE_GLOBAL &&
           (site->operation == TRACE_LOAD || site->operation == TRACE_ATOMIC) && !trace_is_copy(site, event) &&
           site->unit != TRACE_IN_BULK;
}

static bool reads_shared(const struct builder *builder, const struct trace_event *event)
{
    const struct trace_site *site = site_of(builder, event);
    return event->kind == TRACE_ACCESS && event->mask && site && trace_space(site, event) == PTX_SPACE_SHARED &&
           site->operation == TRACE_LOAD;
}

/* Adds a span, or lengthens the last one of the warp if it is in the same state and no wait or barrier lies between,
 * not even one of no cycles. */
static void add_span(struct builder *builder, struct overlap_span span)
{
    struct overlap_span *last =
        builder->spans.count > builder->first_span ? &builder->spans.items[builder->spans.count - 1] : NULL;
    if (span.until <= span.from)
        return;
    if (last && last->state == span.state && last->until == span.from && !builder->cut) {
        last->until = span.until;
        return;
    }
    array_push(&builder->spans, span);
    builder->cut = false;
}

/* Returns the state in which an event holds its warp, and the time until which it does, at most until the warp's next
 * event. */
static enum overlap_state hold_of(const struct builder *builder, const struct trace_event *event, uint64_t next,
                                  uint64_t *until)
{
    uint64_t const end = event->time + event->other;
    *until = end < next ? end : next;
    if (event->kind == TRACE_BARRIER_ARRIVE) {
        *until = next;
        return OVERLAP_WAITS_AT_BARRIER;
    }
    if (event->kind == TRACE_COPY_WAIT)
        return OVERLAP_WAITS_FOR_COPY;
    if (event->kind == TRACE_LOAD_WAIT && comes_from_global(builder, event))
        return OVERLAP_WAITS_FOR_LOAD;
    *until = event->time;
    return OVERLAP_WORKS;
}

/* Adds what one event of a warp tells. next: the time of the warp's next event. */
static void add_event(struct builder *builder, uint32_t position, uint64_t next)
{
    const struct trace_event *event = event_at(builder, position);
    const struct trace_site *site = site_of(builder, event);
    uint64_t until;
    if (site && trace_is_copy(site, event))
        add_copy(builder, event, position);
    else if (event->kind == TRACE_COPY_TO)
        add_target(builder, event);
    else if (event->kind == TRACE_COPY_GROUP)
        builder->open = false;
    enum overlap_state const state = hold_of(builder, event, next, &until);
    if (event->kind == TRACE_ACCESS && comes_from_global(builder, event)) {
        struct overlap_load const load = {event->time, event->time + event->other, position,
                                          builder->timeline->line[position]};
        array_push(&builder->loads, load);
    }
    builder->cut = builder->cut || event->kind == TRACE_BARRIER_ARRIVE || event->kind == TRACE_COPY_WAIT;
    struct overlap_span const held = {event->time, until, state, OVERLAP_NO_GROUP, 0, position};
    struct overlap_span const works = {until, next, OVERLAP_WORKS, OVERLAP_NO_GROUP, 0, position};
    add_span(builder, held);
    add_span(builder, works);
}

static void add_warp(struct builder *builder, uint32_t warp)
{
    const struct timeline *timeline = builder->timeline;
    uint32_t const end = timeline->warp_starts[warp + 1];
    builder->first_span = builder->spans.count;
    builder->first_group = builder->groups.count;
    builder->open = builder->cut = false;
    if (timeline->warp_starts[warp] < end) { /* the instructions before its first event */
        uint32_t const first = timeline->warp_positions[timeline->warp_starts[warp]];
        add_span(builder, (struct overlap_span){.until = event_at(builder, first)->time,
                                                .state = OVERLAP_WORKS,
                                                .group = OVERLAP_NO_GROUP,
                                                .position = first});
    }
    for (uint32_t at = timeline->warp_starts[warp]; at < end; at++) {
        uint32_t const position = timeline->warp_positions[at];
        uint64_t const time = event_at(builder, position)->time;
        uint64_t const next = at + 1 < end ? event_at(builder, timeline->warp_positions[at + 1])->time : time;
        add_event(builder, position, next);
    }
}

/* ---- the buffer that work reads ---- */

static void note_writes(struct builder *builder, const struct trace_event *event, uint32_t group)
{
    const uint64_t *addresses = trace_addresses(builder->trace, event);
    uint32_t const bytes = builder->trace->sites[event->site].bytes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (uint32_t byte = 0; event->mask >> lane & 1 && byte < bytes; byte += WORD) {
            uint64_t const word = (offset_of(builder, addresses[lane]) + byte) / WORD;
            if (word < builder->words)
                builder->writers[word] = group + 1;
        }
}

/* Returns the group that wrote what the lowest lane reads, as a place in `groups` + 1; 0: none. */
static uint32_t writer_of(const struct builder *builder, const struct trace_event *event)
{
    uint64_t const address = trace_addresses(builder->trace, event)[__builtin_ctz(event->mask)];
    uint64_t const word = offset_of(builder, address) / WORD;
    return word < builder->words ? builder->writers[word] : 0;
}

/* Walks over the events of the block in their order, with the group and the span of each warp that they belong to, and
 * names the work after the last buffer that it read. */
static void name_work(struct builder *builder, const struct overlap *overlap, struct arena *scratch)
{
    const struct timeline *timeline = builder->timeline;
    uint32_t *group = arena_array(scratch, uint32_t, timeline->warp_count);
    uint32_t *span = arena_array(scratch, uint32_t, timeline->warp_count);
    builder->words = ((size_t)builder->trace->shared_bytes + WORD - 1) / WORD;
    builder->writers = arena_array(scratch, uint32_t, builder->words + 1);
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        group[warp] = overlap->group_starts[warp];
        span[warp] = overlap->span_starts[warp];
    }
    for (uint32_t position = 0; position < timeline->count; position++) {
        const struct trace_event *event = event_at(builder, position);
        uint32_t const w = event->warp, groups = overlap->group_starts[w + 1], spans = overlap->span_starts[w + 1];
        while (group[w] + 1 < groups && builder->groups.items[group[w] + 1].position <= position)
            group[w]++;
        while (span[w] + 1 < spans && builder->spans.items[span[w] + 1].from <= event->time)
            span[w]++;
        if (event->kind == TRACE_COPY_TO && group[w] < groups && event->mask)
            note_writes(builder, event, group[w]);
        uint32_t const writer = reads_shared(builder, event) ? writer_of(builder, event) : 0;
        if (writer && writer <= builder->groups.count && span[w] < spans) {
            builder->spans.items[span[w]].group = builder->groups.items[writer - 1].number;
            builder->spans.items[span[w]].buffer = builder->groups.items[writer - 1].buffer;
        }
    }
}

/* ---- sums ---- */

struct change {
    uint64_t time;
    int flying, working;
};

static int by_time(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return (a->time > b->time) - (a->time < b->time);
}

static size_t add_change(struct change *changes, size_t count, uint64_t from, uint64_t until, bool flies)
{
    changes[count] = (struct change){from, flies, !flies};
    changes[count + 1] = (struct change){until, -flies, -!flies};
    return count + 2;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Counts the cycles of the block in which data are on their way, and those of them in which some warp works. */
static void sum_up(const struct builder *builder, struct overlap *overlap, struct arena *scratch)
{
    size_t count = 0;
    int64_t flying = 0, working = 0;
    struct change *changes = arena_array(scratch, struct change,
                                         2 * (builder->groups.count + builder->loads.count + builder->spans.count) + 1);
    for (size_t i = 0; i < builder->groups.count; i++)
        count = add_change(changes, count, builder->groups.items[i].from, builder->groups.items[i].until, true);
    for (size_t i = 0; i < builder->loads.count; i++)
        count = add_change(changes, count, builder->loads.items[i].from, builder->loads.items[i].until, true);
    for (size_t i = 0; i < builder->spans.count; i++)
        if (builder->spans.items[i].state == OVERLAP_WORKS)
            count = add_change(changes, count, builder->spans.items[i].from, builder->spans.items[i].until, false);
    qsort(changes, count, sizeof *changes, by_time);
    for (size_t i = 0; i + 1 < count; i++) {
        flying += changes[i].flying;
        working += changes[i].working;
        uint64_t const cycles = least(changes[i + 1].time, overlap->last) - least(changes[i].time, overlap->last);
        overlap->in_flight += flying > 0 ? cycles : 0;
        overlap->overlapped += flying > 0 && working > 0 ? cycles : 0;
    }
}

const struct overlap *overlap_new(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    if (trace->clock != TRACE_CLOCK_MODEL || !timeline->count)
        return NULL;
    struct arena scratch = {0};
    struct builder builder = {.timeline = timeline, .trace = trace};
    struct overlap *overlap = arena_new(arena, struct overlap);
    uint32_t *span_starts = arena_array(arena, uint32_t, timeline->warp_count + 1);
    uint32_t *group_starts = arena_array(arena, uint32_t, timeline->warp_count + 1);
    uint32_t *load_starts = arena_array(arena, uint32_t, timeline->warp_count + 1);
    overlap->last = event_at(&builder, (uint32_t)timeline->count - 1)->time;
    overlap->span_starts = span_starts;
    overlap->group_starts = group_starts;
    overlap->load_starts = load_starts;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        add_warp(&builder, warp);
        uint32_t const buffers = number_buffers(&builder, group_starts[warp]);
        uint32_t const most = most_in_flight(&builder, group_starts[warp]);
        overlap->buffers = buffers > overlap->buffers ? buffers : overlap->buffers;
        overlap->most = most > overlap->most ? most : overlap->most;
        span_starts[warp + 1] = (uint32_t)builder.spans.count;
        group_starts[warp + 1] = (uint32_t)builder.groups.count;
        load_starts[warp + 1] = (uint32_t)builder.loads.count;
    }
    name_work(&builder, overlap, &scratch);
    sum_up(&builder, overlap, &scratch);
    struct overlap_span *spans = arena_array(arena, struct overlap_span, builder.spans.count);
    struct overlap_group *groups = arena_array(arena, struct overlap_group, builder.groups.count);
    struct overlap_load *loads = arena_array(arena, struct overlap_load, builder.loads.count);
    for (size_t i = 0; i < builder.spans.count; i++)
        spans[i] = builder.spans.items[i];
    for (size_t i = 0; i < builder.groups.count; i++)
        groups[i] = builder.groups.items[i];
    for (size_t i = 0; i < builder.loads.count; i++) {
        loads[i] = builder.loads.items[i];
        overlap->lines = loads[i].line >= overlap->lines ? loads[i].line + 1 : overlap->lines;
    }
    overlap->spans = spans;
    overlap->groups = groups;
    overlap->loads = loads;
    free(builder.spans.items);
    free(builder.groups.items);
    free(builder.loads.items);
    arena_free(&scratch);
    return builder.loads.count || overlap->buffers ? overlap : NULL;
}
