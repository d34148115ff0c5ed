/* What a launch wastes and why, as text. */
#include "base/words.h"
#include "model/gpu.h"
#include "report/explain.h"
#include "report/run.h"
#include <stdio.h>
#include <stdlib.h>

static void write_item(FILE *out, struct arena *arena, const struct explanation *item)
{
    const char *lanes = report_explain_lanes(arena, REPORT_TRANSLATED, item);
    fprintf(out, "    %s · %s · %s\n", report_explain_place(arena, REPORT_TRANSLATED, item),
            report_explain_title(REPORT_TRANSLATED, item->kind), report_explain_cost(arena, REPORT_TRANSLATED, item));
    if (!item->blamed)
        return;
    fprintf(out, "        %s%s%s%s\n", report_explain(arena, REPORT_TRANSLATED, item), *lanes ? " (" : "", lanes,
            *lanes ? ")" : "");
    fprintf(out, "        %s\n", report_explain_remedy(arena, REPORT_TRANSLATED, item));
    fprintf(out, _("        lesson: lanescope %s\n"), explain_lesson(item->kind));
}

static size_t blamed_count(const struct explain *explain)
{
    size_t count = 0;
    for (size_t i = 0; i < explain->count; i++)
        count += explain->items[i].blamed;
    return count;
}

/* Writes the places where nothing is wasted, in one line. */
static void write_fine(FILE *out, struct arena *arena, const struct explain *explain)
{
    char *places = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&places, &size); /* there may be 100,000 */
    for (size_t i = 0; list && i < explain->count; i++)
        if (explain->items[i].kind == EXPLAIN_FINE)
            fprintf(list, "%s%s", ftell(list) > 0 ? "; " : "",
                    report_explain_place(arena, REPORT_TRANSLATED, &explain->items[i]));
    if (list && fclose(list) == 0 && size)
        fprintf(out, _("  nothing wasted: %s\n"), places);
    free(places);
}

void report_explain_text(FILE *out, struct arena *arena, const struct explain *explain)
{
    size_t const blamed = blamed_count(explain);
    if (blamed)
        report_put(
            out,
            _("  wasted, the most first (32 bytes for each sector above the least or loaded again, 128 for each pass "
              "above the least, 4 for each idle lane of a step, 1 of another instruction):"));
    else
        report_put(out, _("  wasted: nothing that matters"));
    if (blamed && explain->cached)
        fprintf(out, "    %s\n", report_explain_order());
    for (size_t i = 0; i < explain->count; i++)
        if (explain->items[i].blamed)
            write_item(out, arena, &explain->items[i]);
    size_t rest = 0;
    for (size_t i = 0; i < explain->count; i++) {
        const struct explanation *item = &explain->items[i];
        if (item->blamed || item->kind == EXPLAIN_FINE || !item->wasted)
            continue;
        if (!rest++)
            report_put(out, _("  of little weight:"));
        write_item(out, arena, item);
    }
    write_fine(out, arena, explain);
    if (explain->cut)
        report_put(out, _("  the record is long: the patterns are those of its beginning"));
}

void report_lessons_text(FILE *out, const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const char *lesson = report_finding_lesson(&trace->findings[i]);
        bool told = !*lesson;
        for (uint32_t k = 0; k < i && !told; k++)
            told = report_finding_lesson(&trace->findings[k]) == lesson;
        if (!told)
            fprintf(out, _("  lesson on this finding: lanescope %s\n"), lesson);
    }
}

struct explain *report_explain_run(struct arena *arena, const struct run *run, const char *gpu)
{
    struct occupancy_case *fit = arena_new(arena, struct occupancy_case);
    *fit = run->occupancy;
    bool const known = fit->limits || gpu_fit(arena, gpu, run->trace, fit);
    return explain_new(arena, run->trace, &run->counts, run->caches, known ? fit : NULL);
}
