/* The accesses as written and as the machine ran them: see sass.c. */
#ifndef LANESCOPE_DOCUMENT_SASS_H
#define LANESCOPE_DOCUMENT_SASS_H
#include "lesson/lesson_run.h"

/* Returns the comparison with a profiler's counts of this launch, in sentences. NULL: it was not counted. *same: all
 * counts agree. */
const char *sass_words(const struct run *run, struct arena *arena, bool *same);

/* Returns the sectors of global loads that the model found in the L1, and those that a profiler counted there, in a
 * sentence. NULL: the caches were not asked for, are not known, or no profiler counted their hits. *same: they differ
 * by no more than 1 % of the sectors. */
const char *sass_hits_words(const struct run *run, struct arena *arena, bool *same);
#endif
