/* What a launch wastes and why, as text. */
#include "base/words.h"
#include "cli/report.h"
#include "model/gpu.h"
#include "report/explain.h"
#include <stdio.h>
#include <stdlib.h>

static void print_item(struct arena *arena, const struct explanation *item)
{
    const char *lanes = report_explain_lanes(arena, REPORT_TRANSLATED, item);
    printf("    %s · %s · %s\n", report_explain_place(arena, REPORT_TRANSLATED, item),
           report_explain_title(REPORT_TRANSLATED, item->kind), report_explain_cost(arena, REPORT_TRANSLATED, item));
    if (!item->blamed)
        return;
    printf("        %s%s%s%s\n", report_explain(arena, REPORT_TRANSLATED, item), *lanes ? " (" : "", lanes,
           *lanes ? ")" : "");
    printf("        %s\n", report_explain_remedy(arena, REPORT_TRANSLATED, item));
    printf(_("        lesson: lanescope %s\n"), explain_lesson(item->kind));
}

static size_t blamed_count(const struct explain *explain)
{
    size_t count = 0;
    for (size_t i = 0; i < explain->count; i++)
        count += explain->items[i].blamed;
    return count;
}

/* Prints the places where nothing is wasted, in one line. */
static void print_fine(struct arena *arena, const struct explain *explain)
{
    char *places = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&places, &size);
    bool some = false;
    for (size_t i = 0; out && i < explain->count; i++)
        if (explain->items[i].kind == EXPLAIN_FINE) {
            fprintf(out, "%s%s", some ? "; " : "", report_explain_place(arena, REPORT_TRANSLATED, &explain->items[i]));
            some = true;
        }
    if (out && fclose(out) == 0 && some)
        printf(_("  nothing wasted: %s\n"), places);
    free(places);
}

void report_explain_text(struct arena *arena, const struct explain *explain)
{
    size_t const blamed = blamed_count(explain);
    if (blamed)
        puts(_("  wasted, the most first (32 bytes for each sector above the least, 128 for each pass above it, 4 for "
               "each idle lane of a step):"));
    else
        puts(_("  wasted: nothing that matters"));
    for (size_t i = 0; i < explain->count; i++)
        if (explain->items[i].blamed)
            print_item(arena, &explain->items[i]);
    size_t rest = 0;
    for (size_t i = 0; i < explain->count; i++) {
        const struct explanation *item = &explain->items[i];
        if (item->blamed || item->kind == EXPLAIN_FINE || !item->wasted)
            continue;
        if (!rest++)
            puts(_("  of little weight:"));
        print_item(arena, item);
    }
    print_fine(arena, explain);
    if (explain->cut)
        puts(_("  the record is long: the patterns are those of its beginning"));
}

void report_lessons_text(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const char *lesson = report_finding_lesson(&trace->findings[i]);
        bool told = !*lesson;
        for (uint32_t k = 0; k < i && !told; k++)
            told = report_finding_lesson(&trace->findings[k]) == lesson;
        if (!told)
            printf(_("  lesson on this finding: lanescope %s\n"), lesson);
    }
}

struct explain *report_explain_run(struct arena *arena, const struct run *run, const char *gpu)
{
    struct occupancy_case *fit = arena_new(arena, struct occupancy_case);
    *fit = run->occupancy;
    bool const known = fit->limits || gpu_fit(arena, gpu, run->trace, fit);
    return explain_new(arena, run->trace, &run->counts, known ? fit : NULL);
}
