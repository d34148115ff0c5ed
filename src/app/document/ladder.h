/* The points of a ladder: the sweep of one knob with everything else as it is. Each point is a run of its own, so they
 * come a few a frame and the window never waits for them. */
#ifndef LANESCOPE_APP_DOCUMENT_LADDER_H
#define LANESCOPE_APP_DOCUMENT_LADDER_H
#include "lesson/lesson_run.h"
#include "view/stage.h"

struct ladder_points {
    bool wanted;
    struct lesson_setting setting; /* the swept knob at 0 */
    int knob, beat;
    struct ladder_point *points;
    int count, known;
    struct arena arena;
};

/* The sweep that this step shows at this setting, begun anew where it is another one than before. */
void ladder_want(struct ladder_points *ladder, const struct lesson *lesson, const struct lesson_setting *setting,
                 int beat);
bool ladder_unfinished(const struct ladder_points *ladder);
/* Works for `budget` seconds. False, with error set, when a point cannot be run: the sweep ends before it. */
bool ladder_advance(struct ladder_points *ladder, const struct lesson *lesson, double budget, struct error *error);
#endif
