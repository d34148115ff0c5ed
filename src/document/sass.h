/* The accesses as written and as the machine ran them: see sass.c. */
#ifndef LANESCOPE_DOCUMENT_SASS_H
#define LANESCOPE_DOCUMENT_SASS_H
#include "lesson/lesson_run.h"

/* Returns the comparison with a profiler's counts of this launch, in sentences. NULL: it was not counted. *same: all
 * counts agree. */
const char *sass_words(const struct run *run, struct arena *arena, bool *same);
#endif
