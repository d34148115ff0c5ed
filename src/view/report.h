/* Panels that show the findings of a run: the list of them, the two sides of a race, the memory that a fault missed.
 * Their words come from report/report.h. */
#ifndef LANESCOPE_VIEW_REPORT_H
#define LANESCOPE_VIEW_REPORT_H
#include "report/report.h"
#include "view/view.h"

/* Returns the position of a side's event in a block's playback, or SIZE_MAX if it is not there. The playback remembers
 * the positions of one finding. */
size_t finding_position(const struct trace *trace, const struct finding *finding, int side, struct playback *playback);

struct report_view {
    const struct report *report;
    int current;      /* -1 none */
    const char *note; /* a sentence below the open finding; NULL: none */
};
/* Returns the height of the card, at most `most`: without the message, which the stage shows, where all has no room. */
float card_report_height(const struct view *view, float width, const struct report_view *report, float most);
/* Draws as many rows as fit, the current one with its message and advice. */
struct action card_report(struct view *view, struct rect box, const struct report_view *report);

/* Returns the height of the picture of a fault's memory in pixels, or 0 if no picture explains the fault (a barrier, a
 * loop). */
float fault_height(const struct view *view, const struct finding *fault);
#endif
