/* A block's events are picked out of the trace once; the trace is sorted by its clock already. */
#include "view/playback.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include <string.h>

static uint8_t marks_of(const struct trace *trace, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_ACCESS: {
        const struct trace_site *site = &trace->sites[event->site];
        uint32_t ideal = 0, taken = 0;
        enum ptx_space space = trace_space(site, event);
        if (space == PTX_SPACE_SHARED)
            taken = model_wavefronts(trace_addresses(trace, event), event->mask, site->bytes, site->operation, &ideal);
        else if (space == PTX_SPACE_GLOBAL)
            taken = model_sectors(trace_addresses(trace, event), event->mask, site->bytes, &ideal);
        return (uint8_t)(MARK_ACCESS | (taken > ideal ? MARK_CONFLICT : 0));
    }
    case TRACE_BARRIER_ARRIVE:
    case TRACE_BARRIER_RELEASE:
        return MARK_BARRIER;
    case TRACE_BRANCH_TAKEN:
        return MARK_BRANCH;
    case TRACE_FAULT:
        return MARK_FAULT;
    case TRACE_RECONVERGE:
    case TRACE_EXIT:
        break;
    }
    return 0;
}

struct playback *playback_new(struct arena *arena, const struct trace *trace, uint64_t block)
{
    struct playback *playback = arena_new(arena, struct playback);
    playback->trace = trace;
    playback->block = block;
    uint64_t threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    playback->warp_count = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    size_t count = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        count += trace->events.items[i].block == block;
    playback->events = arena_array(arena, uint32_t, count);
    playback->accesses = arena_array(arena, uint32_t, count);
    playback->marks = arena_array(arena, uint8_t, count);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->block != block)
            continue;
        size_t at = playback->count++;
        playback->events[at] = (uint32_t)i;
        playback->marks[at] = marks_of(trace, event);
        if (playback->marks[at] & MARK_ACCESS)
            playback->access_count++;
        playback->accesses[at] = playback->access_count;
        if (event->warp >= playback->warp_count)
            playback->warp_count = event->warp + 1;
    }
    return playback;
}

const struct trace_event *playback_event(const struct playback *playback, size_t position)
{
    if (position >= playback->count)
        return NULL;
    return &playback->trace->events.items[playback->events[position]];
}

const struct trace_site *playback_site(const struct playback *playback, size_t position)
{
    const struct trace_event *event = playback_event(playback, position);
    if (!event || event->site >= playback->trace->site_count)
        return NULL;
    return &playback->trace->sites[event->site];
}

static bool matches(const struct playback *playback, size_t position, unsigned marks, uint32_t line)
{
    if (marks && !(playback->marks[position] & marks))
        return false;
    if (!line)
        return true;
    const struct trace_site *site = playback_site(playback, position);
    return site && site->line == line;
}

size_t playback_find(const struct playback *playback, size_t from, int direction, unsigned marks, uint32_t line)
{
    size_t at = from;
    while (direction > 0 ? at + 1 < playback->count : at > 0) {
        at = direction > 0 ? at + 1 : at - 1;
        if (matches(playback, at, marks, line))
            return at;
    }
    return from;
}

size_t playback_access(const struct playback *playback, uint32_t number)
{
    size_t last = 0;
    for (size_t i = 0; i < playback->count; i++) {
        if (!(playback->marks[i] & MARK_ACCESS))
            continue;
        last = i;
        if (playback->accesses[i] >= number)
            break;
    }
    return last;
}

bool playback_line_access(const struct playback *playback, uint32_t line, uint32_t warp, int n, size_t *position)
{
    for (size_t i = 0; i < playback->count; i++) {
        const struct trace_event *event = playback_event(playback, i);
        if (event->warp != warp || !matches(playback, i, MARK_ACCESS, line))
            continue;
        if (n-- > 0)
            continue;
        *position = i;
        return true;
    }
    return false;
}

static uint32_t threads_of_warp(const struct trace *trace, uint32_t warp)
{
    uint64_t threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    uint64_t first = (uint64_t)warp * WARP_LANES;
    if (first >= threads)
        return UINT32_MAX;
    uint64_t lanes = threads - first;
    return lanes >= WARP_LANES ? UINT32_MAX : (1u << lanes) - 1;
}

/* Lanes of an exit's warp that have ended by then: they may end one path after another. */
static uint32_t exited(const struct playback *playback, size_t position)
{
    uint32_t warp = playback_event(playback, position)->warp, lanes = 0, all = threads_of_warp(playback->trace, warp);
    for (size_t i = position + 1; i-- > 0 && lanes != all;) {
        const struct trace_event *event = playback_event(playback, i);
        if (event->warp == warp && event->kind == TRACE_EXIT)
            lanes |= event->mask & all;
    }
    return lanes;
}

/* The last event of a warp tells its state; a look back ends when every warp has been met. */
void playback_warps(const struct playback *playback, size_t position, enum warp_state *states)
{
    uint32_t unmet = playback->warp_count;
    for (uint32_t w = 0; w < playback->warp_count; w++)
        states[w] = (enum warp_state) - 1;
    for (size_t i = position + 1; i-- > 0 && unmet;) {
        const struct trace_event *event = playback_event(playback, i);
        if (!event || states[event->warp] != (enum warp_state) - 1)
            continue;
        enum warp_state state = WARP_READY;
        if (event->kind == TRACE_ACCESS && i == position)
            state = WARP_MEMORY;
        else if (event->kind == TRACE_BARRIER_ARRIVE)
            state = WARP_BARRIER;
        else if (event->kind == TRACE_FAULT)
            state = WARP_FAULT;
        else if (event->kind == TRACE_EXIT && exited(playback, i) == threads_of_warp(playback->trace, event->warp))
            state = WARP_DONE;
        states[event->warp] = state;
        unmet--;
    }
    for (uint32_t w = 0; w < playback->warp_count; w++)
        if (states[w] == (enum warp_state) - 1)
            states[w] = WARP_READY;
}
