/* Numbers of other settings than that of the run on screen: those that lesson.yaml lists under `elsewhere`, the points
 * of a ladder, a count to compare with. Each is found when it is first asked for, at the least cost: times and a
 * profiler's counts need no run, the facts of accesses only the recorded blocks, and the facts of the settings used
 * last are kept. */
#ifndef LANESCOPE_LESSON_ELSEWHERE_H
#define LANESCOPE_LESSON_ELSEWHERE_H
#include "lesson/lesson_run.h"

struct kept;

/* Finds those facts of other settings that the expression names. They follow the run's own facts, in the order of
 * lesson.yaml. Returns false if one of their settings cannot run. */
bool elsewhere_find(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                    const char *expression, struct error *error);
/* Forgets the kept facts. */
void elsewhere_forget(struct kept *kept);
#endif
