#include "model/origins.h"
#include "model/caches_run.h"
#include "model/gpu.h"

/* Few enough that they need at most 5 MB, and so near to one another that the way from one to any position is short. */
enum { SNAPSHOTS_MOST = 256, SNAPSHOT_LEAST = 1024 };
/* Of a GPU whose file does not say. */
enum { L2_ROOM = 8 << 20 };

/* Fills the sizes of the caches of the default GPU beside the launch's shared memory. */
static void fill_sizes(struct arena *arena, const struct trace *trace, struct origins *origins)
{
    struct occupancy_case fit;
    struct gpu gpu;
    struct error error;
    uint32_t const threads = trace->block[0] * trace->block[1] * trace->block[2];
    uint32_t const blocks = gpu_fit(arena, NULL, trace, &fit) && fit.got.blocks ? fit.got.blocks : 1;
    origins->shared = l1_shared_share(threads, trace->shared_bytes, blocks);
    const struct gpu_fact *l2 = gpu_read(arena, GPU_DEFAULT, &gpu, &error) ? gpu_find(&gpu, "l2_bytes") : NULL;
    origins->l2_bytes = l2 ? (uint64_t)(l2->value * L2_SHARE_THAT_HOLDS) : L2_ROOM;
}

/* An access to global memory, with its chunks in the order of model_coalescing. */
struct global_access {
    const struct trace_event *event;
    enum step_kind kind;
    uint32_t count;
    struct line_part parts[CHUNKS_MAX];
};

static const uint8_t *kinds_of(struct arena *arena, const struct trace *trace)
{
    uint8_t *kinds = arena_array(arena, uint8_t, trace->site_count + 1);
    for (uint32_t i = 0; i < trace->site_count; i++)
        kinds[i] = (uint8_t)caches_steps_kind_of(&trace->sites[i]);
    return kinds;
}

/* Returns false where the event at a position is none. */
static bool access_at(const struct origins *origins, size_t position, struct global_access *access)
{
    const struct trace *trace = origins->timeline->trace;
    const struct trace_event *event = &trace->events.items[origins->timeline->events[position]];
    const struct trace_site *site = event->site < trace->site_count ? &trace->sites[event->site] : NULL;
    if (event->kind != TRACE_ACCESS || !site || trace_space(site, event) != PTX_SPACE_GLOBAL)
        return false;
    access->event = event;
    access->kind = (enum step_kind)origins->kinds[event->site];
    access->count = model_lines(trace_addresses(trace, event), event->mask, site->bytes, access->parts);
    return true;
}

/* Follows one chunk through the L1. Returns its sectors that were inside. */
static uint8_t follow_l1(struct l1 *l1, enum step_kind kind, const struct line_part *part)
{
    if (kind == STEP_ATOMIC)
        l1_drop(l1, part->line, part->sectors);
    else if (kind != STEP_LOAD_PAST && kind != STEP_COPY)
        return l1_use(l1, part->line, part->sectors, kind == STEP_LOAD_FIRST);
    return 0;
}

/* Returns whether an access of a kind fetches its sectors: it loads them, or the L2 changes them. */
static bool is_fetched(enum step_kind kind)
{
    return kind <= STEP_COPY || kind == STEP_ATOMIC;
}

/* Follows one chunk of an access. */
static struct origin follow(struct l1 *l1, struct l2 *l2, enum step_kind kind, const struct line_part *part,
                            uint32_t time)
{
    struct origin origin = {.l1 = follow_l1(l1, kind, part)};
    uint8_t const left = part->sectors & (uint8_t)~origin.l1;
    if (left)
        origin.l2 = l2_use(l2, part->line, left, kind == STEP_STORE, time, SOON_TIME).hits;
    return origin;
}

struct origins *origins_new(struct arena *arena, const struct timeline *timeline)
{
    struct origins *origins = arena_new(arena, struct origins);
    uint32_t *first = arena_array(arena, uint32_t, timeline->count + 1), count = 0, loads = 0;
    uint32_t *l2_sectors = arena_array(arena, uint32_t, timeline->count + 1);
    size_t const apart = timeline->count / SNAPSHOTS_MOST + 1, every = apart > SNAPSHOT_LEAST ? apart : SNAPSHOT_LEAST;
    struct l1 *snapshots = arena_array(arena, struct l1, timeline->count / every + 1);
    struct global_access access;
    struct l2 l2 = {0};
    struct {
        struct origin *items;
        size_t count, capacity;
    } chunks = {0};
    struct l1 *l1 = malloc(sizeof *l1);
    origins->timeline = timeline;
    origins->kinds = kinds_of(arena, timeline->trace);
    fill_sizes(arena, timeline->trace, origins);
    bool const room = l1 && l2_new(&l2, origins->l2_bytes);
    if (l1)
        l1_reset(l1, origins->shared);
    for (size_t i = 0; i < timeline->count && room; i++) {
        first[i] = UINT32_MAX;
        if (i % every == 0)
            snapshots[i / every] = *l1;
        bool const is_access = access_at(origins, i, &access);
        if (is_access && is_fetched(access.kind))
            first[i] = count;
        loads += is_access && access.kind <= STEP_COPY;
        for (uint32_t k = 0; is_access && k < access.count; k++) {
            uint32_t const time = SOON_TIME + (uint32_t)access.event->time;
            struct origin const origin = follow(l1, &l2, access.kind, &access.parts[k], time);
            if (is_fetched(access.kind)) {
                array_push(&chunks, origin);
                count++;
            }
        }
        l2_sectors[i] = (uint32_t)l2.sectors;
    }
    origins->first = first;
    origins->l2_sectors = l2_sectors;
    origins->snapshots = snapshots;
    origins->every = every;
    origins->chunks = arena_array(arena, struct origin, count + 1);
    if (count)
        memcpy(origins->chunks, chunks.items, count * sizeof *chunks.items);
    free(chunks.items);
    free(l1);
    l2_free(&l2);
    return room && loads ? origins : NULL;
}

const struct origin *origins_fetched_at(const struct origins *origins, size_t position)
{
    if (!origins || position >= origins->timeline->count || origins->first[position] == UINT32_MAX)
        return NULL;
    return origins->chunks + origins->first[position];
}

const struct origin *origins_at(const struct origins *origins, size_t position)
{
    const struct origin *chunks = origins_fetched_at(origins, position);
    if (!chunks)
        return NULL;
    const struct timeline *timeline = origins->timeline;
    uint32_t const site = timeline->trace->events.items[timeline->events[position]].site;
    return origins->kinds[site] <= STEP_COPY ? chunks : NULL;
}

enum origin_level origin_of(const struct origin *chunk, unsigned sector)
{
    return chunk->l1 >> sector & 1 ? ORIGIN_L1 : chunk->l2 >> sector & 1 ? ORIGIN_L2 : ORIGIN_DRAM;
}

void origins_count(const struct origin *chunks, const struct coalescing *access, uint32_t counts[ORIGIN_LEVELS])
{
    for (unsigned level = 0; level < ORIGIN_LEVELS; level++)
        counts[level] = 0;
    for (uint32_t i = 0; i < access->chunk_count; i++)
        for (unsigned sector = 0; sector < CHUNK_SECTORS; sector++)
            if (access->chunks[i].sectors >> sector & 1)
                counts[origin_of(&chunks[i], sector)]++;
}

static void add_change(struct origins_l1 *result, struct l1_change change)
{
    if (result->change_count == sizeof result->changes / sizeof *result->changes)
        return;
    result->changes[result->change_count++] = change;
    result->counts[change.kind]++;
}

/* Adds what one chunk of an access changed, from the lines before it. */
static void add_changes(struct origins_l1 *result, struct l1_line (*before)[L1_WAYS],
                        const struct global_access *access, uint32_t index)
{
    const struct line_part *part = &access->parts[index];
    uint64_t const name = part->line + 1;
    struct l1_change change = {.chunk = (uint8_t)index, .line = name - 1};
    for (unsigned set = 0; set < L1_SETS; set++)
        for (unsigned way = 0; way < L1_WAYS; way++) {
            struct l1_line const old = before[set][way], *now = &result->l1.lines[set][way];
            change.set = (uint16_t)set;
            change.way = (uint8_t)way;
            if (now->name == name) {
                uint8_t const held = old.name == name ? old.sectors : 0, taken = held & (uint8_t)~now->sectors,
                              wanted = part->sectors & (uint8_t)~held;
                bool const hit = access->kind == STEP_STORE ? held != 0 : !wanted;
                change.kind = access->kind == STEP_ATOMIC ? L1_TAKEN : hit ? L1_HIT : L1_BROUGHT;
                change.sectors = change.kind == L1_TAKEN ? taken
                                 : change.kind == L1_HIT ? part->sectors & held
                                                         : wanted;
                if (change.kind != L1_TAKEN || taken)
                    add_change(result, change);
            }
            if (old.name && old.name != now->name)
                add_change(result, (struct l1_change){.kind = L1_THROWN,
                                                      .chunk = change.chunk,
                                                      .set = change.set,
                                                      .way = change.way,
                                                      .sectors = old.sectors,
                                                      .line = old.name - 1});
        }
}

static bool is_past(const struct global_access *access)
{
    return access->kind == STEP_LOAD_PAST || access->kind == STEP_COPY;
}

void origins_l1_at(const struct origins *origins, size_t position, struct origins_l1 *result)
{
    struct global_access access;
    *result = (struct origins_l1){.l1 = origins->snapshots[position / origins->every]};
    for (size_t i = position - position % origins->every; i < position; i++) {
        bool const is_access = access_at(origins, i, &access);
        for (uint32_t k = 0; is_access && k < access.count; k++)
            follow_l1(&result->l1, access.kind, &access.parts[k]);
    }
    if (position >= origins->timeline->count || !access_at(origins, position, &access))
        return;
    result->way = is_past(&access)             ? L1_PASSED
                  : access.kind == STEP_STORE  ? L1_STORES
                  : access.kind == STEP_ATOMIC ? L1_ATOMICS
                                               : L1_LOADS;
    for (uint32_t k = 0; k < access.count && result->way != L1_PASSED; k++) {
        struct l1_line before[L1_SETS][L1_WAYS];
        memcpy(before, result->l1.lines, sizeof before);
        follow_l1(&result->l1, access.kind, &access.parts[k]);
        add_changes(result, before, &access, k);
    }
}
