/* For src/author only: a paragraph of a beat as it is shown after a knob was turned, and the rules for its words. */
#ifndef LANESCOPE_AUTHOR_TURNED_H
#define LANESCOPE_AUTHOR_TURNED_H
#include "author/check.h"

enum { FIGURES_MAX = 64 };
enum kind { TYPED, CODE, KNOB, FIGURE }; /* CODE: and words in place of {what}; KNOB: a figure that is a knob's value */

struct figure {
    const char *braces, *expression; /* "{time:us}", "time" */
    double value;
    const char *shown;
    size_t at; /* in the text */
};

/* A paragraph as it is shown: its text, what each byte of it is, and its figures. */
struct shown {
    char *text;
    unsigned char *kind;
    size_t length, capacity, kind_capacity;
    struct figure figures[FIGURES_MAX];
    int count;
    const char *raw;    /* as written */
    const char *before; /* what the paragraph above its list names; "" */
    size_t sentence[2];
};

struct turned {
    struct check *check;
    int beat, file;
    const struct lesson_setting *setting;
    const struct run *run, *opened; /* at this setting, and where the beat opens */
    struct lesson_setting own;      /* the latter's setting */
};

/* Returns the number from another setting that has this name; NULL: there is none. */
const struct plan_elsewhere *turned_elsewhere(const struct lesson *lesson, const char *name, size_t length);
/* Returns the paragraph without its figures, which may have the value of a knob by chance; in the arena of the check.
 */
const char *turned_named_text(const struct turned *turned, const struct shown *shown);
/* Lists a problem of a beat's words once, however many settings show it. */
void turned_tell(const struct turned *turned, const char *rule, const char *near, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* turned_rules.c: lists what is wrong in a paragraph at this setting. typed: numbers that are typed, too. */
void turned_check(const struct turned *turned, const struct shown *shown, bool typed);
#endif
