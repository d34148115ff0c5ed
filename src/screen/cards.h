/* The lessons as cards of the list; behind them those that cannot be opened. */
#ifndef LANESCOPE_SCREEN_CARDS_H
#define LANESCOPE_SCREEN_CARDS_H
#include "lesson/lesson.h"

/* How far a user has come in a lesson. */
struct way_kept {
    int step, furthest; /* counted from 1; 0: never opened */
    int answered;       /* questions */
    bool last;          /* the lesson that was open last */
};
struct lesson_card {
    const char *name, *title[LANGUAGE_COUNT], *summary[LANGUAGE_COUNT];
    int beats, questions;
    unsigned minutes;                 /* alone; 0: not known */
    unsigned stage;                   /* the panels of its first step, which choose its emblem */
    size_t chapter;                   /* in the order of the path */
    const char *const *chapter_title; /* by language; NULL: no chapter names the lesson */
    const char *problem, *place;      /* why it cannot be opened, and its file and line; NULL: it can */
    struct way_kept way;
};
enum { RECENT_MAX = 8 };
struct cards {
    struct lesson_card *items;
    size_t count, chosen;           /* chosen: an item of the first screen, see screen/home.h */
    const char *recent[RECENT_MAX]; /* paths of the files that were opened lately, the last one first */
    int recent_count;
};
/* Returns the lesson after this one in the list that can be opened; NULL: there is none. */
const struct lesson_card *cards_next(const struct cards *cards, const struct lesson *lesson);
const struct lesson_card *cards_previous(const struct cards *cards, const struct lesson *lesson); /* the one before */
#endif
