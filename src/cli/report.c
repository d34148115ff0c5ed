/* A run told to scripts (the contract's JSON object) and to people. */
#include "cli/cli.h"
#include "lesson/signature.h"
#include "model/timeline.h"
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

static const char *operation_name(enum trace_operation operation)
{
    static const char *const names[] = {"ld", "st", "atom", "red", "barrier", "branch"};
    return names[operation];
}

static bool is_access(const struct trace_site *site)
{
    return site->operation != TRACE_BARRIER && site->operation != TRACE_BRANCH;
}

static json_t *sites_json(const struct run *run)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < run->trace->site_count && i < run->counts.site_count; ++i) {
        const struct trace_site *site = &run->trace->sites[i];
        const struct site_counts *counts = &run->counts.sites[i];
        if (!is_access(site) || counts->requests == 0)
            continue;
        json_t *row = json_object();
        json_object_set_new(row, "line", integer(site->line));
        json_object_set_new(row, "column", integer(site->column));
        json_object_set_new(row, "operation", json_string(operation_name(site->operation)));
        json_object_set_new(row, "space", json_string(ptx_space_name(site->space)));
        json_object_set_new(row, "bytes", integer(site->bytes));
        json_object_set_new(row, "requests", integer(counts->requests));
        json_object_set_new(row, "sectors", integer(counts->sectors));
        json_object_set_new(row, "sectors_ideal", integer(counts->sectors_ideal));
        json_object_set_new(row, "wavefronts", integer(counts->wavefronts));
        json_object_set_new(row, "wavefronts_ideal", integer(counts->wavefronts_ideal));
        json_array_append_new(list, row);
    }
    return list;
}

static const char *file_of(const struct trace *trace, uint32_t file)
{
    return file < trace->file_count ? trace->files[file] : "";
}

static json_t *faults_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->fault_count; ++i) {
        const struct trace_fault *fault = &trace->faults[i];
        json_t *row = json_object();
        json_object_set_new(row, "kind", json_string(fault->kind));
        json_object_set_new(row, "message", json_string(fault->message));
        json_object_set_new(row, "file", json_string(file_of(trace, fault->file)));
        json_object_set_new(row, "line", integer(fault->line));
        json_object_set_new(row, "block", integer(fault->block));
        json_object_set_new(row, "thread", shape(fault->thread));
        json_object_set_new(row, "address", integer(fault->address));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *side_json(const struct trace *trace, uint32_t site, uint64_t block, const uint32_t thread[3])
{
    bool const known = site < trace->site_count;
    json_t *side = json_object();
    json_object_set_new(side, "file", json_string(known ? file_of(trace, trace->sites[site].file) : ""));
    json_object_set_new(side, "line", integer(known ? trace->sites[site].line : 0));
    json_object_set_new(side, "operation", json_string(known ? operation_name(trace->sites[site].operation) : ""));
    json_object_set_new(side, "block", integer(block));
    json_object_set_new(side, "thread", shape(thread));
    return side;
}

static json_t *hazards_json(const struct run *run)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < run->hazard_count; ++i) {
        const struct emulator_hazard *hazard = &run->hazards[i];
        json_t *row = json_object();
        json_object_set_new(row, "message", json_string(hazard->message));
        json_object_set_new(row, "space", json_string(ptx_space_name(hazard->space)));
        json_object_set_new(row, "block", integer(hazard->block));
        json_object_set_new(row, "address", integer(hazard->address));
        json_object_set_new(row, "first",
                            side_json(run->trace, hazard->first_site, hazard->first_block, hazard->first_thread));
        json_object_set_new(row, "second",
                            side_json(run->trace, hazard->second_site, hazard->block, hazard->second_thread));
        json_array_append_new(list, row);
    }
    return list;
}

/* The lowest and the highest; null when not known. */
static json_t *range_json(const unsigned range[2])
{
    return range[0] ? json_pack("[I,I]", (json_int_t)range[0], (json_int_t)range[1]) : json_null();
}

static json_t *time_json(const struct run_time *time)
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
    json_object_set_new(row, "what", json_string(time->what));
    json_object_set_new(row, "clock_mhz", range_json(time->state.clock_mhz));
    json_object_set_new(row, "memory_clock_mhz", range_json(time->state.memory_clock_mhz));
    json_object_set_new(row, "temperature_c", range_json(time->state.temperature));
    json_object_set_new(row, "beyond_l2", json_boolean(time->beyond_cache));
    return row;
}

static const char *verdict_word(enum machine_verdict verdict)
{
    static const char *const words[] = {"same", "merged", "not explained"};
    return words[verdict];
}

static json_t *widths_json(const uint64_t widths[MACHINE_WIDTHS])
{
    json_t *row = json_object();
    for (unsigned i = 0; i < MACHINE_WIDTHS; ++i) {
        char bytes[8];
        snprintf(bytes, sizeof bytes, "%u", 1u << i);
        if (widths[i])
            json_object_set_new(row, bytes, integer(widths[i]));
    }
    return row;
}

/* As written and as the machine ran it. */
static json_t *machine_json(const struct run *run)
{
    const struct machine_counts *machine = &run->machine;
    if (!machine->counted)
        return json_null();
    json_t *root = json_object(), *counters = json_object(), *lines = json_array();
    for (size_t i = 0; i < machine->counter_count; ++i)
        json_object_set_new(counters, machine->counters[i].name, integer(machine->counters[i].value));
    for (size_t i = 0; i < run->machine_line_count; ++i) {
        const struct machine_line *line = &run->machine_lines[i];
        bool const shared = line->space == PTX_SPACE_SHARED;
        json_t *row = json_object();
        json_object_set_new(row, "operation", json_string(operation_name(line->operation)));
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

/* A GPU's trace does not count instructions: that is not known, which is another thing than none. */
static bool instructions_known(const struct run *run)
{
    return run->counts.totals.warp_instructions > 0;
}

/* A choice of blocks, or a recording that has only some. */
static bool counts_some_blocks(const struct run *run)
{
    const uint32_t *grid = run->trace->grid;
    return run->counted.first > 0 || run->counted.last < (uint64_t)grid[0] * grid[1] * grid[2] - 1;
}

static json_t *counter_json(const struct run *run, const struct counter *counter)
{
    bool const instructions =
        strcmp(counter->name, "warp_instructions") == 0 || strcmp(counter->name, "thread_instructions") == 0;
    return instructions && !instructions_known(run) ? json_null() : integer(counter->value);
}

/* What the model clock says of the first recorded block; false when nothing was recorded by it. */
static bool first_block_cycles(const struct run *run, uint64_t *block, struct timeline_cycles *cycles)
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
    if (!first_block_cycles(run, &block, &cycles))
        return json_null();
    json_t *row = json_object();
    json_object_set_new(row, "gpu", json_string(run->clock.gpu));
    json_object_set_new(row, "block", integer(block));
    json_object_set_new(row, "cycles", integer(cycles.all));
    json_object_set_new(row, "idle", integer(cycles.idle));
    return row;
}

/* After Ctrl+C: all figures are of so many blocks. */
static json_t *stopped_json(const struct run *run)
{
    if (!run->cancelled)
        return json_null();
    json_t *row = json_object();
    json_object_set_new(row, "blocks_run", integer(run->blocks_run));
    json_object_set_new(row, "blocks", integer(run->blocks));
    return row;
}

void cli_report_json(const struct cli_run *result)
{
    const struct run *run = result->run;
    const struct trace *trace = run->trace;
    json_t *launch = json_object();
    json_object_set_new(launch, "grid", shape(trace->grid));
    json_object_set_new(launch, "block", shape(trace->block));
    json_object_set_new(launch, "shared_bytes", integer(trace->shared_bytes));
    json_t *counters = json_object();
    struct arena arena = {0};
    struct counter *rows;
    size_t const count = counts_counters(&run->counts, trace->sites, &arena, &rows);
    for (size_t i = 0; i < count; ++i)
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
    json_object_set_new(root, "kernel", json_string(signature_name(&arena, trace->kernel)));
    json_object_set_new(root, "executor", json_string(run->executor == RUN_RECORDING ? "recording" : trace->executor));
    json_object_set_new(root, "device", trace->device[0] ? json_string(trace->device) : json_null());
    json_object_set_new(root, "launch", launch);
    json_object_set_new(root, "counters", counters);
    json_object_set_new(root, "sites", sites_json(run));
    json_object_set_new(root, "dram", dram);
    json_object_set_new(root, "faults", faults_json(trace));
    json_object_set_new(root, "hazards", hazards_json(run));
    json_object_set_new(root, "time_us", time_json(&run->time));
    json_object_set_new(root, "machine", machine_json(run));
    json_object_set_new(root, "compiler", json_string(run->compiler_name ? run->compiler_name : ""));
    json_object_set_new(root, "unchecked", run->unchecked[0] ? json_string(run->unchecked) : json_null());
    json_object_set_new(root, "stopped", stopped_json(run));
    json_object_set_new(root, "lost_events", integer(trace->lost));
    json_object_set_new(root, "output", json_string(run->output ? run->output : ""));
    json_object_set_new(root, "check", check_json(&run->check));
    json_object_set_new(root, "model_clock", model_clock_json(run));
    json_object_set_new(root, "symbol", json_string(trace->kernel));
    json_object_set_new(root, "counted_blocks",
                        counts_some_blocks(run)
                            ? json_pack("[I,I]", (json_int_t)run->counted.first, (json_int_t)run->counted.last)
                            : json_null());
    arena_free(&arena);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}

static void sites_text(const struct run *run)
{
    puts("  line  access          executed     sectors   (least)    passes   (least)");
    for (uint32_t i = 0; i < run->trace->site_count && i < run->counts.site_count; ++i) {
        const struct trace_site *site = &run->trace->sites[i];
        const struct site_counts *counts = &run->counts.sites[i];
        if (!is_access(site) || counts->requests == 0)
            continue;
        char access[32];
        snprintf(access, sizeof access, "%s.%s %u B", operation_name(site->operation), ptx_space_name(site->space),
                 site->bytes);
        printf("  %4u  %-14s %9" PRIu64, site->line, access, counts->requests);
        if (site->space == PTX_SPACE_SHARED)
            printf(" %11s %9s %9" PRIu64 " %9" PRIu64 "\n", "", "", counts->wavefronts, counts->wavefronts_ideal);
        else
            printf(" %11" PRIu64 " %9" PRIu64 "\n", counts->sectors, counts->sectors_ideal);
    }
}

static void merged_text(const struct machine_line *line)
{
    unsigned narrow = 0;
    while (narrow + 1 < MACHINE_WIDTHS && line->written_by_width[narrow] == 0)
        ++narrow;
    for (unsigned i = narrow + 1; i < MACHINE_WIDTHS; ++i)
        if (line->ran_by_width[i])
            printf("; %" PRIu64 " of %u bytes a lane, each the work of %u", line->ran_by_width[i], 1u << i,
                   1u << (i - narrow));
}

static void machine_text(const struct run *run)
{
    bool same = true;
    for (size_t i = 0; i < run->machine_line_count; ++i) {
        const struct machine_line *line = &run->machine_lines[i];
        if (line->verdict == MACHINE_SAME)
            continue;
        const char *unit = line->space == PTX_SPACE_SHARED ? "wavefronts" : "sectors";
        same = false;
        printf("  %s.%s as written: %" PRIu64 " (%" PRIu64 " %s); as the machine ran it: %" PRIu64 " (%" PRIu64 " %s)",
               operation_name(line->operation), ptx_space_name(line->space), line->written, line->written_units, unit,
               line->ran, line->ran_units, unit);
        if (line->verdict == MACHINE_MERGED)
            merged_text(line);
        else
            printf("; why is not known");
        putchar('\n');
    }
    printf("  %s counted this launch with %s, %s%s\n", run->machine.device, run->machine.profiler, run->machine.date,
           same ? ": all as written" : "");
}

/* "thread (4,1,0), lane 20 of warp 0, in block (2,0,0)" */
static void print_thread(const struct trace *trace, const uint32_t thread[3], uint64_t block)
{
    const uint32_t *b = trace->block, *g = trace->grid;
    uint32_t const linear = thread[0] + b[0] * (thread[1] + b[1] * thread[2]);
    printf("thread (%u,%u,%u), lane %u of warp %u, in block (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", thread[0],
           thread[1], thread[2], linear % WARP_LANES, linear / WARP_LANES, block % g[0], block / g[0] % g[1],
           block / g[0] / g[1]);
}

static void fault_text(const struct trace *trace, const struct trace_fault *fault)
{
    printf("  FAULT %s: %s\n        at %s:%u, by ", fault->kind, fault->message, file_of(trace, fault->file),
           fault->line);
    print_thread(trace, fault->thread, fault->block);
    putchar('\n');
}

static void side_text(const struct trace *trace, const char *place, uint32_t site, const uint32_t thread[3],
                      uint64_t block)
{
    bool const known = site < trace->site_count;
    printf("        %s %s at %s:%u, by ", known ? operation_name(trace->sites[site].operation) : "access", place,
           known ? file_of(trace, trace->sites[site].file) : "?", known ? trace->sites[site].line : 0);
    print_thread(trace, thread, block);
    putchar('\n');
}

static void hazard_text(const struct trace *trace, const struct emulator_hazard *hazard)
{
    char place[200];
    uint64_t element;
    const struct trace_buffer *buffer =
        hazard->space == PTX_SPACE_GLOBAL ? trace_find_buffer(trace, hazard->address, &element) : NULL;
    if (buffer)
        snprintf(place, sizeof place, "of %s[%" PRIu64 "]", buffer->name, element);
    else if (hazard->space == PTX_SPACE_SHARED)
        snprintf(place, sizeof place, "of shared memory, offset %" PRIu64, hazard->address);
    else
        snprintf(place, sizeof place, "of address 0x%" PRIx64, hazard->address);
    printf("  HAZARD %s\n", hazard->message);
    side_text(trace, place, hazard->first_site, hazard->first_thread, hazard->first_block);
    side_text(trace, place, hazard->second_site, hazard->second_thread, hazard->block);
}

static void findings_text(const struct run *run)
{
    for (uint32_t i = 0; i < run->trace->fault_count; ++i)
        fault_text(run->trace, &run->trace->faults[i]);
    for (uint32_t i = 0; i < run->hazard_count; ++i)
        hazard_text(run->trace, &run->hazards[i]);
    if (run->unchecked[0])
        printf("  %s\n", run->unchecked);
}

void cli_report_text(const struct cli_run *result)
{
    const struct run *run = result->run;
    const struct trace *trace = run->trace;
    if (run->output)
        fputs(run->output, stdout);
    struct arena arena = {0};
    printf("%s on the %s%s%s%s: grid %u x %u x %u, block %u x %u x %u, %u bytes of shared memory, compiled by %s\n",
           signature_name(&arena, trace->kernel), run->executor == RUN_RECORDING ? "recording of the " : "",
           trace->executor, trace->device[0] ? " " : "", trace->device, trace->grid[0], trace->grid[1], trace->grid[2],
           trace->block[0], trace->block[1], trace->block[2], trace->shared_bytes,
           run->compiler_name ? run->compiler_name : "?");
    arena_free(&arena);
    if (run->cancelled)
        printf("  STOPPED: %" PRIu64 " of %" PRIu64 " blocks ran to their end; the figures are of what ran\n",
               run->blocks_run, run->blocks);
    if (counts_some_blocks(run))
        printf("  counted: blocks %" PRIu64 " to %" PRIu64 " alone\n", run->counted.first, run->counted.last);
    sites_text(run);
    const struct trace_totals *totals = &run->counts.totals;
    if (instructions_known(run))
        printf("  %" PRIu64 " warp instructions, %" PRIu64 " thread instructions, ", totals->warp_instructions,
               totals->thread_instructions);
    else
        printf("  instructions not counted (probes on a GPU see accesses, barriers and branches), ");
    printf("%" PRIu64 " branches, %" PRIu64 " of them divergent\n", totals->branches, totals->branches_divergent);
    if (run->machine.counted)
        machine_text(run);
    if (run->dram_preset)
        printf("  DRAM (model %s): %" PRIu64 " bursts; row hits %" PRIu64 ", misses %" PRIu64 ", conflicts %" PRIu64
               "\n",
               run->dram_preset, run->dram_requests, run->dram_hits, run->dram_misses, run->dram_conflicts);
    uint64_t block;
    struct timeline_cycles cycles;
    if (first_block_cycles(run, &block, &cycles))
        printf("  model clock (latencies of %s): block %" PRIu64 " takes %" PRIu64 " cycles, in %" PRIu64
               " of them every warp waits\n",
               run->clock.gpu, block, cycles.all, cycles.idle);
    if (run->time.source != TIME_NONE)
        printf("  %s on %s, %s: median %.2f us, quartiles %.2f and %.2f, %u runs (%s)\n",
               run->time.source == TIME_LIVE ? "measured" : "recorded", run->time.device, run->time.date,
               run->time.median, run->time.p25, run->time.p75, run->time.runs, run->time.what);
    else
        puts("  time: nothing was measured for this setting");
    if (run->check.checked && run->check.right)
        puts("  results equal the host's");
    else if (run->check.checked)
        printf("  WRONG RESULT: %s[%" PRIu64 "] is %.9g, the host says %.9g; %" PRIu64 " elements are wrong\n",
               run->check.name, run->check.index, run->check.got, run->check.expected, run->check.wrong_count);
    findings_text(run);
    if (result->memory_unasked || result->races_unasked)
        printf("  not looked for: %s%s%s (--check %s%s%s)\n",
               result->memory_unasked ? "reads of what nobody wrote" : "",
               result->memory_unasked && result->races_unasked ? ", " : "", result->races_unasked ? "races" : "",
               result->memory_unasked ? "memory" : "", result->memory_unasked && result->races_unasked ? "," : "",
               result->races_unasked ? "race" : "");
    if (trace->lost)
        printf("  %" PRIu64 " events found no room in the record\n", trace->lost);
}
