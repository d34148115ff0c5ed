/* The points of a ladder: the sweep of one knob while all else stays the same. Each point is a run of its own, so each
 * frame adds only a few, and the window never waits. */
#ifndef LANESCOPE_DOCUMENT_LADDER_H
#define LANESCOPE_DOCUMENT_LADDER_H
#include "lesson/lesson_run.h"
#include "view/stage.h"

enum { LADDER_LINES_MAX = 8 };

struct ladder_points {
    bool wanted;
    struct lesson_setting setting; /* the swept knob at 0 */
    int knob, beat;
    struct ladder_point *points;
    int count, known;
    double
        *others[LADDER_LINES_MAX]; /* measured times of the other variants, all known; `variants` has their numbers */
    int variants[LADDER_LINES_MAX], other_count;
    struct arena arena;
};

/* Starts the sweep of this step at this setting, unless it is the current one. */
void ladder_want(struct ladder_points *ladder, const struct lesson *lesson, const struct lesson_setting *setting,
                 int beat);
bool ladder_unfinished(const struct ladder_points *ladder);
/* Runs points for `budget` seconds. Returns false, with error set, if a point cannot run: the sweep then ends before
 * it. */
bool ladder_advance(struct ladder_points *ladder, const struct lesson *lesson, double budget, struct error *error);
#endif
