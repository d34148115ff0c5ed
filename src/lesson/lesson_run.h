/* Runs of a lesson's settings, and the lesson's expressions and texts evaluated on them. */
#ifndef LANESCOPE_LESSON_LESSON_RUN_H
#define LANESCOPE_LESSON_LESSON_RUN_H
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "model/roofline.h"
#include "recording/times.h"
#include "run/run.h"

/* Runs one setting of a lesson. blocks NULL: the whole grid runs and the lesson's blocks are recorded; otherwise only
 * these blocks run, and nothing is checked. EXECUTOR_BEST is the GPU if there is one, otherwise the emulator. */
bool run_lesson(const struct lesson *lesson, const struct lesson_setting *setting, enum executor executor,
                const struct launch_blocks *blocks, struct run **run, struct error *error);

/* Evaluates an expression on one setting without keeping a trace: for the points of a ladder, and counts to compare
 * with. The facts of the settings used last are kept. */
bool run_lesson_fact(const struct lesson *lesson, const struct lesson_setting *setting, const char *expression,
                     double *value, struct error *error);

/* Forgets what settings gave before, so that the next ones run anew: for measurements. */
void lesson_forget_facts(const struct lesson *lesson);

/* Returns the time of a setting that was measured live before, otherwise the recorded one, otherwise TIME_NONE. A run
 * takes its time when it is made, so run again after a measurement. */
struct measured_time run_lesson_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* Measures a setting now, with CUDA events on a GPU, or a loop of the host. Returns false when this computer cannot. */
bool run_lesson_measure(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time,
                        struct error *error);

/* Returns the recorded time of the program that is not ours, at the size of this setting's timed launch; its source is
 * TIME_NONE without one. flop: its operations; NaN: unknown. */
struct measured_time lesson_compared_time(const struct lesson *lesson, const struct lesson_setting *setting,
                                          double *flop);
/* Returns its name in a language, or NULL when the lesson compares with none. */
const char *lesson_compared_label(const struct lesson *lesson, enum language language);
/* Returns the roofs of the chosen GPU and a point for each variant at this setting, in the arena; faulty variants only
 * where they are on screen. Returns false when the GPU's file lacks a roof. */
bool lesson_roofline(const struct lesson *lesson, const struct lesson_setting *setting, enum language language,
                     struct arena *arena, struct roofline *roofline);

/* Reads the recorded trace of a setting. The error names a setting without one. */
bool lesson_recorded_trace(const struct lesson *lesson, const struct lesson_setting *setting, struct trace **trace,
                           struct error *error);
/* Uses the recordings of this folder from now on instead of those in assets/recordings. Returns false when they are
 * damaged. */
bool lesson_use_recordings(const struct lesson *lesson, const char *folder, struct error *error);
/* Returns the name of a setting in recordings, in the arena: "load stride=8 element=4". timed_knobs: only those knobs
 * on which the measured time depends. */
const char *lesson_setting_name(const struct lesson *lesson, const struct lesson_setting *setting, bool timed_knobs,
                                struct arena *arena);
struct recording_names lesson_recording_names(const struct lesson *lesson, bool timed_knobs, struct arena *arena);

/* Evaluates an expression over facts, names of knobs and numbers. */
bool run_evaluate(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                  const char *expression, double *value, struct error *error);
/* Finds the event of the run's trace at which a beat opens. Returns false when the beat names no access, or when this
 * setting has no such access; the beat then opens at the start. */
bool run_find_beat(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                   const struct lesson_beat *beat, size_t *event);

/* Returns the knobs, a bit each, that have no effect in this variant: with every one of their values, the other knobs
 * as they are, the launch and the numbers of the step's words and charts are the same. run: of the setting; NULL: none
 * of them is known. */
unsigned lesson_idle_knobs(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                           const struct lesson_beat *beat);

/* Returns a lesson's text with the run's values. The rest of a paragraph after a false condition `{?expression}` is
 * left out, and so is a paragraph with a figure of an access that this run does not make. */
struct lesson_text run_fill_words(const struct run *run, const struct lesson *lesson,
                                  const struct lesson_setting *setting, struct arena *arena,
                                  const struct lesson_text *text);
/* Returns whether an expression, a paragraph, or one of a text names a figure of an access that this run does not make.
 */
bool run_lacks_figure(const struct run *run, const struct lesson *lesson, const char *expression);
bool run_lacks_access(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                      struct arena *arena, const struct text_paragraph *paragraph);
bool run_lacks_accesses(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                        struct arena *arena, const struct lesson_text *text);
/* Returns whether `{...}` has a value on this run; the error says why not. */
bool run_text_known(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                    const char *braces, struct error *error);
/* Returns a text in which the run's values replace `{expression}` and `{expression:format}`, in the arena. An
 * expression without a value stays as written. Empty where it shows a figure of an access that this run does not
 * make. */
const char *run_fill_text(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          struct arena *arena, const char *text);
#endif
