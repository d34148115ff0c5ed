/* The instructions and the warps that waste most memory traffic, as text and as JSON. */
#include "base/words.h"
#include "cli/report.h"
#include "model/outliers.h"
#include "report/report.h"
#include <inttypes.h>
#include <stdio.h>

enum { TEXT_ROWS = 10, JSON_WARPS = 100, COLUMN = 12 };

static json_t *integer(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static void set_cost(json_t *row, const struct outlier_cost *cost, uint64_t all)
{
    json_object_set_new(row, "requests", integer(cost->requests));
    json_object_set_new(row, "sectors", integer(cost->sectors));
    json_object_set_new(row, "sectors_ideal", integer(cost->sectors_ideal));
    json_object_set_new(row, "passes", integer(cost->passes));
    json_object_set_new(row, "passes_ideal", integer(cost->passes_ideal));
    json_object_set_new(row, "wasted_bytes", integer(cost->wasted));
    json_object_set_new(row, "share", json_real(all ? (double)cost->wasted / (double)all : 0));
}

json_t *report_outliers_json(const struct run *run)
{
    struct arena arena = {0};
    const struct outliers *outliers = outliers_new(&arena, run->trace, &run->counts);
    json_t *root = json_object(), *sites = json_array(), *warps = json_array();
    for (size_t i = 0; i < outliers->site_count; i++) {
        const struct outlier_site *site = &outliers->sites[i];
        json_t *row = json_object();
        json_object_set_new(row, "file", json_string(report_file(run->trace, site->site->file)));
        json_object_set_new(row, "line", integer(site->site->line));
        json_object_set_new(row, "column", integer(site->site->column));
        json_object_set_new(row, "operation", json_string(report_operation(site->site->operation)));
        bool const branch = site->site->operation == TRACE_BRANCH;
        json_object_set_new(row, "space", branch ? json_null() : json_string(ptx_space_name(site->space)));
        json_object_set_new(row, "bytes", integer(site->site->bytes));
        json_object_set_new(row, "instructions", integer(site->copies));
        set_cost(row, &site->cost, outliers->sites_wasted);
        json_object_set_new(row, "divergent", integer(site->divergent));
        json_array_append_new(sites, row);
    }
    for (size_t i = 0; i < outliers->warp_count && i < JSON_WARPS; i++) {
        json_t *row = json_object();
        json_object_set_new(row, "block", integer(outliers->warps[i].block));
        json_object_set_new(row, "warp", integer(outliers->warps[i].warp));
        set_cost(row, &outliers->warps[i].cost, outliers->warps_wasted);
        json_array_append_new(warps, row);
    }
    json_object_set_new(root, "sites", sites);
    json_object_set_new(root, "sites_wasted_bytes", integer(outliers->sites_wasted));
    json_object_set_new(root, "warps", warps);
    json_object_set_new(root, "warp_count", integer(outliers->warp_count));
    json_object_set_new(root, "warps_wasted_bytes", integer(outliers->warps_wasted));
    arena_free(&arena);
    return root;
}

/* Prints a row: its place, its cost, and its part of all waste. */
static void print_row(struct arena *arena, const char *place, const struct outlier_cost *cost, uint64_t all)
{
    printf("    ");
    report_cell(place, 36, false);
    report_number(arena, cost->requests, COLUMN);
    report_number(arena, cost->wasted, COLUMN);
    report_cell(all ? arena_format(arena, "%.1f %%", 100.0 * (double)cost->wasted / (double)all) : "", COLUMN, true);
    putchar('\n');
}

static void print_head(const char *place)
{
    printf("    ");
    report_cell(place, 36, false);
    report_cell(_("Executed"), COLUMN, true);
    report_cell(_("Wasted B"), COLUMN, true);
    report_cell(_("Share"), COLUMN, true);
    putchar('\n');
}

/* Returns "27:9  ld.global 4 B  x2", or "30  branch, diverges 4 times". */
static const char *site_words(struct arena *arena, const struct outlier_site *site)
{
    const struct trace_site *of = site->site;
    const char *place = report_line(arena, of, true);
    if (of->operation == TRACE_BRANCH)
        return arena_format(arena, _("%s  branch, diverges %" PRIu64 " {time|times}"), place, site->divergent);
    const char *words = arena_format(arena, "%s  %s.%s %u B", place, report_operation(of->operation),
                                     ptx_space_name(site->space), (unsigned)of->bytes);
    return site->copies > 1 ? arena_format(arena, "%s  x%u", words, site->copies) : words;
}

void report_outliers_text(struct arena *arena, const struct run *run)
{
    const struct outliers *outliers = outliers_new(arena, run->trace, &run->counts);
    const struct report counted = {.trace = run->trace, .looked_known = true, .looked = run->counted};
    const struct report recorded = {.trace = run->trace, .looked_known = true, .looked = run->trace->recorded};
    puts(_("  wasted memory traffic: 32 bytes for each sector above the least, 128 for each pass above it"));
    printf(_("  instructions, %s:\n"), report_scope(arena, &counted));
    print_head(_("Line"));
    for (size_t i = 0; i < outliers->site_count && i < TEXT_ROWS; i++)
        print_row(arena, site_words(arena, &outliers->sites[i]), &outliers->sites[i].cost, outliers->sites_wasted);
    if (outliers->site_count > TEXT_ROWS)
        printf(_("    and %zu more (--json lists all)\n"), outliers->site_count - TEXT_ROWS);
    printf(_("  warps, %s:\n"), report_scope(arena, &recorded));
    print_head(_("Warp"));
    for (size_t i = 0; i < outliers->warp_count && i < TEXT_ROWS; i++)
        print_row(arena,
                  arena_format(arena, _("block %llu, warp %u"), (unsigned long long)outliers->warps[i].block,
                               outliers->warps[i].warp),
                  &outliers->warps[i].cost, outliers->warps_wasted);
    if (outliers->warp_count > TEXT_ROWS)
        printf(_("    and %zu more (--json lists %d)\n"), outliers->warp_count - TEXT_ROWS, JSON_WARPS);
}
