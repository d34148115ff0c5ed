/* The instructions and the warps that waste most memory traffic, as text and as JSON. */
#include "model/outliers.h"
#include "base/words.h"
#include "report/datum.h"
#include "report/report.h"
#include "report/run.h"
#include <inttypes.h>

enum { TEXT_ROWS = 10, JSON_WARPS = 100, COLUMN = 12 };

/* Writes a cost, and its part of all waste. hits: the list says what the L1 held. */
static void write_cost(const struct datum_writer *to, const struct outlier_cost *cost, uint64_t all, bool hits)
{
    double const share = all ? (double)cost->wasted / (double)all : 0;
    char percent[32] = "";
    if (all)
        snprintf(percent, sizeof percent, "%.1f %%", 100.0 * (double)cost->wasted / (double)all);
    datum_write(to, DATA({"requests", VALUE(cost->requests), N_("Executed"), NULL}, DATUM("sectors", cost->sectors),
                         DATUM("sectors_ideal", cost->sectors_ideal),
                         {"l1_hits", hits && (cost->cached || !to->object) ? VALUE(cost->l1_hits) : NULL,
                          hits ? N_("In L1") : NULL, cost->cached || to->heads ? NULL : ""},
                         DATUM("passes", cost->passes), DATUM("passes_ideal", cost->passes_ideal),
                         {"wasted_bytes", VALUE(cost->wasted), N_("Wasted B"), NULL},
                         {"share", VALUE(share), N_("Share"), percent}));
}

json_t *report_outliers_json(const struct run *run)
{
    struct arena arena = {0};
    const struct outliers *outliers = outliers_new(&arena, run->trace, &run->counts, run->caches);
    json_t *sites = json_array(), *warps = json_array();
    for (size_t i = 0; i < outliers->site_count; i++) {
        const struct outlier_site *item = &outliers->sites[i];
        bool const branch = item->site->operation == TRACE_BRANCH;
        json_t *row =
            report_site_json(run->trace, item->site, branch ? "branch" : trace_operation_word(item->site->operation),
                             branch ? NULL : ptx_space_name(item->space));
        datum_add(row, DATA(DATUM("instructions", item->copies)));
        write_cost(&(struct datum_writer){.object = row}, &item->cost, outliers->sites_wasted, run->caches != NULL);
        json_array_append_new(sites, datum_add(row, DATA(DATUM("divergent", item->divergent))));
    }
    for (size_t i = 0; i < outliers->warp_count && i < JSON_WARPS; i++) {
        const struct outlier_warp *item = &outliers->warps[i];
        json_t *row = OBJECT(DATUM("block", item->block), DATUM("warp", item->warp));
        write_cost(&(struct datum_writer){.object = row}, &item->cost, outliers->warps_wasted, false);
        json_array_append_new(warps, row);
    }
    json_t *root =
        OBJECT(ITEM("sites", sites), DATUM("sites_wasted_bytes", outliers->sites_wasted), ITEM("warps", warps),
               DATUM("warp_count", outliers->warp_count), DATUM("warps_wasted_bytes", outliers->warps_wasted));
    arena_free(&arena);
    return root;
}

/* Writes a place and its cost; without a cost, the heads of the columns. */
static void write_row(FILE *out, const char *place, const struct outlier_cost *cost, uint64_t all, bool hits)
{
    static const struct outlier_cost none;
    fputs("    ", out);
    datum_cell(out, place, 36, false);
    write_cost(&(struct datum_writer){.out = out, .columns = COLUMN, .heads = !cost}, cost ? cost : &none, all, hits);
    fputc('\n', out);
}

/* Returns "27:9  ld.global 4 B  x2", or "30  branch, diverges 4 times". */
static const char *site_words(struct arena *arena, const struct outlier_site *site)
{
    const char *place = report_line(arena, site->site, true);
    if (site->site->operation == TRACE_BRANCH)
        return arena_format(arena, _("%s  branch, diverges %" PRIu64 " {time|times}"), place, site->divergent);
    return arena_format(arena, "%s  %s", place,
                        report_access(arena, site->site, ptx_space_name(site->space), site->copies));
}

void report_outliers_text(FILE *out, struct arena *arena, const struct run *run)
{
    const struct outliers *outliers = outliers_new(arena, run->trace, &run->counts, run->caches);
    const struct report counted = {.trace = run->trace, .looked_known = true, .looked = run->counted};
    const struct report recorded = {.trace = run->trace, .looked_known = true, .looked = run->trace->recorded};
    report_put(out, _("  wasted memory traffic: 32 bytes for each sector above the least, 128 for each pass above it"));
    fprintf(out, _("  instructions, %s:\n"), report_scope(arena, &counted));
    write_row(out, _("Line"), NULL, 0, run->caches);
    for (size_t i = 0; i < outliers->site_count && i < TEXT_ROWS; i++)
        write_row(out, site_words(arena, &outliers->sites[i]), &outliers->sites[i].cost, outliers->sites_wasted,
                  run->caches);
    if (outliers->site_count > TEXT_ROWS)
        fprintf(out, _("    and %zu more (--json lists all)\n"), outliers->site_count - TEXT_ROWS);
    fprintf(out, _("  warps, %s:\n"), report_scope(arena, &recorded));
    write_row(out, _("Warp"), NULL, 0, false);
    for (size_t i = 0; i < outliers->warp_count && i < TEXT_ROWS; i++)
        write_row(out,
                  arena_format(arena, _("block %llu, warp %u"), (unsigned long long)outliers->warps[i].block,
                               outliers->warps[i].warp),
                  &outliers->warps[i].cost, outliers->warps_wasted, false);
    if (outliers->warp_count > TEXT_ROWS)
        fprintf(out, _("    and %zu more (--json lists %d)\n"), outliers->warp_count - TEXT_ROWS, JSON_WARPS);
}
