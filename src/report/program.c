/* The run of a whole program: its launches with counts and findings, and how it ended. */
#include "program/program.h"
#include "base/file.h"
#include "base/words.h"
#include "model/gpu.h"
#include "report/datum.h"
#include "report/explain.h"
#include "report/json.h"
#include "report/mistake.h"
#include "report/run.h"
#include <inttypes.h>
#include <string.h>

static struct explain *explain_launch(struct arena *arena, const struct report_program *report,
                                      const struct program_launch *launch, const struct trace *trace)
{
    struct occupancy_case *fit = arena_new(arena, struct occupancy_case);
    struct counts *counts = arena_new(arena, struct counts);
    program_launch_counts(arena, launch, trace, counts);
    bool const known = gpu_fit(arena, report->gpu, trace, fit);
    return explain_new(arena, trace, counts, program_launch_caches(arena, launch, trace), known ? fit : NULL);
}

/* ---- JSON ---- */

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
    return OBJECT(DATUM("median", measured_us), DATUM("p25", measured_us), DATUM("p75", measured_us), DATUM("runs", 1),
                  DATUM("source", "live"), DATUM("device", device), DATUM("date", date));
}

/* Explains a recorded launch for JSON, and adds it to the sum. */
static json_t *explain_json(const struct report_program *report, const struct program_launch *launch,
                            const struct trace *trace, struct explain_sum *sum)
{
    struct arena arena = {0};
    if (!report->explain || !trace || !launch->recorded)
        return report->explain ? json_null() : NULL;
    const struct explain *explain = explain_launch(&arena, report, launch, trace);
    report_explain_add(sum, explain, launch->kernel, 1);
    json_t *list = report_explain_json(explain);
    arena_free(&arena);
    return list;
}

static json_t *launch_json(const struct report_program *report, const struct program_launch *launch,
                           struct explain_sum *sum)
{
    struct error error;
    struct trace *trace = NULL;
    const struct program_run *run = report->run;
    const struct program_call *call = &run->calls[launch->call];
    const json_t *record = launch->record;
    if (launch->trace_path)
        program_launch_trace(launch, &trace, &error);
    json_t *row =
        OBJECT(DATUM("number", launch->number), ITEM("launcher", launch->launcher ? VALUE(launch->launcher) : NULL),
               DATUM("kernel", launch->kernel), DATUM("symbol", launch->symbol), DATUM("file", call->at.file),
               DATUM("line", call->at.line), DATUM("error", call->error), DATUM("ran", launch->ran),
               ITEM("same_as", launch->same_as ? VALUE(launch->same_as) : NULL), DATUM("problem", launch->problem),
               ITEM("launch", report_launch_json(launch->grid, launch->block, launch->shared_bytes)),
               ITEM("stream", copy_of(record, "stream")), ITEM("arguments", copy_of(record, "arguments")),
               ITEM("counters", copy_of(record, "counters")), ITEM("sites", copy_of(record, "sites")),
               ITEM("dram", copy_of(record, "dram")), ITEM("caches", json_incref(json_object_get(record, "caches"))),
               ITEM("model_us", VALUE_OR_NULL(!run->device, launch->model_us)),
               ITEM("time_us", time_json(run->device, launch->measured_us)), DATUM("uncounted", launch->uncounted),
               ITEM("faults", trace ? faults_json(run, launch, trace) : json_array()),
               ITEM("hazards", trace ? report_hazards_json(trace) : json_array()),
               ITEM("explain", explain_json(report, launch, trace, sum)));
    trace_free(trace);
    return row;
}

static json_t *call_json(const struct program_call *call)
{
    static const char *const left_out[] = {"from", "counters", "sites", "dram", "caches", "site_counts"};
    json_t *row = json_deep_copy(call->record);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        json_object_del(row, left_out[i]);
    return datum_add(row, DATA(ITEM("measured_us", call->measured_us > 0 ? VALUE(call->measured_us) : NULL),
                               DATUM("file", call->at.file), DATUM("line", call->at.line)));
}

json_t *report_program_json(const struct report_program *report)
{
    static const char *const ends[] = {"exited", "signal", "time limit", "output limit", "cancelled"};
    const struct program_run *run = report->run;
    json_t *launches = json_array(), *calls = json_array(), *mistakes = json_array();
    struct explain_sum sum = {0};
    for (uint32_t i = 0; i < run->launch_count; i++)
        json_array_append_new(launches, launch_json(report, &run->launches[i], &sum));
    for (uint32_t i = 0; i < run->call_count; i++)
        json_array_append_new(calls, call_json(&run->calls[i]));
    for (uint32_t i = 0; i < run->mistake_count; i++)
        json_array_append_new(mistakes, report_mistake_json(&run->mistakes[i]));
    /* NULL: it is not UTF-8 */
    json_t *output = json_stringn(run->output, run->output_size), *errors = json_string(run->errors);
    json_t *root = OBJECT(DATUM("program", report->name), DATUM("executor", run->device ? "gpu" : "emulator"),
                          DATUM("device", run->device), DATUM("end", ends[run->end]), DATUM("status", run->status),
                          ITEM("signal", VALUE_OR_NULL(run->signal, run->signal)),
                          ITEM("crash", run->crash ? call_json(run->crash) : json_null()),
                          ITEM("output", output ? output : json_null()), ITEM("errors", errors ? errors : json_null()),
                          ITEM("mistakes", mistakes), ITEM("launches", launches), ITEM("calls", calls),
                          ITEM("explain", report->explain ? report_explain_sum_json(&sum) : NULL));
    arena_free(&sum.arena);
    return root;
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

static void launch_counts(FILE *out, const struct program_launch *launch)
{
    uint64_t const requests = counter(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
                              counter(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
    uint64_t const sectors = site_sum(launch, "sectors"), wavefronts = site_sum(launch, "wavefronts");
    if (requests)
        fprintf(out,
                _("  global memory: loads and stores by warps %" PRIu64 ", sectors %" PRIu64 " (least %" PRIu64 ")\n"),
                requests, sectors, site_sum(launch, "sectors_ideal"));
    if (wavefronts)
        fprintf(out, _("  shared memory: passes %" PRIu64 " (least %" PRIu64 ")\n"), wavefronts,
                site_sum(launch, "wavefronts_ideal"));
    const json_t *caches = json_object_get(launch->record, "caches");
    if (caches)
        report_caches_text(out, caches, counter(launch, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    report_instructions_text(out, counter(launch, "warp_instructions"), counter(launch, "thread_instructions"),
                             counter(launch, "branches"), counter(launch, "branches_divergent"));
}

static bool same_member(const struct program_launch *a, const struct program_launch *b, const char *key)
{
    const json_t *one = json_object_get(a->record, key), *other = json_object_get(b->record, key);
    return one == other || json_equal(one, other);
}

static bool alike(const struct program_launch *a, const struct program_launch *b)
{
    return strcmp(a->symbol, b->symbol) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->ran && b->ran && !a->faults && !a->hazards &&
           !b->faults && !b->hazards && a->shared_bytes == b->shared_bytes && a->launcher == b->launcher &&
           (!json_object_get(b->record, "counters") || /* of a GPU: only the first was counted */
            (same_member(a, b, "counters") && same_member(a, b, "caches")));
}

/* Writes the allocations next to the accesses of a launch's findings, each once. */
static void allocations_text(FILE *out, struct arena *arena, const struct program_run *of,
                             const struct program_launch *launch, const struct trace *trace)
{
    struct mistake_allocation allocation;
    uint32_t last = 0;
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        if (!mistakes_allocation_of(of, launch, &trace->findings[i], &allocation) || allocation.number == last)
            continue;
        last = allocation.number;
        fprintf(out, _("  the memory is %s\n"), report_allocation(arena, &allocation));
    }
}

static void findings(FILE *out, struct arena *arena, const struct report_program *report,
                     const struct program_launch *launch)
{
    struct error error;
    struct run run = {.executor = EXECUTOR_EMULATOR, .counted = LAUNCH_ALL_BLOCKS};
    struct report_run result = {
        .run = &run, .unasked_memory = !report->checks.memory, .unasked_races = !report->checks.races};
    if (!program_launch_trace(launch, &run.trace, &error)) {
        if (!report->run->device && (launch->faults || launch->hazards))
            fprintf(out, _("  findings: %u; the first of a kernel's launches show theirs\n"),
                    launch->faults + launch->hazards);
        return;
    }
    run.variables = program_launch_variables(arena, launch, run.trace, NULL, 0, &run.variable_count);
    result.causes = causes_find(arena, report->run, launch, run.trace);
    report_findings_text(out, arena, &result);
    allocations_text(out, arena, report->run, launch, run.trace);
    trace_free(run.trace);
}

/* Explains a recorded launch, and adds it to the sum as often as launches like it were made. */
static void explain_text(FILE *out, struct arena *arena, const struct report_program *report,
                         const struct program_launch *launch, uint64_t times, struct explain_sum *sum)
{
    struct error error;
    struct trace *trace;
    if (!report->explain || !launch->ran)
        return;
    if (!launch->recorded || !program_launch_trace(launch, &trace, &error)) {
        report_put(out, _("  not explained: this launch was not recorded"));
        return;
    }
    const struct explain *explain = explain_launch(arena, report, launch, trace);
    report_explain_text(out, arena, explain);
    report_lessons_text(out, trace);
    report_explain_add(sum, explain, launch->kernel, times);
    trace_free(trace);
}

/* Writes how many launches were not executed, because an earlier one had done the same. */
static void repeats_text(FILE *out, const struct program_run *run, uint32_t first, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t i = first; i <= last; i++)
        count += run->launches[i].same_as != 0;
    if (count)
        fprintf(out, _("  repeat an earlier launch on the same memory, and were not executed again: %u\n"), count);
}

/* Writes the time of a launch on the GPU, or the median of several. */
static void launch_time(FILE *out, const struct program_run *run, uint32_t first, uint32_t last)
{
    struct arena arena = {0};
    double *times = arena_array(&arena, double, (size_t)(last - first) + 1);
    size_t count = 0;
    for (uint32_t i = first; i <= last; i++)
        if (run->launches[i].measured_us > 0)
            times[count++] = run->launches[i].measured_us;
    if (count > 1) {
        times_sort(times, count);
        fprintf(out, _("  time on %s: median %.1f µs (%.1f to %.1f), launches: %zu\n"), run->device, times[count / 2],
                times[0], times[count - 1], count);
    } else if (count) {
        fprintf(out, _("  time on %s: %.1f µs\n"), run->device, times[0]);
    }
    if (run->launches[first].faults)
        report_put(out, _("  the kernel failed"));
    arena_free(&arena);
}

static void launch_text(FILE *out, struct arena *arena, const struct report_program *report, uint32_t index,
                        uint32_t last, struct explain_sum *sum)
{
    const struct program_run *run = report->run;
    const struct program_launch *launch = &run->launches[index];
    const struct program_call *call = &run->calls[launch->call];
    const uint32_t *g = launch->grid, *b = launch->block;
    if (index < last)
        fprintf(out, _("launches %" PRIu64 " to %" PRIu64 ": "), launch->number, run->launches[last].number);
    else if (launch->number)
        fprintf(out, _("launch %" PRIu64 ": "), launch->number);
    else
        fputs(_("refused launch: "), out);
    fprintf(out, _("%s<<<(%u, %u, %u), (%u, %u, %u)>>>, shared memory %u B; %s:%d\n"), launch->kernel, g[0], g[1], g[2],
            b[0], b[1], b[2], launch->shared_bytes, *call->at.file ? call->at.file : "?", call->at.line);
    if (launch->launcher)
        fprintf(out, _("  a kernel launched it: launch %" PRIu64 "\n"), launch->launcher);
    if (launch->problem)
        fprintf(out, "  %s\n", launch->problem);
    else if (call->error)
        fprintf(out, _("  the launch failed with error %d\n"), call->error);
    if (run->device)
        launch_time(out, run, index, last);
    if (json_object_get(launch->record, "counters"))
        launch_counts(out, launch);
    repeats_text(out, run, index, last);
    if (launch->uncounted)
        fprintf(out, _("  not counted: %s\n"), launch->uncounted);
    explain_text(out, arena, report, launch, last - index + 1, sum);
    findings(out, arena, report, launch);
}

static void mistakes_text(FILE *out, struct arena *arena, const struct program_run *run)
{
    for (uint32_t i = 0; i < run->mistake_count; i++) {
        const struct mistake *mistake = &run->mistakes[i];
        const char *error = report_mistake_error(arena, REPORT_TRANSLATED, mistake);
        fprintf(out, "%s:%d: %s: %s", *mistake->at.file ? mistake->at.file : "?", mistake->at.line,
                report_mistake_title(REPORT_TRANSLATED, mistake), report_mistake(arena, REPORT_TRANSLATED, mistake));
        if (mistake->times > 1 && mistake->kind != MISTAKE_LEAK)
            words_print(out, _(" (%u {time|times})"), mistake->times);
        fputc('\n', out);
        if (error)
            fprintf(out, "  %s\n", error);
        fprintf(out, "  %s\n", report_mistake_advice(arena, REPORT_TRANSLATED, mistake));
    }
}

static void end_text(FILE *out, const struct program_run *run)
{
    const struct program_call *crash = run->crash;
    switch (run->end) {
    case PROGRAM_EXITED:
        if (run->status == 127 && !run->has_record)
            report_put(out, _("the program could not be started"));
        else if (run->status)
            fprintf(out, _("the program ended with status %d\n"), run->status);
        if (run->left)
            report_put(out, _("The program left processes running; they were ended."));
        break;
    case PROGRAM_SIGNALLED:
        if (crash && *crash->at.file)
            fprintf(out, _("the program was ended by signal %d (%s), at %s:%d\n"), run->signal, strsignal(run->signal),
                    crash->at.file, crash->at.line);
        else
            fprintf(out, _("the program was ended by signal %d (%s)\n"), run->signal, strsignal(run->signal));
        break;
    case PROGRAM_TIME:
        fprintf(out, _("the program was ended after %.0f seconds, the limit (--seconds)\n"), run->seconds);
        break;
    case PROGRAM_OUTPUT:
        report_put(out, _("the program was ended because it printed more than --print allows"));
        break;
    case PROGRAM_CANCELLED:
        report_put(out, _("the program was stopped"));
        break;
    }
    if (run->kernel && run->end != PROGRAM_EXITED)
        fprintf(out, _("  kernel %s was in block %llu, line %u, after %.0f s\n"), run->kernel,
                (unsigned long long)run->at.block, run->at.line, run->seconds);
    if (!run->has_record && run->end == PROGRAM_EXITED) /* one that was ended may have had no time for a call */
        report_put(
            out,
            _("the program made no CUDA call that Lanescope saw: link it with `lanescope build`, or with nvcc -cudart "
              "shared"));
}

const struct program_call *report_program_fault(const struct program_run *run)
{
    enum { FIRST = 700, LAST = 719, TOO_MANY_RESOURCES = 701 };
    for (uint32_t i = 0; run->device && i < run->call_count; i++)
        if (run->calls[i].error >= FIRST && run->calls[i].error <= LAST && run->calls[i].error != TOO_MANY_RESOURCES)
            return &run->calls[i];
    return NULL;
}

/* Writes that a kernel failed on the GPU, and which call told. */
static void fault_text(FILE *out, const struct program_run *run)
{
    const struct program_call *call = report_program_fault(run);
    const char *name = call ? json_string_value(json_object_get(call->record, "error_name")) : NULL;
    if (call)
        fprintf(out,
                _("a kernel failed on %s: %s, error %d, told by %s at %s:%d; --on emulator names the kernel's line\n"),
                run->device, name ? name : "?", call->error, call->name, *call->at.file ? call->at.file : "?",
                call->at.line);
}

static void verdict_text(FILE *out, const struct report_program *report)
{
    const struct program_run *run = report->run;
    uint32_t faults = 0, hazards = 0, ran = 0;
    for (uint32_t i = 0; i < run->launch_count; i++) {
        faults += run->launches[i].faults;
        hazards += run->launches[i].hazards;
        ran += run->launches[i].ran;
    }
    if (run->device && ran) {
        fprintf(
            out,
            _("launches: %u, on %s; it looks for nothing but what stops a kernel: --on emulator looks for bad accesses "
              "and races\n"),
            ran, run->device);
        return;
    }
    const char *also = report_checks(report->checks.memory, report->checks.races);
    if (faults + hazards)
        fprintf(out, _("launches: %u; looked in all their blocks for bad accesses%s: %u found\n"), ran, also,
                faults + hazards);
    else if (ran)
        fprintf(out, _("launches: %u; looked in all their blocks for bad accesses%s: nothing found\n"), ran, also);
}

void report_program_text(FILE *out, const struct report_program *report)
{
    struct arena arena = {0};
    struct explain_sum sum = {0};
    const struct program_run *run = report->run;
    for (uint32_t i = 0, last; i < run->launch_count; i = last + 1) {
        for (last = i; last + 1 < run->launch_count && alike(&run->launches[i], &run->launches[last + 1]);)
            last++;
        launch_text(out, &arena, report, i, last, &sum);
    }
    if (report->explain)
        report_explain_sum_text(out, &arena, &sum);
    arena_free(&sum.arena);
    mistakes_text(out, &arena, run);
    fault_text(out, run);
    end_text(out, run);
    verdict_text(out, report);
    arena_free(&arena);
}
