#include "model/outliers.h"
#include "model/coalescing.h"
#include <stdlib.h>

enum { PASS_BYTES = 128 };

static void add_cost(struct outlier_cost *cost, const struct site_counts *counts)
{
    uint64_t const passes = counts->wavefronts + counts->constant_passes;
    uint64_t const ideal = counts->wavefronts_ideal + counts->constant_passes_ideal;
    cost->requests += counts->requests;
    cost->sectors += counts->sectors;
    cost->sectors_ideal += counts->sectors_ideal;
    cost->passes += passes;
    cost->passes_ideal += ideal;
    cost->wasted += SECTOR_BYTES * (counts->sectors - counts->sectors_ideal) + PASS_BYTES * (passes - ideal);
}

/* Lists the sites that cost sectors or passes, and the divergent branches. row_of receives each site's row + 1. */
static void list_sites(struct outliers *outliers, const struct counts *counts, const struct caches *caches,
                       uint32_t *row_of)
{
    const struct trace *trace = outliers->trace;
    for (uint32_t i = 0; i < trace->site_count && i < counts->site_count; i++) {
        const struct trace_site *site = &trace->sites[i];
        const struct site_counts *count = &counts->sites[i];
        enum ptx_space const space = counts_space(site, count);
        bool const memory = count->sectors || count->wavefronts || count->constant_passes;
        if (!memory && !(site->operation == TRACE_BRANCH && count->divergent))
            continue;
        size_t at = 0;
        while (at < outliers->site_count &&
               !counts_same_place(outliers->sites[at].site, outliers->sites[at].space, site, space))
            at++;
        struct outlier_site *row = &outliers->sites[at];
        if (at == outliers->site_count) {
            *row = (struct outlier_site){.site = site, .space = space, .event = SIZE_MAX};
            outliers->site_count++;
        }
        row->copies++;
        row->divergent += count->divergent;
        add_cost(&row->cost, count);
        if (caches && i < caches->site_count && site->operation == TRACE_LOAD && count->global_requests) {
            row->cached = true;
            row->l1_hits += caches->sites[i].l1_hits;
        }
        row_of[i] = (uint32_t)at + 1;
    }
}

static int in_order(uint64_t a_block, uint32_t a_warp, uint64_t b_block, uint32_t b_warp)
{
    if (a_block != b_block)
        return a_block < b_block ? -1 : 1;
    return (a_warp > b_warp) - (a_warp < b_warp);
}

static int by_place(const void *left, const void *right)
{
    const struct outlier_warp *a = left, *b = right;
    return in_order(a->block, a->warp, b->block, b->warp);
}

static int events_by_place(const void *left, const void *right)
{
    const struct trace_event *a = *(const struct trace_event *const *)left,
                             *b = *(const struct trace_event *const *)right;
    return in_order(a->block, a->warp, b->block, b->warp);
}

/* Lists the warps that accessed memory in recorded blocks, by block and warp. */
static void list_warps(struct outliers *outliers, struct arena *arena, struct arena *scratch)
{
    const struct trace *trace = outliers->trace;
    const struct trace_event **accesses = arena_array(scratch, const struct trace_event *, trace->events.count);
    size_t count = 0, warps = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == TRACE_ACCESS)
            accesses[count++] = &trace->events.items[i];
    if (count)
        qsort(accesses, count, sizeof *accesses, events_by_place);
    for (size_t i = 0; i < count; i++) /* the first of each warp */
        if (i == 0 || events_by_place(&accesses[i], &accesses[i - 1]) != 0)
            accesses[warps++] = accesses[i];
    outliers->warps = arena_array(arena, struct outlier_warp, warps);
    outliers->warp_count = warps;
    for (size_t i = 0; i < warps; i++)
        outliers->warps[i] =
            (struct outlier_warp){.block = accesses[i]->block, .warp = accesses[i]->warp, .event = SIZE_MAX};
}

static struct outlier_warp *warp_of(struct outliers *outliers, const struct trace_event *event)
{
    struct outlier_warp const key = {.block = event->block, .warp = event->warp};
    return bsearch(&key, outliers->warps, outliers->warp_count, sizeof key, by_place);
}

/* Notes the most wasteful access of each site and each warp. A site's first event stands for it where none wastes. */
static void find_events(struct outliers *outliers, const uint32_t *row_of, struct arena *scratch)
{
    const struct trace *trace = outliers->trace;
    uint64_t *most_site = arena_array(scratch, uint64_t, outliers->site_count + 1);
    uint64_t *most_warp = arena_array(scratch, uint64_t, outliers->warp_count + 1);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        bool const access = event->kind == TRACE_ACCESS;
        if (event->site >= trace->site_count || (!access && event->kind != TRACE_BRANCH_TAKEN))
            continue;
        struct site_counts counts = {0};
        struct outlier_cost cost = {0};
        counts_event(&trace->sites[event->site], &counts, event, access ? trace_addresses(trace, event) : NULL);
        add_cost(&cost, &counts);
        uint32_t const row = row_of[event->site];
        uint64_t const weight = cost.wasted + counts.divergent;
        if (row && (outliers->sites[row - 1].event == SIZE_MAX || weight > most_site[row - 1])) {
            outliers->sites[row - 1].event = i;
            most_site[row - 1] = weight;
        }
        struct outlier_warp *warp = access ? warp_of(outliers, event) : NULL;
        if (!warp)
            continue;
        add_cost(&warp->cost, &counts);
        if (warp->event == SIZE_MAX || weight > most_warp[warp - outliers->warps]) {
            warp->event = i;
            most_warp[warp - outliers->warps] = weight;
        }
    }
}

static void note_beyond(struct outlier_cost *cost, uint64_t l1_hits)
{
    uint64_t const held = SECTOR_BYTES * l1_hits;
    cost->beyond = cost->wasted > held ? cost->wasted - held : 0;
}

static int by_waste(const struct outlier_cost *a, const struct outlier_cost *b)
{
    if (a->beyond != b->beyond)
        return a->beyond < b->beyond ? 1 : -1;
    return (a->wasted < b->wasted) - (a->wasted > b->wasted);
}

static int sites_by_waste(const void *left, const void *right)
{
    const struct outlier_site *a = left, *b = right;
    bool const a_branch = a->site->operation == TRACE_BRANCH, b_branch = b->site->operation == TRACE_BRANCH;
    int const waste = by_waste(&a->cost, &b->cost);
    if (a_branch != b_branch)
        return a_branch ? 1 : -1;
    if (waste)
        return waste;
    if (a->divergent != b->divergent)
        return a->divergent < b->divergent ? 1 : -1;
    return (a->site > b->site) - (a->site < b->site);
}

static int warps_by_waste(const void *left, const void *right)
{
    const struct outlier_warp *a = left, *b = right;
    int const waste = by_waste(&a->cost, &b->cost);
    return waste ? waste : by_place(left, right);
}

struct outliers *outliers_new(struct arena *arena, const struct trace *trace, const struct counts *counts,
                              const struct caches *caches)
{
    struct arena scratch = {0};
    struct outliers *outliers = arena_new(arena, struct outliers);
    uint32_t *row_of = arena_array(&scratch, uint32_t, trace->site_count + 1);
    outliers->trace = trace;
    outliers->cached = caches != NULL;
    outliers->sites = arena_array(arena, struct outlier_site, trace->site_count + 1);
    list_sites(outliers, counts, caches, row_of);
    list_warps(outliers, arena, &scratch);
    find_events(outliers, row_of, &scratch);
    for (size_t i = 0; i < outliers->site_count; i++) {
        struct outlier_site *site = &outliers->sites[i];
        note_beyond(&site->cost, site->l1_hits);
        outliers->sites_wasted += site->cost.wasted;
        outliers->sites_beyond += site->cost.beyond;
    }
    for (size_t i = 0; i < outliers->warp_count; i++) {
        note_beyond(&outliers->warps[i].cost, 0);
        outliers->warps_wasted += outliers->warps[i].cost.wasted;
    }
    if (outliers->site_count)
        qsort(outliers->sites, outliers->site_count, sizeof *outliers->sites, sites_by_waste);
    if (outliers->warp_count)
        qsort(outliers->warps, outliers->warp_count, sizeof *outliers->warps, warps_by_waste);
    arena_free(&scratch);
    return outliers;
}
