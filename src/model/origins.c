#include "model/origins.h"
#include "model/caches_run.h"

/* Few enough that they need at most 5 MB, and so near to one another that the way from one to any position is short. */
enum { SNAPSHOTS_MOST = 256, SNAPSHOT_LEAST = 1024 };

/* Fills the sizes of the GPU's caches beside the launch's shared memory. Returns false where they are not known. */
static bool fill_sizes(struct arena *arena, const struct trace *trace, const char *gpu, struct origins *origins)
{
    uint32_t const threads = trace->block[0] * trace->block[1] * trace->block[2];
    if (gpu_caches(arena, gpu, &origins->gpu) != GPU_CACHES_COMPLETE)
        return false;
    struct l1_launch const launch = l1_launch_of(origins->gpu.limits, threads, trace->shared_bytes);
    origins->l1_room = launch.room;
    origins->l2_bytes = (uint64_t)(origins->gpu.l2->value * L2_SHARE_THAT_HOLDS);
    return launch.resident;
}

/* An access to global memory, with its chunks in the order of model_coalescing, or to local memory. */
enum { PARTS_MAX = WARP_LANES * 4 };
_Static_assert((int)CHUNKS_MAX <= (int)PARTS_MAX && (int)PARTS_MAX <= UINT8_MAX + 1,
               "a change has the number of its part in 8 bits");
struct l1_access {
    const struct trace_event *event;
    enum step_kind kind;
    uint32_t count;
    struct line_part parts[PARTS_MAX];
    uint32_t lanes[PARTS_MAX]; /* of local memory: that use the part */
};

static const uint8_t *kinds_of(struct arena *arena, const struct trace *trace)
{
    uint8_t *kinds = arena_array(arena, uint8_t, trace->site_count + 1);
    for (uint32_t i = 0; i < trace->site_count; i++)
        kinds[i] = (uint8_t)caches_steps_kind_of(&trace->sites[i]);
    return kinds;
}

/* Fills the parts of an access to local memory: the lanes' words of one place are one line. */
static void fill_local(struct l1_access *access, const struct trace_site *site, const uint64_t *addresses)
{
    const struct trace_event *event = access->event;
    uint32_t const words = local_words(site->bytes);
    access->kind = site->operation == TRACE_LOAD ? STEP_LOCAL_LOAD : STEP_LOCAL_STORE;
    access->count = 0;
    for (uint32_t left = event->mask, lanes; left && access->count + words <= PARTS_MAX; left &= ~lanes) {
        uint64_t const place = addresses[__builtin_ctz(left)] / LOCAL_WORD;
        uint8_t sectors;
        lanes = local_lanes(addresses, left, place, &sectors);
        for (uint32_t at = 0; at < words; at++) {
            access->lanes[access->count] = lanes;
            access->parts[access->count++] =
                (struct line_part){local_line(event->block, event->warp, place + at), sectors};
        }
    }
}

/* Returns false where the event at a position is none. */
static bool access_at(const struct origins *origins, size_t position, struct l1_access *access)
{
    const struct trace *trace = origins->timeline->trace;
    const struct trace_event *event = &trace->events.items[origins->timeline->events[position]];
    const struct trace_site *site = event->site < trace->site_count ? &trace->sites[event->site] : NULL;
    if (event->kind != TRACE_ACCESS || !site)
        return false;
    access->event = event;
    if (trace_space(site, event) == PTX_SPACE_LOCAL) {
        fill_local(access, site, trace_addresses(trace, event));
        return true;
    }
    if (trace_space(site, event) != PTX_SPACE_GLOBAL)
        return false;
    access->kind = (enum step_kind)origins->kinds[event->site];
    access->count = model_lines(trace_addresses(trace, event), event->mask, site->bytes, access->parts);
    memset(access->lanes, 0, access->count * sizeof *access->lanes);
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
    return kind <= STEP_COPY || kind == STEP_ATOMIC || kind == STEP_LOCAL_LOAD;
}

static bool is_stored(enum step_kind kind)
{
    return kind == STEP_STORE || kind == STEP_LOCAL_STORE;
}

/* Follows one chunk of an access. */
static struct origin follow(struct l1 *l1, struct l2 *l2, enum step_kind kind, const struct line_part *part,
                            uint32_t time)
{
    struct origin origin = {.l1 = follow_l1(l1, kind, part) & 15u};
    uint8_t const left = part->sectors & (uint8_t)~origin.l1;
    if (left) {
        struct l2_answer const answer = l2_use(l2, part->line, left, is_stored(kind), time, SOON_TIME);
        origin.l2 = answer.hits & 15u;
        origin.along = answer.along;
    }
    return origin;
}

struct origins *origins_new(struct arena *arena, const struct timeline *timeline, const char *gpu)
{
    struct origins *origins = arena_new(arena, struct origins);
    uint32_t *first = arena_array(arena, uint32_t, timeline->count + 1), count = 0, loads = 0;
    uint32_t *l2_sectors = arena_array(arena, uint32_t, timeline->count + 1);
    size_t const apart = timeline->count / SNAPSHOTS_MOST + 1, every = apart > SNAPSHOT_LEAST ? apart : SNAPSHOT_LEAST;
    struct l1 *snapshots = arena_array(arena, struct l1, timeline->count / every + 1);
    struct l1_access access;
    struct l2 l2 = {0};
    struct {
        struct origin *items;
        size_t count, capacity;
    } chunks = {0};
    struct l1 *l1 = malloc(sizeof *l1);
    origins->timeline = timeline;
    origins->kinds = kinds_of(arena, timeline->trace);
    bool room = fill_sizes(arena, timeline->trace, gpu, origins) && l1 && l2_new(&l2, origins->l2_bytes);
    if (l1)
        l1_reset(l1, origins->l1_room);
    for (size_t i = 0; i < timeline->count && room; i++) {
        first[i] = UINT32_MAX;
        if (i % every == 0)
            snapshots[i / every] = *l1;
        bool const is_access = access_at(origins, i, &access);
        if (is_access && is_fetched(access.kind))
            first[i] = count;
        loads += is_access && (access.kind <= STEP_COPY || access.kind == STEP_LOCAL_LOAD);
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
    room = room && !l2.failed;
    l2_free(&l2);
    return room && loads ? origins : NULL;
}

static const struct origin *parts_at(const struct origins *origins, size_t position)
{
    if (!origins || position >= origins->timeline->count || origins->first[position] == UINT32_MAX)
        return NULL;
    return origins->chunks + origins->first[position];
}

const struct origin *origins_fetched_at(const struct origins *origins, size_t position)
{
    const struct origin *parts = parts_at(origins, position);
    if (!parts)
        return NULL;
    const struct trace *trace = origins->timeline->trace;
    const struct trace_event *event = &trace->events.items[origins->timeline->events[position]];
    return trace_space(&trace->sites[event->site], event) == PTX_SPACE_GLOBAL ? parts : NULL;
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
static void add_changes(struct origins_l1 *result, struct l1_line (*before)[L1_WAYS], const struct l1_access *access,
                        uint32_t index)
{
    const struct line_part *part = &access->parts[index];
    uint64_t const name = part->line + 1;
    struct l1_change change = {.chunk = (uint8_t)index, .lanes = access->lanes[index], .line = name - 1};
    for (unsigned set = 0; set < L1_SETS; set++)
        for (unsigned way = 0; way < L1_WAYS; way++) {
            struct l1_line const old = before[set][way], *now = &result->l1.lines[set][way];
            change.set = (uint16_t)set;
            change.way = (uint8_t)way;
            if (now->name == name) {
                uint8_t const held = old.name == name ? old.sectors : 0, taken = held & (uint8_t)~now->sectors,
                              wanted = part->sectors & (uint8_t)~held;
                bool const hit = is_stored(access->kind) ? held != 0 : !wanted;
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

static bool is_past(const struct l1_access *access)
{
    return access->kind == STEP_LOAD_PAST || access->kind == STEP_COPY;
}

bool origins_line_is_local(uint64_t line, uint32_t *warp, uint32_t *place)
{
    *warp = (uint32_t)(line >> LOCAL_ROOM_BITS) % WARP_LANES;
    *place = (uint32_t)line & ((1u << LOCAL_ROOM_BITS) - 1);
    return line & LOCAL_LINES;
}

/* Counts the sectors that an access fetches by where they came from. */
static void add_levels(const struct origin *parts, const struct l1_access *access, uint32_t counts[ORIGIN_LEVELS])
{
    for (uint32_t k = 0; parts && k < access->count; k++)
        for (unsigned sector = 0; sector < CHUNK_SECTORS; sector++)
            if (access->parts[k].sectors >> sector & 1)
                counts[origin_of(&parts[k], sector)]++;
}

bool origins_count_local(const struct origins *origins, size_t position, uint32_t counts[ORIGIN_LEVELS])
{
    struct l1_access access = {0};
    const struct origin *parts = parts_at(origins, position);
    if (!parts || !access_at(origins, position, &access) || access.kind != STEP_LOCAL_LOAD)
        return false;
    memset(counts, 0, ORIGIN_LEVELS * sizeof *counts);
    add_levels(parts, &access, counts);
    return true;
}

uint32_t origins_count_along(const struct origins *origins, size_t position)
{
    struct l1_access access = {0};
    const struct origin *parts = parts_at(origins, position);
    uint32_t count = 0;
    if (!parts || !access_at(origins, position, &access) || access.kind == STEP_ATOMIC)
        return 0;
    for (uint32_t k = 0; k < access.count; k++)
        count += (uint32_t)__builtin_popcount(parts[k].along);
    return count;
}

void origins_l1_at(const struct origins *origins, size_t position, struct origins_l1 *result)
{
    struct l1_access access = {0};
    *result = (struct origins_l1){.l1 = origins->snapshots[position / origins->every]};
    for (size_t i = position - position % origins->every; i < position; i++) {
        bool const is_access = access_at(origins, i, &access);
        for (uint32_t k = 0; is_access && k < access.count; k++)
            follow_l1(&result->l1, access.kind, &access.parts[k]);
    }
    if (position >= origins->timeline->count || !access_at(origins, position, &access))
        return;
    result->local = access.kind >= STEP_LOCAL_LOAD;
    result->lines = access.count;
    result->way = is_past(&access)             ? L1_PASSED
                  : is_stored(access.kind)     ? L1_STORES
                  : access.kind == STEP_ATOMIC ? L1_ATOMICS
                                               : L1_LOADS;
    add_levels(parts_at(origins, position), &access, result->levels);
    for (uint32_t k = 0; k < access.count && is_stored(access.kind); k++)
        result->stored += (uint32_t)__builtin_popcount(access.parts[k].sectors);
    for (uint32_t k = 0; k < access.count && result->way != L1_PASSED; k++) {
        struct l1_line before[L1_SETS][L1_WAYS];
        memcpy(before, result->l1.lines, sizeof before);
        follow_l1(&result->l1, access.kind, &access.parts[k]);
        add_changes(result, before, &access, k);
    }
}
