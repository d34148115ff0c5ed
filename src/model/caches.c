/* A block's accesses become steps: a line, some of its sectors, and what is done to them. Blocks are dealt to the
 * multiprocessors in turn. Those that are resident together on one, a group, are simulated together when all have
 * ended, because a block runs at once here: the first step of each warp, then the second of each, and so on. What
 * leaves the L1s goes to the L2 group by group, in the order of the times at which it leaves. */
#include "model/caches_run.h"

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
    struct stream *stream = caches_steps_of(run, number, block);
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
    caches_simulate(run, block % run->machine.multiprocessors);
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
            caches_steps_free(run->workers[i].open.items[k]);
        }
        run->workers[i].open.count = run->workers[i].at = 0;
        run->workers[i].sure_hits = 0;
        free(run->workers[i].sites);
        run->workers[i].sites = NULL;
    }
    for (size_t i = 0; run->processors && i < run->machine.multiprocessors; i++) {
        struct processor *processor = &run->processors[i];
        caches_steps_free(processor->ended);
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
        run->kinds[i] = caches_steps_kind_of(&sites[i]);
    run->time = SOON_TIME;
    return run;
}

struct trace_listener caches_listener(struct caches_run *run)
{
    return (struct trace_listener){.context = run,
                                   .event = caches_steps_hear,
                                   .accesses = run->next.accesses ? pass_accesses : NULL,
                                   .halves = caches_steps_hear_halves,
                                   .sums = run->next.sums ? pass_sums : NULL,
                                   .arrived = caches_steps_hear_arrival,
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
        if (processor->done != caches_blocks_of(run, i))
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
    caches_steps_free(run->free);
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
