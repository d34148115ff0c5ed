/* The lessons as cards of the list. */
#ifndef LANESCOPE_APP_SCREEN_CARDS_H
#define LANESCOPE_APP_SCREEN_CARDS_H
#include "lesson/lesson.h"

struct lesson_card {
    const char *name, *title[LANGUAGE_COUNT], *summary[LANGUAGE_COUNT];
    int beats;
    unsigned stage; /* the panels of its first step, which choose its emblem */
};
struct cards {
    struct lesson_card *items;
    size_t count, chosen;
    struct error *errors; /* of lessons that cannot be read */
    size_t error_count;
};
/* The lesson after this one in the list; NULL: there is none. */
const struct lesson_card *cards_next(const struct cards *cards, const struct lesson *lesson);
#endif
