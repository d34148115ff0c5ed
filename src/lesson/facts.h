/* Facts: the numbers of a run by name, for a lesson's expressions. */
#ifndef LANESCOPE_LESSON_FACTS_H
#define LANESCOPE_LESSON_FACTS_H
#include "lesson/lesson_run.h"

/* Sets the run's facts and its measured time. elsewhere: includes the numbers of other settings that the lesson names.
 * A run of the recorded blocks alone has no facts of all blocks. */
bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error);
/* Returns whether a name is a fact of all blocks: a total, or what their checks found. */
bool facts_is_total(const char *name, size_t length);
/* Returns whether a name is one of the facts of the measured time. */
bool facts_is_time(const char *name, size_t length);
/* Returns what an expression counts: the fact of that name, of any access. */
enum lesson_fact facts_of(const struct lesson *lesson, const char *expression);
/* Returns whether an expression contains a measured time, of this setting or of another one; NULL: it does not. */
bool expression_tells_time(const struct lesson *lesson, const char *expression);
/* Returns whether a text shows a measured time. */
bool words_tell_time(const struct lesson *lesson, const struct lesson_text *text);
/* Runs a setting on the emulator without checks, time or facts of other settings: for ladders and facts.
 * LIGHT_RECORDED: only the recorded blocks run, where none can depend on another. */
enum light { LIGHT_GRID, LIGHT_RECORDED };
bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, enum light light,
                        struct run **run, struct error *error);
#endif
