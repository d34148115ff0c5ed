/* The run of a whole program: its launches with counts and findings, and how it ended. */
#include "base/file.h"
#include "base/words.h"
#include "cli/report.h"
#include "program/program.h"
#include "report/explain.h"
#include "report/json.h"
#include "report/mistake.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static json_t *shape(const uint32_t size[3])
{
    return json_pack("[I,I,I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

static json_t *copy_of(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return value ? json_incref(value) : json_null();
}

/* The faults of a launch, each with the allocation next to its access. */
static json_t *faults_json(const struct program_run *run, const struct program_launch *launch,
                           const struct trace *trace)
{
    json_t *rows = report_faults_json(trace);
    struct mistake_allocation allocation;
    size_t row = 0;
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *finding = &trace->findings[i];
        if (finding_is_race(finding))
            continue;
        bool const known = mistakes_allocation_of(run, launch, finding, &allocation);
        json_object_set_new(json_array_get(rows, row++), "allocation",
                            known ? report_allocation_json(&allocation) : json_null());
    }
    return rows;
}

/* A time that was measured in this run, once. */
static json_t *time_json(const char *device, double measured_us)
{
    char date[11];
    if (!device || measured_us <= 0)
        return json_null();
    clock_date(date);
    return json_pack("{s:f,s:f,s:f,s:i,s:s,s:s,s:s}", "median", measured_us, "p25", measured_us, "p75", measured_us,
                     "runs", 1, "source", "live", "device", device, "date", date);
}

/* Explains a recorded launch for JSON, and adds it to the sum. */
static json_t *explain_json(const struct cli_options *options, const struct program_launch *launch,
                            const struct trace *trace, struct explain_sum *sum)
{
    struct arena arena = {0};
    if (!options->explain || !trace || !launch->recorded)
        return json_null();
    const struct explain *explain = report_explain_launch(&arena, options, launch, trace);
    report_explain_add(sum, explain, launch->kernel, 1);
    json_t *list = report_explain_json(explain);
    arena_free(&arena);
    return list;
}

static json_t *launch_json(const struct cli_options *options, const struct program_run *run,
                           const struct program_launch *launch, struct explain_sum *sum)
{
    struct error error;
    struct trace *trace = NULL;
    json_t *row = json_object(), *configuration = json_object();
    const struct program_call *call = &run->calls[launch->call];
    if (launch->trace_path)
        program_launch_trace(launch, &trace, &error);
    json_object_set_new(configuration, "grid", shape(launch->grid));
    json_object_set_new(configuration, "block", shape(launch->block));
    json_object_set_new(configuration, "shared_bytes", json_integer(launch->shared_bytes));
    json_object_set_new(row, "number", json_integer((json_int_t)launch->number));
    json_object_set_new(row, "kernel", json_string(launch->kernel));
    json_object_set_new(row, "symbol", json_string(launch->symbol));
    json_object_set_new(row, "file", json_string(call->at.file));
    json_object_set_new(row, "line", json_integer(call->at.line));
    json_object_set_new(row, "error", json_integer(call->error));
    json_object_set_new(row, "ran", json_boolean(launch->ran));
    json_object_set_new(row, "problem", launch->problem ? json_string(launch->problem) : json_null());
    json_object_set_new(row, "launch", configuration);
    json_object_set_new(row, "stream", copy_of(launch->record, "stream"));
    json_object_set_new(row, "arguments", copy_of(launch->record, "arguments"));
    json_object_set_new(row, "counters", copy_of(launch->record, "counters"));
    json_object_set_new(row, "sites", copy_of(launch->record, "sites"));
    json_object_set_new(row, "dram", copy_of(launch->record, "dram"));
    json_object_set_new(row, "model_us", run->device ? json_null() : json_real(launch->model_us));
    json_object_set_new(row, "time_us", time_json(run->device, launch->measured_us));
    json_object_set_new(row, "uncounted", launch->uncounted ? json_string(launch->uncounted) : json_null());
    json_object_set_new(row, "faults", trace ? faults_json(run, launch, trace) : json_array());
    json_object_set_new(row, "hazards", trace ? report_hazards_json(trace) : json_array());
    if (options->explain)
        json_object_set_new(row, "explain", explain_json(options, launch, trace, sum));
    trace_free(trace);
    return row;
}

static json_t *call_json(const struct program_call *call)
{
    json_t *row = json_deep_copy(call->record);
    json_object_del(row, "from");
    json_object_del(row, "counters");
    json_object_del(row, "sites");
    json_object_del(row, "dram");
    json_object_del(row, "site_counts");
    if (call->measured_us > 0)
        json_object_set_new(row, "measured_us", json_real(call->measured_us));
    json_object_set_new(row, "file", json_string(call->at.file));
    json_object_set_new(row, "line", json_integer(call->at.line));
    return row;
}

static const char *end_word(enum program_end end)
{
    static const char *const words[] = {"exited", "signal", "time limit", "output limit", "cancelled"};
    return words[end];
}

void cli_program_json(const struct cli_options *options, const struct program_run *run, const char *name)
{
    json_t *root = json_object(), *launches = json_array(), *calls = json_array(), *mistakes = json_array();
    struct explain_sum sum = {0};
    for (uint32_t i = 0; i < run->launch_count; i++)
        json_array_append_new(launches, launch_json(options, run, &run->launches[i], &sum));
    for (uint32_t i = 0; i < run->call_count; i++)
        json_array_append_new(calls, call_json(&run->calls[i]));
    for (uint32_t i = 0; i < run->mistake_count; i++)
        json_array_append_new(mistakes, report_mistake_json(&run->mistakes[i]));
    json_t *output = json_stringn(run->output, run->output_size), *errors = json_string(run->errors);
    json_object_set_new(root, "program", json_string(name));
    json_object_set_new(root, "executor", json_string(run->device ? "gpu" : "emulator"));
    json_object_set_new(root, "device", run->device ? json_string(run->device) : json_null());
    json_object_set_new(root, "end", json_string(end_word(run->end)));
    json_object_set_new(root, "status", json_integer(run->status));
    json_object_set_new(root, "signal", run->signal ? json_integer(run->signal) : json_null());
    json_object_set_new(root, "crash", run->crash ? call_json(run->crash) : json_null());
    json_object_set_new(root, "output", output ? output : json_null()); /* null: it is not UTF-8 */
    json_object_set_new(root, "errors", errors ? errors : json_null());
    json_object_set_new(root, "mistakes", mistakes);
    json_object_set_new(root, "launches", launches);
    json_object_set_new(root, "calls", calls);
    if (options->explain)
        json_object_set_new(root, "explain", report_explain_sum_json(&sum));
    arena_free(&sum.arena);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}

/* ---- text ---- */

static uint64_t counter(const struct program_launch *launch, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(launch->record, "counters"), name));
}

static uint64_t site_sum(const struct program_launch *launch, const char *key)
{
    json_t *row;
    size_t i;
    uint64_t sum = 0;
    json_array_foreach(json_object_get(launch->record, "sites"), i, row) sum +=
        (uint64_t)json_integer_value(json_object_get(row, key));
    return sum;
}

static void launch_counts(const struct program_launch *launch)
{
    uint64_t const requests = counter(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
                              counter(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
    uint64_t const sectors = site_sum(launch, "sectors"), wavefronts = site_sum(launch, "wavefronts");
    if (requests)
        printf(_("  global memory: loads and stores by warps %" PRIu64 ", sectors %" PRIu64 " (least %" PRIu64 ")\n"),
               requests, sectors, site_sum(launch, "sectors_ideal"));
    if (wavefronts)
        printf(_("  shared memory: passes %" PRIu64 " (least %" PRIu64 ")\n"), wavefronts,
               site_sum(launch, "wavefronts_ideal"));
    if (!counter(launch, "warp_instructions")) {
        printf(
            _("  instructions: not counted (probes on a GPU record accesses, barriers and branches), branches: %" PRIu64
              " (divergent: %" PRIu64 ")\n"),
            counter(launch, "branches"), counter(launch, "branches_divergent"));
        return;
    }
    printf(_("  warp instructions: %" PRIu64 ", thread instructions: %" PRIu64 ", branches: %" PRIu64
             " (divergent: %" PRIu64 ")\n"),
           counter(launch, "warp_instructions"), counter(launch, "thread_instructions"), counter(launch, "branches"),
           counter(launch, "branches_divergent"));
}

static bool alike(const struct program_launch *a, const struct program_launch *b)
{
    return strcmp(a->symbol, b->symbol) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->ran && b->ran && !a->faults && !a->hazards &&
           !b->faults && !b->hazards && a->shared_bytes == b->shared_bytes &&
           (!json_object_get(b->record, "counters") || /* of a GPU: only the first was counted */
            json_equal(json_object_get(a->record, "counters"), json_object_get(b->record, "counters")));
}

/* Prints the allocations next to the accesses of a launch's findings, each once. */
static void allocations_text(struct arena *arena, const struct program_run *of, const struct program_launch *launch,
                             const struct trace *trace)
{
    struct mistake_allocation allocation;
    uint32_t last = 0;
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        if (!mistakes_allocation_of(of, launch, &trace->findings[i], &allocation) || allocation.number == last)
            continue;
        last = allocation.number;
        printf(_("  the memory is %s\n"), report_allocation(arena, &allocation));
    }
}

static void findings(struct arena *arena, const struct cli_options *options, const struct program_run *of,
                     const struct program_launch *launch)
{
    struct error error;
    struct run run = {.executor = EXECUTOR_EMULATOR, .counted = LAUNCH_ALL_BLOCKS};
    struct launch_checks const checks = options->launch.options.checks;
    struct cli_run result = {.run = &run,
                             .memory_unasked = options->checks_given && !checks.memory,
                             .races_unasked = options->checks_given && !checks.races};
    if (!program_launch_trace(launch, &run.trace, &error)) {
        if (!of->device && (launch->faults || launch->hazards))
            printf(_("  findings: %u; the first of a kernel's launches show theirs\n"),
                   launch->faults + launch->hazards);
        return;
    }
    result.causes = causes_find(arena, of, launch, run.trace);
    report_findings_text(arena, &result);
    allocations_text(arena, of, launch, run.trace);
    trace_free(run.trace);
}

/* Explains a recorded launch, and adds it to the sum as often as launches like it were made. */
static void explain_text(struct arena *arena, const struct cli_options *options, const struct program_launch *launch,
                         uint64_t times, struct explain_sum *sum)
{
    struct error error;
    struct trace *trace;
    if (!options->explain || !launch->ran)
        return;
    if (!launch->recorded || !program_launch_trace(launch, &trace, &error)) {
        puts(_("  not explained: this launch was not recorded"));
        return;
    }
    const struct explain *explain = report_explain_launch(arena, options, launch, trace);
    report_explain_text(arena, explain);
    report_lessons_text(trace);
    report_explain_add(sum, explain, launch->kernel, times);
    trace_free(trace);
}

static int compare_times(const void *left, const void *right)
{
    double const a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Prints the time of a launch on the GPU, or the median of several. */
static void launch_time(const struct program_run *run, uint32_t first, uint32_t last)
{
    struct arena arena = {0};
    double *times = arena_array(&arena, double, (size_t)(last - first) + 1);
    size_t count = 0;
    for (uint32_t i = first; i <= last; i++)
        if (run->launches[i].measured_us > 0)
            times[count++] = run->launches[i].measured_us;
    if (count > 1) {
        qsort(times, count, sizeof *times, compare_times);
        printf(_("  time on %s: median %.1f µs (%.1f to %.1f), launches: %zu\n"), run->device, times[count / 2],
               times[0], times[count - 1], count);
    } else if (count) {
        printf(_("  time on %s: %.1f µs\n"), run->device, times[0]);
    }
    if (run->launches[first].faults)
        puts(_("  the kernel failed"));
    arena_free(&arena);
}

static void launch_text(struct arena *arena, const struct cli_options *options, const struct program_run *run,
                        uint32_t index, uint32_t last, struct explain_sum *sum)
{
    const struct program_launch *launch = &run->launches[index];
    const struct program_call *call = &run->calls[launch->call];
    const uint32_t *g = launch->grid, *b = launch->block;
    if (index < last)
        printf(_("launches %" PRIu64 " to %" PRIu64 ": "), launch->number, run->launches[last].number);
    else if (launch->number)
        printf(_("launch %" PRIu64 ": "), launch->number);
    else
        printf("%s", _("refused launch: "));
    printf(_("%s<<<(%u, %u, %u), (%u, %u, %u)>>>, shared memory %u B; %s:%d\n"), launch->kernel, g[0], g[1], g[2], b[0],
           b[1], b[2], launch->shared_bytes, *call->at.file ? call->at.file : "?", call->at.line);
    if (launch->problem)
        printf("  %s\n", launch->problem);
    else if (call->error)
        printf(_("  the launch failed with error %d\n"), call->error);
    if (run->device)
        launch_time(run, index, last);
    if (json_object_get(launch->record, "counters"))
        launch_counts(launch);
    if (launch->uncounted)
        printf(_("  not counted: %s\n"), launch->uncounted);
    explain_text(arena, options, launch, last - index + 1, sum);
    findings(arena, options, run, launch);
}

static void mistakes_text(struct arena *arena, const struct program_run *run)
{
    for (uint32_t i = 0; i < run->mistake_count; i++) {
        const struct mistake *mistake = &run->mistakes[i];
        const char *error = report_mistake_error(arena, REPORT_TRANSLATED, mistake);
        printf("%s:%d: %s: %s", *mistake->at.file ? mistake->at.file : "?", mistake->at.line,
               report_mistake_title(REPORT_TRANSLATED, mistake), report_mistake(arena, REPORT_TRANSLATED, mistake));
        if (mistake->times > 1 && mistake->kind != MISTAKE_LEAK)
            words_print(_(" (%u {time|times})"), mistake->times);
        putchar('\n');
        if (error)
            printf("  %s\n", error);
        printf("  %s\n", report_mistake_advice(arena, REPORT_TRANSLATED, mistake));
    }
}

static void end_text(const struct program_run *run)
{
    const struct program_call *crash = run->crash;
    switch (run->end) {
    case PROGRAM_EXITED:
        if (run->status == 127 && !run->has_record)
            puts(_("the program could not be started"));
        else if (run->status)
            printf(_("the program ended with status %d\n"), run->status);
        if (run->left)
            printf("%s\n", _("The program left processes running; they were ended."));
        break;
    case PROGRAM_SIGNALLED:
        if (crash && *crash->at.file)
            printf(_("the program was ended by signal %d (%s), at %s:%d\n"), run->signal, strsignal(run->signal),
                   crash->at.file, crash->at.line);
        else
            printf(_("the program was ended by signal %d (%s)\n"), run->signal, strsignal(run->signal));
        break;
    case PROGRAM_TIME:
        printf(_("the program was ended after %.0f seconds, the limit (--seconds)\n"), run->seconds);
        break;
    case PROGRAM_OUTPUT:
        puts(_("the program was ended because it printed more than 64 MiB"));
        break;
    case PROGRAM_CANCELLED:
        puts(_("the program was stopped"));
        break;
    }
    if (run->kernel && run->end != PROGRAM_EXITED)
        printf(_("  kernel %s was in block %llu, line %u, after %.0f s\n"), run->kernel,
               (unsigned long long)run->at.block, run->at.line, run->seconds);
    if (!run->has_record && run->end == PROGRAM_EXITED) /* one that was ended may have had no time for a call */
        puts(_("the program made no CUDA call that Lanescope saw: link it with `lanescope build`, or with nvcc -cudart "
               "shared"));
}

const struct program_call *cli_program_fault(const struct program_run *run)
{
    enum { FIRST = 700, LAST = 719, TOO_MANY_RESOURCES = 701 };
    for (uint32_t i = 0; run->device && i < run->call_count; i++)
        if (run->calls[i].error >= FIRST && run->calls[i].error <= LAST && run->calls[i].error != TOO_MANY_RESOURCES)
            return &run->calls[i];
    return NULL;
}

/* Says that a kernel failed on the GPU, and which call told. */
static void fault_text(const struct program_run *run)
{
    const struct program_call *call = cli_program_fault(run);
    const char *name = call ? json_string_value(json_object_get(call->record, "error_name")) : NULL;
    if (call)
        printf(_("a kernel failed on %s: %s, error %d, told by %s at %s:%d; --on emulator names the kernel's line\n"),
               run->device, name ? name : "?", call->error, call->name, *call->at.file ? call->at.file : "?",
               call->at.line);
}

static void verdict_text(const struct cli_options *options, const struct program_run *run)
{
    struct launch_checks const checks = options->launch.options.checks;
    uint32_t faults = 0, hazards = 0, ran = 0;
    for (uint32_t i = 0; i < run->launch_count; i++) {
        faults += run->launches[i].faults;
        hazards += run->launches[i].hazards;
        ran += run->launches[i].ran;
    }
    if (run->device && ran) {
        printf(
            _("launches: %u, on %s; it looks for nothing but what stops a kernel: --on emulator looks for bad accesses "
              "and races\n"),
            ran, run->device);
        return;
    }
    const char *also = !options->checks_given || (checks.memory && checks.races)
                           ? _(", for uninitialized reads and for races")
                       : checks.memory ? _(", and for uninitialized reads")
                       : checks.races  ? _(", and for races")
                                       : "";
    if (faults + hazards)
        printf(_("launches: %u; looked in all their blocks for bad accesses%s: %u found\n"), ran, also,
               faults + hazards);
    else if (ran)
        printf(_("launches: %u; looked in all their blocks for bad accesses%s: nothing found\n"), ran, also);
}

void cli_program_text(const struct cli_options *options, const struct program_run *run)
{
    struct arena arena = {0};
    struct explain_sum sum = {0};
    for (uint32_t i = 0, last; i < run->launch_count; i = last + 1) {
        for (last = i; last + 1 < run->launch_count && alike(&run->launches[i], &run->launches[last + 1]);)
            last++;
        launch_text(&arena, options, run, i, last, &sum);
    }
    if (options->explain)
        report_explain_sum_text(&arena, &sum);
    arena_free(&sum.arena);
    mistakes_text(&arena, run);
    fault_text(run);
    end_text(run);
    verdict_text(options, run);
    arena_free(&arena);
}
