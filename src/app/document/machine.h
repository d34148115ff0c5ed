/* As written, and as the machine ran it: see machine.c. */
#ifndef LANESCOPE_APP_DOCUMENT_MACHINE_H
#define LANESCOPE_APP_DOCUMENT_MACHINE_H
#include "lesson/lesson_run.h"

/* What a profiler counted of this run's launch on a GPU. NULL: nothing. */
const char *machine_words(const struct run *run, struct arena *arena, bool *same);
#endif
