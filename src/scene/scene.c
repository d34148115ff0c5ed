/* Builds a scene: a pure function of trace, block and position, which runs the models anew. */
#include "scene/scene.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t scene_shared_offset(const struct trace *trace, uint64_t address)
{
    return address - trace->shared_base;
}

static enum scene_kind kind_of(const struct trace_event *event, const struct trace_site *site)
{
    if (!event)
        return SCENE_EMPTY;
    switch (event->kind) {
    case TRACE_ACCESS:
        switch (trace_space(site, event)) {
        case PTX_SPACE_SHARED:
            return SCENE_SHARED;
        case PTX_SPACE_GLOBAL:
            return SCENE_GLOBAL;
        case PTX_SPACE_CONST:
            return SCENE_CONSTANT;
        default:
            return SCENE_OTHER;
        }
    case TRACE_BARRIER_ARRIVE:
    case TRACE_BARRIER_RELEASE:
        return SCENE_BARRIER;
    case TRACE_BRANCH_TAKEN:
    case TRACE_RECONVERGE:
        return SCENE_BRANCH;
    case TRACE_FAULT:
        return SCENE_FAULT;
    case TRACE_SHUFFLE:
        return SCENE_SHUFFLE;
    case TRACE_REGISTERS:
        return SCENE_PRODUCT;
    case TRACE_EXIT:
    case TRACE_COPY_TO:
    case TRACE_COPY_GROUP:
    case TRACE_COPY_WAIT:
    case TRACE_LOAD_WAIT:
        break;
    }
    return SCENE_OTHER;
}

static struct scene_shelf *shelf_of(struct scene_dram *shown, uint32_t bank)
{
    for (uint32_t i = 0; i < shown->shelf_count; i++)
        if (shown->shelves[i].bank == bank)
            return &shown->shelves[i];
    return NULL;
}

/* Gives a shelf to a bank. Banks of this access come first, then other banks that the block requests. */
static void take_shelf(struct scene_dram *shown, uint32_t bank)
{
    if (shelf_of(shown, bank) || shown->shelf_count == SCENE_SHELVES)
        return;
    shown->shelves[shown->shelf_count++].bank = bank;
}

static uint32_t put_row(struct scene_shelf *shelf, uint64_t row, uint8_t state)
{
    for (uint32_t i = 0; i < shelf->row_count; i++)
        if (shelf->rows[i] == row) {
            if (state > shelf->row_state[i])
                shelf->row_state[i] = state;
            return i;
        }
    if (shelf->row_count == SCENE_SHELF_ROWS)
        return SCENE_SHELF_ROWS;
    shelf->rows[shelf->row_count] = row;
    shelf->row_state[shelf->row_count] = state;
    return shelf->row_count++;
}

struct burst_walk {
    struct scene_dram *shown;
    struct dram *dram;
    int when;                         /* -1 before this access, 0 in it, 1 after it */
    bool choose;                      /* first pass: only collect the banks */
    uint8_t *asked;                   /* DRAM_BANKS_MAX flags */
    const struct trace_buffer *array; /* of this access; NULL: none */
};

static void one_burst(struct burst_walk *walk, uint64_t address)
{
    struct dram_access access = dram_request(walk->dram, address);
    if (walk->choose) {
        if (access.row < walk->shown->first_row)
            walk->shown->first_row = access.row;
        if (!walk->asked[access.bank]) {
            walk->asked[access.bank] = 1;
            walk->shown->banks_asked++;
        }
        if (walk->when == 0)
            take_shelf(walk->shown, access.bank);
        return;
    }
    struct scene_dram *shown = walk->shown;
    struct scene_shelf *shelf = shelf_of(shown, access.bank);
    if (walk->when <= 0) {
        shown->hits += access.outcome == DRAM_HIT;
        shown->misses += access.outcome == DRAM_MISS;
        shown->conflicts += access.outcome == DRAM_CONFLICT;
    }
    if (walk->when == 0) {
        shown->now_hits += access.outcome == DRAM_HIT;
        shown->now_misses += access.outcome == DRAM_MISS;
        shown->now_conflicts += access.outcome == DRAM_CONFLICT;
    }
    if (!shelf)
        return;
    uint32_t const row = put_row(shelf, access.row, walk->when < 0 ? 1 : walk->when == 0 ? 2 : 0);
    if (row < SCENE_SHELF_ROWS) {
        bool const offered =
            !walk->array || (address + SECTOR_BYTES > walk->array->address &&
                             address < walk->array->address + walk->array->count * ptx_type_size(walk->array->type));
        shelf->offered_count += offered && !shelf->row_offered[row];
        shelf->row_offered[row] |= offered;
        shelf->row_sector[row] = address;
        shelf->row_opened[row] |= walk->when == 0 && access.outcome != DRAM_HIT;
    }
    if (walk->when < 0) {
        shelf->before_open = true;
        shelf->before_row = access.row;
    }
    if (walk->when > 0)
        return;
    shelf->open = true;
    shelf->open_row = access.row;
    if (walk->when == 0 && (!shelf->now || access.outcome > shelf->outcome)) {
        shelf->now = true;
        shelf->outcome = access.outcome;
        shelf->closed_row = access.closed_row;
    }
}

/* Keeps those of an access's sectors, which are in the order of its chunks, that came from the DRAM. Returns their
 * number. chunks NULL: it is a store, whose sectors leave the L2 later. */
static uint32_t keep_missed(const struct origin *chunks, uint64_t sectors[SECTORS_MAX], uint32_t count)
{
    uint32_t kept = 0, chunk = 0;
    for (uint32_t s = 0; chunks && s < count; s++) {
        chunk += s && sectors[s] / CHUNK_BYTES != sectors[s - 1] / CHUNK_BYTES;
        if (origin_of(&chunks[chunk], sectors[s] / SECTOR_BYTES % CHUNK_SECTORS) == ORIGIN_DRAM)
            sectors[kept++] = sectors[s];
    }
    return kept;
}

static void walk_bursts(const struct scene *scene, struct burst_walk *walk)
{
    const struct playback *playback = scene->playback;
    for (size_t i = 0; i < playback->count; i++) {
        const struct trace_event *event = playback_event(playback, i);
        if (event->kind != TRACE_ACCESS)
            continue;
        const struct trace_site *site = playback_site(playback, i);
        if (trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        uint64_t sectors[SECTORS_MAX];
        uint32_t count = model_sector_list(trace_addresses(playback->trace, event), event->mask, site->bytes, sectors);
        if (scene->dram.missed)
            count = keep_missed(origins_fetched_at(playback_origins(playback), i), sectors, count);
        walk->when = i < scene->position ? -1 : i == scene->position ? 0 : 1;
        for (uint32_t s = 0; s < count; s++)
            one_burst(walk, sectors[s]);
    }
}

static int by_bank(const void *a, const void *b)
{
    uint32_t const left = ((const struct scene_shelf *)a)->bank, right = ((const struct scene_shelf *)b)->bank;
    return (left > right) - (left < right);
}

/* Offers all rows for marking where they are few: the rows of a small array alone would give the answer away. */
static void offer_rows(struct scene_dram *dram)
{
    enum { FEW = 8 };
    uint32_t most = 0;
    for (uint32_t i = 0; i < dram->shelf_count; i++)
        most = dram->shelves[i].row_count > most ? dram->shelves[i].row_count : most;
    for (uint32_t i = 0; most <= FEW && i < dram->shelf_count; i++) {
        memset(dram->shelves[i].row_offered, 1, sizeof dram->shelves[i].row_offered);
        dram->shelves[i].offered_count = dram->shelves[i].row_count;
    }
}

void scene_add_dram(struct scene *scene, const struct dram_preset *preset, bool missed, struct arena *arena)
{
    scene->dram.preset = preset;
    scene->dram.missed = missed;
    scene->dram.first_row = UINT64_MAX;
    struct dram *dram = arena_new(arena, struct dram);
    struct burst_walk walk = {&scene->dram, dram, 0, true, arena_array(arena, uint8_t, DRAM_BANKS_MAX), NULL};
    if (scene->kind == SCENE_GLOBAL && scene->event->mask)
        walk.array = trace_find_buffer(scene->trace, scene->addresses[__builtin_ctz(scene->event->mask)], NULL);
    dram_reset(dram, preset);
    walk_bursts(scene, &walk);
    for (uint32_t bank = 0; bank < DRAM_BANKS_MAX && scene->dram.shelf_count < SCENE_SHELVES; bank++)
        if (walk.asked[bank])
            take_shelf(&scene->dram, bank);
    if (dram_banks(preset) <= SCENE_SHELVES) /* a chip with few banks shows its idle banks as well */
        for (uint32_t bank = 0; bank < dram_banks(preset); bank++)
            take_shelf(&scene->dram, bank);
    qsort(scene->dram.shelves, scene->dram.shelf_count, sizeof *scene->dram.shelves, by_bank);
    walk.choose = false;
    dram_reset(dram, preset);
    walk_bursts(scene, &walk);
    offer_rows(&scene->dram);
}

static uint32_t threads_in_warp(const struct trace *trace, uint32_t warp)
{
    uint64_t threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    uint64_t first = (uint64_t)warp * WARP_LANES;
    if (first >= threads)
        return 0;
    return threads - first < WARP_LANES ? (uint32_t)(threads - first) : WARP_LANES;
}

void scene_build(struct scene *scene, const struct playback *playback, size_t position,
                 const struct dram_preset *preset, struct arena *arena)
{
    *scene = (struct scene){.trace = playback->trace, .playback = playback, .position = position, .fan = 1, .pass = -1};
    scene->block = playback->timeline->block;
    scene->event = playback_event(playback, position);
    scene->site = playback_site(playback, position);
    scene->kind = kind_of(scene->event, scene->site);
    scene->access_count = playback->access_count;
    scene->warp_count = playback->timeline->warp_count;
    scene->warps = arena_array(arena, enum timeline_state, scene->warp_count + 1);
    if (scene->event)
        timeline_warps(playback->timeline, position, scene->warps);
    for (int i = 0; i < WARP_LANES; i++)
        scene->lanes[i] = LANE_ABSENT;
    if (!scene->event) {
        scene->lane_count = threads_in_warp(playback->trace, 0);
        return;
    }
    scene->access_number = playback->accesses[position];
    scene->warp = scene->event->warp;
    scene->line = scene->site ? scene->site->line : 0;
    scene->lane_count = threads_in_warp(playback->trace, scene->warp);
    timeline_lanes(playback->timeline, position, scene->lanes);
    scene->else_lanes = timeline_else(playback->timeline, position);
    if (scene->kind == SCENE_SHARED || scene->kind == SCENE_GLOBAL || scene->kind == SCENE_CONSTANT)
        scene->addresses = trace_addresses(playback->trace, scene->event);
    if (scene->kind == SCENE_SHUFFLE)
        scene->sources = trace_addresses(playback->trace, scene->event);
    if (scene->kind == SCENE_SHARED)
        model_banks(scene->addresses, scene->event->mask, scene->site->bytes, banks_operation(scene->site),
                    &scene->banks);
    if (scene->kind == SCENE_GLOBAL)
        model_coalescing(scene->addresses, scene->event->mask, scene->site->bytes, &scene->chunks);
    if ((scene->kind == SCENE_SHARED || scene->kind == SCENE_GLOBAL) && atomic_is(scene->site))
        model_atomics(scene->addresses, scene->event->mask, scene->site,
                      scene->kind == SCENE_SHARED ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL, &scene->atomics);
    if (scene->kind == SCENE_CONSTANT)
        model_constant(scene->addresses, scene->event->mask, scene->site->bytes, &scene->constant);
    if (preset)
        scene_add_dram(scene, preset, false, arena);
}

const struct origin *scene_origins(const struct scene *scene)
{
    bool const known = scene->caches && !scene->playback->caches_unknown && scene->kind == SCENE_GLOBAL;
    return known ? origins_at(playback_origins(scene->playback), scene->position) : NULL;
}

int scene_steps(const struct scene *scene)
{
    uint32_t const passes = scene->kind == SCENE_SHARED     ? scene->banks.passes
                            : scene->kind == SCENE_CONSTANT ? scene->constant.passes
                                                            : 1;
    return passes ? (int)passes : 1;
}

uint32_t scene_pass_lanes(const struct scene *scene)
{
    uint32_t lanes = 0;
    if (scene->pass < 0 || scene->pass >= scene_steps(scene))
        return 0;
    if (scene->kind == SCENE_CONSTANT) /* those of 16 bytes have their second halves behind all first ones */
        return scene->constant.list[scene->pass].lanes;
    for (int bank = 0; bank < BANKS && scene->kind == SCENE_SHARED; bank++)
        lanes |= scene->banks.slots[scene->pass][bank].lanes;
    return lanes;
}

struct scene_arrived scene_arrived(const struct scene *scene)
{
    const struct coalescing *chunks = &scene->chunks;
    struct scene_arrived all = {chunks->sectors, chunks->bytes_fetched, chunks->bytes_used}, some = {0};
    uint32_t const count = (uint32_t)(scene->fan * (float)chunks->sectors);
    if (scene->fan >= 1)
        return all;
    for (uint32_t c = 0; c < chunks->chunk_count; c++)
        for (int sector = 0; sector < CHUNK_SECTORS; sector++)
            if (chunks->chunks[c].sectors >> sector & 1 && some.sectors < count) {
                uint64_t const used = chunks->chunks[c].used[sector / 2] >> (sector % 2 * SECTOR_BYTES);
                some.sectors++;
                some.fetched += SECTOR_BYTES;
                some.used += (uint64_t)__builtin_popcount((uint32_t)used);
            }
    return some;
}
