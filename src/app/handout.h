/* A lesson on paper: a page for each step with its picture, its words, its code and its times; questions without their
 * answers. The answers follow at the end or behind each question, with the reasons and the replies to wrong answers, or
 * are left out. Of a file: a page for each
 * finding, then one for the first access of each kind and line. */
#ifndef LANESCOPE_APP_HANDOUT_H
#define LANESCOPE_APP_HANDOUT_H
#include "app/app.h"

enum handout_answers {
    HANDOUT_AT_END,
    HANDOUT_STUDENT, /* none */
    HANDOUT_TEACHER  /* behind each question */
};
struct handout_page {
    const struct draw_list *list;
    struct color background;
    int number;         /* from 1 */
    int beat;           /* index of the step; 0 for a file */
    bool answers;       /* the page has the answer of its step */
    const char *reopen; /* the command line that opens this state */
};
/* Draws the pages of the lesson or file of `options` in order, each of width x height pixels, and hands them to `put`,
 * which returns false to stop. Returns false, with error set, when it cannot be shown or `put` has failed. */
bool handout_draw(const struct app_options *options, enum handout_answers answers, const struct text_metrics *metrics,
                  bool (*put)(void *context, const struct handout_page *page, struct error *error), void *context,
                  struct error *error);
#endif
