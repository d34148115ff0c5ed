/* Facts: the numbers of a run by name, for a lesson's expressions. */
#ifndef LANESCOPE_LESSON_FACTS_H
#define LANESCOPE_LESSON_FACTS_H
#include "lesson/lesson_run.h"

/* Sets the run's facts and its measured time. elsewhere: with the facts of other settings that the lesson names. */
bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error);
/* The emulator's run of a setting, without check, time or facts from elsewhere: for ladders and facts. */
bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, struct run **run,
                        struct error *error);
#endif
