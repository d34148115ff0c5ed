/* Where things go on a screen, and how large a unit is. */
#ifndef LANESCOPE_APP_SCREEN_LAYOUT_H
#define LANESCOPE_APP_SCREEN_LAYOUT_H
#include "app/drawing.h"

struct app;
struct layout {
    struct rect top, notice, stage, side, timeline; /* notice: of height 0 while there is nothing to say */
    bool compact;                                   /* no right column */
};
struct layout layout_of(const struct drawing *drawing);
/* After the window, the size of text or presenting has changed. */
void app_update_unit(struct app *app);
#endif
