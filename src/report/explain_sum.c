/* What the launches of a program waste together. */
#include "base/words.h"
#include "report/datum.h"
#include "report/explain.h"
#include "report/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROWS = 10 };

struct explain_sum_row {
    struct explanation item; /* of the launch that wastes most; its site is `site` */
    struct trace_site site;
    const char *kernel, *file;
    uint64_t wasted, beyond, launches, most;
};

static struct explain_sum_row *row_of(struct explain_sum *sum, const struct explanation *item, const char *kernel)
{
    static const struct trace_site none;
    const struct trace_site *site = item->site ? item->site : &none;
    for (size_t i = 0; i < sum->count; i++) {
        struct explain_sum_row *row = &sum->rows[i];
        if (row->item.kind == item->kind && strcmp(row->kernel, kernel) == 0 && row->site.line == site->line &&
            row->site.column == site->column && row->site.operation == site->operation &&
            row->site.bytes == site->bytes && row->item.space == item->space)
            return row;
    }
    sum->rows = arena_grow(&sum->arena, sum->rows, sum->count, &sum->capacity, sizeof *sum->rows);
    struct explain_sum_row *row = &sum->rows[sum->count++];
    *row = (struct explain_sum_row){.item = *item, .site = *site, .kernel = arena_text(&sum->arena, kernel)};
    row->site.text = "";
    return row;
}

void report_explain_add(struct explain_sum *sum, const struct explain *explain, const char *kernel, uint64_t times)
{
    sum->cached = sum->cached || explain->cached;
    for (size_t i = 0; i < explain->count; i++) {
        const struct explanation *item = &explain->items[i];
        if (!item->blamed)
            continue;
        struct explain_sum_row *row = row_of(sum, item, kernel);
        const struct trace *trace = explain->trace;
        row->wasted += times * item->wasted;
        row->beyond += times * item->beyond;
        row->launches += times;
        if (row->most && row->most >= item->wasted)
            continue;
        row->most = item->wasted;
        row->item = *item;
        row->item.array = item->array ? arena_text(&sum->arena, item->array) : NULL;
        row->item.fit = NULL;
        row->file = item->site ? arena_text(&sum->arena, report_file(trace, item->site->file)) : "";
    }
}

static int by_waste(const void *left, const void *right)
{
    const struct explain_sum_row *a = left, *b = right;
    if (a->beyond != b->beyond)
        return a->beyond < b->beyond ? 1 : -1;
    return (a->wasted < b->wasted) - (a->wasted > b->wasted);
}

/* Sorts the rows, and joins them to their sites where they lie now. */
static void finish(struct explain_sum *sum)
{
    if (sum->count)
        qsort(sum->rows, sum->count, sizeof *sum->rows, by_waste);
    for (size_t i = 0; i < sum->count; i++)
        sum->rows[i].item.site = sum->rows[i].item.site ? &sum->rows[i].site : NULL;
}

void report_explain_sum_text(FILE *out, struct arena *arena, struct explain_sum *sum)
{
    finish(sum);
    if (!sum->count)
        return;
    report_put(out, _("wasted by all launches, the most first:"));
    if (sum->cached)
        fprintf(out, "  %s\n", report_explain_order());
    for (size_t i = 0; i < sum->count && i < TEXT_ROWS; i++) {
        const struct explain_sum_row *row = &sum->rows[i];
        const char *beyond = row->item.cached ? report_explain_beyond(arena, row->beyond) : "";
        words_print(out, _("  %s · %s · %s · %s {byte|bytes} in %s {launch|launches}%s · lanescope %s\n"), row->kernel,
                    report_explain_place(arena, REPORT_TRANSLATED, &row->item),
                    report_explain_title(REPORT_TRANSLATED, row->item.kind), words_count(arena, row->wasted),
                    words_count(arena, row->launches), beyond, explain_lesson(row->item.kind));
    }
    if (sum->count > TEXT_ROWS)
        fprintf(out, _("  and %zu more (--json lists all)\n"), sum->count - TEXT_ROWS);
}

json_t *report_explain_sum_json(struct explain_sum *sum)
{
    json_t *list = json_array();
    finish(sum);
    for (size_t i = 0; i < sum->count; i++) {
        const struct explain_sum_row *row = &sum->rows[i];
        json_array_append_new(
            list,
            OBJECT(DATUM("kind", explain_word(row->item.kind)), DATUM("kernel", row->kernel), DATUM("file", row->file),
                   DATUM("line", row->site.line), DATUM("column", row->site.column), DATUM("launches", row->launches),
                   DATUM("wasted_bytes", row->wasted),
                   ITEM("wasted_beyond_l1_bytes", sum->cached ? VALUE_OR_NULL(row->item.cached, row->beyond) : NULL),
                   DATUM("lesson", explain_lesson(row->item.kind))));
    }
    return list;
}
