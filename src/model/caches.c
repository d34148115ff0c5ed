/* A block's accesses become steps: a line, some of its sectors, and what is done to them. Blocks are dealt to the
 * multiprocessors in turn. Those that are resident together on one, a group, are simulated together when all have
 * ended, because a block runs at once here: the first step of each warp, then the second of each, and so on. What
 * leaves the L1s goes to the L2 group by group, in the order of the times at which it leaves. */
#include "model/caches_run.h"

static void pass_accesses(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                          uint64_t times)
{
    const struct caches_run *run = context;
    if (run->next.accesses)
        run->next.accesses(run->next.context, worker, event, addresses, times);
}

static void pass_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    const struct caches_run *run = context;
    if (run->next.sums)
        run->next.sums(run->next.context, worker, site, sums);
}

static void hear_end(void *context, unsigned number, uint64_t block)
{
    struct caches_run *run = context;
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (run->next.ended)
        run->next.ended(run->next.context, number, block);
    struct stream *stream = caches_steps_of(run, worker, block);
    if (!stream)
        return;
    if (stream == worker->now)
        caches_steps_close(worker);
    memmove(worker->open.items + worker->found, worker->open.items + worker->found + 1,
            (--worker->open.count - worker->found) * sizeof *worker->open.items);
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
        caches_serve_l2(run);
}

/* Empties everything but the L2: at the end, and when the launch runs once more. */
static void empty(struct caches_run *run)
{
    for (size_t i = 0; i < WORKERS_MAX; i++) {
        for (size_t k = 0; k < run->workers[i].open.count; k++) {
            run->workers[i].open.items[k]->next = NULL;
            caches_steps_free(run->workers[i].open.items[k]);
        }
        run->workers[i].open.count = run->workers[i].found = 0;
        run->workers[i].now = NULL;
        run->workers[i].slab = NULL;
        run->workers[i].at = run->workers[i].limit = NULL;
        run->workers[i].key = UINT64_MAX;
        free(run->workers[i].sectors);
        free(run->workers[i].forms);
        run->workers[i].sectors = NULL;
        run->workers[i].forms = NULL;
        run->workers[i].local_loads = run->workers[i].local_stores = 0;
    }
    for (size_t i = 0; run->processors && i < run->machine.multiprocessors; i++) {
        struct processor *processor = &run->processors[i];
        caches_steps_free(processor->ended);
        if (processor->now) {
            *processor->last = processor->now;
            processor->now->next = NULL;
        }
        caches_group_free(processor->first);
        free(processor->l1);
        free(processor->site_misses);
        pthread_mutex_destroy(&processor->lock);
        *processor = (struct processor){.last = &processor->first};
        pthread_mutex_init(&processor->lock, NULL);
    }
    memset(run->loads, 0, sizeof run->loads);
    dram_reset(&run->dram, run->machine.dram);
    caches_slabs_free(run);
    run->sums = (struct caches){0};
    run->merged = 0;
    run->time = run->time_before + SOON_TIME;
}

static void hear_again(void *context)
{
    struct caches_run *run = context;
    empty(run);
    if (run->l2_before)
        l2_restore(&run->l2, run->l2_before);
    else
        l2_empty(&run->l2);
    if (run->next.restart)
        run->next.restart(run->next.context);
}

/* All times so far lie SOON_TIME before that of the second launch. */
bool caches_launch_again(struct caches_run *run, struct trace_listener next)
{
    caches_serve_l2(run);
    run->time_before = run->time;
    empty(run);
    run->next = next;
    free(run->l2_before);
    run->l2_before = l2_copy(&run->l2);
    return run->l2_before != NULL;
}

/* The first sites that may access global memory get the places. */
static void add_site_step(struct caches_run *run, uint32_t number)
{
    const struct trace_site *site = &run->sites[number];
    step const rest = (step)(number < SITE_MOST ? number : SITE_MOST) << (KIND_BITS + 4) | run->kinds[number];
    bool const global = site->space == PTX_SPACE_GLOBAL || site->space == PTX_SPACE_GENERIC;
    run->site_steps[number] =
        (struct site_step){.rest = rest, .place = PLACE_WHOLE, .global = site->space == PTX_SPACE_GLOBAL};
    if (!global || run->places == PLACES)
        return;
    run->site_steps[number].place = (uint8_t)run->places;
    run->rests[run->places++] = rest;
}

struct caches_run *caches_new(const struct trace_site *sites, uint32_t site_count, const struct caches_machine *machine,
                              struct trace_listener next)
{
    struct caches_run *run = aligned_alloc(_Alignof(struct caches_run), sizeof *run);
    if (!run)
        return NULL;
    memset(run, 0, sizeof *run);
    run->sites = sites;
    run->site_count = site_count;
    run->machine = *machine;
    run->next = next;
    dram_reset(&run->dram, machine->dram);
    if (machine->dram)
        run->span_bits = (unsigned)__builtin_ctzll(dram_row_span(machine->dram) / SECTOR_BYTES);
    pthread_mutex_init(&run->l2_lock, NULL);
    pthread_mutex_init(&run->free_lock, NULL);
    run->kinds = calloc(site_count + 1, sizeof *run->kinds);
    run->site_steps = calloc(site_count + 1, sizeof *run->site_steps);
    run->processors = calloc(machine->multiprocessors, sizeof *run->processors);
    if (!run->kinds || !run->site_steps || !run->processors || !l2_new(&run->l2, machine->l2_bytes)) {
        caches_free(run);
        return NULL;
    }
    for (size_t i = 0; i < machine->multiprocessors; i++) {
        run->processors[i].last = &run->processors[i].first;
        pthread_mutex_init(&run->processors[i].lock, NULL);
    }
    for (uint32_t i = 0; i < site_count; i++) {
        run->kinds[i] = caches_steps_kind_of(&sites[i]);
        add_site_step(run, i);
    }
    for (size_t i = 0; i < WORKERS_MAX; i++)
        run->workers[i].key = UINT64_MAX;
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

/* Adds up the sectors of each site, and of them those that were in the L1: all but those that an L1 missed. */
static void sum_sites(const struct caches_run *run, struct caches *sums, struct caches_site *sites)
{
    uint64_t asked[STEP_KINDS] = {0};
    for (uint32_t k = 0; k < run->site_count; k++) {
        enum step_kind const kind = run->kinds[k];
        uint64_t sectors = 0, misses = 0;
        for (size_t i = 0; i < WORKERS_MAX; i++)
            sectors += run->workers[i].sectors ? run->workers[i].sectors[k] : 0;
        for (size_t i = 0; i < run->machine.multiprocessors && k < SITE_MOST; i++)
            misses += run->processors[i].site_misses ? run->processors[i].site_misses[k] : 0;
        asked[kind] += sectors;
        if (k >= SITE_MOST || kind == STEP_COPY || kind == STEP_ATOMIC)
            continue;
        sites[k].sectors = sectors;
        sites[k].l1_hits = kind == STEP_LOAD_PAST ? 0 : sectors - misses;
    }
    for (size_t i = 0; i < WORKERS_MAX; i++) {
        asked[STEP_LOCAL_LOAD] += run->workers[i].local_loads;
        asked[STEP_LOCAL_STORE] += run->workers[i].local_stores;
    }
    uint64_t hits[STEP_KINDS];
    memcpy(hits, asked, sizeof hits);
    for (size_t i = 0; i < run->machine.multiprocessors; i++)
        for (unsigned kind = 0; kind < STEP_KINDS; kind++)
            hits[kind] -= run->processors[i].misses[kind];
    sums->load_hits = hits[STEP_LOAD] + hits[STEP_LOAD_FIRST];
    sums->store_hits = hits[STEP_STORE];
    sums->local_loads = asked[STEP_LOCAL_LOAD];
    sums->local_load_hits = hits[STEP_LOCAL_LOAD];
    sums->local_stores = asked[STEP_LOCAL_STORE];
    sums->sites = sites;
    sums->site_count = run->site_count;
}

static bool all_ended(const struct caches_run *run)
{
    for (size_t i = 0; i < run->machine.multiprocessors; i++)
        if (run->processors[i].done != caches_blocks_of(run, i))
            return false;
    return true;
}

const struct caches *caches_sum(struct caches_run *run, struct arena *arena, bool *overflowed)
{
    caches_serve_l2(run);
    *overflowed = run->failed || run->l2.failed;
    if (*overflowed || !all_ended(run))
        return NULL;
    struct caches *sums = arena_new(arena, struct caches);
    *sums = run->sums;
    sums->measured = run->machine.measured;
    sums->row_hits = run->dram.hits;
    sums->row_misses = run->dram.misses;
    sums->row_conflicts = run->dram.conflicts;
    sum_sites(run, sums, arena_array(arena, struct caches_site, run->site_count));
    sums->l2_reads_least = sums->l2_reads - run->merged;
    sums->shared = (double)run->merged > CACHES_DOUBT_MOST * (double)sums->l2_reads;
    return sums;
}

void caches_free(struct caches_run *run)
{
    if (!run)
        return;
    empty(run);
    caches_steps_free(run->free);
    caches_group_free(run->free_groups);
    for (size_t i = 0; i < WORKERS_MAX; i++)
        free(run->workers[i].open.items);
    for (size_t i = 0; run->processors && i < run->machine.multiprocessors; i++)
        pthread_mutex_destroy(&run->processors[i].lock);
    free(run->processors);
    free(run->kinds);
    free(run->site_steps);
    l2_free(&run->l2);
    free(run->l2_before);
    pthread_mutex_destroy(&run->l2_lock);
    pthread_mutex_destroy(&run->free_lock);
    free(run);
}

bool caches_l2_hits_known(const struct caches *caches)
{
    return !caches->shared && (double)caches->l2_read_late <= CACHES_DOUBT_MOST * (double)caches->l2_reads;
}

size_t caches_counters(const struct caches *caches, struct arena *arena, struct counter **counters)
{
    const struct counter all[] = {
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", caches->load_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", caches->store_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", caches->local_loads},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", caches->local_load_hits},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", caches->local_stores},
        {CACHES_L2_READS, caches->shared ? CACHES_UNKNOWN : caches->l2_reads},
        {CACHES_L2_READ_HITS, caches_l2_hits_known(caches) ? caches->l2_read_hits : CACHES_UNKNOWN},
        {"lts__t_sectors_srcunit_tex_op_write.sum", caches->l2_writes},
        {"dram__sectors_read.sum", caches->dram_reads},
    };
    size_t const count = sizeof all / sizeof *all;
    *counters = arena_array(arena, struct counter, count);
    for (size_t i = 0; i < count; i++)
        (*counters)[i] = all[i];
    return count;
}
