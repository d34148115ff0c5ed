/* The facts of the accesses that lesson.yaml names: of the event of the story, and sums over all recorded ones. */
#include "base/lines.h"
#include "lesson/facts_list.h"
#include "lesson/plan.h"
#include "model/atomics.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "model/divergence.h"
#include "model/fragments.h"
#include "model/origins.h"
#include "run/reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a line of the source, counted from 1, contains one of the access's texts. */
static bool line_holds(const char *source, uint32_t line, const struct lesson_access *access)
{
    if (!source || line == 0)
        return false;
    source = line_start(source, line);
    size_t const length = strcspn(source, "\n");
    for (size_t i = 0; i < access->line_count; i++) {
        const char *found = strstr(source, access->lines[i]);
        if (found && found < source + length)
            return true;
    }
    return false;
}

/* Returns a flag for each site of the trace: whether it may be the access. For generic addresses the event, not the
 * site, has the space. */
static bool *sites_of(const struct run *run, const struct lesson_access *access, struct arena *arena)
{
    const struct trace *trace = run->trace;
    bool *sites = arena_array(arena, bool, trace->site_count);
    for (uint32_t i = 0; i < trace->site_count; i++)
        sites[i] = (access->operation < 0 || trace->sites[i].operation == (enum trace_operation)access->operation) &&
                   line_holds(run->source, trace->sites[i].line, access);
    return sites;
}

static bool is_event_of(const struct trace *trace, const struct trace_event *event, const bool *sites,
                        const struct lesson_access *access)
{
    bool const kind = event->kind == TRACE_ACCESS || event->kind == TRACE_BARRIER_ARRIVE ||
                      event->kind == TRACE_BRANCH_TAKEN || event->kind == TRACE_SHUFFLE ||
                      (event->kind == TRACE_REGISTERS && !event->other);
    if (!kind || event->site >= trace->site_count || !sites[event->site] || event->mask == 0)
        return false;
    return access->space < 0 || event->kind != TRACE_ACCESS ||
           trace_space(&trace->sites[event->site], event) == (enum ptx_space)access->space;
}

static const struct trace_event *event_at(const struct run *run, const bool *sites, const struct lesson_access *access,
                                          int block, int warp, int occurrence)
{
    const struct trace *trace = run->trace;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->block == (uint64_t)block && event->warp == (uint32_t)warp &&
            is_event_of(trace, event, sites, access) && occurrence-- == 0)
            return event;
    }
    return NULL;
}

/* Returns the event at which the access failed, so that none of its own is in the trace. */
static const struct trace_event *failed_at(const struct trace *trace, const bool *sites, int block, int warp)
{
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind == TRACE_FAULT && event->block == (uint64_t)block && event->warp == (uint32_t)warp &&
            event->site < trace->site_count && sites[event->site])
            return event;
    }
    return NULL;
}

bool run_find_beat(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                   const struct lesson_beat *beat, size_t *event)
{
    int block, warp, occurrence;
    if (beat->access < 0 || !plan_place(lesson, setting, beat->access, &block, &warp, &occurrence, NULL))
        return false;
    struct arena arena = {0};
    const struct lesson_access *access = &lesson->plan->accesses[beat->access];
    const bool *sites = sites_of(run, access, &arena);
    const struct trace_event *found = event_at(run, sites, access, block, warp, occurrence);
    if (!found)
        found = failed_at(run->trace, sites, block, warp);
    arena_free(&arena);
    if (found)
        *event = (size_t)(found - run->trace->events.items);
    return found != NULL;
}

struct bank_use {
    uint32_t banks, lanes, words; /* banks asked; lanes at the busiest; distinct words */
};

static int compare_words(const void *a, const void *b)
{
    uint64_t const x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static struct bank_use use_of_banks(const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
    uint32_t lanes[BANKS] = {0};
    uint64_t words[WARP_LANES * 4];
    size_t count = 0;
    struct bank_use use = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t const first = addresses[lane] / BANK_BYTES, last = (addresses[lane] + bytes - 1) / BANK_BYTES;
        for (uint64_t word = first; word <= last && word < first + 4; word++) {
            lanes[word % BANKS]++;
            words[count++] = word;
        }
    }
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++)
        use.words += i == 0 || words[i] != words[i - 1];
    for (unsigned bank = 0; bank < BANKS; bank++) {
        use.banks += lanes[bank] != 0;
        use.lanes = lanes[bank] > use.lanes ? lanes[bank] : use.lanes;
    }
    return use;
}

/* Returns the number of distinct DRAM rows that hold the sectors of an access. */
static uint32_t rows_of(const struct coalescing *coalescing, const struct dram_preset *preset)
{
    uint64_t sectors[SECTORS_MAX];
    struct dram_access places[SECTORS_MAX];
    uint32_t const count = preset ? coalescing_sectors(coalescing, sectors) : 0;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[i] = dram_locate(preset, sectors[i]);
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++)
            known = places[k].bank == places[i].bank && places[k].row == places[i].row;
        rows += !known;
    }
    return rows;
}

/* Returns what a lane of an event read, wrote or received. A shuffle has no type: its numbers are of the type of the
 * first buffer. */
static double value_of(const struct trace *trace, const struct trace_event *event, int lane)
{
    const uint64_t *values = trace_values(trace, event);
    enum ptx_type type = trace->sites[event->site].type;
    if (event->kind == TRACE_SHUFFLE)
        type = trace->buffer_count ? trace->buffers[0].type : PTX_TYPE_NONE;
    if (!values || type == PTX_TYPE_NONE)
        return NAN;
    return reference_element(type, &values[lane], 0);
}

/* The models of one access; those of other memories are 0. */
struct access_models {
    uint32_t bytes, rows, addresses, passes, passes_ideal, lanes_per_address, sectors_sent;
    struct coalescing coalescing;
    struct bank_passes banks;
    struct bank_use use;
};

static void model_access(struct access_models *models, const struct trace *trace, const struct trace_event *event,
                         const struct dram_preset *preset)
{
    const struct trace_site *site = &trace->sites[event->site];
    const uint64_t *addresses = trace_addresses(trace, event);
    enum ptx_space const space = trace_space(site, event);
    struct coalescing *coalescing = &models->coalescing;
    struct constant_passes constant;
    models->bytes = site->bytes;
    model_coalescing(addresses, event->mask, site->bytes, coalescing);
    model_constant(addresses, event->mask, site->bytes, &constant);
    models->addresses = constant.addresses;
    if (space == PTX_SPACE_GLOBAL)
        models->rows = rows_of(coalescing, preset);
    if (space == PTX_SPACE_CONST) {
        models->passes = constant.passes;
        models->passes_ideal = constant.passes_ideal;
    } else if (space == PTX_SPACE_SHARED) {
        model_banks(addresses, event->mask, site->bytes, banks_operation(site), &models->banks);
        models->use = use_of_banks(addresses, event->mask, site->bytes);
        models->passes = models->banks.passes;
        models->passes_ideal = models->banks.passes_ideal;
    }
    if (atomic_is(site)) {
        struct atomic_passes atomics;
        model_atomics(addresses, event->mask, site, space, &atomics);
        models->passes = atomics.passes;
        models->passes_ideal = atomics.passes_ideal;
        models->lanes_per_address = atomics.most;
        models->sectors_sent = atomics.sectors;
    }
    if (space == PTX_SPACE_CONST || space == PTX_SPACE_SHARED)
        coalescing->sectors = coalescing->sectors_ideal = coalescing->chunk_count = coalescing->bytes_fetched = 0;
}

/* Adds the lanes that hold the row of A in which the lane in focus has its first element, and those that hold a factor
 * of its first element of D. */
static void add_product(struct facts *facts, const char *prefix, const struct run *run, const struct trace_event *event,
                        unsigned lane)
{
    uint32_t rows = 0, factors = 0;
    if (event && event->kind == TRACE_REGISTERS) {
        struct fragment_element const first = {lane, 0, 0};
        const struct fragment_site *site = fragment_site_read(facts->arena, run->trace->sites[event->site].text);
        unsigned row, column;
        if (site) {
            fragment_locate(&site->form, 'a', first, &row, &column);
            rows = fragment_row_lanes(&site->form, 'a', row);
            fragment_locate(&site->form, 'd', first, &row, &column);
            factors = fragment_row_lanes(&site->form, 'a', row) | fragment_column_lanes(&site->form, 'b', column);
        }
    }
    facts_add(facts, prefix, FACT_row_lanes, __builtin_popcount(rows));
    facts_add(facts, prefix, FACT_factor_lanes, __builtin_popcount(factors));
}

/* The origins of a block's loads, found once for all accesses of the block. */
struct followed {
    struct arena arena;
    const struct timeline *timeline; /* of the block; NULL: none was followed yet */
    const struct origins *origins;   /* NULL: it loads nothing */
};

/* Makes the timeline that of the event's block. */
static void follow(struct followed *followed, const struct run *run, const struct trace_event *event)
{
    if (followed->timeline && followed->timeline->block == event->block)
        return;
    arena_reset(&followed->arena);
    followed->timeline = timeline_new(&followed->arena, run->trace, event->block);
    followed->origins = run->caches ? origins_new(&followed->arena, followed->timeline, run->caches_gpu->path) : NULL;
}

/* Adds how many sectors of an access to global memory no earlier access of its block has touched. */
static void add_new_sectors(struct facts *facts, const char *prefix, struct followed *followed, const struct run *run,
                            const struct trace_event *event, const struct coalescing *access)
{
    uint64_t sectors[SECTORS_MAX], before[SECTORS_MAX];
    uint32_t count = event ? coalescing_sectors(access, sectors) : 0;
    if (count)
        follow(followed, run, event);
    for (size_t at = 0; count && at < followed->timeline->count; at++) {
        const struct trace_event *earlier = &run->trace->events.items[followed->timeline->events[at]];
        if (earlier == event)
            break;
        if (earlier->kind != TRACE_ACCESS || earlier->site >= run->trace->site_count)
            continue;
        const struct trace_site *site = &run->trace->sites[earlier->site];
        if (trace_space(site, earlier) != PTX_SPACE_GLOBAL)
            continue;
        uint32_t const touched =
            model_sector_list(trace_addresses(run->trace, earlier), earlier->mask, site->bytes, before);
        for (uint32_t i = 0; i < touched; i++)
            for (uint32_t k = 0; k < count; k++)
                if (sectors[k] == before[i])
                    sectors[k--] = sectors[--count];
    }
    facts_add(facts, prefix, FACT_sectors_new, count);
}

/* Returns the origins of the chunks of an event; NULL: it is no load of global memory, or nothing is known of the
 * caches.
 */
static const struct origin *origins_of_event(struct followed *followed, const struct run *run,
                                             const struct trace_event *event)
{
    if (!run->caches || !event || event->kind != TRACE_ACCESS)
        return NULL;
    follow(followed, run, event);
    for (size_t i = 0; i < followed->timeline->count; i++)
        if (&run->trace->events.items[followed->timeline->events[i]] == event)
            return origins_at(followed->origins, i);
    return NULL;
}

/* Adds where the sectors of a load came from, as the panels show them; of other events they are no numbers. */
static void add_origins(struct facts *facts, const char *prefix, struct followed *followed, const struct run *run,
                        const struct trace_event *event, const struct coalescing *access)
{
    static const enum fact_id names[ORIGIN_LEVELS] = {FACT_from_l1, FACT_from_l2, FACT_from_dram};
    const struct origin *chunks = origins_of_event(followed, run, event);
    uint32_t counts[ORIGIN_LEVELS] = {0};
    if (chunks)
        origins_count(chunks, access, counts);
    for (unsigned level = 0; level < ORIGIN_LEVELS; level++)
        facts_add(facts, prefix, names[level], chunks ? counts[level] : (double)NAN);
}

/* Adds the facts of the event of the story; all are zero when this setting has none. fresh: the lesson asks for sectors
 * that are new to the block. */
static void add_event(struct facts *facts, const char *prefix, const struct run *run, const struct trace_event *event,
                      const struct lesson_access *access, const struct dram_preset *preset, struct followed *followed,
                      bool fresh)
{
    struct access_models *models = arena_new(facts->arena, struct access_models);
    struct divergence warp = {0};
    if (event)
        model_divergence(run->trace, event->block, event->warp, &warp);
    if (event && event->kind == TRACE_ACCESS)
        model_access(models, run->trace, event, preset);
    facts_add(facts, prefix, FACT_found, event != NULL);
    facts_add(facts, prefix, FACT_lanes_active, event ? __builtin_popcount(event->mask) : 0);
    facts_add(facts, prefix, FACT_bytes, models->bytes);
    facts_add(facts, prefix, FACT_addresses, models->addresses);
    facts_add(facts, prefix, FACT_sectors, models->coalescing.sectors);
    facts_add(facts, prefix, FACT_sectors_ideal, models->coalescing.sectors_ideal);
    facts_add(facts, prefix, FACT_chunks, models->coalescing.chunk_count);
    facts_add(facts, prefix, FACT_bytes_used, models->coalescing.bytes_used);
    facts_add(facts, prefix, FACT_bytes_fetched, models->coalescing.bytes_fetched);
    facts_add(facts, prefix, FACT_rows, models->rows);
    facts_add(facts, prefix, FACT_passes, models->passes);
    facts_add(facts, prefix, FACT_passes_ideal, models->passes_ideal);
    facts_add(facts, prefix, FACT_conflicts, models->passes - models->passes_ideal);
    facts_add(facts, prefix, FACT_lanes_per_address, models->lanes_per_address);
    facts_add(facts, prefix, FACT_sectors_sent, models->sectors_sent);
    facts_add(facts, prefix, FACT_slots, models->banks.passes * BANKS);
    facts_add(facts, prefix, FACT_slots_used, models->banks.slots_used);
    facts_add(facts, prefix, FACT_banks_used, models->use.banks);
    facts_add(facts, prefix, FACT_lanes_per_bank, models->use.lanes);
    facts_add(facts, prefix, FACT_words, models->use.words);
    add_product(facts, prefix, run, event, access->lane);
    facts_add(facts, prefix, FACT_steps, (double)warp.steps);
    facts_add(facts, prefix, FACT_lane_steps, (double)warp.lane_steps);
    facts_add(facts, prefix, FACT_idle_steps, (double)warp.idle_steps);
    bool const valued = event && event->mask && trace_has_addresses(event->kind);
    add_origins(facts, prefix, followed, run, event, &models->coalescing);
    if (fresh)
        add_new_sectors(facts, prefix, followed, run, event, &models->coalescing);
    facts_add(facts, prefix, FACT_value_first,
              valued ? value_of(run->trace, event, __builtin_ctz(event->mask)) : (double)NAN);
    facts_add(facts, prefix, FACT_value_last,
              valued ? value_of(run->trace, event, 31 - __builtin_clz(event->mask)) : (double)NAN);
}

/* Sums over every recorded event of an access. */
struct access_sums {
    double requests, lanes, sectors, passes, conflicts;
};

static struct access_sums sums_of(const struct trace *trace, const bool *sites, const struct lesson_access *access)
{
    struct access_sums sums = {0};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (!is_event_of(trace, event, sites, access))
            continue;
        sums.requests++;
        sums.lanes += __builtin_popcount(event->mask);
        if (event->kind != TRACE_ACCESS)
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        uint32_t ideal;
        if (trace_space(site, event) == PTX_SPACE_SHARED) {
            uint32_t const taken = model_wavefronts(trace_addresses(trace, event), event->mask, site->bytes,
                                                    banks_operation(site), &ideal);
            sums.passes += taken;
            sums.conflicts += taken - ideal;
        } else if (trace_space(site, event) == PTX_SPACE_CONST) {
            uint32_t const taken =
                model_constant_passes(trace_addresses(trace, event), event->mask, site->bytes, &ideal);
            sums.passes += taken;
            sums.conflicts += taken - ideal;
        } else {
            if (atomic_is(site)) {
                struct atomic_passes atomics;
                model_atomics(trace_addresses(trace, event), event->mask, site, PTX_SPACE_GLOBAL, &atomics);
                sums.passes += atomics.passes;
                sums.conflicts += atomics.passes - atomics.passes_ideal;
            }
            sums.sectors += model_sectors(trace_addresses(trace, event), event->mask, site->bytes, &ideal);
        }
    }
    return sums;
}

static void add_sums(struct facts *facts, const char *prefix, const struct access_sums *sums)
{
    facts_add(facts, prefix, FACT_requests_all, sums->requests);
    facts_add(facts, prefix, FACT_lanes_all, sums->lanes);
    facts_add(facts, prefix, FACT_sectors_all, sums->sectors);
    facts_add(facts, prefix, FACT_passes_all, sums->passes);
    facts_add(facts, prefix, FACT_conflicts_all, sums->conflicts);
}

void facts_of_accesses(struct facts *facts, const struct run *run, const struct lesson *lesson,
                       const struct lesson_setting *setting)
{
    const struct lesson_plan *plan = lesson->plan;
    const struct dram_preset *preset = dram_preset(lesson->dram_preset);
    struct followed followed = {0};
    bool fresh = false;
    for (int i = 0; i < lesson->beat_count; i++)
        fresh |= lesson->beats[i].kind == BEAT_MARK && lesson->beats[i].mark == CELLS_FRESH;
    for (size_t i = 0; i < plan->access_count; i++) {
        const struct lesson_access *access = &plan->accesses[i];
        int block, warp, occurrence;
        const struct trace_event *event = NULL;
        const bool *sites = sites_of(run, access, facts->arena);
        if (plan_place(lesson, setting, (int)i, &block, &warp, &occurrence, NULL))
            event = event_at(run, sites, access, block, warp, occurrence);
        add_event(facts, access->name, run, event, access, preset, &followed, fresh);
        struct access_sums const sums = sums_of(run->trace, sites, access);
        add_sums(facts, access->name, &sums);
        if (i > 0)
            continue;
        add_event(facts, "", run, event, access, preset, &followed,
                  fresh); /* names without a prefix refer to the first access */
        add_sums(facts, "", &sums);
    }
    arena_free(&followed.arena);
}
