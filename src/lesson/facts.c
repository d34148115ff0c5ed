/* The facts of a run, by the names that docs/lessons.md lists: knobs and lets, totals of the launch, the accesses that
 * lesson.yaml names, and numbers of other settings. */
#include "lesson/facts.h"
#include "lesson/facts_list.h"
#include "lesson/kept.h"
#include "lesson/plan.h"
#include "model/overlap.h"
#include "model/roofline.h"
#include "model/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void facts_add_named(struct facts *facts, const char *name, double value)
{
    array_push(&facts->list, ((struct run_fact){.name = name, .value = value}));
}

void facts_add(struct facts *facts, const char *prefix, enum fact_id fact, double value)
{
    const char *name = fact_table[fact].name;
    facts_add_named(facts, *prefix ? arena_format(facts->arena, "%s_%s", prefix, name) : name, value);
}

/* Adds what the model of the caches counted. What it does not know is no number. */
static void add_caches(struct facts *facts, const struct run *run)
{
    const struct caches *caches = run->caches;
    facts_add(facts, "", FACT_l1_hits, caches ? (double)caches->load_hits : (double)NAN);
    facts_add(facts, "", FACT_caches_measured, caches ? (double)caches->measured : (double)NAN);
    facts_add(facts, "", FACT_l1_room, caches ? (double)run->caches_machine.l1_room : (double)NAN);
}

/* Adds the totals. counts: the run's, with instructions even where the run did not count them. */
static void add_totals(struct facts *facts, const struct run *run, const struct counts *counts)
{
    struct counter *counters;
    size_t const count = counts_counters(counts, run->trace->sites, facts->arena, &counters);
    for (size_t i = 0; i < count; i++)
        for (enum fact_id k = 0; k < FACTS; k++)
            if (fact_table[k].scope == SCOPE_GRID && fact_table[k].counter &&
                strcmp(counters[i].name, fact_table[k].counter) == 0)
                facts_add(facts, "", k, (double)counters[i].value);
    add_caches(facts, run);
    const struct run_check *check = &run->check;
    facts_add(facts, "", FACT_dram_requests, (double)run->dram_requests);
    facts_add(facts, "", FACT_row_hits, (double)run->dram_hits);
    facts_add(facts, "", FACT_row_misses, (double)run->dram_misses);
    facts_add(facts, "", FACT_row_conflicts, (double)run->dram_conflicts);
    facts_add(facts, "", FACT_faults, trace_faults(run->trace));
    facts_add(facts, "", FACT_hazards, trace_hazards(run->trace));
    /* A recording keeps no buffers: its result was checked when it was recorded. */
    facts_add(facts, "", FACT_right, run->executor == EXECUTOR_RECORDING || (check->checked && check->right));
    facts_add(facts, "", FACT_wrong, check->checked && !check->right);
    facts_add(facts, "", FACT_wrong_count, check->checked ? (double)check->wrong_count : 0);
}

static void add_shape(struct facts *facts, const struct trace *trace)
{
    double const threads = (double)trace->block[0] * trace->block[1] * trace->block[2];
    facts_add(facts, "", FACT_blocks, (double)trace->grid[0] * trace->grid[1] * trace->grid[2]);
    facts_add(facts, "", FACT_threads, threads);
    facts_add(facts, "", FACT_warps, ceil(threads / WARP_LANES));
    facts_add(facts, "", FACT_shared_bytes, trace->shared_bytes);
}

static void add_counters(struct facts *facts, enum fact_scope scope, const struct sass_counts *sass)
{
    uint64_t value;
    for (enum fact_id i = 0; i < FACTS; i++) {
        const struct fact *fact = &fact_table[i];
        if (fact->scope != scope || (!fact->counter && !fact->opcode))
            continue;
        bool const known =
            fact->opcode ? sass_opcode(sass, fact->opcode, &value) : sass_counter(sass, fact->counter, &value);
        facts_add(facts, "", i, known ? (double)value : NAN);
    }
}

void facts_add_sass(struct facts *facts, const struct sass_counts *sass)
{
    uint64_t hits, sectors;
    bool const known = sass_counter(sass, fact_table[FACT_machine_l1_hits].counter, &hits) &&
                       sass_counter(sass, fact_table[FACT_machine_global_load_sectors].counter, &sectors) && sectors;
    facts_add(facts, "", FACT_machine, sass->counted);
    facts_add(facts, "", FACT_machine_l1_rate, known ? 100 * (double)hits / (double)sectors : (double)NAN);
    add_counters(facts, SCOPE_MACHINE, sass);
}

void facts_add_timed_sass(struct facts *facts, const struct sass_counts *sass)
{
    facts_add(facts, "", FACT_timed_flop, roofline_flop(sass));
    facts_add(facts, "", FACT_timed_dram_bytes, roofline_bytes(sass, ROOFLINE_DRAM));
    facts_add(facts, "", FACT_timed_l1_bytes, roofline_bytes(sass, ROOFLINE_L1));
    uint64_t read;
    facts_add(facts, "", FACT_timed_dram_gb,
              sass_counter(sass, fact_table[FACT_timed_dram_read].counter, &read) ? (double)read / 1e9 : (double)NAN);
    add_counters(facts, SCOPE_TIMED, sass);
}

/* Adds how many variables the compiler put in each space, and how many bytes one copy of them takes. */
static void add_variables(struct facts *facts, const struct run *run)
{
    static const struct {
        enum ptx_space space;
        enum fact_id variables, bytes; /* bytes: FACTS: none */
    } names[] = {{PTX_SPACE_REGISTER, FACT_register_variables, FACTS},
                 {PTX_SPACE_LOCAL, FACT_local_variables, FACT_local_bytes},
                 {PTX_SPACE_CONST, FACT_constant_variables, FACT_constant_bytes},
                 {PTX_SPACE_PARAM, FACT_parameters, FACT_parameter_bytes}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double count = 0, bytes = 0;
        for (uint32_t i = 0; i < run->variable_count; i++)
            if (run->variables[i].space == names[k].space) {
                count++;
                bytes += (double)run->variables[i].bytes;
            }
        facts_add(facts, "", names[k].variables, count);
        if (names[k].bytes != FACTS)
            facts_add(facts, "", names[k].bytes, bytes);
    }
}

/* Adds the blocks on one multiprocessor. What is not known is no number. */
static void add_occupancy(struct facts *facts, const struct occupancy_case *here)
{
    bool const known = here->limits != NULL;
    const struct occupancy *got = &here->got;
    facts_add(facts, "", FACT_registers, here->needs.registers ? (double)here->needs.registers : (double)NAN);
    facts_add(facts, "", FACT_resident_blocks, known ? got->blocks : (double)NAN);
    facts_add(facts, "", FACT_resident_warps, known ? got->warps : (double)NAN);
    facts_add(facts, "", FACT_resident_warps_max, known ? got->warps_max : (double)NAN);
    facts_add(facts, "", FACT_resident_limit, known ? 1 + (double)got->limit : (double)NAN);
    facts_add(facts, "", FACT_room_blocks, known ? got->by[OCCUPANCY_BLOCKS] : (double)NAN);
    facts_add(facts, "", FACT_room_warps, known ? got->by[OCCUPANCY_THREADS] : (double)NAN);
    facts_add(facts, "", FACT_room_registers,
              known && here->needs.registers ? got->by[OCCUPANCY_REGISTERS] : (double)NAN);
    facts_add(facts, "", FACT_room_shared, known ? got->by[OCCUPANCY_SHARED] : (double)NAN);
    facts_add(facts, "", FACT_registers_all, known ? (double)here->limits->registers : (double)NAN);
    facts_add(facts, "", FACT_shared_all, known ? (double)here->limits->shared : (double)NAN);
    facts_add(facts, "", FACT_shared_reserved, known ? (double)here->limits->shared_reserved : (double)NAN);
}

enum { OVERLAP_FACTS = FACT_copies_in_flight + 1 - FACT_block_cycles };

/* Returns false if the run has no model clock, or nothing in flight. */
static bool overlap_values(const struct run *run, double values[OVERLAP_FACTS])
{
    struct arena scratch = {0};
    const struct overlap *overlap =
        overlap_new(&scratch, timeline_new(&scratch, run->trace, run->trace->recorded.first));
    bool const found = overlap != NULL;
    if (found) {
        uint64_t waits = 0;
        for (uint32_t i = 0; i < overlap->span_starts[1]; i++)
            if (overlap->spans[i].state == OVERLAP_WAITS_FOR_COPY)
                waits += overlap->spans[i].until - overlap->spans[i].from;
        double const all[] = {(double)overlap->last, (double)overlap->in_flight, (double)overlap->overlapped,
                              (double)waits, overlap->most};
        memcpy(values, all, sizeof all);
    }
    arena_free(&scratch);
    return found;
}

/* Adds the cycles of the model clock in the first recorded block, in lessons that show the overlap of copy and compute;
 * in others they are no numbers. A run on a GPU takes them from one on the emulator. */
static void add_overlap(struct facts *facts, const struct run *run, const struct lesson *lesson,
                        const struct lesson_setting *setting)
{
    double values[OVERLAP_FACTS];
    struct run *light;
    for (int i = 0; i < OVERLAP_FACTS; i++)
        values[i] = NAN;
    if (lesson && lesson_shows(lesson, STAGE_OVERLAP) && !overlap_values(run, values) &&
        run->trace->clock == TRACE_CLOCK_GPU && run_lesson_lightly(lesson, setting, LIGHT_GRID, &light, NULL)) {
        overlap_values(light, values);
        run_free(light);
    }
    for (int i = 0; i < OVERLAP_FACTS; i++)
        facts_add(facts, "", FACT_block_cycles + (enum fact_id)i, values[i]);
}

void facts_add_time(struct facts *facts, const struct measured_time *time)
{
    bool const timed = time->source != TIME_NONE;
    facts_add(facts, "", FACT_timed, timed);
    facts_add(facts, "", FACT_time, timed ? time->median : NAN);
    facts_add(facts, "", FACT_time_p25, timed ? time->p25 : NAN);
    facts_add(facts, "", FACT_time_p75, timed ? time->p75 : NAN);
    facts_add(facts, "", FACT_time_runs, timed ? (double)time->runs : NAN);
}

/* Adds the steps in which the threads of the first recorded block combine numbers, as the panel `tree` shows them. */
static void add_tree(struct facts *facts, const struct run *run)
{
    const struct trace *trace = run->trace;
    uint64_t const block = trace->events.count ? trace->events.items[0].block : 0;
    const struct tree *tree = tree_new(facts->arena, timeline_new(facts->arena, trace, block));
    facts_add(facts, "", FACT_tree_steps, tree ? tree->level_count - 1 : (double)NAN);
    facts_add(facts, "", FACT_tree_combined, tree ? tree_combined(tree) : (double)NAN);
}

/* Adds the names of the numbers of other settings: elsewhere_find finds the values of those that are asked for. */
static void add_elsewhere(struct facts *facts, const struct lesson *lesson)
{
    for (size_t i = 0; i < lesson->plan->elsewhere_count; i++)
        facts_add_named(facts, lesson->plan->elsewhere[i].name, (double)NAN);
}

/* Returns the run's counts, with the instructions of an emulator's run where a GPU's trace does not count them: both
 * execute the same PTX. */
static struct counts with_instructions(const struct run *run, const struct lesson *lesson,
                                       const struct lesson_setting *setting)
{
    struct counts counts = run->counts;
    struct run *written;
    if (run->executor == EXECUTOR_EMULATOR || !lesson ||
        !run_lesson_lightly(lesson, setting, LIGHT_GRID, &written, NULL))
        return counts;
    counts.totals.warp_instructions = written->counts.totals.warp_instructions;
    counts.totals.thread_instructions = written->counts.totals.thread_instructions;
    run_free(written);
    return counts;
}

/* Adds the figures of the GPU, which no run changes. */
static bool add_gpu(struct facts *facts, const struct lesson *lesson, struct error *error)
{
    const struct run_fact *list;
    size_t count;
    if (!kept_gpu_facts(lesson, &list, &count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        array_push(&facts->list, list[i]);
    return true;
}

static void add_compared(struct facts *facts, const struct lesson *lesson, const struct lesson_setting *setting)
{
    double flop;
    struct measured_time const time = lesson_compared_time(lesson, setting, &flop);
    facts_add(facts, "", FACT_compared_time, time.source == TIME_NONE ? NAN : time.median);
}

bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error)
{
    struct facts facts = {.arena = &run->arena};
    bool good = true;
    if (lesson) {
        struct run_fact *names;
        size_t count;
        good = plan_names(lesson, setting, false, &run->arena, &names, &count, error);
        for (size_t i = 0; good && i < count; i++)
            facts_add_named(&facts, names[i].name, names[i].value);
        run->time = run_lesson_time(lesson, setting);
        add_compared(&facts, lesson, setting);
    }
    bool const whole = !run->partial;
    add_shape(&facts, run->trace);
    if (whole) {
        struct counts const counts = with_instructions(run, lesson, setting);
        add_totals(&facts, run, &counts);
        add_overlap(&facts, run, lesson, setting);
    }
    facts_add_sass(&facts, &run->sass);
    facts_add_timed_sass(&facts, &run->timed_sass);
    add_variables(&facts, run);
    add_occupancy(&facts, &run->occupancy);
    facts_add_time(&facts, &run->time);
    if (good && lesson)
        facts_of_accesses(&facts, run, lesson, setting);
    for (int i = 0; lesson && i < lesson->beat_count && whole; i++)
        if (lesson->beats[i].stage & STAGE_TREE) {
            add_tree(&facts, run);
            break;
        }
    good = good && (!lesson || add_gpu(&facts, lesson, error));
    size_t const own = facts.list.count;
    if (lesson && elsewhere)
        add_elsewhere(&facts, lesson);
    struct run_fact *list = arena_list(&run->arena, facts.list);
    run->facts = list;
    run->fact_count = facts.list.count;
    run->own_fact_count = own;
    for (size_t i = own; i < run->fact_count; i++)
        list[i].state = FACT_UNASKED;
    free(facts.list.items);
    return good;
}
