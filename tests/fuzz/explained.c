#include "explained.h"
#include "fuzz.h"
#include "report/explain.h"
#include <jansson.h>

void explained(const struct trace *trace, const struct counts *counts)
{
    static const struct occupancy_limits limits = {.capability = "9.0",
                                                   .source = "",
                                                   .threads = 2048,
                                                   .blocks = 32,
                                                   .barriers = 16,
                                                   .registers = 65536,
                                                   .registers_per_thread = 255,
                                                   .registers_per_block = 65536,
                                                   .register_unit = 256,
                                                   .partitions = 4,
                                                   .shared = 233472,
                                                   .shared_per_block = 232448,
                                                   .shared_reserved = 1024,
                                                   .shared_unit = 128};
    static const enum report_language languages[] = {REPORT_ENGLISH, REPORT_TRANSLATED};
    struct arena arena = {0};
    uint64_t const threads = (uint64_t)trace->block[0] * trace->block[1] * trace->block[2];
    struct occupancy_case fit = {.limits = &limits,
                                 .needs = {.threads = (uint32_t)threads, .barriers = 1, .shared = trace->shared_bytes}};
    bool const fits = threads > 0 && threads <= 1024;
    if (fits)
        fit.got = occupancy_of(&limits, &fit.needs);
    const struct explain *explain = explain_new(&arena, trace, counts, NULL, fits ? &fit : NULL);
    for (size_t i = 0; i < explain->count; i++) {
        const struct explanation *item = &explain->items[i];
        require(item->kind < EXPLAIN_KINDS && item->part >= 0 && item->part <= 1);
        require(item->event == SIZE_MAX || item->event < trace->events.count);
        for (size_t k = 0; k < sizeof languages / sizeof *languages; k++) {
            require(*report_explain_title(languages[k], item->kind));
            require(*report_explain_place(&arena, languages[k], item));
            require(report_explain(&arena, languages[k], item) && report_explain_cost(&arena, languages[k], item) &&
                    report_explain_lanes(&arena, languages[k], item) &&
                    report_explain_remedy(&arena, languages[k], item));
        }
    }
    json_decref(report_explain_json(explain));
    arena_free(&arena);
}
