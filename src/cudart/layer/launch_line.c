#include "cudart/layer/launch_line.h"
#include "cudart/layer/line.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void record_sites(const struct run *run)
{
    static const char *const words[] = {"ld", "st", "atom", "red"};
    line_open_list("sites");
    for (uint32_t i = 0; i < run->trace->site_count && i < run->counts.site_count; i++) {
        const struct trace_site *site = &run->trace->sites[i];
        const struct site_counts *c = &run->counts.sites[i];
        if (site->operation >= TRACE_BARRIER || !c->requests)
            continue;
        enum ptx_space const space = c->global_requests == c->requests   ? PTX_SPACE_GLOBAL
                                     : c->shared_requests == c->requests ? PTX_SPACE_SHARED
                                                                         : site->space;
        line_open_object(NULL);
        line_number("line", site->line);
        line_number("column", site->column);
        line_text("operation", words[site->operation]);
        line_text("space", ptx_space_name(space));
        line_number("bytes", site->bytes);
        line_number("requests", c->requests);
        line_number("sectors", c->sectors);
        line_number("sectors_ideal", c->sectors_ideal);
        if (run->caches && i < run->caches->site_count)
            line_number("l1_hits", run->caches->sites[i].l1_hits);
        line_number("wavefronts", c->wavefronts);
        line_number("wavefronts_ideal", c->wavefronts_ideal);
        line_number("constant_passes", c->constant_passes);
        line_number("constant_passes_ideal", c->constant_passes_ideal);
        line_close();
    }
    line_close();
}

/* Writes what each site of a recorded launch cost in all blocks, as rows of numbers in the order of docs. */
static void record_site_counts(const struct run *run)
{
    line_open_list("site_counts");
    for (uint32_t i = 0; i < run->trace->site_count && i < run->counts.site_count; i++) {
        const struct site_counts *c = &run->counts.sites[i];
        uint64_t const row[] = {i,
                                c->requests,
                                c->global_requests,
                                c->shared_requests,
                                c->constant_requests,
                                c->lanes,
                                c->sectors,
                                c->sectors_ideal,
                                c->wavefronts,
                                c->wavefronts_ideal,
                                c->constant_passes,
                                c->constant_passes_ideal,
                                c->divergent,
                                c->pair_lines};
        if (!c->requests)
            continue;
        line_open_list(NULL);
        for (size_t k = 0; k < sizeof row / sizeof *row; k++)
            line_number(NULL, row[k]);
        if (run->caches && i < run->caches->site_count) {
            line_number(NULL, run->caches->sites[i].sectors);
            line_number(NULL, run->caches->sites[i].l1_hits);
        }
        line_close();
    }
    line_close();
}

/* Records the two numbers that a counter lies between. */
static void record_between(const char *name, uint64_t least, uint64_t most)
{
    line_open_object("between");
    line_open_list(name);
    line_number(NULL, least);
    line_number(NULL, most);
    line_close();
    line_close();
}

/* Records the documents that the sizes of caches are from whose rules were not measured. */
static void record_sources(const struct gpu_caches *gpu)
{
    line_open_object("sources");
    line_text("l1", gpu->limits->l1_source);
    line_text("l2", gpu->l2->from);
    line_text("multiprocessors", gpu->multiprocessors->from);
    line_close();
}

/* Records how the bursts of a launch find the rows of the DRAM. */
static void record_rows(const char *model, uint64_t requests, uint64_t hits, uint64_t misses, uint64_t conflicts)
{
    line_open_object("dram");
    line_text("model", model);
    line_number("requests", requests);
    line_number("row_hits", hits);
    line_number("row_misses", misses);
    line_number("row_conflicts", conflicts);
    line_close();
}

static void record_caches(struct arena *arena, const struct run *run)
{
    struct counter *counters;
    size_t const count = run->caches ? caches_counters(run->caches, arena, &counters) : 0;
    line_open_object("caches");
    if (!run->caches)
        line_text("reason", run->caches_unknown);
    if (run->caches) {
        line_text("gpu", run->caches_gpu->gpu);
        line_truth("measured", run->caches->measured);
        if (!run->caches->measured)
            record_sources(run->caches_gpu);
        line_number("l1_bytes", run->caches_machine.l1_room);
        line_number("resident_blocks", run->caches_machine.resident);
        line_open_object("counters");
        for (size_t i = 0; i < count; i++)
            if (counters[i].value == CACHES_UNKNOWN)
                line_real(counters[i].name, (double)NAN);
            else
                line_number(counters[i].name, counters[i].value);
        line_close();
        if (run->dram_preset)
            record_rows(run->dram_preset, run->caches->dram_reads, run->caches->row_hits, run->caches->row_misses,
                        run->caches->row_conflicts);
    }
    if (run->caches && run->caches->shared)
        record_between(CACHES_L2_READS, run->caches->l2_reads_least, run->caches->l2_reads);
    else if (run->caches && !caches_l2_hits_known(run->caches))
        record_between(CACHES_L2_READ_HITS, run->caches->l2_read_hits,
                       run->caches->l2_read_hits + run->caches->l2_read_late);
    line_close();
}

void launch_line_counts(struct arena *arena, const struct run *run)
{
    struct counter *counters;
    size_t const count = counts_counters(&run->counts, run->trace->sites, arena, &counters);
    line_open_object("counters");
    for (size_t i = 0; i < count; i++) {
        bool const instructions = strstr(counters[i].name, "_instructions") != NULL;
        if (instructions && !run->counts.totals.warp_instructions) /* probes do not count them */
            line_real(counters[i].name, (double)NAN);
        else
            line_number(counters[i].name, counters[i].value);
    }
    line_close();
    if (!line_is_long())
        record_sites(run);
    if (run->dram_preset)
        record_rows(run->dram_preset, run->dram_requests, run->dram_hits, run->dram_misses, run->dram_conflicts);
    if (run->caches || run->caches_unknown)
        record_caches(arena, run);
    line_number("blocks_run", run->blocks_run);
    line_number("unchecked_bytes", run->unchecked.left_out_bytes);
    line_number("checked_bytes", run->unchecked.watched_bytes);
}

/* Writes the kernel's variables, whose places only the PTX says. */
static void record_variables(const struct run *run)
{
    line_open_list("variables");
    for (uint32_t i = 0; i < run->variable_count; i++) {
        const struct ptx_placed *variable = &run->variables[i];
        line_open_object(NULL);
        line_text("name", variable->name);
        line_text("space", ptx_space_name(variable->space));
        line_number("bytes", variable->bytes);
        line_number("offset", variable->offset);
        line_number("by_compiler", variable->by_compiler);
        line_number("pointed_to", variable->pointed_to);
        line_close();
    }
    line_close();
}

void launch_line_trace(const struct run *run, bool recorded)
{
    char name[64], path[4096];
    struct error error;
    if (!line_is_open() || (!recorded && !run->trace->finding_count) ||
        runtime.traces_written >= runtime.options.trace_limit)
        return;
    snprintf(name, sizeof name, "launch-%llu.trace", (unsigned long long)runtime.launches);
    line_path(path, sizeof path, name);
    if (!trace_write(run->trace, path, &error))
        return;
    runtime.traces_written++;
    line_text("trace", name);
    line_number("recorded", recorded);
    if (!line_is_long())
        record_variables(run);
    if (recorded && !line_is_long())
        record_site_counts(run);
}
