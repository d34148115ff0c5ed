/* The values of the cards beside or below the stage, and the right column of a file. The cards of a lesson: deck.h. */
#ifndef LANESCOPE_SCREEN_SIDE_SIDE_H
#define LANESCOPE_SCREEN_SIDE_SIDE_H
#include "screen/drawing.h"

void draw_file_side(struct drawing *drawing, struct view *view, struct rect box);

/* Return the current values of the cards. strip > 0: so many lines of code and no title. */
struct code_view code_now(const struct drawing *drawing, const struct view *view, int strip);
/* The launch of the run on screen, and its names. values: of parameters and arrays. */
struct launch_shown {
    const char *text; /* "kernel<<<2, 64>>>(out, in, 1)"; NULL: unknown */
    const struct code_value *values;
    uint32_t value_count;
};
struct launch_shown launch_now(const struct drawing *drawing);
/* Returns how the lane under the mouse computes its address; NULL: there is none, or it is not known. */
const char *way_words(const struct drawing *drawing, const struct scene *scene);
/* Returns the PTX beside the code, or NULL if it is not open. line: the current one. */
const struct code_ptx *ptx_now(const struct drawing *drawing, const struct scene *scene, uint32_t line);
struct time_view time_now(const struct drawing *drawing);
struct words_view words_now(const struct drawing *drawing);
struct question_view question_now(const struct drawing *drawing);
struct knobs_view knobs_now(const struct drawing *drawing);
/* Returns the words of a choice, or its number. */
const char *choice_label(const struct drawing *drawing, int choice);
/* The ways on from the step: to the mended kernel, to the next lesson. None: count 0. */
struct ways_view ways_now(const struct drawing *drawing);
/* Returns what the student does in a step: "Predict", "Find the bug". */
const char *beat_name(const struct lesson_beat *beat);
/* The title of a step, or else what it asks for; and both: "Predict · Stride 8". */
const char *beat_title(const struct drawing *drawing, const struct lesson_beat *beat);
const char *beat_full_name(const struct drawing *drawing, const struct lesson_beat *beat);
/* Returns the result of a guess or a task; NULL: none yet. */
const char *beat_verdict(const struct drawing *drawing);
/* Returns the beginning of the explanation, about a sentence, as one line; "": there is none yet. */
const char *beat_first_words(const struct drawing *drawing);
/* Returns what follows them. */
const char *beat_further_words(const struct drawing *drawing);
/* The same of the answer, whatever was guessed. */
const char *beat_reason(const struct drawing *drawing);
/* Returns the last paragraph of the words that is no list as one line. */
const char *beat_last_words(const struct drawing *drawing);
#endif
