/* From the chunks that came back to events. Chunks are sorted by block, so that one block's records are put in the
 * order of its multiprocessor's clock at a time. Clocks of two multiprocessors start at different counts: each is set
 * by its first chunk, which holds the global timer and the clock of one moment. */
#include "cuda/record.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct record) == 16 && sizeof(struct record_chunk) == 32, "as the probes write them");
_Static_assert(sizeof(struct record_pool) == 64, "as the probes step over them");

struct record_plan record_plan(uint64_t blocks, uint32_t warps, uint64_t limit)
{
    uint64_t const all = blocks > UINT64_MAX / warps ? UINT64_MAX : blocks * warps;
    struct record_plan plan = {.chunk_bytes = all > 1 << 15 ? 512 : all > 1 << 11 ? 1024 : 4096, .pools = 1};
    while (plan.pools < 256 && plan.pools * UINT64_C(2) <= blocks)
        plan.pools *= 2;
    uint64_t const a_warp = UINT64_C(1) << 18, least = UINT64_C(1) << 24;
    uint64_t bytes = all > limit / a_warp ? limit : all * a_warp;
    if (bytes < least)
        bytes = least < limit ? least : limit;
    plan.pool_chunks = bytes / plan.pools / plan.chunk_bytes;
    return plan;
}

struct clock_origin { /* of one multiprocessor */
    uint64_t timer, clock;
    bool seen;
};

struct moment { /* one record and where to find it */
    uint64_t clock;
    const struct record *record;
    const struct record_chunk *chunk;
};

enum { WARPS_MOST = 32 }; /* in a block */

struct decoder {
    const struct record_batch *batch;
    const struct trace_listener *listener;
    struct trace *trace;
    struct error *error;
    struct clock_origin *origins;
    uint32_t origin_count;
    uint64_t first_timer;
    bool complete; /* no record was lost */
    size_t last[WARPS_MOST][WARP_LANES];
    struct {
        struct moment *items;
        size_t count, capacity;
    } moments;
};

static uint32_t warp_of(const struct moment *moment)
{
    return moment->chunk->tag & RECORD_SITE_MASK;
}

static enum record_kind kind_of(uint32_t tag)
{
    return (enum record_kind)(tag >> 24);
}

static size_t size_of(enum record_kind kind)
{
    size_t const base = 16;
    size_t const behind = kind == RECORD_LANES64   ? WARP_LANES * sizeof(uint64_t)
                          : kind == RECORD_LANES32 ? WARP_LANES * sizeof(uint32_t)
                          : kind == RECORD_AFFINE  ? base
                                                   : 0;
    return sizeof(struct record) + behind;
}

static int compare_chunks(const void *left, const void *right)
{
    const struct record_chunk *a = *(const struct record_chunk *const *)left;
    const struct record_chunk *b = *(const struct record_chunk *const *)right;
    return a->block != b->block ? (a->block < b->block ? -1 : 1) : (a > b) - (a < b);
}

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    if (a->clock != b->clock)
        return a->clock < b->clock ? -1 : 1;
    uint32_t const first = warp_of(a), second = warp_of(b);
    if (first != second)
        return first < second ? -1 : 1;
    return (a->record > b->record) - (a->record < b->record);
}

static bool no_memory(struct error *error)
{
    error_set(error, ERROR_RUN, "no memory to read back what the GPU recorded");
    return error_remedy(error, "record fewer blocks with --blocks");
}

/* The earliest chunk of each multiprocessor says how far its clock was at which time. */
static bool find_origins(struct decoder *decoder, const struct record_chunk *const *chunks)
{
    uint32_t last = 0;
    decoder->first_timer = UINT64_MAX;
    for (uint64_t i = 0; i < decoder->batch->chunk_count; i++) {
        if (kind_of(chunks[i]->tag) != RECORD_CHUNK || (chunks[i]->tag & RECORD_SITE_MASK) >= WARPS_MOST)
            return error_set(decoder->error, ERROR_RUN,
                             "what the GPU recorded is damaged: chunk %" PRIu64 " has no head", i);
        last = chunks[i]->sm > last ? chunks[i]->sm : last;
        decoder->first_timer = chunks[i]->timer < decoder->first_timer ? chunks[i]->timer : decoder->first_timer;
    }
    if (last >= 1 << 16)
        return error_set(decoder->error, ERROR_RUN, "what the GPU recorded is damaged: multiprocessor %u", last);
    decoder->origin_count = last + 1;
    decoder->origins = calloc(decoder->origin_count, sizeof *decoder->origins);
    if (!decoder->origins)
        return no_memory(decoder->error);
    for (uint64_t i = 0; i < decoder->batch->chunk_count; i++) {
        struct clock_origin *origin = &decoder->origins[chunks[i]->sm];
        if (!origin->seen || chunks[i]->clock < origin->clock)
            *origin = (struct clock_origin){.timer = chunks[i]->timer, .clock = chunks[i]->clock, .seen = true};
    }
    return true;
}

/* Cycles since the first chunk of the launch. A chunk holds the clock of its first record: none is older. */
static uint64_t time_of(const struct decoder *decoder, const struct moment *moment)
{
    const struct clock_origin *origin = &decoder->origins[moment->chunk->sm];
    double const nanoseconds = (double)(origin->timer - decoder->first_timer);
    uint64_t const offset = (uint64_t)(nanoseconds * decoder->batch->clock_khz / 1e6);
    return offset + moment->clock - origin->clock;
}

static void addresses_of(const struct record *record, uint64_t addresses[WARP_LANES])
{
    enum record_kind const kind = kind_of(record->tag);
    int const first = record->mask ? __builtin_ctz(record->mask) : 0;
    const uint64_t *wide = (const void *)(record + 1);
    const uint32_t *narrow = (const void *)(record + 1);
    for (int lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = kind == RECORD_LANES64 ? wide[lane]
                          : kind == RECORD_LANES32
                              ? narrow[lane]
                              : wide[0] + (uint64_t)((int64_t)(int32_t)record->other * (lane - first));
}

static void add_event(struct decoder *decoder, const struct trace_event *event, const uint64_t *addresses)
{
    trace_add(decoder->trace, event, addresses, NULL);
    if (decoder->listener && decoder->listener->event)
        decoder->listener->event(decoder->listener->context, 0, event, addresses);
}

static enum ptx_space window_of(const struct record_windows *windows, uint64_t address)
{
    if (address - windows->shared_generic < RECORD_WINDOW_BYTES)
        return PTX_SPACE_SHARED;
    if (address - windows->local_generic < RECORD_WINDOW_BYTES)
        return PTX_SPACE_LOCAL;
    return PTX_SPACE_GLOBAL;
}

/* One event for each space that the lanes' generic addresses fall in. */
static void add_generic(struct decoder *decoder, struct trace_event event, uint64_t *addresses)
{
    static const enum ptx_space spaces[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL};
    const struct record_windows *windows = &decoder->batch->windows;
    uint32_t const all = event.mask;
    uint32_t in[3] = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        enum ptx_space const space = window_of(windows, addresses[lane]);
        unsigned const which = space == PTX_SPACE_GLOBAL ? 0 : space == PTX_SPACE_SHARED ? 1 : 2;
        in[which] |= all & (UINT32_C(1) << lane);
        if (space == PTX_SPACE_SHARED)
            addresses[lane] -= windows->shared_generic;
        else if (space == PTX_SPACE_LOCAL)
            addresses[lane] -= windows->local_generic;
    }
    for (unsigned i = 0; i < 3; i++) {
        event.mask = in[i];
        event.space = spaces[i];
        if (event.mask)
            add_event(decoder, &event, addresses);
    }
}

static bool add_moment(struct decoder *decoder, const struct moment *moment)
{
    const struct record *record = moment->record;
    struct trace_event event = {.site = record->tag & RECORD_SITE_MASK,
                                .block = moment->chunk->block,
                                .warp = warp_of(moment),
                                .mask = record->mask,
                                .sm = moment->chunk->sm,
                                .time = time_of(decoder, moment)};
    enum record_kind const kind = kind_of(record->tag);
    if (event.site >= decoder->trace->site_count)
        return error_set(decoder->error, ERROR_RUN, "what the GPU recorded is damaged: site %u", event.site);
    uint64_t addresses[WARP_LANES] = {0};
    switch (kind) {
    case RECORD_AFFINE:
    case RECORD_LANES32:
    case RECORD_LANES64:
        event.kind = TRACE_ACCESS;
        addresses_of(record, addresses);
        if (decoder->trace->sites[event.site].space == PTX_SPACE_GENERIC)
            add_generic(decoder, event, addresses);
        else
            add_event(decoder, &event, addresses);
        return true;
    case RECORD_ARRIVE:
        event.kind = TRACE_BARRIER_ARRIVE;
        break;
    case RECORD_RELEASE:
        event.kind = TRACE_BARRIER_RELEASE;
        break;
    default:
        event.kind = TRACE_BRANCH_TAKEN;
        event.other = record->other;
        break;
    }
    add_event(decoder, &event, NULL);
    return true;
}

/* Every record of a chunk, up to the first memory nobody wrote. */
static bool read_chunk(struct decoder *decoder, const struct record_chunk *chunk)
{
    const uint8_t *at = (const uint8_t *)chunk + sizeof *chunk, *end = (const uint8_t *)chunk;
    end += decoder->batch->chunk_bytes;
    uint64_t clock = chunk->clock;
    while (at < end) {
        const struct record *record = (const void *)at;
        enum record_kind const kind = kind_of(record->tag);
        if (kind == RECORD_NONE)
            return true;
        if (kind < RECORD_AFFINE || kind > RECORD_BRANCH || size_of(kind) > (size_t)(end - at))
            return error_set(decoder->error, ERROR_RUN, "what the GPU recorded is damaged: a record of kind %u", kind);
        clock += record->clock - (uint32_t)clock; /* in 32 bits: how far the clock went on */
        struct moment const moment = {.clock = clock, .record = record, .chunk = chunk};
        array_push(&decoder->moments, moment);
        at += size_of(kind);
    }
    return true;
}

/* Which moment is the last of each lane; number of the moment + 1, 0 for none. */
static void find_last(struct decoder *decoder)
{
    memset(decoder->last, 0, sizeof decoder->last);
    for (size_t m = 0; m < decoder->moments.count; m++) {
        const struct moment *moment = &decoder->moments.items[m];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (moment->record->mask >> lane & 1)
                decoder->last[warp_of(moment)][lane] = m + 1;
    }
}

static void add_exit(struct decoder *decoder, size_t m)
{
    const struct moment *moment = &decoder->moments.items[m];
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (decoder->last[warp_of(moment)][lane] == m + 1)
            mask |= UINT32_C(1) << lane;
    struct trace_event const event = {.kind = TRACE_EXIT,
                                      .site = PTX_NO_INDEX,
                                      .block = moment->chunk->block,
                                      .warp = warp_of(moment),
                                      .mask = mask,
                                      .sm = moment->chunk->sm,
                                      .time = time_of(decoder, moment)};
    if (mask)
        add_event(decoder, &event, NULL);
}

static bool add_block(struct decoder *decoder)
{
    if (!decoder->moments.count)
        return true;
    qsort(decoder->moments.items, decoder->moments.count, sizeof *decoder->moments.items, compare_moments);
    find_last(decoder);
    for (size_t m = 0; m < decoder->moments.count; m++) {
        if (!add_moment(decoder, &decoder->moments.items[m]))
            return false;
        if (decoder->complete)
            add_exit(decoder, m);
    }
    return true;
}

static bool decode_blocks(struct decoder *decoder, const struct record_chunk *const *chunks)
{
    uint64_t const count = decoder->batch->chunk_count;
    for (uint64_t i = 0; i < count;) {
        uint64_t const block = chunks[i]->block;
        decoder->moments.count = 0;
        for (; i < count && chunks[i]->block == block; i++)
            if (!read_chunk(decoder, chunks[i]))
                return false;
        if (!add_block(decoder))
            return false;
    }
    return true;
}

bool record_decode(const struct record_batch *batch, const struct trace_listener *listener, struct trace *trace,
                   struct error *error)
{
    if (!batch->chunk_count)
        return true;
    const struct record_chunk **chunks = malloc(batch->chunk_count * sizeof(const struct record_chunk *));
    if (!chunks)
        return no_memory(error);
    for (uint64_t i = 0; i < batch->chunk_count; i++)
        chunks[i] = (const void *)(batch->chunks + i * batch->chunk_bytes);
    qsort(chunks, batch->chunk_count, sizeof(const struct record_chunk *), compare_chunks);
    struct decoder decoder = {
        .batch = batch, .listener = listener, .trace = trace, .error = error, .complete = trace->lost == 0};
    bool const good = find_origins(&decoder, chunks) && decode_blocks(&decoder, chunks);
    if (good)
        trace_sort(trace);
    free(decoder.moments.items);
    free(decoder.origins);
    free(chunks);
    return good;
}
