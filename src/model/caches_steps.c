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
    memset(stream->recent, 0, sizeof stream->recent);
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

static void push_step(struct caches_run *run, struct stream *stream, uint32_t warp, step s)
{
    size_t const count = stream->stretches.count;
    if (stream->steps.count >= BLOCK_STEPS) {
        run->failed = true;
        return;
    }
    if (!count || stream->stretches.items[count - 1].warp != warp) {
        struct stretch const stretch = {warp, (uint32_t)stream->steps.count};
        array_push(&stream->stretches, stretch);
        memset(stream->recent, 0, sizeof stream->recent);
    }
    array_push(&stream->steps, s);
}

/* Where the lines of an access go. */
struct access {
    struct caches_run *run;
    struct worker *worker;
    struct stream *stream;
    uint32_t warp, site;
    enum step_kind kind;
    bool goes_on;
};

/* Returns whether a load hits for sure, and counts it then. */
static bool hits_for_sure(struct access *access, uint64_t line, uint8_t sectors)
{
    struct stream *stream = access->stream;
    size_t const count = stream->stretches.count;
    if (access->kind != STEP_LOAD || !count || stream->stretches.items[count - 1].warp != access->warp)
        return false;
    for (unsigned i = 0; i < RECENT; i++)
        if (stream->recent[i] && step_line(stream->recent[i]) == line &&
            !(sectors & ~step_sectors(stream->recent[i]))) {
            struct worker *worker = access->worker;
            worker->sure_hits += count_of(sectors);
            if (worker->sites && access->site < access->run->site_count) {
                worker->sites[access->site].sectors += count_of(sectors);
                worker->sites[access->site].l1_hits += count_of(sectors);
            }
            return true;
        }
    return false;
}

static void add_step(struct access *access, uint64_t line, uint8_t sectors)
{
    if (hits_for_sure(access, line, sectors))
        return;
    uint32_t const site = access->site < SITE_MOST ? access->site : SITE_MOST;
    push_step(access->run, access->stream, access->warp,
              line << LINE_SHIFT | (uint64_t)access->goes_on << GOES_ON_SHIFT | (uint64_t)site << (KIND_BITS + 4) |
                  (uint64_t)sectors << KIND_BITS | access->kind);
    access->goes_on = true;
    if (access->kind == STEP_LOAD)
        access->stream->recent[access->stream->recent_at++ % RECENT] =
            access->stream->steps.items[access->stream->steps.count - 1];
    else if (access->kind == STEP_ATOMIC) /* which takes lines out */
        memset(access->stream->recent, 0, sizeof access->stream->recent);
}

static void add_sectors(struct access *access, uint64_t first, uint64_t last)
{
    for (uint64_t line = first / CHUNK_SECTORS; line <= last / CHUNK_SECTORS; line++) {
        unsigned const from = line == first / CHUNK_SECTORS ? first % CHUNK_SECTORS : 0,
                       to = line == last / CHUNK_SECTORS ? last % CHUNK_SECTORS : CHUNK_SECTORS - 1;
        add_step(access, line, (uint8_t)((2u << to) - (1u << from)));
    }
}

static void add_global(struct access *access, const struct trace_event *event, const uint64_t *addresses)
{
    uint64_t sectors[SECTORS_MAX];
    uint32_t const bytes = access->run->sites[event->site].bytes,
                   count = model_sector_list(addresses, event->mask, bytes, sectors);
    for (uint32_t i = 0; i < count;) {
        uint64_t const line = sectors[i] / CHUNK_BYTES;
        uint8_t some = 0;
        for (; i < count && sectors[i] / CHUNK_BYTES == line; i++)
            some |= (uint8_t)(1u << sectors[i] / SECTOR_BYTES % CHUNK_SECTORS);
        add_step(access, line, some);
    }
}

/* Local memory lies so that the lanes' words of one place are one line. */
static void add_local(struct access *access, const struct trace_event *event, const uint64_t *addresses)
{
    enum { WORD = 4, PLACE_BITS = 18 };
    uint32_t const bytes = access->run->sites[event->site].bytes, words = bytes > WORD ? bytes / WORD : 1;
    uint64_t const warp = event->block * WARP_LANES + event->warp;
    for (uint32_t left = event->mask; left;) {
        uint64_t const place = addresses[__builtin_ctz(left)] / WORD;
        uint8_t sectors = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && addresses[l] / WORD == place) {
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
    if (stream)
        push_step(run, stream, warp, BARRIER);
}

static struct worker *worker_of(struct caches_run *run, unsigned number)
{
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (!worker->sites)
        worker->sites = calloc(run->site_count + 1, sizeof *worker->sites);
    return worker;
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
    enum ptx_space const space = trace_space(&run->sites[event->site], event);
    if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_LOCAL)
        return;
    struct access access = {.run = run,
                            .worker = worker_of(run, worker),
                            .stream = caches_steps_of(run, worker, event->block),
                            .warp = event->warp,
                            .site = event->site,
                            .kind = run->kinds[event->site]};
    if (!access.stream)
        return;
    if (space == PTX_SPACE_GLOBAL) {
        add_global(&access, event, addresses);
        return;
    }
    access.kind = run->sites[event->site].operation == TRACE_LOAD ? STEP_LOCAL_LOAD : STEP_LOCAL_STORE;
    add_local(&access, event, addresses);
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
    struct caches_run *run = context;
    if (run->next.halves)
        run->next.halves(run->next.context, worker, block, site, halves);
    if (site >= run->site_count || run->sites[site].space != PTX_SPACE_GLOBAL)
        return;
    struct access access = {.run = run,
                            .worker = worker_of(run, worker),
                            .stream = caches_steps_of(run, worker, block),
                            .warp = halves->warp,
                            .site = site,
                            .kind = run->kinds[site]};
    if (!access.stream)
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
