/* The bursts of a block have the same outcome wherever the block stands in the order, except the first burst on each
 * bank: it depends on the row that earlier blocks left open. A block therefore keeps its sums and, for each bank, its
 * first and its last row. Streams of neighbouring blocks are joined into one, so that only few exist at a time, in any
 * order of execution: one per block in flight, and one per run of consecutive blocks that have ended. */
#include "model/dram_stream.h"
#include "model/coalescing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 256, SPANS = 16 };

struct bank {
    bool touched;
    uint64_t first, last; /* row numbers */
};

struct stream { /* the bursts of blocks first to last */
    uint64_t first, last;
    struct stream *next; /* the next stream of ended blocks, in block order */
    uint64_t requests, hits, conflicts;
    struct dram_span spans[SPANS];
    struct bank banks[];
};

struct worker { /* the streams of one worker's blocks in flight, in block order */
    struct {
        struct stream **items;
        size_t count, capacity;
    } open;
    size_t at; /* index of the stream used last */
};

struct bursts {
    const struct trace_site *sites;
    uint32_t site_count;
    const struct dram_preset *preset;
    uint32_t bank_count;
    unsigned span_bits; /* dram_row_span in sectors is 2 to the power of it */
    struct trace_listener next;
    struct worker workers[WORKERS_MAX];
    atomic_bool failed;   /* memory ran out */
    pthread_mutex_t lock; /* guards the fields below */
    struct stream *ended;
    struct dram sum;
};

static struct stream *stream_new(struct bursts *bursts, uint64_t block)
{
    struct stream *stream = calloc(1, sizeof *stream + bursts->bank_count * sizeof *stream->banks);
    if (stream)
        stream->first = stream->last = block;
    else
        bursts->failed = true;
    return stream;
}

static void touch(struct stream *stream, uint32_t bank, uint64_t row)
{
    struct bank *b = &stream->banks[bank];
    stream->hits += b->touched && b->last == row;
    stream->conflicts += b->touched && b->last != row;
    if (!b->touched)
        b->first = row;
    b->touched = true;
    b->last = row;
}

/* Requests bursts that lie one behind the other, in `count` sectors from one on. */
static inline void request(const struct bursts *bursts, struct stream *stream, uint64_t sector, uint64_t count)
{
    while (count) {
        uint64_t const number = sector >> bursts->span_bits, left = ((number + 1) << bursts->span_bits) - sector;
        uint64_t const some = count < left ? count : left;
        const struct dram_span *span =
            dram_span_of(bursts->preset, stream->spans, SPANS, number, sector * SECTOR_BYTES);
        touch(stream, span->bank, span->row);
        stream->requests += some;
        stream->hits += some - 1;
        sector += some;
        count -= some;
    }
}

/* Appends the stream of the blocks that follow. */
static void join(const struct bursts *bursts, struct stream *stream, const struct stream *behind)
{
    for (uint32_t i = 0; i < bursts->bank_count; i++)
        if (behind->banks[i].touched) {
            touch(stream, i, behind->banks[i].first);
            stream->banks[i].last = behind->banks[i].last;
        }
    stream->requests += behind->requests;
    stream->hits += behind->hits;
    stream->conflicts += behind->conflicts;
    stream->last = behind->last;
}

static void join_next(const struct bursts *bursts, struct stream *stream)
{
    struct stream *behind = stream->next;
    stream->next = behind->next;
    join(bursts, stream, behind);
    free(behind);
}

static void hand_in(struct bursts *bursts, struct stream *stream)
{
    pthread_mutex_lock(&bursts->lock);
    struct stream **at = &bursts->ended, *before = NULL;
    while (*at && (*at)->first < stream->first) {
        before = *at;
        at = &before->next;
    }
    stream->next = *at;
    *at = stream;
    if (stream->next && stream->last + 1 == stream->next->first)
        join_next(bursts, stream);
    if (before && before->last + 1 == stream->first)
        join_next(bursts, before);
    pthread_mutex_unlock(&bursts->lock);
}

/* Returns the index of a block's stream in the worker's list, or the place to insert it. Blocks begin in order, so a
 * new stream mostly comes last. */
static size_t find(const struct worker *worker, uint64_t block)
{
    size_t low = 0, high = worker->open.count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (worker->open.items[middle]->first < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct worker *worker, uint64_t block)
{
    return worker->at < worker->open.count && worker->open.items[worker->at]->first == block;
}

static struct stream *stream_of(struct bursts *bursts, struct worker *worker, uint64_t block)
{
    if (is_at(worker, block))
        return worker->open.items[worker->at];
    worker->at = find(worker, block);
    if (is_at(worker, block))
        return worker->open.items[worker->at];
    struct stream *stream = stream_new(bursts, block);
    if (!stream)
        return NULL;
    array_push(&worker->open, stream);
    struct stream **at = &worker->open.items[worker->at];
    memmove(at + 1, at, (worker->open.count - 1 - worker->at) * sizeof *at);
    return *at = stream;
}

static void add_access(struct bursts *bursts, struct stream *stream, const uint64_t *addresses, uint32_t mask,
                       uint32_t bytes)
{
    struct line_part parts[CHUNKS_MAX];
    uint32_t const lines = model_lines(addresses, mask, bytes, parts);
    uint64_t first = 0, count = 0; /* sectors that lie one behind the other */
    for (uint32_t i = 0; i < lines; i++)
        for (unsigned left = parts[i].sectors; left; left &= left - 1) {
            uint64_t const sector = parts[i].line * CHUNK_SECTORS + (unsigned)__builtin_ctz(left);
            if (count && sector != first + count) {
                request(bursts, stream, first, count);
                count = 0;
            }
            first = count ? first : sector;
            count++;
        }
    request(bursts, stream, first, count);
}

/* Adds the sectors of the first half and then the others of the second. That is the order of model_sector_list unless
 * the second half begins before the first and shares a chunk with it; then this returns false. */
static bool add_halves(const struct bursts *bursts, struct stream *stream, const struct trace_halves *halves)
{
    uint64_t first[2], last[2];
    for (unsigned half = 0; half < 2; half++) {
        first[half] = halves->first[half] / SECTOR_BYTES;
        last[half] = (halves->first[half] + halves->bytes[half] - 1) / SECTOR_BYTES;
    }
    bool const apart = last[1] / CHUNK_SECTORS < first[0] / CHUNK_SECTORS;
    if (first[1] < first[0] && !apart)
        return false;
    if (!apart && first[1] <= last[0])
        first[1] = last[0] + 1;
    request(bursts, stream, first[0], last[0] - first[0] + 1);
    if (last[1] >= first[1])
        request(bursts, stream, first[1], last[1] - first[1] + 1);
    return true;
}

static void hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    struct bursts *bursts = context;
    if (bursts->next.event)
        bursts->next.event(bursts->next.context, worker, event, addresses);
    if (event->kind != TRACE_ACCESS || event->site >= bursts->site_count ||
        trace_space(&bursts->sites[event->site], event) != PTX_SPACE_GLOBAL)
        return;
    struct stream *stream = stream_of(bursts, &bursts->workers[worker % WORKERS_MAX], event->block);
    if (stream)
        add_access(bursts, stream, addresses, event->mask, bursts->sites[event->site].bytes);
}

/* Passes on what is counted together. */
static void pass_accesses(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                          uint64_t times)
{
    const struct bursts *bursts = context;
    bursts->next.accesses(bursts->next.context, worker, event, addresses, times);
}

static void pass_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    const struct bursts *bursts = context;
    bursts->next.sums(bursts->next.context, worker, site, sums);
}

static void add_as_access(struct bursts *bursts, struct stream *stream, const struct trace_halves *halves)
{
    uint64_t addresses[WARP_LANES];
    uint32_t const bytes = bursts->sites[halves->site].bytes;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        unsigned const half = l / (WARP_LANES / 2);
        addresses[l] = halves->first[half] + (halves->bytes[half] > bytes ? l % (WARP_LANES / 2) * bytes : 0);
    }
    add_access(bursts, stream, addresses, UINT32_MAX, bytes);
}

static void hear_halves(void *context, unsigned worker, uint64_t block, uint32_t warp,
                        const struct trace_halves *halves, uint32_t count)
{
    struct bursts *bursts = context;
    (void)warp;
    struct stream *stream = NULL;
    for (; count--; halves++) {
        if (halves->site >= bursts->site_count ||
            bursts->sites[halves->site].space != PTX_SPACE_GLOBAL) /* constants do not count */
            continue;
        if (!stream && !(stream = stream_of(bursts, &bursts->workers[worker % WORKERS_MAX], block)))
            return;
        if (!add_halves(bursts, stream, halves))
            add_as_access(bursts, stream, halves);
    }
}

static void hear_end(void *context, unsigned number, uint64_t block)
{
    struct bursts *bursts = context;
    struct worker *worker = &bursts->workers[number % WORKERS_MAX];
    if (bursts->next.ended)
        bursts->next.ended(bursts->next.context, number, block);
    struct stream *stream = NULL;
    worker->at = find(worker, block);
    if (is_at(worker, block)) {
        struct stream **at = &worker->open.items[worker->at];
        stream = *at;
        memmove(at, at + 1, (--worker->open.count - worker->at) * sizeof *at);
    } else {
        stream = stream_new(bursts, block);
    }
    if (stream)
        hand_in(bursts, stream);
}

struct bursts *bursts_new(const struct trace_site *sites, uint32_t site_count, const struct dram_preset *preset,
                          struct trace_listener next)
{
    struct bursts *bursts = calloc(1, sizeof *bursts);
    if (!bursts)
        return NULL;
    bursts->sites = sites;
    bursts->site_count = site_count;
    bursts->preset = preset;
    bursts->bank_count = dram_banks(preset);
    bursts->span_bits = (unsigned)__builtin_ctzll(dram_row_span(preset) / SECTOR_BYTES);
    bursts->next = next;
    pthread_mutex_init(&bursts->lock, NULL);
    return bursts;
}

static void gather(struct bursts *bursts);

static void hear_again(void *context)
{
    struct bursts *bursts = context;
    gather(bursts);
    free(bursts->ended);
    bursts->ended = NULL;
    for (int i = 0; i < WORKERS_MAX; i++)
        bursts->workers[i].at = 0;
    if (bursts->next.restart)
        bursts->next.restart(bursts->next.context);
}

struct trace_listener bursts_listener(struct bursts *bursts)
{
    return (struct trace_listener){.context = bursts,
                                   .event = hear,
                                   .accesses = bursts->next.accesses ? pass_accesses : NULL,
                                   .halves = hear_halves,
                                   .sums = bursts->next.sums ? pass_sums : NULL,
                                   .ended = hear_end,
                                   .restart = hear_again};
}

/* Joins all streams, including those of blocks whose end was not reported. */
static void gather(struct bursts *bursts)
{
    for (int i = 0; i < WORKERS_MAX; i++) {
        struct worker *worker = &bursts->workers[i];
        for (size_t k = 0; k < worker->open.count; k++)
            hand_in(bursts, worker->open.items[k]);
        worker->open.count = 0;
    }
    while (bursts->ended && bursts->ended->next)
        join_next(bursts, bursts->ended);
}

const struct dram *bursts_sum(struct bursts *bursts)
{
    gather(bursts);
    const struct stream *all = bursts->ended;
    if (all)
        bursts->sum = (struct dram){.preset = bursts->preset,
                                    .requests = all->requests,
                                    .hits = all->hits,
                                    .misses = all->requests - all->hits - all->conflicts,
                                    .conflicts = all->conflicts};
    return bursts->failed ? NULL : &bursts->sum;
}

void bursts_free(struct bursts *bursts)
{
    if (!bursts)
        return;
    gather(bursts);
    free(bursts->ended);
    for (int i = 0; i < WORKERS_MAX; i++)
        free(bursts->workers[i].open.items);
    pthread_mutex_destroy(&bursts->lock);
    free(bursts);
}
