/* Facts: the numbers of a run by name, for a lesson's expressions. */
#ifndef LANESCOPE_LESSON_FACTS_H
#define LANESCOPE_LESSON_FACTS_H
#include "lesson/lesson_run.h"

/* Sets the run's facts and its measured time. elsewhere: includes facts of other settings that the lesson names. */
bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error);
/* Runs a setting on the emulator without checks, time or facts of other settings: for ladders and facts. */
bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, struct run **run,
                        struct error *error);
#endif
