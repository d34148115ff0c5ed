/* Turns the chunks that came back into events. Chunks are sorted by block, and the records of one block are sorted by
 * the clock of its multiprocessor. Clocks of two multiprocessors start at different counts. The first chunk with a
 * timer aligns each of them, because it holds the global timer and the clock of one moment. One thread fills the trace
 * first; then several threads pass the events to a listener, block by block. */
#include "cuda/record/decode.h"
#include "cuda/record/lanes.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct record) == 16 && sizeof(struct record_chunk) == 32, "as the probes write them");
_Static_assert(sizeof(struct record_line) == 16 && offsetof(struct record_chunk, timer) == 16,
               "as the probes write it");

enum { WARPS_MOST = 32 /* per block */, THREADS_MOST = 64 };

struct clock_origin { /* per multiprocessor */
    uint64_t timer, clock;
    bool seen;
};

struct chunk { /* a chunk with its block and multiprocessor, which the head of a warp's own chunk does not hold */
    const struct record_chunk *head;
    uint64_t block;
    uint32_t sm;
};

struct moment { /* one event and its record */
    uint64_t clock;
    const struct record *record;
    const struct chunk *chunk;
    const struct record_entry *entry; /* of a run, else NULL */
};

struct group { /* the chunks of one block */
    uint64_t start, end;
};

struct decoder {
    const struct record_batch *batch;
    const struct trace_listener *listener; /* NULL while the trace is filled */
    struct trace *trace;
    struct error *error;
    struct chunk *chunks; /* sorted by block, without chunks that are unused */
    uint64_t chunk_count;
    struct {
        struct group *items;
        size_t count, capacity;
    } groups;
    struct clock_origin *origins;
    uint32_t origin_count;
    uint64_t first_timer, bytes;
};

/* One thread's scratch for putting the events of a block in order. */
struct worker {
    const struct decoder *decoder;
    unsigned number;
    uint64_t bytes; /* bytes that it read */
    struct error error;
    size_t last[WARPS_MOST][WARP_LANES];
    struct {
        struct moment *items;
        size_t count, capacity;
    } moments;
};

static uint32_t warp_of(const struct moment *moment)
{
    return moment->chunk->head->tag & RECORD_SITE_MASK;
}

static size_t size_of(const struct record_layout *layout, uint32_t tag)
{
    enum record_kind const kind = record_kind_of(tag);
    if (kind == RECORD_RUN)
        return layout->runs[tag & RECORD_SITE_MASK].bytes;
    if (kind == RECORD_VALUES)
        return sizeof(struct record_values);
    size_t const behind = kind == RECORD_LANES64                          ? WARP_LANES * sizeof(uint64_t)
                          : kind == RECORD_LANES32                        ? WARP_LANES * sizeof(uint32_t)
                          : kind == RECORD_AFFINE || kind == RECORD_GIVEN ? sizeof(struct record_line)
                                                                          : 0;
    return sizeof(struct record) + behind;
}

static int compare_chunks(const void *left, const void *right)
{
    const struct chunk *a = left, *b = right;
    return a->block != b->block ? (a->block < b->block ? -1 : 1) : (a->head > b->head) - (a->head < b->head);
}

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    if (a->clock != b->clock)
        return a->clock < b->clock ? -1 : 1;
    uint32_t const first = warp_of(a), second = warp_of(b);
    if (first != second)
        return first < second ? -1 : 1;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return (a->entry > b->entry) - (a->entry < b->entry);
}

static bool no_memory(struct error *error)
{
    error_set(error, ERROR_RUN, "no memory to read the GPU's record back");
    return error_remedy(error, "record fewer blocks with --blocks");
}

static struct clock_origin origin_of(const struct record_chunk *chunk)
{
    return (struct clock_origin){.timer = chunk->timer, .clock = chunk->clock, .seen = true};
}

/* Finds the origin of each multiprocessor's clock: the earliest chunk with a timer gives a clock and the time at that
 * clock. */
static bool find_origins(struct decoder *decoder)
{
    uint32_t last = 0;
    uint64_t const count = decoder->chunk_count;
    decoder->first_timer = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        const struct record_chunk *head = decoder->chunks[i].head;
        if (record_kind_of(head->tag) != RECORD_CHUNK || (head->tag & RECORD_SITE_MASK) >= WARPS_MOST)
            return error_set(decoder->error, ERROR_RUN, "the GPU's record is damaged: chunk %" PRIu64 " has no head",
                             i);
        last = decoder->chunks[i].sm > last ? decoder->chunks[i].sm : last;
        if (head->timer && head->timer < decoder->first_timer)
            decoder->first_timer = head->timer;
    }
    if (last >= 1 << 16)
        return error_set(decoder->error, ERROR_RUN, "the GPU's record is damaged: multiprocessor %u", last);
    decoder->origin_count = last + 1;
    decoder->origins = calloc(decoder->origin_count, sizeof *decoder->origins);
    if (!decoder->origins)
        return no_memory(decoder->error);
    for (uint64_t i = 0; i < count; i++) {
        const struct record_chunk *head = decoder->chunks[i].head;
        struct clock_origin *origin = &decoder->origins[decoder->chunks[i].sm];
        if (head->timer && (!origin->seen || head->clock < origin->clock))
            *origin = origin_of(head);
    }
    for (uint64_t i = 0; i < count; i++) { /* without any timer, the clock of a multiprocessor starts with the launch */
        const struct record_chunk *head = decoder->chunks[i].head;
        struct clock_origin *origin = &decoder->origins[decoder->chunks[i].sm];
        if (!origin->seen || (!origin->timer && head->clock < origin->clock))
            *origin = origin_of(head);
    }
    return true;
}

/* Returns the cycles since the launch's first chunk. A block's first chunk holds a clock that is not later than its
 * first record's. */
static uint64_t time_of(const struct decoder *decoder, const struct moment *moment)
{
    const struct clock_origin *origin = &decoder->origins[moment->chunk->sm];
    uint64_t const nanoseconds = origin->timer ? origin->timer - decoder->first_timer : 0;
    uint64_t const offset = (uint64_t)((double)nanoseconds * decoder->batch->clock_khz / 1e6) + moment->clock;
    return offset > origin->clock ? offset - origin->clock : 0;
}

static uint32_t mask_of(const struct record *record)
{
    return record_kind_of(record->tag) == RECORD_FULL32 ? UINT32_MAX : record->mask;
}

/* Passes an event on to the trace or the listener. lanes: of an access, else NULL. */
static void add_event(const struct worker *worker, const struct trace_event *event, const struct record_lanes *lanes)
{
    const struct trace_listener *listener = worker->decoder->listener;
    const uint64_t *addresses = lanes ? lanes->addresses : NULL;
    if (!listener)
        trace_add(worker->decoder->trace, event, addresses, lanes && lanes->valued ? lanes->values : NULL);
    else
        listener->event(listener->context, worker->number, event, addresses);
}

static enum ptx_space window_of(const struct record_windows *windows, uint64_t address)
{
    if (address - windows->shared_generic < RECORD_WINDOW_BYTES)
        return PTX_SPACE_SHARED;
    if (address - windows->local_generic < RECORD_WINDOW_BYTES)
        return PTX_SPACE_LOCAL;
    return PTX_SPACE_GLOBAL;
}

/* Adds one event for each space that the lanes' generic addresses fall in. */
static void add_generic(const struct worker *worker, struct trace_event event, struct record_lanes *lanes)
{
    static const enum ptx_space spaces[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL};
    const struct record_windows *windows = &worker->decoder->batch->windows;
    uint32_t const all = event.mask;
    uint64_t *addresses = lanes->addresses;
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
            add_event(worker, &event, lanes);
    }
}

static uint32_t word_at(const struct record *record, uint32_t at)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)record + at, sizeof word);
    return word;
}

/* Adds an access. A site in shared memory without addresses of 4 bytes is a cp.async, which reads global memory.
 * Addresses of constants count from their window on the GPU and become generic ones, by which variables are found. */
static void add_access(const struct worker *worker, struct trace_event event, struct record_lanes *lanes)
{
    enum ptx_space const space = worker->decoder->trace->sites[event.site].space;
    if (space == PTX_SPACE_SHARED && !lanes->small)
        event.space = PTX_SPACE_GLOBAL;
    for (unsigned lane = 0; space == PTX_SPACE_CONST && lane < WARP_LANES; lane++)
        lanes->addresses[lane] += worker->decoder->batch->windows.constant_generic;
    if (space == PTX_SPACE_GENERIC)
        add_generic(worker, event, lanes);
    else
        add_event(worker, &event, lanes);
}

/* Adds the accesses of a record, expanded by record_unfold where the site needs it. */
static void add_accesses(const struct worker *worker, struct trace_event event, const struct record *record,
                         struct record_lanes *lanes)
{
    const struct record_layout *layout = &worker->decoder->batch->layout;
    const struct record_unfold *unfold = layout->unfolded ? layout->unfolded[event.site] : NULL;
    struct record_lanes part = {.small = unfold && unfold->small};
    if (!unfold || lanes->valued) /* with values each access has its own record */
        add_access(worker, event, lanes);
    for (uint32_t i = 0; unfold && !lanes->valued; i++) {
        event.mask = record_unfold(unfold, i, record->other, lanes->addresses, part.addresses);
        if (!event.mask)
            return;
        add_access(worker, event, &part);
    }
}

static void add_moment(const struct worker *worker, const struct moment *moment)
{
    static const enum trace_kind kinds[] = {[RECORD_ACCESS] = TRACE_ACCESS,
                                            [RECORD_ARRIVE] = TRACE_BARRIER_ARRIVE,
                                            [RECORD_RELEASE] = TRACE_BARRIER_RELEASE,
                                            [RECORD_BRANCH] = TRACE_BRANCH_TAKEN};
    const struct decoder *decoder = worker->decoder;
    const struct record *record = moment->record;
    const struct record_entry *entry = moment->entry;
    struct trace_event event = {.kind = entry ? kinds[entry->event] : TRACE_ACCESS,
                                .site = entry ? entry->site : record->tag & RECORD_SITE_MASK,
                                .block = moment->chunk->block,
                                .warp = warp_of(moment),
                                .mask = mask_of(record),
                                .sm = moment->chunk->sm,
                                .time = time_of(decoder, moment)};
    struct record_lanes lanes;
    if (!entry && decoder->trace->sites[event.site].operation == TRACE_EXCHANGE)
        event.kind = TRACE_SHUFFLE;
    if (!entry && decoder->trace->sites[event.site].operation == TRACE_PRODUCT) {
        event.kind = TRACE_REGISTERS;
        event.other = record->other >> 8;
    }
    if (entry && entry->event != RECORD_ACCESS) {
        event.other = entry->event == RECORD_BRANCH ? word_at(record, entry->at) : 0;
        add_event(worker, &event, NULL);
        return;
    }
    record_find_lanes(record, entry, decoder->batch->row_shift, &lanes);
    if (event.kind != TRACE_ACCESS)
        add_event(worker, &event, &lanes);
    else
        add_accesses(worker, event, record, &lanes);
}

/* Collects the events of a record. *clock advances to the last of them. */
static void add_moments(struct worker *worker, const struct chunk *chunk, const struct record *record, uint64_t *clock)
{
    *clock += record->clock - (uint32_t)*clock; /* the clock's advance in 32 bits */
    struct moment moment = {.clock = *clock, .record = record, .chunk = chunk};
    if (record_kind_of(record->tag) != RECORD_RUN) {
        array_push(&worker->moments, moment);
        return;
    }
    const struct record_run *run = &worker->decoder->batch->layout.runs[record->tag & RECORD_SITE_MASK];
    for (uint32_t i = 0; i < run->entry_count; i++) {
        moment.entry = &run->entries[i];
        if (moment.entry->event == RECORD_ARRIVE && moment.entry->at)
            *clock += word_at(record, moment.entry->at) - (uint32_t)*clock;
        moment.clock = *clock;
        array_push(&worker->moments, moment);
    }
}

/* Returns false, with an error, when a record with this tag cannot stand here with so many bytes left in its chunk. */
static bool check_record(struct worker *worker, uint32_t tag, size_t bytes)
{
    const struct decoder *decoder = worker->decoder;
    const struct record_layout *layout = &decoder->batch->layout;
    enum record_kind const kind = record_kind_of(tag);
    uint32_t const number = tag & RECORD_SITE_MASK;
    if (kind < RECORD_RUN || kind >= RECORD_KINDS ||
        number >= (kind == RECORD_RUN ? layout->run_count : decoder->trace->site_count))
        return error_set(&worker->error, ERROR_RUN, "the GPU's record is damaged: a record of kind %u, number %u", kind,
                         number);
    if (kind == RECORD_GIVEN && !(layout->unfolded && layout->unfolded[number]))
        return error_set(&worker->error, ERROR_RUN, "the GPU's record is damaged: site %u is not a matrix access",
                         number);
    if (size_of(layout, tag) > bytes)
        return error_set(&worker->error, ERROR_RUN, "the GPU's record is damaged: a record leaves its chunk");
    return true;
}

/* Reads the records of a chunk in which each run has a fixed place. */
static bool read_places(struct worker *worker, const struct chunk *chunk)
{
    const struct record_batch *batch = worker->decoder->batch;
    uint64_t clock = chunk->head->clock;
    for (uint32_t i = 0; i < batch->layout.run_count; i++) {
        const struct record_run *run = &batch->layout.runs[i];
        const struct record *record = (const void *)((const uint8_t *)chunk->head + run->place);
        if (!run->place || record->tag == RECORD_NONE)
            continue;
        if (!check_record(worker, record->tag, batch->chunk_bytes - run->place))
            return false;
        if (record->tag != RECORD_TAG(RECORD_RUN, i))
            return error_set(&worker->error, ERROR_RUN, "the GPU's record is damaged: run %u", i);
        add_moments(worker, chunk, record, &clock);
        worker->bytes += run->bytes;
    }
    return true;
}

/* Reads all records of a chunk, up to the first unwritten memory. */
static bool read_chunk(struct worker *worker, const struct chunk *chunk)
{
    const struct record_batch *batch = worker->decoder->batch;
    const uint8_t *at = (const uint8_t *)(chunk->head + 1), *end = (const uint8_t *)chunk->head + batch->chunk_bytes;
    uint64_t clock = chunk->head->clock;
    worker->bytes += sizeof *chunk->head;
    if (batch->layout.chunk_bytes)
        return read_places(worker, chunk);
    while (at + sizeof(struct record) <= end) {
        const struct record *record = (const void *)at;
        if (record->tag == RECORD_NONE)
            return true;
        if (!check_record(worker, record->tag, (size_t)(end - at)))
            return false;
        add_moments(worker, chunk, record, &clock);
        worker->bytes += size_of(&batch->layout, record->tag);
        at += size_of(&batch->layout, record->tag);
    }
    return true;
}

/* Returns the lanes that reached the instruction. */
static uint32_t lanes_of(const struct worker *worker, const struct record *record)
{
    const struct record_layout *layout = &worker->decoder->batch->layout;
    const struct record_unfold *unfold = record_kind_of(record->tag) == RECORD_VALUES && layout->unfolded
                                             ? layout->unfolded[record->tag & RECORD_SITE_MASK]
                                             : NULL;
    return unfold && unfold->in_bulk ? UINT32_C(1) << (record->other >> 8 & 31) : mask_of(record);
}

/* Finds the last event of each lane, as its number + 1, or 0 for none. */
static void find_last(struct worker *worker)
{
    memset(worker->last, 0, sizeof worker->last);
    for (size_t m = 0; m < worker->moments.count; m++) {
        const struct moment *moment = &worker->moments.items[m];
        uint32_t const mask = lanes_of(worker, moment->record);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (mask >> lane & 1)
                worker->last[warp_of(moment)][lane] = m + 1;
    }
}

static void add_exit(const struct worker *worker, size_t m)
{
    const struct moment *moment = &worker->moments.items[m];
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (worker->last[warp_of(moment)][lane] == m + 1)
            mask |= UINT32_C(1) << lane;
    struct trace_event const event = {.kind = TRACE_EXIT,
                                      .site = PTX_NO_INDEX,
                                      .block = moment->chunk->block,
                                      .warp = warp_of(moment),
                                      .mask = mask,
                                      .sm = moment->chunk->sm,
                                      .time = time_of(worker->decoder, moment)};
    if (mask)
        add_event(worker, &event, NULL);
}

static bool add_block(struct worker *worker, const struct group *group)
{
    worker->moments.count = 0;
    for (uint64_t i = group->start; i < group->end; i++)
        if (!read_chunk(worker, &worker->decoder->chunks[i]))
            return false;
    if (!worker->moments.count)
        return true;
    qsort(worker->moments.items, worker->moments.count, sizeof *worker->moments.items, compare_moments);
    find_last(worker);
    for (size_t m = 0; m < worker->moments.count; m++) {
        add_moment(worker, &worker->moments.items[m]);
        if (worker->decoder->batch->complete)
            add_exit(worker, m);
    }
    return true;
}

static struct chunk chunk_at(const struct record_batch *batch, uint64_t i)
{
    const struct record_chunk *head = (const void *)(batch->chunks + i * batch->chunk_bytes);
    uint64_t const each = (uint64_t)RECORD_OWN_CHUNKS * batch->warps;
    if (i >= batch->own_chunks)
        return (struct chunk){head, head->block, head->sm};
    const struct record_chunk *first = (const void *)(batch->chunks + i / each * each * batch->chunk_bytes);
    return (struct chunk){head, batch->first + i / each, i % RECORD_OWN_CHUNKS ? head->sm : first->sm};
}

static bool sort_chunks(struct decoder *decoder)
{
    const struct record_batch *batch = decoder->batch;
    decoder->chunks = malloc(batch->chunk_count * sizeof *decoder->chunks);
    if (!decoder->chunks)
        return no_memory(decoder->error);
    for (uint64_t i = 0; i < batch->chunk_count; i++) {
        struct chunk const chunk = chunk_at(batch, i);
        bool const second = i < batch->own_chunks && i % RECORD_OWN_CHUNKS != 0;
        if (!second || chunk.head->tag != RECORD_NONE)
            decoder->chunks[decoder->chunk_count++] = chunk;
    }
    qsort(decoder->chunks, decoder->chunk_count, sizeof *decoder->chunks, compare_chunks);
    for (uint64_t i = 0; i < decoder->chunk_count;) {
        struct group group = {.start = i};
        while (i < decoder->chunk_count && decoder->chunks[i].block == decoder->chunks[group.start].block)
            i++;
        group.end = i;
        array_push(&decoder->groups, group);
    }
    return true;
}

static bool fill_trace(struct decoder *decoder)
{
    struct launch_blocks const recorded = decoder->trace->recorded;
    struct worker worker = {.decoder = decoder};
    bool good = true;
    for (size_t i = 0; i < decoder->groups.count && good; i++) {
        uint64_t const block = decoder->chunks[decoder->groups.items[i].start].block;
        if (block >= recorded.first && block <= recorded.last)
            good = add_block(&worker, &decoder->groups.items[i]);
    }
    free(worker.moments.items);
    decoder->bytes = worker.bytes;
    if (!good && decoder->error)
        *decoder->error = worker.error;
    return good;
}

struct crowd { /* threads that take one block after the other */
    const struct decoder *decoder;
    atomic_size_t next;
    atomic_bool failed;
    struct worker workers[THREADS_MOST];
    atomic_uint started;
};

static void *listen(void *context)
{
    struct crowd *crowd = context;
    unsigned const number = atomic_fetch_add(&crowd->started, 1);
    struct worker *worker = &crowd->workers[number];
    worker->decoder = crowd->decoder;
    worker->number = number;
    for (;;) {
        size_t const i = atomic_fetch_add(&crowd->next, 1);
        if (i >= crowd->decoder->groups.count || atomic_load(&crowd->failed))
            break;
        const struct group *group = &crowd->decoder->groups.items[i];
        const struct trace_listener *listener = crowd->decoder->listener;
        if (!add_block(worker, group))
            atomic_store(&crowd->failed, true);
        if (listener->ended)
            listener->ended(listener->context, number, crowd->decoder->chunks[group->start].block);
    }
    free(worker->moments.items);
    return NULL;
}

static bool tell_listener(struct decoder *decoder)
{
    long const processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : (size_t)processors, count = 0;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    pthread_t threads[THREADS_MOST];
    if (!crowd)
        return no_memory(decoder->error);
    crowd->decoder = decoder;
    wanted = wanted < decoder->groups.count ? wanted : decoder->groups.count;
    while (count + 1 < wanted && pthread_create(&threads[count], NULL, listen, crowd) == 0)
        count++;
    listen(crowd);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    bool const good = !atomic_load(&crowd->failed);
    decoder->bytes = 0;
    for (size_t i = 0; i < THREADS_MOST; i++)
        decoder->bytes += crowd->workers[i].bytes;
    for (size_t i = 0; i < THREADS_MOST && !good; i++)
        if (crowd->workers[i].error.kind != ERROR_NONE && decoder->error)
            *decoder->error = crowd->workers[i].error;
    free(crowd);
    return good;
}

bool record_decode(const struct record_batch *batch, const struct trace_listener *listener, struct trace *trace,
                   struct error *error)
{
    if (!batch->chunk_count)
        return true;
    struct decoder decoder = {.batch = batch, .trace = trace, .error = error};
    bool good = sort_chunks(&decoder) && find_origins(&decoder) && fill_trace(&decoder);
    if (good) {
        trace_sort(trace);
        decoder.listener = listener && listener->event ? listener : NULL;
        good = !decoder.listener || tell_listener(&decoder);
    }
    if (batch->bytes)
        *batch->bytes += decoder.bytes;
    free(decoder.groups.items);
    free(decoder.origins);
    free(decoder.chunks);
    return good;
}
