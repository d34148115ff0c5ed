/* The rows of explanations: their counts, the worst access of each, and the kind that its pattern shows. */
#include "model/atomics.h"
#include "model/coalescing.h"
#include "model/explain_rows.h"
#include "source/tokens.h"
#include "trace/by_place.h"
#include <stdlib.h>
#include <string.h>

enum { PASS_BYTES = 128, LANE_BYTES = 4, FEW_WARPS = 3 /* less than a third of the room for warps is few */ };

static const struct kind {
    const char *word, *lesson;
    bool waste;
} kinds[] = {
#define WASTE true
#define NOTE false
#define EXPLAIN(name, word, lesson, class) {word, lesson, class},
#include "model/explain.def"
#undef WASTE
#undef NOTE
};

const char *explain_word(enum explain_kind kind)
{
    return kinds[kind].word;
}

const char *explain_lesson(enum explain_kind kind)
{
    return kinds[kind].lesson;
}

/* What each way moves in the launch, in bytes; of branches 128 a recorded step. beyond: of global and local memory,
 * without the sectors that the L1 held. */
struct traffic {
    uint64_t global, shared, constant, beyond;
};

/* ---- rows ---- */

/* The lines of the source that call printf: what such a line writes to local memory is the arguments. */
struct printing {
    bool *lines;
    uint32_t count;
};

static struct printing printing_lines(struct arena *arena, const struct trace *trace)
{
    const struct source *source = source_read(arena, trace->source, NULL, 0, SOURCE_ALL);
    const struct source_token *token = source->tokens, *end = token + source->count;
    struct printing printing = {.count = source->count ? end[-1].line : 0};
    printing.lines = arena_array(arena, bool, (size_t)printing.count + 1);
    for (; token < end; token++) {
        if (!source_is(token, "printf") || token + 1 == end || !source_is(token + 1, "("))
            continue;
        const struct source_token *behind = source_closed(token + 1, end);
        for (uint32_t line = token->line; line <= behind[-1].line; line++)
            printing.lines[line] = true;
    }
    return printing;
}

static bool prints(const struct printing *printing, const struct trace_site *site)
{
    return site->line <= printing->count && printing->lines[site->line];
}

static bool belongs(const struct printing *printing, const struct trace_site *site, const struct site_counts *counts)
{
    if (!counts->requests)
        return false;
    if (site->operation == TRACE_BRANCH)
        return counts->divergent > 0 && !trace_waits(site);
    if (site->operation > TRACE_REDUCTION || site->unit == TRACE_IN_BULK)
        return false;
    return counts->sectors || counts->wavefronts || counts->constant_passes ||
           (site->space == PTX_SPACE_LOCAL && !prints(printing, site));
}

static void list_rows(struct arena *arena, struct explain_rows *rows, const struct counts *counts,
                      struct traffic *traffic)
{
    const struct trace *trace = rows->trace;
    struct by_place places = by_place_new(arena, trace->site_count, true);
    struct printing const printing = printing_lines(arena, trace);
    for (uint32_t i = 0; i < trace->site_count && i < counts->site_count; i++) {
        const struct trace_site *site = &trace->sites[i];
        const struct site_counts *count = &counts->sites[i];
        enum ptx_space const space = counts_space(site, count);
        if (!belongs(&printing, site, count))
            continue;
        uint32_t found = by_place_first(&places, site);
        while (found &&
               !counts_same_place(rows->items[found - 1].is.site, rows->items[found - 1].is.space, site, space))
            found = by_place_next(&places, found);
        size_t const at = found ? found - 1 : rows->count;
        struct explain_row *row = &rows->items[at];
        if (!found) {
            by_place_add(&places, site, (uint32_t)at);
            row->is = (struct explanation){.kind = EXPLAIN_FINE, .site = site, .space = space, .event = SIZE_MAX};
            rows->count++;
        }
        row->is.copies++;
        counts_add(&row->is.counts, count);
        rows->of_site[i] = (uint32_t)at + 1;
        traffic->global += SECTOR_BYTES * count->sectors;
        traffic->shared += PASS_BYTES * count->wavefronts;
        traffic->constant += PASS_BYTES * count->constant_passes;
        if (space == PTX_SPACE_LOCAL)
            traffic->global += count->lanes * site->bytes;
    }
}

static uint64_t less(uint64_t all, uint64_t part)
{
    return all > part ? all - part : 0;
}

static bool is_local(const struct explanation *is)
{
    return is->space == PTX_SPACE_LOCAL;
}

/* Adds the sectors of loads that the model of the caches followed, and what goes beyond the L1: what loads miss, stores
 * and atomics. */
static void add_caches(struct explain_rows *rows, const struct caches *caches, struct traffic *traffic)
{
    for (uint32_t i = 0; i < caches->site_count && i < rows->trace->site_count; i++) {
        struct explanation *is = rows->of_site[i] ? &rows->items[rows->of_site[i] - 1].is : NULL;
        if (!is || is->site->operation != TRACE_LOAD)
            continue;
        is->l1_sectors += caches->sites[i].sectors;
        is->l1_hits += caches->sites[i].l1_hits;
        is->l1_measured = caches->measured;
    }
    traffic->beyond = SECTOR_BYTES * (caches->local_loads - caches->local_load_hits);
    for (size_t i = 0; i < rows->count; i++) {
        struct explanation *is = &rows->items[i].is;
        is->cached = is->counts.sectors || is_local(is);
        traffic->beyond += SECTOR_BYTES * less(is->counts.sectors, is->l1_hits);
        if (!is_local(is))
            continue;
        if (is->site->operation == TRACE_LOAD) {
            is->l1_sectors = caches->local_loads;
            is->l1_hits = caches->local_load_hits;
        } else {
            traffic->beyond += is->counts.lanes * is->site->bytes;
        }
    }
}

/* ---- accesses ---- */

/* Notes the stride of a conflict: in a tree it is another power of two in each step. */
static void note_conflict(struct explain_row *row, const struct trace *trace, const struct trace_event *event,
                          const uint64_t *addresses)
{
    int64_t stride;
    if (!explain_stride(trace, addresses, event->mask, &stride))
        return;
    uint64_t const apart = (uint64_t)(stride < 0 ? -stride : stride);
    if (!apart || apart & (apart - 1))
        return;
    row->falls = row->falls || (row->last_stride && apart < row->last_stride && row->last_stride / apart == 2);
    row->strides |= apart;
    row->last_stride = apart;
}

static uint64_t waste_of(const struct site_counts *counts)
{
    return SECTOR_BYTES * (counts->sectors - counts->sectors_ideal) +
           PASS_BYTES * (counts->wavefronts - counts->wavefronts_ideal + counts->constant_passes -
                         counts->constant_passes_ideal);
}

/* Finds the worst access of each row. */
static void find_worst(struct explain_rows *rows)
{
    const struct trace *trace = rows->trace;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || event->site >= trace->site_count || !event->mask ||
            !rows->of_site[event->site])
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        struct explain_row *row = &rows->items[rows->of_site[event->site] - 1];
        const uint64_t *addresses = trace_addresses(trace, event);
        struct site_counts counts = {0};
        counts_event(site, &counts, event, addresses);
        uint64_t waste = waste_of(&counts);
        row->recorded++;
        if (counts.wavefronts > counts.wavefronts_ideal)
            note_conflict(row, trace, event, addresses);
        if (atomic_is(site) && counts.global_requests) {
            struct atomic_passes passes;
            model_atomics(addresses, event->mask, site, PTX_SPACE_GLOBAL, &passes);
            row->passes += passes.passes;
            row->passes_least += passes.passes_ideal;
            waste += PASS_BYTES * (uint64_t)(passes.passes - passes.passes_ideal);
        }
        if (row->is.event == SIZE_MAX || waste > row->worst) {
            row->is.event = i;
            row->worst = waste;
        }
    }
}

/* Returns a figure of the recorded accesses for all that were counted. */
static uint64_t of_all(uint64_t figure, uint64_t recorded, uint64_t all)
{
    return recorded ? (uint64_t)((double)figure * (double)all / (double)recorded) : 0;
}

/* ---- kinds ---- */

/* Returns whether nearly all bytes of the sectors are used, sooner or later. */
static bool used_up(uint64_t bytes, uint64_t sectors)
{
    return sectors && 4 * bytes >= 3 * sectors * SECTOR_BYTES;
}

static enum explain_kind strided_kind(const struct explain_row *row)
{
    if (used_up(row->bytes, row->sectors))
        return 2 * row->of_warps >= row->sectors ? EXPLAIN_COLUMN : EXPLAIN_WALK;
    /* Other blocks need the bytes between if the recorded ones together use twice as much of a sector as one alone. */
    return row->all_sectors && row->all_bytes * row->sectors >= 2 * row->bytes * row->all_sectors ? EXPLAIN_FAR_COLUMN
                                                                                                  : EXPLAIN_STRIDE;
}

static enum explain_kind aligned_kind(const struct explain_row *row)
{
    if (10 * row->also_others >= 6 * row->sectors && row->sectors)
        return EXPLAIN_OVERLAP;
    if (10 * row->border >= row->all_sectors && row->all_sectors)
        return EXPLAIN_HALO;
    return row->behind_varies ? EXPLAIN_ROWS : EXPLAIN_MISALIGNED;
}

static enum explain_kind global_kind(const struct trace *trace, struct explain_row *row)
{
    struct explanation *is = &row->is;
    uint64_t const extra = is->counts.sectors - is->counts.sectors_ideal;
    uint32_t const lanes = (uint32_t)__builtin_popcount(is->active);
    int64_t const bytes = is->site->bytes;
    bool const beside = is->stride == bytes || is->stride == -bytes;
    if (row->sectors && is->site->operation == TRACE_LOAD)
        is->repeats = (double)row->loaded / (double)row->sectors;
    is->wasted = SECTOR_BYTES * extra;
    if (is->event == SIZE_MAX)
        return extra ? EXPLAIN_SCATTERED : EXPLAIN_FINE;
    if (is->exchange.units) { /* before a tile is advised, whose own accesses would walk the same way */
        is->wasted = SECTOR_BYTES * (is->counts.sectors - is->exchange.sectors);
        return EXPLAIN_EXCHANGED;
    }
    bool const waits = is->site->timed; /* a volatile load asks for the same word again on purpose */
    if (is->repeats >= 4 && !waits && (!extra || beside || 2 * is->places <= lanes)) {
        is->wasted = SECTOR_BYTES * of_all(row->loaded - row->sectors, row->recorded, is->counts.requests);
        return row->shifted ? EXPLAIN_WINDOW : EXPLAIN_REREAD;
    }
    if (!extra)
        return EXPLAIN_FINE;
    if (beside && is->pieces <= 1)
        return aligned_kind(row);
    if (trace->block[0] % WARP_LANES && is->pieces > 1 && 2 * is->pieces <= lanes)
        return EXPLAIN_PIECES;
    if (is->stride)
        return strided_kind(row);
    return EXPLAIN_SCATTERED;
}

static enum explain_kind shared_kind(const struct explain_rows *rows, struct explain_row *row)
{
    struct explanation *is = &row->is;
    uint64_t const apart = (uint64_t)(is->stride < 0 ? -is->stride : is->stride);
    is->wasted = PASS_BYTES * (is->counts.wavefronts - is->counts.wavefronts_ideal);
    if (!is->wasted)
        return EXPLAIN_FINE;
    if (is->site->unit == TRACE_BY_ROWS)
        return EXPLAIN_BANK_MATRIX;
    if (row->strides & (row->strides - 1))
        return row->falls ? EXPLAIN_BANK_SCAN : EXPLAIN_BANK_TREE;
    if (apart >= BANKS * BANK_BYTES && apart % (BANKS * BANK_BYTES) == 0)
        return rows->trace->block[1] > 1 ? EXPLAIN_BANK_TILE : EXPLAIN_BANK_COLUMN;
    return apart ? EXPLAIN_BANK_STRIDE : EXPLAIN_BANK_SCATTERED;
}

static enum explain_kind branch_kind(struct explain_row *row)
{
    struct explanation *is = &row->is;
    is->wasted = LANE_BYTES * of_all(is->idle, row->is.parted, is->counts.divergent);
    is->lanes = is->lanes ? is->lanes : is->active;
    return 2 * row->halvings >= row->is.parted && row->halvings ? EXPLAIN_BRANCH_TREE : EXPLAIN_BRANCH;
}

static void explain_atomic_row(const struct explain_rows *rows, struct explain_row *row);

static void find_kind(const struct explain_rows *rows, struct explain_row *row)
{
    struct explanation *is = &row->is;
    if (is->site->operation == TRACE_BRANCH)
        is->kind = branch_kind(row);
    else if (is->space == PTX_SPACE_GLOBAL || (is->counts.sectors && is->space == PTX_SPACE_GENERIC))
        is->kind = global_kind(rows->trace, row);
    else if (is->space == PTX_SPACE_SHARED || is->counts.wavefronts)
        is->kind = shared_kind(rows, row);
    else if (is->space == PTX_SPACE_LOCAL) {
        is->kind = EXPLAIN_LOCAL;
        is->wasted = is->counts.lanes * is->site->bytes;
    } else if (is->counts.constant_passes > is->counts.constant_passes_ideal) {
        is->kind = EXPLAIN_CONSTANT;
        is->wasted = PASS_BYTES * (is->counts.constant_passes - is->counts.constant_passes_ideal);
    }
    if (atomic_is(is->site) && is->event != SIZE_MAX)
        explain_atomic_row(rows, row);
}

/* An atomic whose lanes meet on one address is blamed for that; otherwise it keeps the kind of its addresses. */
static void explain_atomic_row(const struct explain_rows *rows, struct explain_row *row)
{
    struct explanation *is = &row->is;
    struct explanation before = *is;
    explain_atomic(rows, row);
    if (is->together > 1 && is->units > is->least && !is->site->counts) {
        is->kind = EXPLAIN_ATOMIC;
        if (row->passes > row->passes_least)
            is->wasted += PASS_BYTES * of_all(row->passes - row->passes_least, row->recorded, is->counts.requests);
    } else {
        *is = before;
    }
}

/* ---- the list ---- */

static double part_of(const struct explanation *is, const struct explain_rows *rows, const struct traffic *traffic)
{
    uint64_t all = is->counts.constant_requests ? traffic->constant
                   : is->counts.shared_requests ? traffic->shared
                                                : traffic->global;
    if (is->kind == EXPLAIN_BRANCH || is->kind == EXPLAIN_BRANCH_TREE)
        return rows->steps ? (double)is->idle / (WARP_LANES * (double)rows->steps) : 0;
    if (is->kind == EXPLAIN_ATOMIC && is->counts.global_requests)
        all += is->wasted;
    double const part = all ? (double)is->wasted / (double)all : 0;
    return part < 1 ? part : 1;
}

static void note_beyond(struct explanation *is, const struct traffic *traffic)
{
    uint64_t const missed = SECTOR_BYTES * (is->l1_sectors - is->l1_hits);
    uint64_t const all = traffic->beyond + (is->kind == EXPLAIN_ATOMIC ? is->wasted : 0);
    is->beyond = is->wasted;
    if (!is->cached)
        return;
    if (!is_local(is))
        is->beyond = less(is->wasted, SECTOR_BYTES * is->l1_hits);
    else if (is->l1_sectors && missed < is->wasted)
        is->beyond = missed;
    double const part = all ? (double)is->beyond / (double)all : 0;
    is->beyond_part = part < 1 ? part : 1;
}

/* Below these parts of the traffic of its way, of the lanes in steps, or of the lanes in all instructions, a waste is
 * not worth a change. */
static const double traffic_matters = 0.05, steps_matter = 0.1, instructions_matter = 0.2;

/* The fewest steps, or cycles, in the paths of a branch, each time that lanes part, that are worth a change. */
enum { STEPS_MATTER = 3, PATH_MATTERS = 32 };

static bool matters(const struct explanation *is)
{
    bool const branch = is->kind == EXPLAIN_BRANCH || is->kind == EXPLAIN_BRANCH_TREE;
    bool const steps = branch || is->kind == EXPLAIN_PARTIAL_WARP;
    if (branch && is->steps < STEPS_MATTER * is->entered)
        return false;
    double const part = is->beyond_part > is->part ? is->beyond_part : is->part;
    return kinds[is->kind].waste && part >= (steps ? steps_matter : traffic_matters);
}

static int by_waste(const void *left, const void *right)
{
    const struct explanation *a = left, *b = right;
    bool const a_fine = a->kind == EXPLAIN_FINE, b_fine = b->kind == EXPLAIN_FINE;
    if (a_fine != b_fine)
        return a_fine ? 1 : -1;
    if (a->beyond != b->beyond)
        return a->beyond < b->beyond ? 1 : -1;
    if (a->wasted != b->wasted)
        return a->wasted < b->wasted ? 1 : -1;
    if (!a->site || !b->site)
        return !a->site - !b->site;
    return (a->site > b->site) - (a->site < b->site);
}

static void add_launch(struct explain *explain, const struct explain_rows *rows, const struct occupancy_case *fit)
{
    const uint32_t *block = rows->trace->block;
    uint64_t const threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t const slots = (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    struct explanation *item = &explain->items[explain->count];
    *item = (struct explanation){.kind = EXPLAIN_PARTIAL_WARP, .event = SIZE_MAX};
    if (threads < slots && rows->steps) {
        const uint32_t *grid = rows->trace->grid;
        uint64_t const blocks = (uint64_t)grid[0] * grid[1] * grid[2];
        uint64_t const first = rows->trace->recorded.first;
        uint64_t const last = rows->trace->recorded.last < blocks ? rows->trace->recorded.last : blocks - 1;
        item->wasted = item->beyond = LANE_BYTES * of_all(rows->partial, last - first + 1, blocks);
        item->part = (double)(slots - threads) / (double)slots;
        explain->count++;
    }
    item = &explain->items[explain->count];
    *item = (struct explanation){.kind = EXPLAIN_FEW_WARPS, .event = SIZE_MAX, .fit = fit};
    if (fit && fit->limits && fit->got.blocks && FEW_WARPS * fit->got.warps < fit->got.warps_max) {
        item->part = 1 - (double)fit->got.warps / (double)fit->got.warps_max;
        explain->count++;
    }
}

/* Returns the part of the lanes of all instructions that idle in the paths of branches. */
static double idle_in_paths(const struct explain_rows *rows, const struct trace_totals *totals)
{
    if (!totals->warp_instructions || !rows->cycles)
        return 0;
    double const active = (double)totals->thread_instructions / (WARP_LANES * (double)totals->warp_instructions);
    return 1 - active - (double)rows->absent / (WARP_LANES * (double)rows->cycles);
}

/* Steps are seen one by one, instructions only counted. So a branch that is not blamed for its steps is for its share
 * of the idle lanes of all instructions: as much as its paths have of the cycles of all paths. */
static void blame_for_instructions(const struct explain_rows *rows, const struct trace_totals *totals,
                                   struct explanation *is, uint64_t cycles)
{
    double const idle = idle_in_paths(rows, totals);
    double const part = rows->in_paths ? idle * (double)cycles / (double)rows->in_paths : 0;
    if (part < instructions_matter || cycles < PATH_MATTERS * is->entered)
        return;
    is->by_instructions = is->blamed = true;
    is->part = part;
    is->wasted = is->beyond = (uint64_t)(part * WARP_LANES * (double)totals->warp_instructions);
}

/* A scan climbs a tree up and down again: what one half of it shows holds for both. */
static void join_scan(struct explain *explain)
{
    bool scans = false;
    for (size_t i = 0; i < explain->count; i++)
        scans = scans || explain->items[i].kind == EXPLAIN_BANK_SCAN;
    for (size_t i = 0; scans && i < explain->count; i++)
        if (explain->items[i].kind == EXPLAIN_BANK_TREE)
            explain->items[i].kind = EXPLAIN_BANK_SCAN;
}

struct explain *explain_new(struct arena *arena, const struct trace *trace, const struct counts *counts,
                            const struct caches *caches, const struct occupancy_case *fit)
{
    struct arena scratch = {0};
    struct traffic traffic = {0};
    struct explain_rows rows = {.trace = trace,
                                .items = arena_array(&scratch, struct explain_row, (size_t)trace->site_count + 1),
                                .of_site = arena_array(&scratch, uint32_t, (size_t)trace->site_count + 1)};
    struct explain *explain = arena_new(arena, struct explain);
    explain->trace = trace;
    explain->cached = caches != NULL;
    explain->items = arena_array(arena, struct explanation, (size_t)trace->site_count + 3);
    list_rows(&scratch, &rows, counts, &traffic);
    if (caches)
        add_caches(&rows, caches, &traffic);
    find_worst(&rows);
    explain_memory(&rows);
    explain_exchange(&rows);
    explain_branches(&rows);
    for (size_t i = 0; i < rows.count; i++) {
        struct explain_row *row = &rows.items[i];
        explain_pattern(&rows, row);
        find_kind(&rows, row);
        row->is.part = part_of(&row->is, &rows, &traffic);
        note_beyond(&row->is, &traffic);
        row->is.blamed = matters(&row->is);
        bool const branch = row->is.site->operation == TRACE_BRANCH;
        if (branch && !row->is.blamed)
            blame_for_instructions(&rows, &counts->totals, &row->is, row->cycles);
        if (!branch || row->is.wasted) /* lanes that part and end make no other lane idle */
            explain->items[explain->count++] = row->is;
    }
    size_t const sites = explain->count;
    add_launch(explain, &rows, fit);
    for (size_t i = sites; i < explain->count; i++)
        explain->items[i].blamed = matters(&explain->items[i]);
    join_scan(explain);
    if (explain->count)
        qsort(explain->items, explain->count, sizeof *explain->items, by_waste);
    explain->cut = rows.cut;
    arena_free(&scratch);
    return explain;
}
