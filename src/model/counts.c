/* Each worker has a table of sites in memory of its own, so that workers share no cache line and take no lock. */
#include "model/counts.h"
#include "base/processor.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"

struct worker_tally {
    struct arena arena; /* chunks of 64 KiB and more, so that two workers' counts never share a cache line */
    struct site_counts *counts;
};

struct counts_tally {
    const struct trace_site *sites;
    uint32_t site_count;
    struct arena arena;
    struct worker_tally workers[COUNTS_WORKERS_MAX];
};

/* Returns the passes of a matrix access (ldmatrix, stmatrix): eight rows at a time, even where two rows are the
 * same. */
static uint64_t passes_of_rows(const struct trace_event *event, const uint64_t *addresses,
                               const struct trace_site *site, uint32_t *ideal)
{
    uint64_t passes = 0;
    *ideal = 0;
    for (unsigned first = 0; first < WARP_LANES; first += 8) {
        uint32_t const rows = event->mask & 0xffu << first;
        uint32_t least = 0;
        if (rows)
            passes += model_wavefronts(addresses, rows, site->bytes, banks_operation(site), &least);
        *ideal += least;
    }
    return passes;
}

/* Counts `times` events that all count alike. */
static void count_events(const struct trace_site *site, struct site_counts *count, const struct trace_event *event,
                         const uint64_t *addresses, uint64_t times)
{
    uint32_t ideal = 0;
    if (event->mask == 0)
        return;
    switch (event->kind) {
    case TRACE_ACCESS:
        if (trace_space(site, event) == PTX_SPACE_GLOBAL) {
            count->global_requests += times;
            count->sectors += times * model_sectors(addresses, event->mask, site->bytes, &ideal);
            count->sectors_ideal += times * ideal;
            if (site->past_l1)
                count->pair_lines += times * model_pair_lines(addresses, event->mask);
        } else if (trace_space(site, event) == PTX_SPACE_SHARED) {
            count->shared_requests += times;
            count->wavefronts +=
                times * (site->unit == TRACE_BY_ROWS
                             ? passes_of_rows(event, addresses, site, &ideal)
                             : model_wavefronts(addresses, event->mask, site->bytes, banks_operation(site), &ideal));
            count->wavefronts_ideal += times * ideal;
        } else if (trace_space(site, event) == PTX_SPACE_CONST) {
            count->constant_requests += times;
            count->constant_passes += times * model_constant_passes(addresses, event->mask, site->bytes, &ideal);
            count->constant_passes_ideal += times * ideal;
        }
        break;
    case TRACE_BRANCH_TAKEN:
        count->divergent += times * (event->other != 0 && event->other != event->mask);
        break;
    case TRACE_BARRIER_ARRIVE:
        break;
    default:
        return;
    }
    count->requests += times;
    count->lanes += times * (uint32_t)__builtin_popcount(event->mask);
}

COUNTS_BITS void counts_event(const struct trace_site *site, struct site_counts *counts,
                              const struct trace_event *event, const uint64_t *addresses)
{
    count_events(site, counts, event, addresses, 1);
}

struct counts_tally *counts_tally_new(const struct trace_site *sites, uint32_t site_count)
{
    struct arena arena = {0};
    struct counts_tally *tally = arena_new(&arena, struct counts_tally);
    tally->sites = sites;
    tally->site_count = site_count;
    tally->arena = arena;
    return tally;
}

static struct site_counts *counts_of(struct counts_tally *tally, unsigned worker)
{
    struct worker_tally *own = &tally->workers[worker % COUNTS_WORKERS_MAX];
    if (!own->counts)
        own->counts = arena_array(&own->arena, struct site_counts, tally->site_count);
    return own->counts;
}

COUNTS_BITS static void tally_accesses(void *context, unsigned worker, const struct trace_event *event,
                                       const uint64_t *addresses, uint64_t times)
{
    struct counts_tally *tally = context;
    if (event->site < tally->site_count)
        count_events(&tally->sites[event->site], &counts_of(tally, worker)[event->site], event, addresses, times);
}

COUNTS_BITS static void tally_event(void *context, unsigned worker, const struct trace_event *event,
                                    const uint64_t *addresses)
{
    tally_accesses(context, worker, event, addresses, 1);
}

static void tally_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    struct counts_tally *tally = context;
    if (site >= tally->site_count)
        return;
    struct site_counts *counts = &counts_of(tally, worker)[site];
    counts->requests += sums->events;
    counts->lanes += sums->lanes;
    counts->divergent += sums->divergent;
}

static void tally_restart(void *context)
{
    struct counts_tally *tally = context;
    for (unsigned worker = 0; worker < COUNTS_WORKERS_MAX; worker++) {
        struct site_counts *counts = tally->workers[worker].counts;
        for (uint32_t i = 0; counts && i < tally->site_count; i++)
            counts[i] = (struct site_counts){0};
    }
}

struct trace_listener counts_listener(struct counts_tally *tally)
{
    return (struct trace_listener){.context = tally,
                                   .event = tally_event,
                                   .accesses = tally_accesses,
                                   .sums = tally_sums,
                                   .restart = tally_restart};
}

enum ptx_space counts_space(const struct trace_site *site, const struct site_counts *counts)
{
    return counts->global_requests == counts->requests   ? PTX_SPACE_GLOBAL
           : counts->shared_requests == counts->requests ? PTX_SPACE_SHARED
                                                         : site->space;
}

bool counts_same_place(const struct trace_site *a, enum ptx_space a_space, const struct trace_site *b,
                       enum ptx_space b_space)
{
    return b->line && a->line == b->line && a->file == b->file && a->column == b->column &&
           a->operation == b->operation && a->bytes == b->bytes && a_space == b_space;
}

void counts_add(struct site_counts *to, const struct site_counts *from)
{
    to->requests += from->requests;
    to->global_requests += from->global_requests;
    to->shared_requests += from->shared_requests;
    to->constant_requests += from->constant_requests;
    to->lanes += from->lanes;
    to->sectors += from->sectors;
    to->sectors_ideal += from->sectors_ideal;
    to->pair_lines += from->pair_lines;
    to->wavefronts += from->wavefronts;
    to->wavefronts_ideal += from->wavefronts_ideal;
    to->constant_passes += from->constant_passes;
    to->constant_passes_ideal += from->constant_passes_ideal;
    to->divergent += from->divergent;
}

void counts_tally_sum(struct counts_tally *tally, struct arena *arena, struct counts *counts)
{
    *counts = (struct counts){.sites = arena_array(arena, struct site_counts, tally->site_count),
                              .site_count = tally->site_count};
    for (unsigned worker = 0; worker < COUNTS_WORKERS_MAX; worker++)
        for (uint32_t i = 0; tally->workers[worker].counts && i < tally->site_count; i++)
            counts_add(&counts->sites[i], &tally->workers[worker].counts[i]);
    for (uint32_t i = 0; i < tally->site_count; i++) {
        if (tally->sites[i].operation != TRACE_BRANCH)
            continue;
        counts->totals.branches += counts->sites[i].requests;
        counts->totals.branches_divergent += counts->sites[i].divergent;
    }
}

void counts_tally_free(struct counts_tally *tally)
{
    if (!tally)
        return;
    for (unsigned worker = 0; worker < COUNTS_WORKERS_MAX; worker++)
        arena_free(&tally->workers[worker].arena);
    struct arena arena = tally->arena;
    arena_free(&arena);
}

void counts_of_trace(const struct trace *trace, struct arena *arena, struct counts *counts)
{
    *counts = (struct counts){.sites = arena_array(arena, struct site_counts, trace->site_count),
                              .site_count = trace->site_count,
                              .totals = trace->totals};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        const uint64_t *addresses = event->kind == TRACE_ACCESS ? trace_addresses(trace, event) : NULL;
        if (event->site < trace->site_count)
            counts_event(&trace->sites[event->site], &counts->sites[event->site], event, addresses);
    }
}

size_t counts_counters(const struct counts *counts, const struct trace_site *sites, struct arena *arena,
                       struct counter **counters)
{
    struct site_counts load = {0}, store = {0}, atomic = {0};
    for (uint32_t i = 0; i < counts->site_count; i++) {
        struct site_counts count = counts->sites[i];
        if (sites[i].unit == TRACE_BY_ROWS) /* counted by another counter */
            count.shared_requests = 0;
        if (sites[i].unit == TRACE_IN_BULK) /* a bulk copy does not pass through the unit of these counters */
            continue;
        if (sites[i].past_l1)
            count.sectors = count.pair_lines;
        if (sites[i].operation == TRACE_LOAD)
            counts_add(&load, &count);
        else if (sites[i].operation == TRACE_STORE)
            counts_add(&store, &count);
        else if (sites[i].operation == TRACE_ATOMIC || sites[i].operation == TRACE_REDUCTION)
            counts_add(&atomic, &count);
    }
    const struct counter all[] = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", load.global_requests},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", load.sectors},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", store.global_requests},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", store.sectors},
        {"smsp__sass_inst_executed_op_shared_ld.sum", load.shared_requests},
        {"smsp__sass_inst_executed_op_shared_st.sum", store.shared_requests},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", load.wavefronts},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", store.wavefronts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", load.wavefronts - load.wavefronts_ideal},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", store.wavefronts - store.wavefronts_ideal},
        {"branches", counts->totals.branches},
        {"branches_divergent", counts->totals.branches_divergent},
        {"warp_instructions", counts->totals.warp_instructions},
        {"thread_instructions", counts->totals.thread_instructions},
        {"constant_requests", load.constant_requests},
        {"constant_passes", load.constant_passes},
        {"sm__idc_divergent_instruction_replays.sum", load.constant_passes - load.constant_passes_ideal},
        {"smsp__sass_inst_executed_op_shared_atom.sum", atomic.shared_requests},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", atomic.wavefronts},
    };
    size_t const count = sizeof all / sizeof *all;
    *counters = arena_array(arena, struct counter, count);
    for (size_t i = 0; i < count; i++)
        (*counters)[i] = all[i];
    return count;
}
