/* A run as the JSON object of the command line's contract, always in English. */
#include "cli/report.h"
#include "base/mangled.h"
#include "report/explain.h"
#include "report/json.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *shape(const uint32_t size[3])
{
    return json_pack("[I,I,I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

static json_t *integer(uint64_t value)
{
    return json_integer((json_int_t)value);
}

const char *report_operation(enum trace_operation operation)
{
    static const char *const names[] = {"ld", "st", "atom", "red", "barrier", "branch", "shfl", "", "mma"};
    return names[operation];
}

bool report_is_access(const struct trace_site *site)
{
    return site->operation < TRACE_BARRIER;
}

const char *report_space(const struct trace_site *site, const struct site_counts *counts)
{
    enum ptx_space const space = counts->global_requests == counts->requests   ? PTX_SPACE_GLOBAL
                                 : counts->shared_requests == counts->requests ? PTX_SPACE_SHARED
                                                                               : site->space;
    return ptx_space_name(space);
}

static json_t *sites_json(const struct run *run)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < run->trace->site_count && i < run->counts.site_count; i++) {
        const struct trace_site *site = &run->trace->sites[i];
        const struct site_counts *counts = &run->counts.sites[i];
        if (!report_is_access(site) || counts->requests == 0)
            continue;
        json_t *row = json_object();
        json_object_set_new(row, "line", integer(site->line));
        json_object_set_new(row, "column", integer(site->column));
        json_object_set_new(row, "operation", json_string(report_operation(site->operation)));
        json_object_set_new(row, "space", json_string(report_space(site, counts)));
        json_object_set_new(row, "bytes", integer(site->bytes));
        json_object_set_new(row, "requests", integer(counts->requests));
        json_object_set_new(row, "sectors", integer(counts->sectors));
        json_object_set_new(row, "sectors_ideal", integer(counts->sectors_ideal));
        json_object_set_new(row, "wavefronts", integer(counts->wavefronts));
        json_object_set_new(row, "wavefronts_ideal", integer(counts->wavefronts_ideal));
        json_object_set_new(row, "constant_passes", integer(counts->constant_passes));
        json_object_set_new(row, "constant_passes_ideal", integer(counts->constant_passes_ideal));
        json_array_append_new(list, row);
    }
    return list;
}

const char *report_file(const struct trace *trace, uint32_t file)
{
    return file < trace->file_count ? trace->files[file] : "";
}

/* Returns the lowest and the highest value; null when unknown. */
static json_t *range_json(const unsigned range[2])
{
    return range[0] ? json_pack("[I,I]", (json_int_t)range[0], (json_int_t)range[1]) : json_null();
}

static json_t *time_json(const struct measured_time *time)
{
    if (time->source == TIME_NONE)
        return json_null();
    json_t *row = json_object();
    json_object_set_new(row, "median", json_real(time->median));
    json_object_set_new(row, "p25", json_real(time->p25));
    json_object_set_new(row, "p75", json_real(time->p75));
    json_object_set_new(row, "runs", integer(time->runs));
    json_object_set_new(row, "source", json_string(time->source == TIME_LIVE ? "live" : "recorded"));
    json_object_set_new(row, "device", json_string(time->device));
    json_object_set_new(row, "date", json_string(time->date));
    json_object_set_new(row, "what", json_string(time->what[WORDS_ENGLISH]));
    json_object_set_new(row, "clock_mhz", range_json(time->state.clock_mhz));
    json_object_set_new(row, "memory_clock_mhz", range_json(time->state.memory_clock_mhz));
    json_object_set_new(row, "temperature_c", range_json(time->state.temperature));
    json_object_set_new(row, "beyond_l2", json_boolean(time->beyond_cache));
    return row;
}

static const char *verdict_word(enum sass_verdict verdict)
{
    static const char *const words[] = {"same", "merged", "not explained"};
    return words[verdict];
}

static json_t *widths_json(const uint64_t widths[SASS_WIDTHS])
{
    json_t *row = json_object();
    for (unsigned i = 0; i < SASS_WIDTHS; i++) {
        char bytes[8];
        snprintf(bytes, sizeof bytes, "%u", 1u << i);
        if (widths[i])
            json_object_set_new(row, bytes, integer(widths[i]));
    }
    return row;
}

/* Returns the counts of the PTX beside those of the machine code. */
static json_t *machine_json(const struct run *run)
{
    const struct sass_counts *machine = &run->sass;
    if (!machine->counted)
        return json_null();
    json_t *root = json_object(), *counters = json_object(), *lines = json_array();
    for (size_t i = 0; i < machine->counter_count; i++)
        json_object_set_new(counters, machine->counters[i].name, integer(machine->counters[i].value));
    for (size_t i = 0; i < run->sass_line_count; i++) {
        const struct sass_line *line = &run->sass_lines[i];
        bool const shared = line->space == PTX_SPACE_SHARED;
        json_t *row = json_object();
        json_object_set_new(row, "operation", json_string(report_operation(line->operation)));
        json_object_set_new(row, "space", json_string(ptx_space_name(line->space)));
        json_object_set_new(row, "written", integer(line->written));
        json_object_set_new(row, "ran", integer(line->ran));
        json_object_set_new(row, shared ? "written_wavefronts" : "written_sectors", integer(line->written_units));
        json_object_set_new(row, shared ? "ran_wavefronts" : "ran_sectors", integer(line->ran_units));
        json_object_set_new(row, "written_by_bytes", widths_json(line->written_by_width));
        json_object_set_new(row, "ran_by_bytes", widths_json(line->ran_by_width));
        json_object_set_new(row, "verdict", json_string(verdict_word(line->verdict)));
        json_array_append_new(lines, row);
    }
    json_object_set_new(root, "device", json_string(machine->device));
    json_object_set_new(root, "driver", json_string(machine->driver));
    json_object_set_new(root, "date", json_string(machine->date));
    json_object_set_new(root, "profiler", json_string(machine->profiler));
    json_object_set_new(root, "counters", counters);
    json_object_set_new(root, "lines", lines);
    return root;
}

static json_t *check_json(const struct run_check *check)
{
    if (!check->checked)
        return json_null();
    json_t *row = json_object();
    json_object_set_new(row, "right", json_boolean(check->right));
    if (!check->right) {
        json_object_set_new(row, "wrong", integer(check->wrong_count));
        json_object_set_new(row, "buffer", json_string(check->name));
        json_object_set_new(row, "index", integer(check->index));
        json_object_set_new(row, "expected", json_real(check->expected));
        json_object_set_new(row, "got", json_real(check->got));
    }
    return row;
}

bool report_instructions_known(const struct run *run)
{
    return run->counts.totals.warp_instructions > 0;
}

bool report_some_blocks(const struct run *run)
{
    const uint32_t *grid = run->trace->grid;
    return run->counted.first > 0 || run->counted.last < (uint64_t)grid[0] * grid[1] * grid[2] - 1;
}

static json_t *counter_json(const struct run *run, const struct counter *counter)
{
    bool const instructions =
        strcmp(counter->name, "warp_instructions") == 0 || strcmp(counter->name, "thread_instructions") == 0;
    return instructions && !report_instructions_known(run) ? json_null() : integer(counter->value);
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
    json_t *row = json_object();
    json_object_set_new(row, "gpu", json_string(run->clock.gpu));
    json_object_set_new(row, "block", integer(block));
    json_object_set_new(row, "cycles", integer(cycles.all));
    json_object_set_new(row, "idle", integer(cycles.idle));
    return row;
}

/* Returns how many blocks ran before Ctrl+C. All figures then cover these blocks only. */
static json_t *stopped_json(const struct run *run)
{
    if (!run->cancelled)
        return json_null();
    json_t *row = json_object();
    json_object_set_new(row, "blocks_run", integer(run->blocks_run));
    json_object_set_new(row, "blocks", integer(run->blocks));
    json_object_set_new(row, "reason", json_string(run->exhausted ? "budget" : "interrupt"));
    return row;
}

/* Returns what of the launch is guessed, as `guessed` of the contract. */
static json_t *guess_json(const struct cli_run *result)
{
    const struct launch_guess *guess = &result->guess;
    json_t *row = json_object();
    json_object_set_new(row, "grid", json_boolean(guess->grid == LAUNCH_GUESSED));
    json_object_set_new(row, "block", json_boolean(guess->block == LAUNCH_GUESSED));
    json_object_set_new(row, "parameters", json_string(guess->guessed));
    json_object_set_new(row, "line", guess->line ? integer(guess->line) : json_null());
    json_object_set_new(row, "options", json_string(result->launch));
    return row;
}

void cli_report_json(const struct cli_run *result, struct cli_wanted wanted)
{
    const struct run *run = result->run;
    const struct trace *trace = run->trace;
    json_t *launch = json_object();
    json_object_set_new(launch, "grid", shape(trace->grid));
    json_object_set_new(launch, "block", shape(trace->block));
    json_object_set_new(launch, "shared_bytes", integer(trace->shared_bytes));
    json_t *counters = json_object();
    struct arena arena = {0};
    const char *unchecked = report_unchecked(&arena, REPORT_ENGLISH, &run->unchecked);
    struct counter *rows;
    size_t const count = counts_counters(&run->counts, trace->sites, &arena, &rows);
    for (size_t i = 0; i < count; i++)
        json_object_set_new(counters, rows[i].name, counter_json(run, &rows[i]));
    json_t *dram = json_null();
    if (run->dram_preset) {
        dram = json_object();
        json_object_set_new(dram, "model", json_string(run->dram_preset));
        json_object_set_new(dram, "requests", integer(run->dram_requests));
        json_object_set_new(dram, "row_hits", integer(run->dram_hits));
        json_object_set_new(dram, "row_misses", integer(run->dram_misses));
        json_object_set_new(dram, "row_conflicts", integer(run->dram_conflicts));
    }
    json_t *root = json_object();
    json_object_set_new(root, "kernel", json_string(mangled_name(&arena, trace->kernel)));
    json_object_set_new(root, "executor", json_string(executor_word(run->executor)));
    json_object_set_new(root, "device", trace->device[0] ? json_string(trace->device) : json_null());
    json_object_set_new(root, "launch", launch);
    if (result->guess.any)
        json_object_set_new(root, "guessed", guess_json(result));
    json_object_set_new(root, "counters", counters);
    json_object_set_new(root, "sites", sites_json(run));
    json_object_set_new(root, "dram", dram);
    json_object_set_new(root, "faults", report_faults_json(trace));
    json_object_set_new(root, "hazards", report_hazards_json(run->trace));
    json_object_set_new(root, "time_us", time_json(&run->time));
    json_object_set_new(root, "machine", machine_json(run));
    json_object_set_new(root, "compiler", json_string(run->compiler_name ? run->compiler_name : ""));
    json_object_set_new(root, "unchecked", unchecked ? json_string(unchecked) : json_null());
    json_object_set_new(root, "stopped", stopped_json(run));
    json_object_set_new(root, "lost_events", integer(trace->lost));
    json_object_set_new(root, "output", json_string(run->output ? run->output : ""));
    json_object_set_new(root, "check", check_json(&run->check));
    json_object_set_new(root, "model_clock", model_clock_json(run));
    json_object_set_new(root, "symbol", json_string(trace->kernel));
    json_object_set_new(root, "counted_blocks",
                        report_some_blocks(run)
                            ? json_pack("[I,I]", (json_int_t)run->counted.first, (json_int_t)run->counted.last)
                            : json_null());
    if (wanted.outliers)
        json_object_set_new(root, "outliers", report_outliers_json(run));
    if (wanted.explain)
        json_object_set_new(root, "explain", report_explain_json(report_explain_run(&arena, run, wanted.gpu)));
    arena_free(&arena);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}
