/* For src/grade only: rules held against the outcomes of a submission. Pure functions: they run nothing. */
#ifndef LANESCOPE_GRADE_JUDGE_H
#define LANESCOPE_GRADE_JUDGE_H
#include "grade/grade.h"
#include <jansson.h>

/* Fills a verdict for each rule, in the arena. text: of the submission. build: NULL where nothing is built; runs and
 * reference: one outcome for each run of the rubric; reference is NULL without one, and for itself. */
void judge(struct arena *arena, const struct rubric *rubric, const char *text, const json_t *build, json_t *const *runs,
           json_t *const *reference, struct grade_verdict *verdicts);
#endif
