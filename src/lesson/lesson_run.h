/* Runs of a lesson's settings, and the lesson's expressions and texts evaluated on them. */
#ifndef LANESCOPE_LESSON_LESSON_RUN_H
#define LANESCOPE_LESSON_LESSON_RUN_H
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "recording/times.h"
#include "run/run.h"

/* One setting of a lesson. blocks NULL: the whole grid runs and the lesson's blocks are recorded; else only those
 * blocks run, and nothing is checked. The GPU and recordings are used as asked: EXECUTOR_BEST is the GPU if there is
 * one, else the emulator. */
bool run_lesson(const struct lesson *lesson, const struct lesson_setting *setting, enum executor executor,
                const struct launch_blocks *blocks, struct run **run, struct error *error);

/* Only the numbers of one setting, without keeping a trace: what a ladder needs for each of its points. */
bool run_lesson_fact(const struct lesson *lesson, const struct lesson_setting *setting, const char *expression,
                     double *value, struct error *error);

/* The measured time of a setting, if there is one: measured live before, else recorded. TIME_NONE else. A run takes its
 * time when it is made: run again (a millisecond) after measuring. */
struct measured_time run_lesson_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* Measures now: CUDA events on a GPU, or the host's own loop. False when this machine cannot. */
bool run_lesson_measure(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time,
                        struct error *error);

/* The recorded trace of a setting; the error names the settings that have one. */
bool lesson_recorded_trace(const struct lesson *lesson, const struct lesson_setting *setting, struct trace **trace,
                           struct error *error);
/* From now on the recordings of this folder count, instead of those in assets/recordings. False: it is damaged. */
bool lesson_use_recordings(const struct lesson *lesson, const char *folder, struct error *error);
/* The name of a setting in recordings, in the arena: "load stride=8 element=4". timed_knobs: with only those knobs on
 * which the measured time depends. */
const char *lesson_setting_name(const struct lesson *lesson, const struct lesson_setting *setting, bool timed_knobs,
                                struct arena *arena);
struct recording_names lesson_recording_names(const struct lesson *lesson, bool timed_knobs, struct arena *arena);

/* An expression over facts, knob names and numbers (+ - * / ^ comparisons && || ?: ceil floor). */
bool run_evaluate(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                  const char *expression, double *value, struct error *error);
/* Where a beat opens: the event of the run's trace in *event. False when this setting has no such access (the knobs
 * may make it vanish) or the beat names none: the beat then opens at the start. */
bool run_find_beat(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                   const struct lesson_beat *beat, size_t *event);

/* A lesson's text for the run: every span filled; what follows a condition `{?expression}` in a paragraph is left out
 * when it is false. */
struct lesson_text run_fill_words(const struct run *run, const struct lesson *lesson,
                                  const struct lesson_setting *setting, struct arena *arena,
                                  const struct lesson_text *text);
/* `{expression}` and `{expression:format}` in a text replaced by the run's values, in the arena. What cannot be
 * evaluated stays as it is written. */
const char *run_fill_text(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          struct arena *arena, const char *text);
#endif
