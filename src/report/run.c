/* A run as the JSON object of the command line's contract, always in English. */
#include "report/run.h"
#include "base/mangled.h"
#include "report/datum.h"
#include "report/json.h"
#include "report/report.h"
#include <string.h>

json_t *report_launch_json(const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes)
{
    return OBJECT(DATUM("grid", grid), DATUM("block", block), DATUM("shared_bytes", shared_bytes));
}

/* Returns the lowest and the highest value; null when unknown. */
static json_t *state_json(const unsigned range[2])
{
    return range[0] ? datum_range(range[0], range[1]) : json_null();
}

static json_t *time_json(const struct measured_time *time)
{
    if (time->source == TIME_NONE)
        return json_null();
    return OBJECT(DATUM("median", time->median), DATUM("p25", time->p25), DATUM("p75", time->p75),
                  DATUM("runs", time->runs), DATUM("source", time->source == TIME_LIVE ? "live" : "recorded"),
                  DATUM("device", time->device), DATUM("date", time->date), DATUM("what", time->what[WORDS_ENGLISH]),
                  ITEM("clock_mhz", state_json(time->state.clock_mhz)),
                  ITEM("memory_clock_mhz", state_json(time->state.memory_clock_mhz)),
                  ITEM("temperature_c", state_json(time->state.temperature)), DATUM("beyond_l2", time->beyond_cache));
}

static json_t *widths_json(const uint64_t widths[SASS_WIDTHS])
{
    json_t *row = json_object();
    for (unsigned i = 0; i < SASS_WIDTHS; i++) {
        char bytes[8];
        snprintf(bytes, sizeof bytes, "%u", 1u << i);
        datum_add(row, DATA(ITEM(bytes, widths[i] ? VALUE(widths[i]) : NULL)));
    }
    return row;
}

static json_t *sass_line_json(const struct sass_line *line)
{
    static const char *const verdicts[] = {"same", "merged", "not explained"};
    bool const shared = line->space == PTX_SPACE_SHARED;
    return OBJECT(DATUM("operation", trace_operation_word(line->operation)),
                  DATUM("space", ptx_space_name(line->space)), DATUM("written", line->written), DATUM("ran", line->ran),
                  DATUM(shared ? "written_wavefronts" : "written_sectors", line->written_units),
                  DATUM(shared ? "ran_wavefronts" : "ran_sectors", line->ran_units),
                  ITEM("written_by_bytes", widths_json(line->written_by_width)),
                  ITEM("ran_by_bytes", widths_json(line->ran_by_width)), DATUM("verdict", verdicts[line->verdict]));
}

/* Returns the counts of the PTX beside those of the machine code. */
static json_t *sass_json(const struct run *run)
{
    const struct sass_counts *sass = &run->sass;
    if (!sass->counted)
        return json_null();
    json_t *counters = json_object(), *lines = json_array();
    for (size_t i = 0; i < sass->counter_count; i++)
        datum_add(counters, DATA(DATUM(sass->counters[i].name, sass->counters[i].value)));
    for (size_t i = 0; i < run->sass_line_count; i++)
        json_array_append_new(lines, sass_line_json(&run->sass_lines[i]));
    return OBJECT(DATUM("device", sass->device), DATUM("driver", sass->driver), DATUM("date", sass->date),
                  DATUM("profiler", sass->profiler), ITEM("counters", counters), ITEM("lines", lines));
}

static json_t *check_json(const struct run_check *check)
{
    if (!check->checked)
        return json_null();
    if (check->right)
        return OBJECT(DATUM("right", check->right));
    return OBJECT(DATUM("right", check->right), DATUM("wrong", check->wrong_count), DATUM("buffer", check->name),
                  DATUM("index", check->index), DATUM("expected", check->expected), DATUM("got", check->got));
}

bool report_some_blocks(const struct run *run)
{
    const uint32_t *grid = run->trace->grid;
    return run->counted.first > 0 || run->counted.last < (uint64_t)grid[0] * grid[1] * grid[2] - 1;
}

static json_t *counters_json(struct arena *arena, const struct run *run)
{
    json_t *counters = json_object();
    struct counter *rows;
    size_t const count = counts_counters(&run->counts, run->trace->sites, arena, &rows);
    for (size_t i = 0; i < count; i++) {
        bool const instructions = /* a GPU's trace does not count them */
            strcmp(rows[i].name, "warp_instructions") == 0 || strcmp(rows[i].name, "thread_instructions") == 0;
        bool const known = !instructions || run->counts.totals.warp_instructions;
        datum_add(counters, DATA(ITEM(rows[i].name, VALUE_OR_NULL(known, rows[i].value))));
    }
    return counters;
}

static json_t *dram_json(const struct run *run)
{
    if (!run->dram_preset)
        return json_null();
    return report_rows_json(run->dram_preset, run->dram_requests, run->dram_hits, run->dram_misses,
                            run->dram_conflicts);
}

bool report_block_cycles(const struct run *run, uint64_t *block, struct timeline_cycles *cycles)
{
    const struct trace *trace = run->trace;
    if (!run->clock.gpu || !trace->events.count)
        return false;
    struct arena arena = {0};
    *block = trace->events.items[0].block;
    *cycles = timeline_cycles(timeline_new(&arena, trace, *block));
    arena_free(&arena);
    return true;
}

static json_t *model_clock_json(const struct run *run)
{
    uint64_t block;
    struct timeline_cycles cycles;
    if (!report_block_cycles(run, &block, &cycles))
        return json_null();
    return OBJECT(DATUM("gpu", run->clock.gpu), DATUM("block", block), DATUM("cycles", cycles.all),
                  DATUM("idle", cycles.idle));
}

/* Returns how many blocks ran before Ctrl+C. All figures then cover these blocks only. */
static json_t *stopped_json(const struct run *run)
{
    if (!run->cancelled)
        return json_null();
    return OBJECT(DATUM("blocks_run", run->blocks_run), DATUM("blocks", run->blocks),
                  DATUM("reason", run->exhausted ? "budget" : "interrupt"));
}

/* Returns what of the launch is guessed, as `guessed` of the contract; NULL: nothing. */
static json_t *guess_json(const struct report_run *report)
{
    const struct launch_guess *guess = report->guess;
    if (!guess)
        return NULL;
    return OBJECT(ITEM("grid", json_boolean(guess->grid == LAUNCH_GUESSED)),
                  ITEM("block", json_boolean(guess->block == LAUNCH_GUESSED)), DATUM("parameters", guess->guessed),
                  ITEM("line", VALUE_OR_NULL(guess->line, guess->line)), DATUM("options", report->launch));
}

json_t *report_run_json(const struct report_run *report)
{
    const struct run *run = report->run;
    const struct trace *trace = run->trace;
    struct arena arena = {0};
    json_t *outliers = report->outliers ? report_outliers_json(run) : NULL;
    json_t *explain = report->explain ? report_explain_json(report_explain_run(&arena, run, report->gpu)) : NULL;
    json_t *root =
        OBJECT(DATUM("kernel", mangled_name(&arena, trace->kernel)), DATUM("executor", executor_word(run->executor)),
               ITEM("device", VALUE_OR_NULL(trace->device[0], trace->device)),
               ITEM("launch", report_launch_json(trace->grid, trace->block, trace->shared_bytes)),
               ITEM("guessed", guess_json(report)), ITEM("counters", counters_json(&arena, run)),
               ITEM("sites", report_sites_json(run)), ITEM("dram", dram_json(run)),
               ITEM("caches", report_caches_json(&arena, run)), ITEM("faults", report_faults_json(trace)),
               ITEM("hazards", report_hazards_json(trace)), ITEM("time_us", time_json(&run->time)),
               ITEM("machine", sass_json(run)), DATUM("compiler", run->compiler_name ? run->compiler_name : ""),
               DATUM("unchecked", report_unchecked(&arena, REPORT_ENGLISH, &run->unchecked)),
               ITEM("stopped", stopped_json(run)), DATUM("lost_events", trace->lost),
               DATUM("output", run->output ? run->output : ""), ITEM("check", check_json(&run->check)),
               ITEM("model_clock", model_clock_json(run)), DATUM("symbol", trace->kernel),
               ITEM("counted_blocks",
                    report_some_blocks(run) ? datum_range(run->counted.first, run->counted.last) : json_null()),
               ITEM("outliers", outliers), ITEM("explain", explain));
    arena_free(&arena);
    return root;
}
