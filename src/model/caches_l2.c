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
enum { WINDOW = 64, AHEAD = 8 };
struct window {
    struct {
        struct asked {
            struct request request;
            uint32_t side; /* of the L2 */
        } * items;
        size_t count, capacity;
    } asked;
    uint32_t ends[WINDOW + 1]; /* by time: index behind its last request */
};

static void ask_l2(struct caches_run *run, const struct asked *asked)
{
    struct caches *sums = &run->sums;
    const struct request *request = &asked->request;
    struct merge *loads = run->loads[asked->side];
    uint32_t const time = run->time + request->time;
    if (request->kind == STEP_LOAD &&
        merges(&loads[merge_place(request->line, LOAD_MERGES)], request->line, request->sectors, time, LOAD_TIME)) {
        run->merged += count_of(request->sectors);
        return;
    }
    struct l2_answer const answer =
        l2_use(&run->l2, request->line, request->sectors, request->kind == STEP_STORE, time, SOON_TIME);
    sums->dram_reads += answer.reads;
    if (request->kind == STEP_STORE)
        sums->l2_writes += count_of(request->sectors);
    if (request->kind != STEP_LOAD)
        return;
    sums->l2_reads += count_of(request->sectors);
    sums->l2_read_hits += count_of(answer.hits);
}

/* Gives the L2 the requests of a window that begins at a time. at: of each group, its next request. */
static void ask_l2_for_window(struct caches_run *run, struct group **groups, const size_t *numbers, size_t count,
                              size_t *at, uint32_t begin, struct window *window)
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
        uint32_t const side = (uint32_t)(numbers[i] * L2_SIDES / run->machine.multiprocessors);
        for (; at[i] < out->count && out->items[at[i]].time - begin < WINDOW; at[i]++) {
            struct request const request = out->items[at[i]];
            window->asked.items[window->ends[request.time - begin]++] = (struct asked){request, side};
        }
    }
    for (size_t i = 0; i < all; i++) {
        if (i + AHEAD < all)
            l2_prefetch(&run->l2, window->asked.items[i + AHEAD].request.line);
        ask_l2(run, &window->asked.items[i]);
    }
}

/* Gives the L2 a group of every multiprocessor, in the order of their times. */
static void ask_l2_for_group(struct caches_run *run, struct group **groups, const size_t *numbers, size_t count)
{
    size_t *at = calloc(count ? count : 1, sizeof *at);
    struct window window = {0};
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
        ask_l2_for_window(run, groups, numbers, count, at, begin, &window);
    }
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
