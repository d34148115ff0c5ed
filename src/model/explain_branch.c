/* The steps that branches make idle: for each branch at which lanes part, the steps in its paths and their idle lanes,
 * and the cycles of its paths, which may be long without a step. */
#include "model/explain_rows.h"
#include "model/timeline.h"

enum { EVENTS_MOST = 1 << 19 };

static uint32_t popcount(uint32_t mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

/* Notes a branch that lanes reached, and how many of them went the shorter way. again: a round of a loop that some
 * lanes have left. */
static void note_branch(struct explain_row *row, const struct trace_event *event, size_t index, bool again)
{
    uint32_t const taken = event->other & event->mask, rest = event->mask & ~taken;
    if (!taken || !rest)
        return;
    row->is.parted++;
    row->is.entered += !again;
    uint32_t const fewer = popcount(taken) < popcount(rest) ? popcount(taken) : popcount(rest);
    if (event->warp < LAUNCH_WARPS_MAX) {
        if (row->way_blocks != event->block + 1)
            for (unsigned warp = 0; warp < LAUNCH_WARPS_MAX; warp++)
                row->last_way[warp] = 0;
        row->way_blocks = event->block + 1;
        row->halvings += row->last_way[event->warp] == 2 * fewer;
        row->last_way[event->warp] = fewer;
    }
    if (row->is.event == SIZE_MAX || fewer > row->worst) {
        row->worst = fewer;
        row->is.event = index;
    }
}

static void note_block(struct explain_rows *rows, const struct timeline *timeline)
{
    const struct trace *trace = rows->trace;
    for (size_t at = 0; at < timeline->count; at++) {
        const struct trace_event *event = &trace->events.items[timeline->events[at]];
        if (!model_is_step(event))
            continue;
        uint32_t const there = trace_warp_lanes(trace, event->warp);
        uint32_t const idle = there & ~timeline->lanes[at].exited & ~event->mask;
        rows->steps++;
        rows->partial += WARP_LANES - popcount(there);
        bool const branch = event->kind == TRACE_BRANCH_TAKEN && event->site < trace->site_count;
        size_t const open = timeline_branch(timeline, at);
        if (branch && rows->of_site[event->site])
            note_branch(&rows->items[rows->of_site[event->site] - 1], event, timeline->events[at],
                        open != SIZE_MAX && trace->events.items[timeline->events[open]].site == event->site);
        if (open == SIZE_MAX)
            continue;
        const struct trace_event *parting = &trace->events.items[timeline->events[open]];
        if (parting->site >= trace->site_count || !rows->of_site[parting->site])
            continue;
        struct explanation *is = &rows->items[rows->of_site[parting->site] - 1].is;
        is->steps++;
        is->idle += popcount(idle);
    }
}

/* Notes the cycles from an event to the next one of its warp. */
static void note_cycles(struct explain_rows *rows, const struct timeline *timeline, uint32_t from, uint32_t to)
{
    const struct trace *trace = rows->trace;
    const struct trace_event *event = &trace->events.items[timeline->events[from]];
    uint64_t const cycles = trace->events.items[timeline->events[to]].time - event->time;
    uint32_t const gone = timeline->lanes[from].exited | ~trace_warp_lanes(trace, event->warp);
    uint32_t const taken = event->other & event->mask;
    bool const parts = event->kind == TRACE_BRANCH_TAKEN && taken && taken != event->mask;
    size_t const open = parts ? from : timeline_branch(timeline, from);
    rows->cycles += cycles;
    rows->absent += cycles * popcount(gone);
    if (open == SIZE_MAX)
        return;
    uint32_t const site = trace->events.items[timeline->events[open]].site;
    if (site >= trace->site_count || !rows->of_site[site])
        return;
    rows->items[rows->of_site[site] - 1].cycles += cycles;
    rows->in_paths += cycles;
}

static void note_clock(struct explain_rows *rows, const struct timeline *timeline)
{
    const uint32_t *starts = timeline->warp_starts;
    for (uint32_t warp = 0; warp < timeline->warp_count; warp++)
        for (uint32_t i = starts[warp]; i + 1 < starts[warp + 1]; i++)
            note_cycles(rows, timeline, timeline->warp_positions[i], timeline->warp_positions[i + 1]);
}

void explain_branches(struct explain_rows *rows)
{
    const struct trace *trace = rows->trace;
    uint64_t const blocks = (uint64_t)trace->grid[0] * trace->grid[1] * trace->grid[2];
    uint64_t const last = trace->recorded.last < blocks ? trace->recorded.last : blocks - 1;
    uint64_t const all = blocks && last >= trace->recorded.first ? last - trace->recorded.first + 1 : 0;
    size_t seen = 0;
    for (uint64_t i = 0; i < all && i < 64 && !rows->cut; i++) {
        struct arena scratch = {0};
        const struct timeline *timeline = timeline_new(&scratch, trace, trace->recorded.first + i);
        note_block(rows, timeline);
        if (trace->clock == TRACE_CLOCK_MODEL)
            note_clock(rows, timeline);
        seen += timeline->count;
        rows->cut = rows->cut || seen > EVENTS_MOST;
        arena_free(&scratch);
    }
}
