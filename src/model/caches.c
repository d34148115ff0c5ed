/* A block's accesses become steps: a line, some of its sectors, and what is done to them. Blocks are dealt to the
 * multiprocessors in turn. Those that are resident together on one, a group, are simulated together when all have
 * ended, because a block runs at once here: the first step of each warp, then the second of each, and so on. What
 * leaves the L1s goes to the L2 group by group, in the order of these turns. */
#include "model/caches.h"
#include "model/cache_sets.h"
#include "model/coalescing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 256 };

enum step_kind {
    STEP_LOAD,
    STEP_LOAD_FIRST, /* its line is the first to be thrown out */
    STEP_LOAD_PAST,  /* does not look into the L1 */
    STEP_COPY,       /* the same, but of a copy that no load instruction makes */
    STEP_STORE,
    STEP_ATOMIC,
    STEP_LOCAL_LOAD,
    STEP_LOCAL_STORE
};

/* A step in 64 bits: the number of the line (address / 128), whether it goes on with the access of the step before, the
 * site, the sectors, the kind. */
enum {
    KIND_BITS = 3,
    SITE_BITS = 15,
    SITE_MOST = (1 << SITE_BITS) - 1,
    GOES_ON_SHIFT = KIND_BITS + 4 + SITE_BITS,
    LINE_SHIFT = GOES_ON_SHIFT + 1
};
typedef uint64_t step;
static enum step_kind step_kind(step s)
{
    return (enum step_kind)(s & 7);
}
static uint8_t step_sectors(step s)
{
    return s >> KIND_BITS & 15;
}
static uint32_t step_site(step s)
{
    return s >> (KIND_BITS + 4) & SITE_MOST;
}
static uint64_t step_line(step s)
{
    return s >> LINE_SHIFT;
}
static bool step_goes_on(step s)
{
    return s >> GOES_ON_SHIFT & 1;
}
static const step BARRIER = UINT64_MAX;                /* the warp arrives at a barrier */
static const uint64_t LOCAL_LINES = UINT64_C(1) << 40; /* their numbers have this bit */

/* A load of what one of the last loads of the same warp has loaded is a hit for sure: it makes no step. */
enum { RECENT = 4 };

/* The steps of one block, warp after warp as they ran. */
struct stream {
    struct stream *next; /* of the ended ones of a multiprocessor, by block */
    uint64_t block;
    struct {
        step *items;
        size_t count, capacity;
    } steps;
    step recent[RECENT]; /* the last loads of the warp that runs */
    uint32_t recent_at;
    struct {
        struct stretch {
            uint32_t warp, first; /* its steps begin there */
        } * items;
        size_t count, capacity;
    } stretches;
};

/* What leaves an L1. */
struct request {
    uint64_t line;
    uint32_t time; /* since the group began */
    uint8_t sectors;
    enum step_kind kind : 8;
};
struct outgoing {
    struct request *items;
    size_t count, capacity;
};
struct group {
    struct group *next;
    struct outgoing out;
};

/* Requests for the same sectors that are close in time become one, up to four of them: loads of all multiprocessors on
 * one side of the L2, and stores of one multiprocessor without a load between them. An L1 takes a line in a unit of
 * time. */
enum { MERGED_MOST = 4, LOAD_TIME = 8, STORE_TIME = 12, SOON_TIME = 400, L2_SIDES = 2 };
struct merge {
    uint64_t name; /* 1 + line */
    uint32_t time;
    uint8_t sectors, count;
};
enum { LOAD_MERGES = 1 << 12, STORE_MERGES = 1 << 6 };

static bool merges(struct merge *merge, uint64_t line, uint8_t sectors, uint32_t time, uint32_t most)
{
    if (merge->name == line + 1 && !(sectors & ~merge->sectors) && merge->count < MERGED_MOST &&
        time - merge->time <= most) {
        merge->count++;
        return true;
    }
    *merge = (struct merge){.name = line + 1, .time = time, .sectors = sectors, .count = 1};
    return false;
}

static size_t merge_place(uint64_t line, size_t places)
{
    return (line * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;
}

struct processor { /* a multiprocessor */
    pthread_mutex_t lock;
    struct l1 *l1;
    struct stream *ended;
    uint64_t done;       /* of its blocks, that are simulated */
    uint32_t time;       /* since the group began: lines that the L1 took */
    uint32_t loaded;     /* time of the last load */
    struct group *first; /* finished groups that the L2 has not seen */
    struct group **last;
    struct group *now;
    struct merge stores[STORE_MERGES];
    struct caches sums;
    struct caches_site *sites;
};

struct worker {
    struct {
        struct stream **items;
        size_t count, capacity;
    } open; /* blocks in flight, in their order */
    size_t at;
    uint64_t sure_hits;
    struct caches_site *sites; /* of sure hits */
};

struct caches_run {
    const struct trace_site *sites;
    enum step_kind *kinds; /* of each site */
    uint32_t site_count;
    struct caches_machine machine;
    struct trace_listener next;
    struct worker workers[WORKERS_MAX];
    struct processor *processors;
    atomic_bool failed;
    pthread_mutex_t l2_lock; /* guards the fields below */
    struct l2 l2;
    uint32_t time;
    struct merge loads[L2_SIDES][LOAD_MERGES];
    struct caches sums;
    uint64_t merged; /* sectors of loads that merged with others */
    pthread_mutex_t free_lock;
    struct stream *free; /* streams to use again */
};

/* A group whose steps are more than this is simulated in parts of whole blocks; a block that makes more than this
 * many steps is not followed. */
enum { PART_STEPS = 1 << 17, BLOCK_STEPS = 1 << 23 };

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

static void stream_return(struct caches_run *run, struct stream *stream)
{
    pthread_mutex_lock(&run->free_lock);
    stream->next = run->free;
    run->free = stream;
    pthread_mutex_unlock(&run->free_lock);
}

static void stream_free(struct stream *stream)
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
static struct stream *stream_of(struct caches_run *run, unsigned number, uint64_t block)
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

static unsigned count_of(uint8_t sectors)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return bits[sectors & 15];
}

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

static enum step_kind kind_of(const struct trace_site *site)
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
    struct stream *stream = stream_of(run, worker, block);
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

static void hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
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
                            .stream = stream_of(run, worker, event->block),
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

static void hear_arrival(void *context, unsigned worker, uint64_t block, uint32_t warp)
{
    struct caches_run *run = context;
    if (run->next.arrived)
        run->next.arrived(run->next.context, worker, block, warp);
    add_barrier(run, worker, block, warp);
}

static void hear_halves(void *context, unsigned worker, uint64_t block, uint32_t site,
                        const struct trace_halves *halves)
{
    struct caches_run *run = context;
    if (run->next.halves)
        run->next.halves(run->next.context, worker, block, site, halves);
    if (site >= run->site_count || run->sites[site].space != PTX_SPACE_GLOBAL)
        return;
    struct access access = {.run = run,
                            .worker = worker_of(run, worker),
                            .stream = stream_of(run, worker, block),
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

static void pass_accesses(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                          uint64_t times)
{
    const struct caches_run *run = context;
    run->next.accesses(run->next.context, worker, event, addresses, times);
}

static void pass_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    const struct caches_run *run = context;
    run->next.sums(run->next.context, worker, site, sums);
}

static void send(struct processor *processor, uint64_t line, uint8_t sectors, enum step_kind kind)
{
    struct request const request = {.line = line, .time = processor->time, .sectors = sectors, .kind = kind};
    if (sectors)
        array_push(&processor->now->out, request);
}

static void simulate_step(struct processor *processor, step s)
{
    struct caches *sums = &processor->sums;
    struct caches_site *site = &processor->sites[step_site(s)];
    enum step_kind const kind = step_kind(s);
    uint8_t const sectors = step_sectors(s);
    uint64_t const line = step_line(s);
    uint8_t hits = 0;
    processor->time++;
    if (kind != STEP_STORE && kind != STEP_LOCAL_STORE)
        processor->loaded = processor->time;
    switch (kind) {
    case STEP_LOAD:
    case STEP_LOAD_FIRST:
        hits = l1_use(processor->l1, line, sectors, kind == STEP_LOAD_FIRST);
        sums->load_hits += count_of(hits);
        send(processor, line, sectors & (uint8_t)~hits, STEP_LOAD);
        break;
    case STEP_LOCAL_LOAD:
        hits = l1_use(processor->l1, line, sectors, false);
        sums->local_loads += count_of(sectors);
        sums->local_load_hits += count_of(hits);
        send(processor, line, sectors & (uint8_t)~hits, STEP_LOAD);
        return;
    case STEP_LOAD_PAST:
    case STEP_COPY:
        send(processor, line, sectors, STEP_LOAD);
        if (kind == STEP_COPY)
            return;
        break;
    case STEP_STORE:
        if (l1_has(processor->l1, line))
            hits = sectors;
        l1_use(processor->l1, line, sectors, false);
        sums->store_hits += count_of(hits);
        if (!merges(&processor->stores[merge_place(line, STORE_MERGES)], line, sectors, processor->time,
                    STORE_TIME < processor->time - processor->loaded ? STORE_TIME
                                                                     : processor->time - processor->loaded - 1))
            send(processor, line, sectors, STEP_STORE);
        break;
    case STEP_LOCAL_STORE:
        l1_use(processor->l1, line, sectors, false);
        sums->local_stores += count_of(sectors);
        send(processor, line, sectors, STEP_STORE);
        return;
    case STEP_ATOMIC:
        l1_drop(processor->l1, line, sectors);
        send(processor, line, sectors, STEP_ATOMIC);
        return;
    }
    site->sectors += count_of(sectors);
    site->l1_hits += count_of(hits);
}

/* A warp's place in its stream. */
struct reader {
    const struct stream *stream;
    size_t stretch; /* index of the stretch it is in; the number of them: it has ended */
    size_t at;
    uint32_t block; /* index of its block in the part */
    bool waits;     /* at a barrier */
};
/* The warps of a block that have not ended, and those of them that wait at a barrier. */
struct crew {
    uint32_t going, waiting;
};

static size_t stretch_end(const struct stream *stream, size_t index)
{
    return index + 1 < stream->stretches.count ? stream->stretches.items[index + 1].first : stream->steps.count;
}

/* Finds the warp's next step. Returns NULL when it has ended. */
static const step *next_step(struct reader *reader)
{
    const struct stream *stream = reader->stream;
    while (reader->stretch < stream->stretches.count && reader->at == stretch_end(stream, reader->stretch)) {
        uint32_t const warp = stream->stretches.items[reader->stretch].warp;
        do
            reader->stretch++;
        while (reader->stretch < stream->stretches.count && stream->stretches.items[reader->stretch].warp != warp);
        if (reader->stretch < stream->stretches.count)
            reader->at = stream->stretches.items[reader->stretch].first;
    }
    return reader->stretch < stream->stretches.count ? &stream->steps.items[reader->at] : NULL;
}

/* Adds a reader for each warp of a stream. */
static uint32_t readers_of(const struct stream *stream, uint32_t block, struct reader readers[WARP_LANES])
{
    uint32_t count = 0;
    bool seen[WARP_LANES] = {false};
    for (size_t i = 0; i < stream->stretches.count; i++) {
        struct stretch const stretch = stream->stretches.items[i];
        if (stretch.warp < WARP_LANES && !seen[stretch.warp]) {
            seen[stretch.warp] = true;
            readers[count++] = (struct reader){.stream = stream, .stretch = i, .at = stretch.first, .block = block};
        }
    }
    return count;
}

/* Takes a warp's turn: one access. Returns false when it has ended. */
static bool take_turn(struct processor *processor, struct reader *reader, struct crew *crew)
{
    const step *s = next_step(reader);
    if (!s) {
        crew->going--;
        return false;
    }
    if (*s == BARRIER) {
        reader->waits = true;
        crew->waiting++;
        reader->at++;
        return true;
    }
    do {
        simulate_step(processor, *s);
        reader->at++;
        s = next_step(reader);
    } while (s && *s != BARRIER && step_goes_on(*s));
    return true;
}

/* Simulates ended blocks together. */
static void simulate_part(struct caches_run *run, struct processor *processor, const struct stream *stream,
                          uint32_t count)
{
    struct reader *readers = malloc(count * WARP_LANES * sizeof *readers);
    struct crew *crews = calloc(count, sizeof *crews);
    size_t reading = 0;
    if (!readers || !crews)
        run->failed = true;
    for (uint32_t i = 0; readers && crews && i < count; i++, stream = stream->next) {
        crews[i].going = readers_of(stream, i, readers + reading);
        reading += crews[i].going;
    }
    while (reading) {
        size_t left = 0;
        for (size_t i = 0; i < reading; i++)
            if (readers[i].waits || take_turn(processor, &readers[i], &crews[readers[i].block]))
                readers[left++] = readers[i];
        reading = left;
        for (size_t i = 0; i < reading; i++) { /* a barrier opens when all that have not ended wait */
            struct crew *crew = &crews[readers[i].block];
            if (readers[i].waits && crew->waiting == crew->going)
                readers[i].waits = false;
        }
        for (uint32_t i = 0; i < count; i++)
            if (crews[i].waiting == crews[i].going)
                crews[i].waiting = 0;
    }
    free(crews);
    free(readers);
}

/* Returns how many blocks a multiprocessor gets. */
static uint64_t blocks_of(const struct caches_run *run, size_t number)
{
    uint64_t const count = run->machine.multiprocessors;
    return (run->machine.blocks + count - 1 - number) / count;
}

static void group_close(struct processor *processor)
{
    *processor->last = processor->now;
    processor->last = &processor->now->next;
    processor->now = NULL;
    processor->time = processor->loaded = 0;
}

/* Simulates what can be: the blocks of a group once all have ended, or the first ones, once their steps are many. */
static void simulate_ended(struct caches_run *run, size_t number)
{
    struct processor *processor = &run->processors[number];
    uint64_t const all = blocks_of(run, number), resident = run->machine.resident;
    for (;;) {
        uint64_t const group_end = (processor->done / resident + 1) * resident, end = group_end < all ? group_end : all;
        size_t count = 0, steps = 0;
        struct stream *behind = processor->ended;
        for (; behind && processor->done + count < end && steps < PART_STEPS &&
               behind->block / run->machine.multiprocessors == processor->done + count;
             behind = behind->next, count++)
            steps += behind->steps.count;
        if (!count || (processor->done + count < end && steps < PART_STEPS))
            return;
        if (!processor->now)
            processor->now = calloc(1, sizeof *processor->now);
        if (!processor->l1 && (processor->l1 = malloc(sizeof *processor->l1)))
            l1_reset(processor->l1, run->machine.shared);
        if (!processor->sites)
            processor->sites =
                calloc(SITE_MOST + 1 < run->site_count ? SITE_MOST + 1 : run->site_count + 1, sizeof *processor->sites);
        if (!processor->now || !processor->l1 || !processor->sites) {
            run->failed = true;
            return;
        }
        simulate_part(run, processor, processor->ended, (uint32_t)count);
        processor->done += count;
        while (count--) {
            struct stream *stream = processor->ended;
            processor->ended = stream->next;
            stream_return(run, stream);
        }
        if (processor->done == end)
            group_close(processor);
    }
}

/* number: of the multiprocessor that asks */
static void ask_l2(struct caches_run *run, size_t number, const struct request *request)
{
    struct caches *sums = &run->sums;
    struct merge *loads = run->loads[number * L2_SIDES / run->machine.multiprocessors];
    if (request->kind == STEP_LOAD && merges(&loads[merge_place(request->line, LOAD_MERGES)], request->line,
                                             request->sectors, run->time + request->time, LOAD_TIME)) {
        run->merged += count_of(request->sectors);
        return;
    }
    struct l2_answer const answer = l2_use(&run->l2, request->line, request->sectors, request->kind == STEP_STORE,
                                           run->time + request->time, SOON_TIME);
    sums->dram_reads += answer.reads;
    if (request->kind == STEP_STORE)
        sums->l2_writes += count_of(request->sectors);
    if (request->kind != STEP_LOAD)
        return;
    sums->l2_reads += count_of(request->sectors);
    sums->l2_read_hits += count_of(answer.hits);
}

/* Gives the L2 a group of every multiprocessor, in the order of their times. */
static void ask_l2_for_group(struct caches_run *run, struct group **groups, const size_t *numbers, size_t count)
{
    size_t *at = calloc(count ? count : 1, sizeof *at);
    uint32_t last = 0;
    if (!at) {
        run->failed = true;
        return;
    }
    for (uint32_t time = 0;;) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < count; i++) {
            const struct outgoing *out = &groups[i]->out;
            while (at[i] < out->count && out->items[at[i]].time == time)
                ask_l2(run, numbers[i], &out->items[at[i]++]);
            if (at[i] < out->count && out->items[at[i]].time < next)
                next = out->items[at[i]].time;
        }
        last = time;
        if (next == UINT32_MAX)
            break;
        time = next;
    }
    run->time += last + LOAD_TIME + 1;
    free(at);
}

/* Gives the L2 the groups that every multiprocessor has finished. */
static void serve_l2(struct caches_run *run)
{
    size_t const count = run->machine.multiprocessors;
    struct group **groups = malloc(count * sizeof *groups);
    size_t *numbers = malloc(count * sizeof *numbers);
    pthread_mutex_lock(&run->l2_lock);
    for (bool going = groups && numbers; going;) {
        size_t have = 0;
        for (size_t i = 0; i < count && going; i++) {
            struct processor *processor = &run->processors[i];
            pthread_mutex_lock(&processor->lock);
            bool const over = processor->done == blocks_of(run, i);
            struct group *group = processor->first;
            pthread_mutex_unlock(&processor->lock);
            if (!group)
                going = over;
            else {
                numbers[have] = i;
                groups[have++] = group;
            }
        }
        if (!going || !have)
            break;
        ask_l2_for_group(run, groups, numbers, have);
        for (size_t i = 0; i < count; i++) {
            struct processor *processor = &run->processors[i];
            pthread_mutex_lock(&processor->lock);
            struct group *group = processor->first;
            if (group && !(processor->first = group->next))
                processor->last = &processor->first;
            pthread_mutex_unlock(&processor->lock);
            if (group)
                free(group->out.items);
            free(group);
        }
    }
    pthread_mutex_unlock(&run->l2_lock);
    if (!groups || !numbers)
        run->failed = true;
    free(numbers);
    free(groups);
}

static void hear_end(void *context, unsigned number, uint64_t block)
{
    struct caches_run *run = context;
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (run->next.ended)
        run->next.ended(run->next.context, number, block);
    struct stream *stream = stream_of(run, number, block);
    if (!stream)
        return;
    memmove(worker->open.items + worker->at, worker->open.items + worker->at + 1,
            (--worker->open.count - worker->at) * sizeof *worker->open.items);
    struct processor *processor = &run->processors[block % run->machine.multiprocessors];
    pthread_mutex_lock(&processor->lock);
    struct stream **at = &processor->ended;
    while (*at && (*at)->block < block)
        at = &(*at)->next;
    stream->next = *at;
    *at = stream;
    simulate_ended(run, block % run->machine.multiprocessors);
    bool const closed = processor->first != NULL;
    pthread_mutex_unlock(&processor->lock);
    if (closed && block % run->machine.multiprocessors == 0)
        serve_l2(run);
}

/* Empties everything: before the run, and when the launch runs once more. */
static void empty(struct caches_run *run)
{
    for (size_t i = 0; i < WORKERS_MAX; i++) {
        for (size_t k = 0; k < run->workers[i].open.count; k++) {
            run->workers[i].open.items[k]->next = NULL;
            stream_free(run->workers[i].open.items[k]);
        }
        run->workers[i].open.count = run->workers[i].at = 0;
        run->workers[i].sure_hits = 0;
        free(run->workers[i].sites);
        run->workers[i].sites = NULL;
    }
    for (size_t i = 0; run->processors && i < run->machine.multiprocessors; i++) {
        struct processor *processor = &run->processors[i];
        stream_free(processor->ended);
        if (processor->now) {
            *processor->last = processor->now;
            processor->now->next = NULL;
        }
        for (struct group *group = processor->first, *next; group; group = next) {
            next = group->next;
            free(group->out.items);
            free(group);
        }
        free(processor->l1);
        free(processor->sites);
        pthread_mutex_destroy(&processor->lock);
        *processor = (struct processor){.last = &processor->first};
        pthread_mutex_init(&processor->lock, NULL);
    }
    memset(run->loads, 0, sizeof run->loads);
    run->sums = (struct caches){0};
    run->merged = 0;
    run->time = SOON_TIME;
    if (run->l2.sets)
        memset(run->l2.sets, 0, run->l2.set_count * sizeof *run->l2.sets);
}

static void hear_again(void *context)
{
    struct caches_run *run = context;
    empty(run);
    if (run->next.restart)
        run->next.restart(run->next.context);
}

struct caches_run *caches_new(const struct trace_site *sites, uint32_t site_count, const struct caches_machine *machine,
                              struct trace_listener next)
{
    struct caches_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->sites = sites;
    run->site_count = site_count;
    run->machine = *machine;
    run->next = next;
    pthread_mutex_init(&run->l2_lock, NULL);
    pthread_mutex_init(&run->free_lock, NULL);
    run->kinds = calloc(site_count + 1, sizeof *run->kinds);
    run->processors = calloc(machine->multiprocessors, sizeof *run->processors);
    if (!run->kinds || !run->processors || !l2_new(&run->l2, machine->l2_bytes)) {
        caches_free(run);
        return NULL;
    }
    for (size_t i = 0; i < machine->multiprocessors; i++) {
        run->processors[i].last = &run->processors[i].first;
        pthread_mutex_init(&run->processors[i].lock, NULL);
    }
    for (uint32_t i = 0; i < site_count; i++)
        run->kinds[i] = kind_of(&sites[i]);
    run->time = SOON_TIME;
    return run;
}

struct trace_listener caches_listener(struct caches_run *run)
{
    return (struct trace_listener){.context = run,
                                   .event = hear,
                                   .accesses = run->next.accesses ? pass_accesses : NULL,
                                   .halves = hear_halves,
                                   .sums = run->next.sums ? pass_sums : NULL,
                                   .arrived = hear_arrival,
                                   .ended = hear_end,
                                   .restart = hear_again};
}

const struct caches *caches_sum(struct caches_run *run, struct arena *arena)
{
    serve_l2(run);
    if (run->failed)
        return NULL;
    struct caches *sums = arena_new(arena, struct caches);
    struct caches_site *sites = arena_array(arena, struct caches_site, run->site_count);
    *sums = run->sums;
    for (size_t i = 0; i < run->machine.multiprocessors; i++) {
        const struct processor *processor = &run->processors[i];
        if (processor->done != blocks_of(run, i))
            return NULL;
        sums->load_hits += processor->sums.load_hits;
        sums->store_hits += processor->sums.store_hits;
        sums->local_loads += processor->sums.local_loads;
        sums->local_load_hits += processor->sums.local_load_hits;
        sums->local_stores += processor->sums.local_stores;
        for (uint32_t k = 0; processor->sites && k < run->site_count && k < SITE_MOST; k++) {
            sites[k].sectors += processor->sites[k].sectors;
            sites[k].l1_hits += processor->sites[k].l1_hits;
        }
    }
    for (size_t i = 0; i < WORKERS_MAX; i++) {
        sums->load_hits += run->workers[i].sure_hits;
        for (uint32_t k = 0; run->workers[i].sites && k < run->site_count; k++) {
            sites[k].sectors += run->workers[i].sites[k].sectors;
            sites[k].l1_hits += run->workers[i].sites[k].l1_hits;
        }
    }
    sums->shared = (double)run->merged > CACHES_SHARED_MOST * (double)(sums->l2_reads + run->merged);
    sums->sites = sites;
    sums->site_count = run->site_count;
    return sums;
}

void caches_free(struct caches_run *run)
{
    if (!run)
        return;
    empty(run);
    stream_free(run->free);
    for (size_t i = 0; i < WORKERS_MAX; i++)
        free(run->workers[i].open.items);
    for (size_t i = 0; run->processors && i < run->machine.multiprocessors; i++)
        pthread_mutex_destroy(&run->processors[i].lock);
    free(run->processors);
    free(run->kinds);
    l2_free(&run->l2);
    pthread_mutex_destroy(&run->l2_lock);
    pthread_mutex_destroy(&run->free_lock);
    free(run);
}

size_t caches_counters(const struct caches *caches, struct arena *arena, struct counter **counters)
{
    const struct counter all[] = {
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", caches->load_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", caches->store_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", caches->local_loads},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", caches->local_load_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", caches->local_stores},
        {"lts__t_sectors_srcunit_tex_op_read.sum", caches->shared ? CACHES_UNKNOWN : caches->l2_reads},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", caches->shared ? CACHES_UNKNOWN : caches->l2_read_hits},
        {"lts__t_sectors_srcunit_tex_op_write.sum", caches->l2_writes},
        {"dram__sectors_read.sum", caches->dram_reads},
    };
    size_t const count = sizeof all / sizeof *all;
    *counters = arena_array(arena, struct counter, count);
    for (size_t i = 0; i < count; i++)
        (*counters)[i] = all[i];
    return count;
}
