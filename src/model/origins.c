#include "model/origins.h"
#include "model/caches_run.h"
#include "model/gpu.h"

/* More than a block can fill in the events that are recorded of it. */
enum { L2_ROOM = 8 << 20 };

/* Returns the L1 of a multiprocessor beside the launch's shared memory; NULL without memory. */
static struct l1 *l1_of(struct arena *arena, const struct trace *trace)
{
    struct occupancy_case fit;
    uint32_t const threads = trace->block[0] * trace->block[1] * trace->block[2];
    uint32_t const blocks = gpu_fit(arena, NULL, trace, &fit) && fit.got.blocks ? fit.got.blocks : 1;
    struct l1 *l1 = malloc(sizeof *l1);
    if (l1)
        l1_reset(l1, l1_shared_share(threads, trace->shared_bytes, blocks));
    return l1;
}

/* Follows one chunk of an access. */
static struct origin follow(struct l1 *l1, struct l2 *l2, enum step_kind kind, const struct chunk *chunk, uint32_t time)
{
    uint64_t const line = chunk->address / CHUNK_BYTES;
    struct origin origin = {0};
    if (kind == STEP_ATOMIC)
        l1_drop(l1, line, chunk->sectors);
    else if (kind != STEP_LOAD_PAST && kind != STEP_COPY)
        origin.l1 = l1_use(l1, line, chunk->sectors, kind == STEP_LOAD_FIRST);
    uint8_t const left = chunk->sectors & (uint8_t)~origin.l1;
    if (left)
        origin.l2 = l2_use(l2, line, left, kind == STEP_STORE, time, SOON_TIME).hits;
    return origin;
}

struct origins *origins_new(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    struct origins *origins = arena_new(arena, struct origins);
    uint32_t *first = arena_array(arena, uint32_t, timeline->count + 1), count = 0;
    struct coalescing access;
    struct l2 l2 = {0};
    struct {
        struct origin *items;
        size_t count, capacity;
    } chunks = {0};
    struct l1 *l1 = l1_of(arena, trace);
    bool const room = l1 && l2_new(&l2, L2_ROOM);
    for (size_t i = 0; i < timeline->count && room; i++) {
        const struct trace_event *event = &trace->events.items[timeline->events[i]];
        const struct trace_site *site = event->site < trace->site_count ? &trace->sites[event->site] : NULL;
        first[i] = UINT32_MAX;
        if (event->kind != TRACE_ACCESS || !site || trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        enum step_kind const kind = caches_steps_kind_of(site);
        model_coalescing(trace_addresses(trace, event), event->mask, site->bytes, &access);
        if (kind <= STEP_COPY)
            first[i] = count;
        for (uint32_t k = 0; k < access.chunk_count; k++) {
            struct origin const origin = follow(l1, &l2, kind, &access.chunks[k], SOON_TIME + (uint32_t)event->time);
            if (kind <= STEP_COPY) {
                array_push(&chunks, origin);
                count++;
            }
        }
    }
    origins->timeline = timeline;
    origins->first = first;
    origins->chunks = arena_array(arena, struct origin, count + 1);
    if (count)
        memcpy(origins->chunks, chunks.items, count * sizeof *chunks.items);
    free(chunks.items);
    free(l1);
    l2_free(&l2);
    return room && count ? origins : NULL;
}

const struct origin *origins_at(const struct origins *origins, size_t position)
{
    if (!origins || position >= origins->timeline->count || origins->first[position] == UINT32_MAX)
        return NULL;
    return origins->chunks + origins->first[position];
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
