/* What leaves the L1s goes to the L2 group by group, in the order of the times at which it leaves: those of one time in
 * the order of the multiprocessors. */
#include "model/caches_run.h"

struct group *caches_group_take(struct caches_run *run)
{
    pthread_mutex_lock(&run->free_lock);
    struct group *group = run->free_groups;
    if (group)
        run->free_groups = group->next;
    pthread_mutex_unlock(&run->free_lock);
    if (!group)
        return calloc(1, sizeof *group);
    group->next = NULL;
    group->out.count = 0;
    group->out.last = 0;
    return group;
}

static void group_return(struct caches_run *run, struct group *group)
{
    pthread_mutex_lock(&run->free_lock);
    group->next = run->free_groups;
    run->free_groups = group;
    pthread_mutex_unlock(&run->free_lock);
}

void caches_group_free(struct group *group)
{
    while (group) {
        struct group *next = group->next;
        free(group->out.items);
        free(group);
        group = next;
    }
}

/* The pairs of sectors that the L2 is asked for next. It begins to read what it knows of a pair when that comes in,
 * and if it knows nothing, AHEAD before its turn the place that the pair gets. */
enum { QUEUED = 32, AHEAD = 16, EMPTIED_MOST = 1024 };
struct queue {
    struct queued {
        struct l2_place place;
        uint32_t time;
        uint8_t wanted;
        enum request_kind kind : 8;
    } items[QUEUED];
    size_t in, out; /* how many came in, and how many were served */
};

/* The DRAM delivers both sectors of a pair. */
static inline void read_rows(struct caches_run *run, const struct l2_place *place)
{
    uint64_t const pair = place->chunk->number << L2_CHUNK_BITS | place->at;
    for (uint64_t sector = 2 * pair; sector < 2 * pair + 2; sector++) {
        const struct dram_span *span =
            dram_span_of(run->machine.dram, run->spans, ROW_SPANS, sector >> run->span_bits, sector * SECTOR_BYTES);
        dram_open(&run->dram, span->bank, span->row);
    }
}

static inline void serve(struct caches_run *run, struct queue *queue)
{
    struct caches *sums = &run->sums;
    if (queue->out + AHEAD < queue->in)
        l2_prefetch_member(&run->l2, &queue->items[(queue->out + AHEAD) % QUEUED].place);
    const struct queued *now = &queue->items[queue->out++ % QUEUED];
    struct l2_answer const answer =
        l2_use_pair(&run->l2, &now->place, now->wanted, now->kind == REQUEST_STORE, now->time, SOON_TIME);
    sums->dram_reads += answer.reads;
    if (answer.reads && run->machine.dram)
        read_rows(run, &now->place);
    if (now->kind == REQUEST_LOAD) {
        sums->l2_read_hits += count_of(answer.hits);
        sums->l2_read_late += count_of(answer.late);
    }
}

static inline void enqueue(struct caches_run *run, struct queue *queue, uint64_t pair, uint8_t wanted, uint32_t time,
                           enum request_kind kind)
{
    if (!wanted)
        return;
    if (queue->in - queue->out == QUEUED)
        serve(run, queue);
    struct queued *last = &queue->items[queue->in++ % QUEUED];
    *last = (struct queued){.place = l2_place_of(&run->l2, pair), .time = time, .wanted = wanted, .kind = kind};
    l2_prefetch_pair(&run->l2, &last->place);
}

/* Serves all that came in. */
static void drain(struct caches_run *run, struct queue *queue)
{
    while (queue->out < queue->in)
        serve(run, queue);
    l2_tidy(&run->l2);
}

/* Where the L2 is in the requests of a multiprocessor. */
struct reading {
    const request *at, *end;
    uint32_t time; /* of the next request, since the group began; NO_TIME: there is none */
    uint16_t processor;
};
#define NO_TIME UINT32_MAX

/* Goes to the next request, when `at` is behind one. */
static inline void advance(struct reading *reading)
{
    uint32_t time = reading->time;
    for (; reading->at != reading->end; reading->at++) {
        time += request_time(*reading->at);
        if (request_sectors(*reading->at)) {
            reading->time = time;
            return;
        }
    }
    reading->time = NO_TIME;
}

static inline struct merge *merge_of(struct caches_run *run, request asked)
{
    uint64_t const name = request_line(asked) * 16 + request_sectors(asked);
    return &run->loads[merge_place(name, LOAD_MERGES)];
}

static inline __attribute__((always_inline)) void prefetch_merge(struct caches_run *run, request asked)
{
    if (request_kind(asked) == REQUEST_LOAD)
        __builtin_prefetch(merge_of(run, asked), 1);
}

/* Returns whether a load may become one request with those before it, and notes it. since: units of time since then. */
static inline bool may_merge(struct merge *merge, request asked, uint16_t processor, uint32_t time, uint32_t *since)
{
    uint64_t const name = request_line(asked) + 1;
    uint8_t const sectors = request_sectors(asked);
    *since = time - merge->time;
    bool const may = merge->name == name && merge->sectors == sectors && merge->count < MERGED_MOST &&
                     (merge->processor != processor || *since <= LOAD_TIME);
    *merge = (struct merge){
        .name = name, .time = time, .processor = processor, .sectors = sectors, .count = may ? merge->count + 1 : 1};
    return may;
}

static inline void ask_l2(struct caches_run *run, struct queue *queue, request asked, uint16_t processor, uint32_t time)
{
    uint64_t const line = request_line(asked);
    uint8_t const sectors = request_sectors(asked);
    enum request_kind const kind = request_kind(asked);
    uint32_t since;
    time += run->time;
    if (kind == REQUEST_LOAD) {
        run->sums.l2_reads += count_of(sectors);
        if (may_merge(merge_of(run, asked), asked, processor, time, &since)) {
            run->merged += count_of(sectors);
            if (since <= SOON_TIME) { /* it is in the L2, or on its way there, and need not be looked up */
                run->sums.l2_read_hits += count_of(sectors);
                return;
            }
        }
    } else if (kind == REQUEST_STORE) {
        run->sums.l2_writes += count_of(sectors);
    }
    enqueue(run, queue, line * 2, sectors & L2_BOTH, time, kind);
    enqueue(run, queue, line * 2 + 1, sectors >> 2, time, kind);
}

/* The requests of some units of time, by time. */
enum { WINDOW = 64 };
struct window {
    struct {
        struct asked {
            request request;
            uint32_t time;
            uint16_t processor;
        } * items;
        size_t count, capacity;
    } asked;
    uint32_t ends[WINDOW + 1]; /* by time: index behind its last request */
};

/* Gives the L2 the requests of a window that begins at a time: sorts them by time first. Returns how many they were. */
static size_t ask_l2_sorted(struct caches_run *run, struct reading *readings, size_t count, uint32_t begin,
                            struct window *window, struct queue *queue)
{
    memset(window->ends, 0, sizeof window->ends);
    for (size_t i = 0; i < count; i++)
        for (struct reading reading = readings[i]; reading.time - begin < WINDOW; reading.at++, advance(&reading))
            window->ends[reading.time - begin + 1]++;
    for (unsigned time = 0; time < WINDOW; time++)
        window->ends[time + 1] += window->ends[time];
    size_t const all = window->ends[WINDOW];
    window->asked.items = array_grow(window->asked.items, &window->asked.capacity, all, sizeof *window->asked.items);
    for (size_t i = 0; i < count; i++)
        for (struct reading *reading = &readings[i]; reading->time - begin < WINDOW; reading->at++, advance(reading))
            window->asked.items[window->ends[reading->time - begin]++] =
                (struct asked){*reading->at, reading->time, reading->processor};
    for (size_t i = 0; i < all; i++) {
        const struct asked *asked = &window->asked.items[i];
        if (i + AHEAD < all)
            prefetch_merge(run, asked[AHEAD].request);
        ask_l2(run, queue, asked->request, asked->processor, asked->time);
    }
    return all;
}

/* The same, where most multiprocessors have a request at most times: takes them from each in turn. */
static size_t ask_l2_in_turn(struct caches_run *run, struct reading *readings, size_t count, uint32_t begin,
                             struct queue *queue)
{
    enum { LINE_REQUESTS = 64 / sizeof(request), LINES = 4 };
    size_t all = 0;
    for (uint32_t time = begin; time - begin < WINDOW; time++)
        for (struct reading *reading = readings; reading < readings + count; reading++)
            for (; reading->time == time; all++) {
                __builtin_prefetch(reading->at + LINES * LINE_REQUESTS);
                ask_l2(run, queue, *reading->at++, reading->processor, time);
                advance(reading);
                if (reading->time != NO_TIME)
                    prefetch_merge(run, *reading->at);
            }
    return all;
}

/* Gives the L2 a group of every multiprocessor, in the order of their times. */
static void ask_l2_for_group(struct caches_run *run, struct group **groups, const size_t *numbers, size_t count)
{
    struct reading *readings = calloc(count ? count : 1, sizeof *readings);
    struct window window = {0};
    struct queue queue = {.in = 0};
    uint32_t last = 0;
    if (!readings) {
        run->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct outgoing *out = &groups[i]->out;
        readings[i] = (struct reading){.at = out->items,
                                       .end = out->count ? out->items + out->count : out->items,
                                       .processor = (uint16_t)numbers[i]};
        advance(&readings[i]);
        last = out->last > last ? out->last : last;
    }
    for (size_t asked = 0;;) {
        uint32_t begin = NO_TIME;
        for (size_t i = 0; i < count; i++)
            begin = readings[i].time < begin ? readings[i].time : begin;
        if (begin == NO_TIME)
            break;
        asked = asked > count * WINDOW / 2 ? ask_l2_in_turn(run, readings, count, begin, &queue)
                                           : ask_l2_sorted(run, readings, count, begin, &window, &queue);
        if (run->l2.emptied_count > EMPTIED_MOST)
            drain(run, &queue);
    }
    drain(run, &queue);
    run->time += last + LOAD_TIME + 1;
    free(window.asked.items);
    free(readings);
}

void caches_serve_l2(struct caches_run *run)
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
            bool const over = processor->done == caches_blocks_of(run, i);
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
        for (size_t i = 0; i < have; i++) {
            struct processor *processor = &run->processors[numbers[i]];
            pthread_mutex_lock(&processor->lock);
            if (!(processor->first = groups[i]->next))
                processor->last = &processor->first;
            pthread_mutex_unlock(&processor->lock);
            group_return(run, groups[i]);
        }
    }
    pthread_mutex_unlock(&run->l2_lock);
    if (!groups || !numbers)
        run->failed = true;
    free(numbers);
    free(groups);
}
