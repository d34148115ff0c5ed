/* Marks the events of a block once, so that searches for accesses, conflicts and barriers are fast. */
#include "scene/playback.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "model/elements.h"
#include "model/fragments.h"
#include "model/origins.h"
#include "model/overlap.h"
#include "model/tree.h"
#include <string.h>

static uint8_t marks_of(const struct trace *trace, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_ACCESS: {
        const struct trace_site *site = &trace->sites[event->site];
        uint32_t ideal = 0, taken = 0;
        enum ptx_space space = trace_space(site, event);
        if (space == PTX_SPACE_SHARED)
            taken = model_wavefronts(trace_addresses(trace, event), event->mask, site->bytes, banks_operation(site),
                                     &ideal);
        else if (space == PTX_SPACE_GLOBAL)
            taken = model_sectors(trace_addresses(trace, event), event->mask, site->bytes, &ideal);
        else if (space == PTX_SPACE_CONST)
            taken = model_constant_passes(trace_addresses(trace, event), event->mask, site->bytes, &ideal);
        return (uint8_t)(EVENT_ACCESS | (taken > ideal ? EVENT_CONFLICT : 0));
    }
    case TRACE_BARRIER_ARRIVE:
    case TRACE_BARRIER_RELEASE:
        return EVENT_BARRIER;
    case TRACE_BRANCH_TAKEN:
        return EVENT_BRANCH;
    case TRACE_FAULT:
        return EVENT_FAULT;
    case TRACE_SHUFFLE: /* a step of its own, as an access is */
        return EVENT_ACCESS;
    case TRACE_REGISTERS:
        return event->other ? 0 : EVENT_ACCESS; /* the first event of a product stands for all of them */
    case TRACE_RECONVERGE:
    case TRACE_EXIT:
    case TRACE_COPY_TO:
    case TRACE_COPY_GROUP:
    case TRACE_COPY_WAIT:
    case TRACE_LOAD_WAIT:
        break;
    }
    return 0;
}

struct playback_models {
    struct arena *arena;
#define MODEL(model)                                                                                                   \
    struct {                                                                                                           \
        bool computed;                                                                                                 \
        const struct model *value;                                                                                     \
    } model;
#include "scene/models.def"
    struct {
        bool computed;
        const struct origins *value;
    } origins;
};

#define MODEL(model)                                                                                                   \
    const struct model *playback_##model(const struct playback *playback)                                              \
    {                                                                                                                  \
        struct playback_models *models = playback->models;                                                             \
        if (!models->model.computed)                                                                                   \
            models->model.value = model##_new(models->arena, playback->timeline);                                      \
        models->model.computed = true;                                                                                 \
        return models->model.value;                                                                                    \
    }
#include "scene/models.def"

const struct origins *playback_origins(const struct playback *playback)
{
    struct playback_models *models = playback->models;
    if (!models->origins.computed)
        models->origins.value = origins_new(models->arena, playback->timeline, playback->gpu);
    models->origins.computed = true;
    return models->origins.value;
}

struct playback *playback_new(struct arena *arena, const struct trace *trace, uint64_t block)
{
    struct playback *playback = arena_new(arena, struct playback);
    const struct timeline *timeline = timeline_new(arena, trace, block);
    playback->timeline = timeline;
    playback->trace = trace;
    playback->count = timeline->count;
    playback->models = arena_new(arena, struct playback_models);
    playback->models->arena = arena;
    playback->accesses = arena_array(arena, uint32_t, timeline->count);
    playback->marks = arena_array(arena, uint8_t, timeline->count);
    for (size_t at = 0; at < timeline->count; at++) {
        playback->marks[at] = marks_of(trace, &trace->events.items[timeline->events[at]]);
        if (playback->marks[at] & EVENT_ACCESS)
            playback->access_count++;
        playback->has_barriers |= (playback->marks[at] & EVENT_BARRIER) != 0;
        playback->accesses[at] = playback->access_count;
    }
    return playback;
}

/* Finds the blocks with events, at most BESIDE before this one and as many behind it. */
static void find_blocks(struct playback *playback, struct arena *arena)
{
    enum { BESIDE = 16 };
    const struct trace *trace = playback->trace;
    uint64_t const own = playback->timeline->block;
    struct block_beside *blocks = arena_array(arena, struct block_beside, 2 * BESIDE + 1);
    size_t count = 0, behind = 0;
    for (size_t i = 0; i < trace->events.count && behind < BESIDE; i++) {
        uint64_t const block = trace->events.items[i].block;
        if (count && blocks[count - 1].block >= block)
            continue;
        if (block < own && count == BESIDE) /* forget the farthest */
            memmove(blocks, blocks + 1, --count * sizeof *blocks);
        blocks[count++].block = block;
        behind += block > own;
    }
    for (size_t i = 0; i < count; i++) {
        bool const here = blocks[i].block == own;
        blocks[i].timeline = here ? playback->timeline : timeline_new(arena, trace, blocks[i].block);
        blocks[i].spans = here ? playback->spans : spans_new(arena, blocks[i].timeline);
    }
    playback->blocks = blocks;
    playback->block_count = count;
}

void playback_prepare_overview(struct playback *playback, struct arena *arena, const struct counts *counts,
                               const struct caches *caches, const struct occupancy_case *fit)
{
    if (playback->spans)
        return;
    playback->spans = spans_new(arena, playback->timeline);
    playback->outliers = outliers_new(arena, playback->trace, counts, caches);
    playback->explain = explain_new(arena, playback->trace, counts, caches, fit);
    playback->cycles = timeline_cycles(playback->timeline);
    find_blocks(playback, arena);
}

const struct trace_event *playback_event(const struct playback *playback, size_t position)
{
    if (position >= playback->count)
        return NULL;
    return &playback->trace->events.items[playback->timeline->events[position]];
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

static unsigned memory_of(const struct playback *playback, size_t position)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    if (event->kind != TRACE_ACCESS || !site)
        return MEMORY_OTHER;
    enum ptx_space const space = trace_space(site, event);
    return space == PTX_SPACE_SHARED ? MEMORY_SHARED : space == PTX_SPACE_GLOBAL ? MEMORY_GLOBAL : MEMORY_OTHER;
}

size_t playback_shown_near(const struct playback *playback, size_t position, unsigned shown)
{
    if (position >= playback->count)
        return position;
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    if (event->kind != TRACE_ACCESS || !site || (memory_of(playback, position) & shown))
        return position;
    for (size_t at = position + 1; at < playback->count; at++)
        if (playback_event(playback, at)->warp == event->warp && matches(playback, at, EVENT_ACCESS, site->line) &&
            (memory_of(playback, at) & shown))
            return at;
    return position;
}

size_t playback_shown(const struct playback *playback, size_t from, uint32_t line, unsigned shown)
{
    unsigned const stops = EVENT_ACCESS | EVENT_BARRIER | EVENT_FAULT;
    for (size_t at = from == SIZE_MAX ? 0 : from + 1; at < playback->count; at++)
        if (matches(playback, at, stops, line) &&
            (!(playback->marks[at] & EVENT_ACCESS) || (memory_of(playback, at) & shown)))
            return at;
    return SIZE_MAX;
}

size_t playback_access(const struct playback *playback, uint32_t number)
{
    size_t last = 0;
    for (size_t i = 0; i < playback->count; i++) {
        if (!(playback->marks[i] & EVENT_ACCESS))
            continue;
        last = i;
        if (playback->accesses[i] >= number)
            break;
    }
    return last;
}

size_t playback_number(const struct playback *playback, size_t position)
{
    if (position >= playback->count)
        return 1;
    return playback->marks[position] & EVENT_ACCESS ? playback->accesses[position]
                                                    : playback->access_count + 1 + position;
}

size_t playback_numbered(const struct playback *playback, size_t number)
{
    if (number <= playback->access_count)
        return playback_access(playback, (uint32_t)number);
    size_t const position = number - playback->access_count - 1;
    return position < playback->count ? position : playback->count - 1;
}

bool playback_line_access(const struct playback *playback, uint32_t line, uint32_t warp, int n, size_t *position)
{
    for (size_t i = 0; i < playback->count; i++) {
        const struct trace_event *event = playback_event(playback, i);
        if (event->warp != warp || !matches(playback, i, EVENT_ACCESS, line))
            continue;
        if (n-- > 0)
            continue;
        *position = i;
        return true;
    }
    return false;
}

/* Returns 2 for the same line and lanes, 1 for the same line, 0 for another. Executors differ in the exits and
 * reconvergences that they record. */
static int same_place(const struct playback *playback, size_t position, const struct playback_place *place)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    if (!site || event->warp != place->warp || event->kind != place->kind || site->line != place->line ||
        site->operation != place->operation || trace_space(site, event) != place->space)
        return 0;
    return event->mask == place->mask ? 2 : 1;
}

static bool is_told_by_all(const struct trace_event *event)
{
    return event->kind == TRACE_ACCESS || event->kind == TRACE_BARRIER_ARRIVE || event->kind == TRACE_BRANCH_TAKEN ||
           event->kind == TRACE_SHUFFLE || (event->kind == TRACE_REGISTERS && !event->other);
}

struct playback_place playback_place(const struct playback *playback, size_t position)
{
    struct playback_place place = {0};
    const struct trace_event *event = playback_event(playback, position);
    if (!event)
        return place;
    uint32_t const warp = event->warp;
    place.number = playback->accesses[position];
    size_t at = position + 1;
    while (at-- > 0) { /* at an exit or a reconvergence: the warp's event before it */
        event = playback_event(playback, at);
        if (event->warp == warp && is_told_by_all(event) && playback_site(playback, at))
            break;
    }
    if (at == SIZE_MAX)
        return place;
    const struct trace_site *site = playback_site(playback, at);
    place.known = true;
    place.warp = warp;
    place.line = site->line;
    place.mask = event->mask;
    place.kind = event->kind;
    place.operation = site->operation;
    place.space = trace_space(site, event);
    for (size_t i = 0; i < at; i++) {
        int const same = same_place(playback, i, &place);
        place.nth += same == 2;
        place.nth_of_line += same > 0;
    }
    return place;
}

size_t playback_find_place(const struct playback *playback, const struct playback_place *place)
{
    uint32_t exact = 0, near = 0;
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; place->known && i < playback->count; i++) {
        int const same = same_place(playback, i, place);
        if (same == 2 && exact++ == place->nth)
            return i;
        if (same && near++ == place->nth_of_line)
            nearest = i;
    }
    return nearest != SIZE_MAX ? nearest : playback_access(playback, place->number);
}
