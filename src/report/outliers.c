/* The instructions and the warps that waste most memory traffic, as text and as JSON. */
#include "model/outliers.h"
#include "base/words.h"
#include "report/datum.h"
#include "report/explain.h"
#include "report/report.h"
#include "report/run.h"
#include <inttypes.h>

enum { TEXT_ROWS = 10, JSON_WARPS = 100, COLUMN = 12 };

/* What a list says of the sectors that the L1 held. */
struct hits {
    bool asked, known; /* known: of this row */
    uint64_t sectors;
};

static struct hits hits_of(const struct run *run, const struct outlier_site *site)
{
    return (struct hits){run->caches, site && site->cached, site ? site->l1_hits : 0};
}

/* Writes a cost, and its part of all waste. */
static void write_cost(const struct datum_writer *to, const struct outlier_cost *cost, uint64_t all, struct hits hits)
{
    double const share = all ? (double)cost->wasted / (double)all : 0;
    char percent[32] = "";
    char hit_rate[32] = "";
    if (hits.known && cost->sectors)
        snprintf(hit_rate, sizeof hit_rate, "%.1f %%", 100.0 * (double)hits.sectors / (double)cost->sectors);
    if (all)
        snprintf(percent, sizeof percent, "%.1f %%", 100.0 * (double)cost->wasted / (double)all);
    datum_write(
        to, DATA({"requests", VALUE(cost->requests), N_("Executed"), NULL}, DATUM("sectors", cost->sectors),
                 DATUM("sectors_ideal", cost->sectors_ideal),
                 {"l1_hits", hits.asked && (hits.known || !to->object) ? VALUE(hits.sectors) : NULL,
                  hits.asked ? N_("In L1") : NULL, to->heads ? NULL : hit_rate},
                 DATUM("passes", cost->passes), DATUM("passes_ideal", cost->passes_ideal),
                 {"wasted_bytes", VALUE(cost->wasted), N_("Wasted B"), NULL},
                 {"wasted_beyond_l1_bytes", hits.asked && (cost->sectors || !to->object) ? VALUE(cost->beyond) : NULL,
                  hits.asked ? N_("Beyond L1 B") : NULL, cost->sectors ? NULL : ""},
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
        write_cost(&(struct datum_writer){.object = row}, &item->cost, outliers->sites_wasted, hits_of(run, item));
        json_array_append_new(sites, datum_add(row, DATA(DATUM("divergent", item->divergent))));
    }
    for (size_t i = 0; i < outliers->warp_count && i < JSON_WARPS; i++) {
        const struct outlier_warp *item = &outliers->warps[i];
        json_t *row = OBJECT(DATUM("block", item->block), DATUM("warp", item->warp));
        write_cost(&(struct datum_writer){.object = row}, &item->cost, outliers->warps_wasted, (struct hits){0});
        json_array_append_new(warps, row);
    }
    json_t *root = OBJECT(ITEM("sites", sites), DATUM("sites_wasted_bytes", outliers->sites_wasted),
                          ITEM("sites_wasted_beyond_l1_bytes", outliers->cached ? VALUE(outliers->sites_beyond) : NULL),
                          ITEM("warps", warps), DATUM("warp_count", outliers->warp_count),
                          DATUM("warps_wasted_bytes", outliers->warps_wasted));
    arena_free(&arena);
    return root;
}

/* Writes a place and its cost; without a cost, the heads of the columns. */
static void write_row(FILE *out, const char *place, const struct outlier_cost *cost, uint64_t all, struct hits hits)
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
    report_put(
        out, _("  wasted by each access alone: 32 bytes for each sector above the least, 128 for each pass above it"));
    fprintf(out, _("  instructions, %s:\n"), report_scope(arena, &counted));
    if (outliers->cached)
        fprintf(out, "    %s\n", report_explain_order());
    write_row(out, _("Line"), NULL, 0, hits_of(run, NULL));
    for (size_t i = 0; i < outliers->site_count && i < TEXT_ROWS; i++)
        write_row(out, site_words(arena, &outliers->sites[i]), &outliers->sites[i].cost, outliers->sites_wasted,
                  hits_of(run, &outliers->sites[i]));
    if (outliers->site_count > TEXT_ROWS)
        fprintf(out, _("    and %zu more (--json lists all)\n"), outliers->site_count - TEXT_ROWS);
    fprintf(out, _("  warps, %s:\n"), report_scope(arena, &recorded));
    write_row(out, _("Warp"), NULL, 0, (struct hits){0});
    for (size_t i = 0; i < outliers->warp_count && i < TEXT_ROWS; i++)
        write_row(out,
                  arena_format(arena, _("block %llu, warp %u"), (unsigned long long)outliers->warps[i].block,
                               outliers->warps[i].warp),
                  &outliers->warps[i].cost, outliers->warps_wasted, (struct hits){0});
    if (outliers->warp_count > TEXT_ROWS)
        fprintf(out, _("    and %zu more (--json lists %d)\n"), outliers->warp_count - TEXT_ROWS, JSON_WARPS);
}
