/* The accesses as written and as the machine ran them: see sass.c. */
#ifndef LANESCOPE_DOCUMENT_SASS_H
#define LANESCOPE_DOCUMENT_SASS_H
#include "lesson/lesson_run.h"

/* Returns the comparison with a profiler's counts of this launch, in sentences. NULL: it was not counted. *same: all
 * counts agree. */
const char *sass_words(const struct run *run, struct arena *arena, bool *same);

/* Returns where the sectors of global loads came from in the model of the caches, and as a profiler counted them, in
 * sentences. NULL: the caches were not asked for or are not known, the launch has no global loads, no profiler counted
 * their hits, or it did so on another GPU than the model's, or on one whose rules were not measured. *same: the hits in
 * the L1 differ by no more than 1 % of the sectors, what is asked of the L2 and found there by no more than 3 % of what
 * is asked, and what the DRAM delivers by no more than 10 %. Where the model tells two numbers, the count is between
 * them, or as near to one of them. */
const char *sass_hits_words(const struct run *run, struct arena *arena, bool *same);
#endif
