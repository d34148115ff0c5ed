/* The accesses of blocks become steps. */
#include "model/caches_run.h"
#include <stdio.h>

static struct stream *stream_take(struct caches_run *run, uint64_t block)
{
    pthread_mutex_lock(&run->free_lock);
    struct stream *stream = run->free;
    if (stream)
        run->free = stream->next;
    pthread_mutex_unlock(&run->free_lock);
    if (!stream)
        stream = calloc(1, sizeof *stream);
    if (!stream) {
        run->failed = true;
        return NULL;
    }
    stream->block = block;
    stream->next = NULL;
    stream->steps.count = stream->stretches.count = 0;
    stream->warp = UINT32_MAX;
    return stream;
}

void caches_steps_return(struct caches_run *run, struct stream *stream)
{
    pthread_mutex_lock(&run->free_lock);
    stream->next = run->free;
    run->free = stream;
    pthread_mutex_unlock(&run->free_lock);
}

void caches_steps_free(struct stream *stream)
{
    while (stream) {
        struct stream *next = stream->next;
        free(stream->steps.items);
        free(stream->stretches.items);
        free(stream);
        stream = next;
    }
}

/* A worker's blocks in flight are few, and mostly the last is asked for. */
struct stream *caches_steps_of(struct caches_run *run, unsigned number, uint64_t block)
{
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (worker->at < worker->open.count && worker->open.items[worker->at]->block == block)
        return worker->open.items[worker->at];
    for (worker->at = 0; worker->at < worker->open.count; worker->at++)
        if (worker->open.items[worker->at]->block == block)
            return worker->open.items[worker->at];
    struct stream *stream = stream_take(run, block);
    if (stream)
        array_push(&worker->open, stream);
    return stream;
}

/* Makes room for the steps of an access of a warp, whose stretch it begins when another warp ran before. */
static inline bool begin_access(struct caches_run *run, struct stream *stream, uint32_t warp, uint32_t most)
{
    if (stream->warp != warp) {
        struct stretch const stretch = {warp, (uint32_t)stream->steps.count};
        array_push(&stream->stretches, stretch);
        memset(stream->recent, 0, sizeof stream->recent);
        stream->warp = warp;
    }
    if (stream->steps.capacity - stream->steps.count < most)
        stream->steps.items = array_grow(stream->steps.items, &stream->steps.capacity, stream->steps.count + most,
                                         sizeof *stream->steps.items);
    if (stream->steps.count >= BLOCK_STEPS)
        run->failed = true;
    return stream->steps.count < BLOCK_STEPS;
}

/* Where the lines of an access go. */
struct access {
    struct stream *stream;
    step rest; /* of its steps: kind, site, whether it goes on */
    uint64_t *sectors;
};

/* Returns whether a load hits for sure. */
static inline bool hits_for_sure(const struct stream *stream, uint64_t load, uint8_t sectors)
{
    uint64_t const asked = ~UINT64_C(15) | sectors;
    bool hits = false;
    for (unsigned i = 0; i < RECENT; i++) /* without branches: which one it is cannot be foretold */
        hits |= ((stream->recent[i] ^ load) & asked) == 0;
    return hits;
}

static inline void add_step(struct access *access, uint64_t line, uint8_t sectors)
{
    struct stream *stream = access->stream;
    *access->sectors += count_of(sectors);
    if (step_kind(access->rest) == STEP_LOAD) {
        uint64_t const load = line << 4 | sectors;
        if (hits_for_sure(stream, load, sectors))
            return;
        stream->recent[stream->recent_at++ % RECENT] = load;
    } else if (step_kind(access->rest) == STEP_ATOMIC) { /* it takes lines out */
        memset(stream->recent, 0, sizeof stream->recent);
    }
    stream->steps.items[stream->steps.count++] = line << LINE_SHIFT | (uint64_t)sectors << KIND_BITS | access->rest;
    access->rest |= UINT64_C(1) << GOES_ON_SHIFT;
}

static inline void add_sectors(struct access *access, uint64_t first, uint64_t last)
{
    uint64_t const end = last / CHUNK_SECTORS;
    unsigned from = first % CHUNK_SECTORS;
    for (uint64_t line = first / CHUNK_SECTORS; line < end; line++, from = 0)
        add_step(access, line, (uint8_t)(15u >> from << from));
    add_step(access, end, (uint8_t)((2u << last % CHUNK_SECTORS) - (1u << from)));
}

static void add_global(struct access *access, const struct trace_event *event, const uint64_t *addresses,
                       uint32_t bytes)
{
    uint64_t sectors[SECTORS_MAX];
    uint32_t const count = model_sector_list(addresses, event->mask, bytes, sectors);
    for (uint32_t i = 0; i < count;) {
        uint64_t const line = sectors[i] / CHUNK_BYTES;
        uint8_t some = 0;
        for (; i < count && sectors[i] / CHUNK_BYTES == line; i++)
            some |= (uint8_t)(1u << sectors[i] / SECTOR_BYTES % CHUNK_SECTORS);
        add_step(access, line, some);
    }
}

/* Local memory lies so that the lanes' words of one place are one line. */
enum { LOCAL_WORD = 4 };
static void add_local(struct access *access, const struct trace_event *event, const uint64_t *addresses, uint32_t bytes)
{
    enum { PLACE_BITS = 18 };
    uint32_t const words = bytes > LOCAL_WORD ? bytes / LOCAL_WORD : 1;
    uint64_t const warp = event->block * WARP_LANES + event->warp;
    for (uint32_t left = event->mask; left;) {
        uint64_t const place = addresses[__builtin_ctz(left)] / LOCAL_WORD;
        uint8_t sectors = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && addresses[l] / LOCAL_WORD == place) {
                left &= ~(1u << l);
                sectors |= (uint8_t)(1u << l / 8);
            }
        for (uint64_t word = place; word < place + words; word++) {
            uint64_t const line = warp << PLACE_BITS | (word & ((1 << PLACE_BITS) - 1));
            add_step(access, LOCAL_LINES | (line & (LOCAL_LINES - 1)), sectors);
        }
    }
}

enum step_kind caches_steps_kind_of(const struct trace_site *site)
{
    if (site->unit == TRACE_IN_BULK || strncmp(site->text, "cp.", 3) == 0)
        return STEP_COPY;
    if (site->operation == TRACE_ATOMIC || site->operation == TRACE_REDUCTION)
        return STEP_ATOMIC;
    if (site->operation != TRACE_LOAD)
        return STEP_STORE;
    static const char *const past[] = {".cg",      ".cv",      ".lu",   ".volatile",
                                       ".relaxed", ".acquire", ".mmio", "L1::no_allocate"};
    static const char *const first[] = {".cs", "L1::evict_first"};
    size_t const length = strcspn(site->text, " ");
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, site->text);
    for (unsigned i = 0; i < sizeof past / sizeof *past; i++)
        if (strstr(name, past[i]))
            return STEP_LOAD_PAST;
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
        if (strstr(name, first[i]))
            return STEP_LOAD_FIRST;
    return STEP_LOAD;
}

static void add_barrier(struct caches_run *run, unsigned worker, uint64_t block, uint32_t warp)
{
    struct stream *stream = caches_steps_of(run, worker, block);
    if (stream && begin_access(run, stream, warp, 1))
        stream->steps.items[stream->steps.count++] = BARRIER;
}

/* Begins an access of a warp to `most` lines. Returns false where it cannot be kept. */
static inline bool access_of(struct caches_run *run, unsigned number, uint64_t block, uint32_t warp, uint32_t site,
                             uint32_t most, struct access *access)
{
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    access->stream = caches_steps_of(run, number, block);
    if (!worker->sectors && !(worker->sectors = calloc(run->site_count + 1, sizeof *worker->sectors)))
        run->failed = true;
    if (!access->stream || !worker->sectors)
        return false;
    access->sectors = &worker->sectors[site];
    access->rest = (uint64_t)(site < SITE_MOST ? site : SITE_MOST) << (KIND_BITS + 4) | run->kinds[site];
    return begin_access(run, access->stream, warp, most);
}

void caches_steps_hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    struct caches_run *run = context;
    if (run->next.event)
        run->next.event(run->next.context, worker, event, addresses);
    if (event->kind == TRACE_BARRIER_ARRIVE)
        add_barrier(run, worker, event->block, event->warp);
    if (event->kind != TRACE_ACCESS || event->site >= run->site_count)
        return;
    const struct trace_site *site = &run->sites[event->site];
    enum ptx_space const space = trace_space(site, event);
    uint32_t lines = SECTORS_MAX;
    if (space == PTX_SPACE_LOCAL)
        lines = (uint32_t)WARP_LANES * (site->bytes / (uint32_t)LOCAL_WORD + 1);
    struct access access;
    if ((space != PTX_SPACE_GLOBAL && space != PTX_SPACE_LOCAL) ||
        !access_of(run, worker, event->block, event->warp, event->site, lines, &access))
        return;
    if (space == PTX_SPACE_GLOBAL) {
        add_global(&access, event, addresses, site->bytes);
        return;
    }
    struct worker *own = &run->workers[worker % WORKERS_MAX];
    bool const loads = site->operation == TRACE_LOAD;
    access.rest = (access.rest & ~(uint64_t)7) | (loads ? STEP_LOCAL_LOAD : STEP_LOCAL_STORE);
    access.sectors = loads ? &own->local_loads : &own->local_stores;
    add_local(&access, event, addresses, site->bytes);
}

void caches_steps_hear_arrival(void *context, unsigned worker, uint64_t block, uint32_t warp)
{
    struct caches_run *run = context;
    if (run->next.arrived)
        run->next.arrived(run->next.context, worker, block, warp);
    add_barrier(run, worker, block, warp);
}

void caches_steps_hear_halves(void *context, unsigned worker, uint64_t block, uint32_t site,
                              const struct trace_halves *halves)
{
    enum { HALVES_LINES = 16 }; /* of 16 lanes of at most 32 bytes each, twice */
    struct caches_run *run = context;
    struct access access;
    if (run->next.halves)
        run->next.halves(run->next.context, worker, block, site, halves);
    if (site >= run->site_count || run->sites[site].space != PTX_SPACE_GLOBAL ||
        !access_of(run, worker, block, halves->warp, site, HALVES_LINES, &access))
        return;
    uint64_t first[2], last[2];
    for (unsigned half = 0; half < 2; half++) {
        first[half] = halves->first[half] / SECTOR_BYTES;
        last[half] = (halves->first[half] + halves->bytes[half] - 1) / SECTOR_BYTES;
    }
    if (first[1] <= last[0] + 1 && first[0] <= last[1] + 1) { /* one stretch of memory */
        add_sectors(&access, first[0] < first[1] ? first[0] : first[1], last[0] > last[1] ? last[0] : last[1]);
        return;
    }
    for (unsigned half = 0; half < 2; half++)
        add_sectors(&access, first[half], last[half]);
}
