/* Sentences about what a launch wastes (model/explain.h): the only place with their words. */
#ifndef LANESCOPE_REPORT_EXPLAIN_H
#define LANESCOPE_REPORT_EXPLAIN_H
#include "model/explain.h"
#include "report/report.h"
#include <jansson.h>

/* The heading: "strided access". */
const char *report_explain_title(enum report_language language, enum explain_kind kind);
/* "12:9 · ld.global 4 B · in"; of the launch as a whole "the launch". */
const char *report_explain_place(struct arena *arena, enum report_language language, const struct explanation *item);
/* What it wastes: "61,440 bytes · 78 % of the traffic of global memory"; where the caches are known, also how much of
 * it goes beyond the L1. */
const char *report_explain_cost(struct arena *arena, enum report_language language, const struct explanation *item);
/* Why: the pattern in one sentence, with the figures of the worst recorded access. */
const char *report_explain(struct arena *arena, enum report_language language, const struct explanation *item);
/* Where to see it: "block 0, warp 3, lanes 0 to 31"; "" if nothing was recorded. */
const char *report_explain_lanes(struct arena *arena, enum report_language language, const struct explanation *item);
/* What of a waste goes beyond the L1: the end of a sentence that names the waste. */
const char *report_explain_beyond(struct arena *arena, uint64_t beyond);
/* A sentence on the order of the items, where the caches are known. */
const char *report_explain_order(void);
/* What to change; "" of what is fine. */
const char *report_explain_remedy(struct arena *arena, enum report_language language, const struct explanation *item);
/* The lesson that teaches what to do about a finding; "": none. */
const char *report_finding_lesson(const struct finding *finding);

/* A list of objects, in English. */
json_t *report_explain_json(const struct explain *explain);
#endif
