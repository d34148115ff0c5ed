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

/* The requests of some units of time, by time. */
enum { WINDOW = 64 };
struct window {
    struct {
        struct request *items;
        size_t count, capacity;
    } asked;
    uint32_t ends[WINDOW + 1]; /* by time: index behind its last request */
};

/* The pairs of sectors that the L2 is asked for next. It begins to read a set when the pair comes in, and the pair
 * AHEAD before its turn. */
enum { AHEAD = 16, QUEUED = 2 * AHEAD };
struct queue {
    struct queued {
        struct l2_place place;
        uint32_t time;
        uint8_t wanted;
        enum step_kind kind : 8;
    } items[QUEUED];
    size_t in, out; /* how many came in, and how many were served */
};

static inline void serve(struct caches_run *run, struct queue *queue)
{
    struct caches *sums = &run->sums;
    if (queue->out + AHEAD < queue->in)
        l2_prefetch_pair(&run->l2, &queue->items[(queue->out + AHEAD) % QUEUED].place);
    const struct queued *now = &queue->items[queue->out++ % QUEUED];
    struct l2_answer const answer =
        l2_use_pair(&run->l2, &now->place, now->wanted, now->kind == STEP_STORE, now->time, SOON_TIME);
    sums->dram_reads += answer.reads;
    if (now->kind == STEP_STORE) {
        sums->l2_writes += count_of(now->wanted);
    } else if (now->kind == STEP_LOAD) {
        sums->l2_reads += count_of(now->wanted);
        sums->l2_read_hits += count_of(answer.hits);
    }
}

static inline void enqueue(struct caches_run *run, struct queue *queue, uint64_t pair, uint8_t wanted, uint32_t time,
                           enum step_kind kind)
{
    if (!wanted)
        return;
    if (queue->in - queue->out == QUEUED)
        serve(run, queue);
    struct queued *last = &queue->items[queue->in++ % QUEUED];
    *last = (struct queued){.place = l2_place_of(&run->l2, pair), .time = time, .wanted = wanted, .kind = kind};
    l2_prefetch_set(&run->l2, &last->place);
}

/* Returns whether a load may become one request with those before it, and notes it. since: units of time since then. */
static inline bool may_merge(struct merge *merge, const struct request *request, uint32_t time, uint32_t *since)
{
    *since = time - merge->time;
    bool const may = merge->name == request->line + 1 && merge->sectors == request->sectors &&
                     merge->count < MERGED_MOST && (merge->processor != request->processor || *since <= LOAD_TIME);
    *merge = (struct merge){.name = request->line + 1,
                            .time = time,
                            .processor = request->processor,
                            .sectors = request->sectors,
                            .count = may ? merge->count + 1 : 1};
    return may;
}

static inline void ask_l2(struct caches_run *run, struct queue *queue, const struct request *request)
{
    uint32_t const time = run->time + request->time;
    uint64_t const line = request->line;
    uint32_t since;
    if (request->kind == STEP_LOAD &&
        may_merge(&run->loads[merge_place(line * 16 + request->sectors, LOAD_MERGES)], request, time, &since)) {
        run->merged += count_of(request->sectors);
        if (since <= SOON_TIME) { /* it is in the L2, or on its way there, and need not be looked up */
            run->sums.l2_reads += count_of(request->sectors);
            run->sums.l2_read_hits += count_of(request->sectors);
            return;
        }
    }
    enqueue(run, queue, line * 2, request->sectors & L2_BOTH, time, request->kind);
    enqueue(run, queue, line * 2 + 1, request->sectors >> 2, time, request->kind);
}

/* Gives the L2 the requests of a window that begins at a time. at: of each group, its next request. */
static void ask_l2_for_window(struct caches_run *run, struct group **groups, size_t count, size_t *at, uint32_t begin,
                              struct window *window, struct queue *queue)
{
    memset(window->ends, 0, sizeof window->ends);
    for (size_t i = 0; i < count; i++) {
        const struct outgoing *out = &groups[i]->out;
        for (size_t k = at[i]; k < out->count && out->items[k].time - begin < WINDOW; k++)
            window->ends[out->items[k].time - begin + 1]++;
    }
    for (unsigned time = 0; time < WINDOW; time++)
        window->ends[time + 1] += window->ends[time];
    size_t const all = window->ends[WINDOW];
    window->asked.items = array_grow(window->asked.items, &window->asked.capacity, all, sizeof *window->asked.items);
    for (size_t i = 0; i < count; i++) {
        const struct outgoing *out = &groups[i]->out;
        for (; at[i] < out->count && out->items[at[i]].time - begin < WINDOW; at[i]++) {
            struct request const request = out->items[at[i]];
            window->asked.items[window->ends[request.time - begin]++] = request;
        }
    }
    for (size_t i = 0; i < all; i++)
        ask_l2(run, queue, &window->asked.items[i]);
}

/* Gives the L2 a group of every multiprocessor, in the order of their times. */
static void ask_l2_for_group(struct caches_run *run, struct group **groups, size_t count)
{
    size_t *at = calloc(count ? count : 1, sizeof *at);
    struct window window = {0};
    struct queue queue = {.in = 0};
    uint32_t last = 0;
    if (!at) {
        run->failed = true;
        return;
    }
    for (;;) {
        uint32_t begin = UINT32_MAX;
        for (size_t i = 0; i < count; i++) {
            const struct outgoing *out = &groups[i]->out;
            if (at[i] < out->count && out->items[at[i]].time < begin)
                begin = out->items[at[i]].time;
        }
        if (begin == UINT32_MAX)
            break;
        ask_l2_for_window(run, groups, count, at, begin, &window, &queue);
    }
    while (queue.out < queue.in)
        serve(run, &queue);
    for (size_t i = 0; i < count; i++) {
        const struct outgoing *out = &groups[i]->out;
        if (out->count && out->items[out->count - 1].time > last)
            last = out->items[out->count - 1].time;
    }
    run->time += last + LOAD_TIME + 1;
    free(window.asked.items);
    free(at);
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
        ask_l2_for_group(run, groups, have);
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
