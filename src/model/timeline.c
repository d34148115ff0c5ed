/* The same events in two orders: the block's, and each warp's own within it. A warp's state at a position follows from
 * its last event up to there, which a binary search of its own list finds. */
#include "model/timeline.h"
#include "model/clock.h"
#include "model/coalescing.h"
#include <stdlib.h>

static void list_events(struct timeline *timeline, struct arena *arena)
{
    const struct trace *trace = timeline->trace;
    size_t count = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        if (trace->events.items[i].block != timeline->block)
            continue;
        count++;
        if (trace->events.items[i].warp >= timeline->warp_count)
            timeline->warp_count = trace->events.items[i].warp + 1;
    }
    timeline->events = arena_array(arena, uint32_t, count);
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].block == timeline->block)
            timeline->events[timeline->count++] = (uint32_t)i;
}

static const struct trace_event *event_at(const struct timeline *timeline, size_t position)
{
    return &timeline->trace->events.items[timeline->events[position]];
}

static void list_warps(struct timeline *timeline, struct arena *arena)
{
    uint32_t *starts = arena_array(arena, uint32_t, timeline->warp_count + 1);
    uint32_t *next = arena_array(arena, uint32_t, timeline->warp_count + 1);
    timeline->warp_positions = arena_array(arena, uint32_t, timeline->count);
    timeline->warp_starts = starts;
    for (size_t i = 0; i < timeline->count; i++)
        starts[event_at(timeline, i)->warp + 1]++;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++)
        next[warp + 1] = starts[warp + 1] += starts[warp];
    for (size_t i = 0; i < timeline->count; i++)
        timeline->warp_positions[next[event_at(timeline, i)->warp]++] = (uint32_t)i;
}

static void find_lanes(struct timeline *timeline, struct arena *arena)
{
    struct arena scratch = {0};
    uint32_t *events = arena_array(&scratch, uint32_t, timeline->count);
    struct lane_masks *masks = arena_array(&scratch, struct lane_masks, timeline->count);
    timeline->lanes = arena_array(arena, struct lane_masks, timeline->count);
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        const uint32_t *positions = timeline->warp_positions + timeline->warp_starts[warp];
        size_t const count = timeline->warp_starts[warp + 1] - timeline->warp_starts[warp];
        for (size_t i = 0; i < count; i++)
            events[i] = timeline->events[positions[i]];
        model_lane_masks(timeline->trace, events, count, masks);
        for (size_t i = 0; i < count; i++) {
            timeline->lanes[positions[i]] = masks[i];
            timeline->diverges = timeline->diverges || masks[i].depth > 0;
        }
    }
    arena_free(&scratch);
}

static const struct trace_site *access_site(const struct timeline *timeline, const struct trace_event *event)
{
    const struct trace *trace = timeline->trace;
    return event->kind == TRACE_ACCESS && event->site < trace->site_count ? &trace->sites[event->site] : NULL;
}

/* The model clock stores when a value is there, but not how long its access holds the warp. That follows from the
 * passes of the accesses before it, since the accesses of a block enter the pipe in the order of their times. */
static void find_holds(struct timeline *timeline, struct arena *arena)
{
    struct coalescing coalescing;
    uint64_t pipe_free = 0;
    timeline->held = arena_array(arena, uint32_t, timeline->count);
    for (size_t at = 0; at < timeline->count; at++) {
        const struct trace_event *event = event_at(timeline, at);
        const struct trace_site *site = access_site(timeline, event);
        if (event->kind == TRACE_COPY_WAIT || event->kind == TRACE_LOAD_WAIT)
            timeline->held[at] = event->other;
        uint32_t const passes =
            site ? clock_passes(site, event, trace_addresses(timeline->trace, event), &coalescing) : 0;
        if (!passes)
            continue;
        uint64_t const start = event->time > pipe_free ? event->time : pipe_free;
        uint64_t const held = start - event->time + passes - 1;
        bool const goes_on = trace_is_copy(site, event) || site->unit == TRACE_IN_BULK;
        timeline->held[at] = goes_on ? 0 : held < event->other ? (uint32_t)held : event->other; /* 0: it is not timed */
        pipe_free = start + passes;
    }
}

uint64_t timeline_there(const struct timeline *timeline, size_t position)
{
    const struct trace_event *event = event_at(timeline, position);
    const struct trace_site *site = access_site(timeline, event);
    bool const brings = site && site->unit != TRACE_IN_BULK && site->operation != TRACE_STORE &&
                        site->operation != TRACE_REDUCTION && timeline->held;
    return brings ? event->time + event->other : 0;
}

static void find_lines(struct timeline *timeline, struct arena *arena)
{
    timeline->line = arena_array(arena, uint8_t, timeline->count);
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        uint64_t until[TIMELINE_LINES] = {0};
        for (uint32_t place = timeline->warp_starts[warp]; place < timeline->warp_starts[warp + 1]; place++) {
            uint32_t const at = timeline->warp_positions[place];
            uint64_t const there = timeline_there(timeline, at);
            uint8_t line = 0;
            while (line + 1 < TIMELINE_LINES && until[line] > event_at(timeline, at)->time)
                line++;
            if (!there)
                continue;
            until[line] = there > until[line] ? there : until[line];
            timeline->line[at] = line;
            timeline->lines = line >= timeline->lines ? line + 1u : timeline->lines;
        }
    }
}

struct timeline *timeline_new(struct arena *arena, const struct trace *trace, uint64_t block)
{
    struct timeline *timeline = arena_new(arena, struct timeline);
    uint64_t const threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    timeline->trace = trace;
    timeline->block = block;
    timeline->warp_count = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    list_events(timeline, arena);
    list_warps(timeline, arena);
    find_lanes(timeline, arena);
    timeline->lines = 1;
    if (trace->clock == TRACE_CLOCK_MODEL)
        find_holds(timeline, arena);
    find_lines(timeline, arena);
    return timeline;
}

void timeline_lanes(const struct timeline *timeline, size_t position, enum lane_state lanes[32])
{
    model_lane_states(timeline->trace, event_at(timeline, position), timeline->lanes[position], lanes);
}

size_t timeline_branch(const struct timeline *timeline, size_t position)
{
    uint32_t const branch = timeline->lanes[position].branch;
    uint32_t const warp = event_at(timeline, position)->warp;
    return branch == NO_BRANCH ? SIZE_MAX : timeline->warp_positions[timeline->warp_starts[warp] + branch];
}

uint32_t timeline_else(const struct timeline *timeline, size_t position)
{
    uint32_t lanes = 0, known = 0;
    for (size_t at = position; (at = timeline_branch(timeline, at)) != SIZE_MAX;) {
        lanes |= timeline->lanes[at].else_lanes & ~known;
        known |= event_at(timeline, at)->mask;
    }
    return lanes;
}

/* Finds a warp's last event at or before a position, as an index in warp_positions. Returns false when there is
 * none. */
static bool find_last(const struct timeline *timeline, uint32_t warp, size_t position, uint32_t *place)
{
    uint32_t low = timeline->warp_starts[warp], high = timeline->warp_starts[warp + 1];
    while (low < high) { /* low ends at the first event after the position */
        uint32_t const middle = low + (high - low) / 2;
        if (timeline->warp_positions[middle] <= position)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low - 1;
    return low > timeline->warp_starts[warp];
}

/* Returns the model time until which an event holds its warp, at most until the warp's next event. */
static uint64_t held_until(const struct timeline *timeline, uint32_t warp, uint32_t place)
{
    uint32_t const at = timeline->warp_positions[place];
    uint64_t const until = event_at(timeline, at)->time + (timeline->held ? timeline->held[at] : 0);
    if (place + 1 == timeline->warp_starts[warp + 1])
        return until;
    uint64_t const next = event_at(timeline, timeline->warp_positions[place + 1])->time;
    return next < until ? next : until;
}

void timeline_warps(const struct timeline *timeline, size_t position, enum timeline_state *states)
{
    uint64_t const now = event_at(timeline, position)->time;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++) {
        uint32_t place;
        states[warp] = TIMELINE_READY;
        if (!find_last(timeline, warp, position, &place))
            continue;
        uint32_t const at = timeline->warp_positions[place];
        const struct trace_event *event = event_at(timeline, at);
        uint32_t const all = trace_warp_lanes(timeline->trace, warp);
        if (event->kind == TRACE_FAULT)
            states[warp] = TIMELINE_FAULT;
        else if (event->kind == TRACE_EXIT && ((timeline->lanes[at].exited | event->mask) & all) == all)
            states[warp] = TIMELINE_DONE;
        else if (event->kind == TRACE_BARRIER_ARRIVE)
            states[warp] = TIMELINE_BARRIER;
        else if ((event->kind == TRACE_ACCESS && at == position) || held_until(timeline, warp, place) > now)
            states[warp] = TIMELINE_MEMORY;
    }
}

struct change { /* a change in the number of warps that can go on */
    uint64_t time;
    int by;
};

static int by_time(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return (a->time > b->time) - (a->time < b->time);
}

/* Lists a warp's changes. A warp waits while an event holds it, and from its arrival at a barrier until the release.
 * After its last event it cannot go on. */
static size_t list_changes(const struct timeline *timeline, uint32_t warp, struct change *changes)
{
    size_t count = 0;
    for (uint32_t place = timeline->warp_starts[warp]; place < timeline->warp_starts[warp + 1]; place++) {
        const struct trace_event *event = event_at(timeline, timeline->warp_positions[place]);
        bool const last = place + 1 == timeline->warp_starts[warp + 1];
        uint64_t until = held_until(timeline, warp, place);
        if (event->kind == TRACE_BARRIER_ARRIVE && !last)
            until = event_at(timeline, timeline->warp_positions[place + 1])->time;
        if (until > event->time) {
            changes[count++] = (struct change){event->time, -1};
            changes[count++] = (struct change){until, 1};
        }
        if (last)
            changes[count++] = (struct change){until, -1};
    }
    return count;
}

struct timeline_cycles timeline_cycles(const struct timeline *timeline)
{
    struct timeline_cycles cycles = {0};
    struct arena scratch = {0};
    if (timeline->trace->clock != TRACE_CLOCK_MODEL || !timeline->count)
        return cycles;
    struct change *changes = arena_array(&scratch, struct change, 2 * timeline->count + timeline->warp_count);
    size_t count = 0;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++)
        count += list_changes(timeline, warp, changes + count);
    qsort(changes, count, sizeof *changes, by_time);
    cycles.all = event_at(timeline, timeline->count - 1)->time;
    int64_t going = timeline->warp_count;
    for (size_t i = 0; i < count && changes[i].time < cycles.all; i++) {
        going += changes[i].by;
        uint64_t const next = i + 1 < count && changes[i + 1].time < cycles.all ? changes[i + 1].time : cycles.all;
        if (going == 0)
            cycles.idle += next - changes[i].time;
    }
    arena_free(&scratch);
    return cycles;
}
