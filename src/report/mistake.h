/* Sentences about mistakes of host code (program/mistakes.h). */
#ifndef LANESCOPE_REPORT_MISTAKE_H
#define LANESCOPE_REPORT_MISTAKE_H
#include "program/mistakes.h"
#include "report/report.h"
#include <jansson.h>

/* The heading: "double free". */
const char *report_mistake_title(enum report_language language, const struct mistake *mistake);
/* One sentence: what is wrong, with the lines that it has to do with. */
const char *report_mistake(struct arena *arena, enum report_language language, const struct mistake *mistake);
/* A sentence about the error that the program did not look at, or NULL. */
const char *report_mistake_error(struct arena *arena, enum report_language language, const struct mistake *mistake);
/* A way to mend the program. */
const char *report_mistake_advice(struct arena *arena, enum report_language language, const struct mistake *mistake);
/* In English. Keys and words are stable. */
json_t *report_mistake_json(const struct mistake *mistake);
/* "the 4000 bytes of cudaMalloc at sum.cu:12" */
const char *report_allocation(struct arena *arena, const struct mistake_allocation *allocation);
json_t *report_allocation_json(const struct mistake_allocation *allocation);
#endif
