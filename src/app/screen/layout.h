/* The layout of a screen, and the size of a unit. */
#ifndef LANESCOPE_APP_SCREEN_LAYOUT_H
#define LANESCOPE_APP_SCREEN_LAYOUT_H
#include "app/drawing.h"

struct app;
struct layout {
    struct rect top, notice, stage, side, timeline; /* notice: height 0 without one */
    bool compact;                                   /* no right column */
};
struct layout layout_of(const struct drawing *drawing);
/* Recomputes the unit after a change of the window, the size of text, or presenting. */
void app_update_unit(struct app *app);
#endif
