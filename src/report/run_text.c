/* A run as text, in the user's language. */
#include "base/mangled.h"
#include "base/words.h"
#include "report/report.h"
#include "report/run.h"
#include <inttypes.h>
#include <string.h>

void report_put(FILE *out, const char *line)
{
    fprintf(out, "%s\n", line);
}

/* Returns " (1,024 of 16 bytes a lane, each the work of 4)" for loads that ptxas merged. */
static const char *merged_text(struct arena *arena, const struct sass_line *line)
{
    const char *text = "";
    unsigned narrow = 0;
    while (narrow + 1 < SASS_WIDTHS && line->written_by_width[narrow] == 0)
        narrow++;
    for (unsigned i = narrow + 1; i < SASS_WIDTHS; i++)
        if (line->ran_by_width[i])
            text = arena_format(arena, _("%s; %" PRIu64 " of %u bytes a lane, each doing the work of %u"), text,
                                line->ran_by_width[i], 1u << i, 1u << (i - narrow));
    return text;
}

static void sass_text(FILE *out, struct arena *arena, const struct run *run)
{
    bool same = true;
    for (size_t i = 0; i < run->sass_line_count; i++) {
        const struct sass_line *line = &run->sass_lines[i];
        bool const shared = line->space == PTX_SPACE_SHARED;
        if (line->verdict == SASS_SAME)
            continue;
        same = false;
        words_print(out,
                    shared
                        ? _("  %s.%s as written: %" PRIu64 " (%" PRIu64 " {wavefront|wavefronts}); as the machine ran "
                            "it: %" PRIu64 " (%" PRIu64 " {wavefront|wavefronts})%s\n")
                        : _("  %s.%s as written: %" PRIu64 " (%" PRIu64 " {sector|sectors}); as the machine ran "
                            "it: %" PRIu64 " (%" PRIu64 " {sector|sectors})%s\n"),
                    trace_operation_word(line->operation), ptx_space_name(line->space), line->written,
                    line->written_units, line->ran, line->ran_units,
                    line->verdict == SASS_MERGED ? merged_text(arena, line) : _("; the reason is not known"));
    }
    fprintf(out,
            same ? _("  %s counted this launch with %s, %s: every count equals the PTX's\n")
                 : _("  %s counted this launch with %s, %s\n"),
            run->sass.device, run->sass.profiler, run->sass.date);
}

/* Returns "thread (4,1,0), lane 20 of warp 0, in block (2,0,0)". */
static const char *thread_words(struct arena *arena, const struct trace *trace, const uint32_t thread[3],
                                uint64_t block)
{
    const uint32_t *g = trace->grid;
    uint32_t warp;
    uint32_t const lane = report_lane(trace, thread, &warp);
    return arena_format(
        arena, _("thread (%u,%u,%u), lane %u of warp %u, in block (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")"), thread[0],
        thread[1], thread[2], lane, warp, block % g[0], block / g[0] % g[1], block / g[0] / g[1]);
}

/* "at reverse.cu:12", or "near" it where the compiler gave the instruction no line. */
static const char *line_words(struct arena *arena, const struct trace *trace, const struct finding_place *place)
{
    uint32_t const ptx_line = place->site < trace->site_count ? trace->sites[place->site].ptx_line : 0;
    if (!place->line && ptx_line)
        return arena_format(arena, _("at PTX line %u"), ptx_line);
    return arena_format(arena,
                        place->near ? _("near %s:%u (the compiler gave this instruction no line)") : _("at %s:%u"),
                        report_file(trace, place->file), place->line);
}

static void fault_text(FILE *out, struct arena *arena, const struct trace *trace, const struct finding *fault)
{
    fprintf(out, _("  FAULT %s: %s\n"), report_kind(fault), report_message(arena, REPORT_TRANSLATED, fault));
    fprintf(out, _("        %s, by %s\n"), line_words(arena, trace, &fault->at),
            thread_words(arena, trace, fault->at.thread, fault->at.block));
}

static void side_text(FILE *out, struct arena *arena, const struct trace *trace, const char *memory,
                      const struct finding_place *side)
{
    bool const known = side->site < trace->site_count;
    fprintf(out, _("        %s %s %s, by %s\n"),
            known ? trace_operation_word(trace->sites[side->site].operation) : _("access"), memory,
            known ? line_words(arena, trace, side) : _("at ?:0"),
            thread_words(arena, trace, side->thread, side->block));
}

static void hazard_text(FILE *out, struct arena *arena, const struct run *run, const struct finding *hazard)
{
    const struct trace *trace = run->trace;
    const char *memory;
    uint64_t element;
    enum ptx_space const space = hazard->race.space;
    const struct trace_buffer *buffer =
        space == PTX_SPACE_GLOBAL ? trace_find_buffer(trace, hazard->address, &element) : NULL;
    bool const known = space == PTX_SPACE_SHARED && hazard->at.site < trace->site_count;
    const char *name =
        known ? ptx_shared_name(arena, run->variables, run->variable_count, hazard->address - trace->shared_base,
                                ptx_type_size(trace->sites[hazard->at.site].type))
              : NULL;
    if (buffer)
        memory = arena_format(arena, _("of %s[%" PRIu64 "]"), buffer->name, element);
    else if (name)
        memory = arena_format(arena, _("of %s"), name);
    else if (space == PTX_SPACE_SHARED)
        memory = arena_format(arena, _("of shared memory, offset %" PRIu64), hazard->address);
    else
        memory = arena_format(arena, _("of address 0x%" PRIx64), hazard->address);
    fprintf(out, _("  HAZARD %s\n"), report_message(arena, REPORT_TRANSLATED, hazard));
    side_text(out, arena, trace, memory, &hazard->race.first);
    side_text(out, arena, trace, memory, &hazard->at);
}

const char *report_checks(bool memory, bool races)
{
    return memory && races ? _(", for uninitialized reads and for races")
           : memory        ? _(", and for uninitialized reads")
           : races         ? _(", and for races")
                           : "";
}

void report_findings_text(FILE *out, struct arena *arena, const struct report_run *result)
{
    const struct run *run = result->run;
    struct report const report = {
        .trace = run->trace, .looked_known = true, .looked = run->counted, .causes = result->causes};
    const char *told = NULL;
    for (uint32_t i = 0; i < report_count(&report); i++) {
        const struct finding *finding = report_finding(&report, i);
        if (finding_is_race(finding))
            hazard_text(out, arena, run, finding);
        else
            fault_text(out, arena, run->trace, finding);
        const char *advice = report_remedy(arena, &report, finding);
        if (advice && (!told || strcmp(told, advice) != 0))
            fprintf(out, "        %s\n", advice);
        told = advice;
    }
    if (run->executor != EXECUTOR_EMULATOR)
        return;
    /* The checks that ran, and the blocks that they covered. Other blocks or a missing check could give more
     * findings. */
    const char *also = report_checks(!result->unasked_memory, !result->unasked_races);
    const char *scope = run->cancelled ? _("in the blocks that ran") : report_scope(arena, &report);
    if (result->guess && !report_count(&report))
        fprintf(out, _("  looked %s for bad accesses%s: nothing found with a guessed launch\n"), scope, also);
    else if (report_count(&report))
        fprintf(out, _("  looked %s for bad accesses%s: %u found\n"), scope, also, report_count(&report));
    else
        fprintf(out, _("  looked %s for bad accesses%s: nothing found\n"), scope, also);
    if (result->unasked_memory && result->unasked_races)
        report_put(out, _("  not looked for: uninitialized reads, races (--check memory,race)"));
    else if (result->unasked_memory)
        report_put(out, _("  not looked for: uninitialized reads (--check memory)"));
    else if (result->unasked_races)
        report_put(out, _("  not looked for: races (--check race)"));
}

const char *report_compiled(struct arena *arena, const char *compiler)
{
    static const char shipped[] = "shipped (";
    size_t const length = strlen(compiler);
    if (strncmp(compiler, shipped, sizeof shipped - 1) == 0)
        return arena_format(arena, _("from the PTX shipped with Lanescope, compiled by %.*s"),
                            (int)(length - sizeof shipped), compiler + sizeof shipped - 1);
    if (strcmp(compiler, "given as PTX") == 0)
        return _("given as PTX");
    return arena_format(arena, _("compiled by %s"), length ? compiler : "?");
}

static void head_text(FILE *out, struct arena *arena, const struct run *run)
{
    const struct trace *trace = run->trace;
    const uint32_t *g = trace->grid, *b = trace->block;
    const char *name = mangled_name(arena, trace->kernel), *on = trace->device;
    const char *where = run->executor == EXECUTOR_RECORDING ? arena_format(arena, _("as recorded on %s"), on)
                        : run->executor == EXECUTOR_GPU     ? arena_format(arena, _("on %s"), on)
                                                            : _("on the emulator");
    fprintf(out, _("%s %s: grid %u x %u x %u, block %u x %u x %u, shared memory %u B; %s\n"), name, where, g[0], g[1],
            g[2], b[0], b[1], b[2], trace->shared_bytes,
            report_compiled(arena, run->compiler_name ? run->compiler_name : ""));
    if (run->cancelled)
        words_print(
            out, _("  STOPPED: %" PRIu64 " of %" PRIu64 " {block|blocks} ran to the end; the figures cover no more\n"),
            run->blocks_run, run->blocks);
    if (run->cancelled && run->at.line)
        fprintf(out, _("  it was in block %llu, line %u\n"), (unsigned long long)run->at.block, run->at.line);
    if (run->exhausted)
        report_put(
            out, _("  the launch took more than --budget allows to all of its blocks: raise it, or run fewer blocks"));
    if (report_some_blocks(run))
        fprintf(out, _("  the figures are counted %s only\n"),
                report_scope(arena, &(struct report){.trace = trace, .looked_known = true, .looked = run->counted}));
}

/* Returns whether some blocks ran their warps one after another. Open rows depend on the order of warps, and warps take
 * turns only in recorded blocks. */
static bool has_blocks_without_turns(const struct run *run)
{
    const struct trace *trace = run->trace;
    uint64_t const blocks = (uint64_t)trace->grid[0] * trace->grid[1] * trace->grid[2];
    uint64_t const last = run->counted.last < blocks ? run->counted.last : blocks - 1;
    bool const one_warp = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2] <= WARP_LANES;
    return run->executor == EXECUTOR_EMULATOR && !one_warp &&
           (trace->recorded.first > run->counted.first || trace->recorded.last < last);
}

void report_instructions_text(FILE *out, uint64_t warps, uint64_t threads, uint64_t branches, uint64_t divergent)
{
    if (warps)
        fprintf(out,
                _("  warp instructions: %" PRIu64 ", thread instructions: %" PRIu64 ", branches: %" PRIu64
                  " (divergent: %" PRIu64 ")\n"),
                warps, threads, branches, divergent);
    else
        fprintf(out,
                _("  instructions: not counted (probes on a GPU record accesses, barriers and branches), branches: "
                  "%" PRIu64 " (divergent: %" PRIu64 ")\n"),
                branches, divergent);
}

static void counts_text(FILE *out, struct arena *arena, const struct run *run)
{
    const struct trace_totals *totals = &run->counts.totals;
    report_sites_text(out, arena, run);
    report_instructions_text(out, totals->warp_instructions, totals->thread_instructions, totals->branches,
                             totals->branches_divergent);
    if (run->sass.counted)
        sass_text(out, arena, run);
    if (run->dram_preset)
        fprintf(out,
                run->caches ? _("  DRAM (model %s, as if there were no caches): %" PRIu64 " bursts; row hits %" PRIu64
                                ", misses %" PRIu64 ", conflicts %" PRIu64 "\n")
                            : _("  DRAM (model %s): %" PRIu64 " bursts; row hits %" PRIu64 ", misses %" PRIu64
                                ", conflicts %" PRIu64 "\n"),
                run->dram_preset, run->dram_requests, run->dram_hits, run->dram_misses, run->dram_conflicts);
    if (run->dram_preset && has_blocks_without_turns(run))
        report_put(
            out, _("    (warps interleave in recorded blocks only; in all other blocks they run one after the other)"));
    json_t *caches = report_caches_json(arena, run);
    struct counter *counters;
    size_t const count = counts_counters(&run->counts, run->trace->sites, arena, &counters);
    for (size_t i = 0; caches && i < count; i++)
        if (strcmp(counters[i].name, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == 0)
            report_caches_text(out, caches, counters[i].value);
    json_decref(caches);
    uint64_t block;
    struct timeline_cycles cycles;
    if (report_block_cycles(run, &block, &cycles))
        fprintf(out,
                _("  model clock (latencies of %s): block %" PRIu64 " takes %" PRIu64 " cycles, in %" PRIu64
                  " of them every warp waits\n"),
                run->clock.gpu, block, cycles.all, cycles.idle);
}

static void time_text(FILE *out, const struct measured_time *time)
{
    if (time->source == TIME_NONE) {
        report_put(out, _("  time: nothing was measured for this setting"));
        return;
    }
    fprintf(out,
            time->source == TIME_LIVE
                ? _("  measured on %s, %s: median %.2f us, quartiles %.2f and %.2f, %u runs (%s)\n")
                : _("  recorded on %s, %s: median %.2f us, quartiles %.2f and %.2f, %u runs (%s)\n"),
            time->device, time->date, time->median, time->p25, time->p75, time->runs, time_what(time));
}

static void check_text(FILE *out, const struct run_check *check)
{
    if (check->checked && check->right)
        report_put(out, _("  results equal the host's"));
    else if (check->checked)
        fprintf(out,
                _("  WRONG RESULT: %s[%" PRIu64 "] is %.9g, the host computed %.9g; wrong elements: %" PRIu64 "\n"),
                check->name, check->index, check->got, check->expected, check->wrong_count);
}

void report_run_text(FILE *out, const struct report_run *report)
{
    const struct run *run = report->run;
    struct arena arena = {0};
    if (run->output)
        fputs(run->output, out);
    head_text(out, &arena, run);
    counts_text(out, &arena, run);
    if (report->outliers)
        report_outliers_text(out, &arena, run);
    if (report->explain)
        report_explain_text(out, &arena, report_explain_run(&arena, run, report->gpu));
    time_text(out, &run->time);
    check_text(out, &run->check);
    report_findings_text(out, &arena, report);
    if (report->explain)
        report_lessons_text(out, run->trace);
    const char *unchecked = report_unchecked(&arena, REPORT_TRANSLATED, &run->unchecked);
    if (unchecked)
        fprintf(out, "  %s\n", unchecked);
    if (report->guess)
        fprintf(out, _("  %s To give your own: %s\n"), launch_guess_words(&arena, report->guess), report->launch);
    if (run->trace->lost)
        fprintf(out, _("  events that did not fit into the record: %" PRIu64 "\n"), run->trace->lost);
    arena_free(&arena);
}
