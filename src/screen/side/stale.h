/* The signs of a run that is older than its source. */
#ifndef LANESCOPE_SCREEN_SIDE_STALE_H
#define LANESCOPE_SCREEN_SIDE_STALE_H
#include "screen/drawing.h"

/* Says that the run is old, in a row that it cuts off the box, unless the notice above the picture does. */
void draw_stale_words(struct drawing *drawing, struct rect *box);
/* Greys what the box shows of an old run. */
void draw_stale_veil(struct drawing *drawing, struct rect box);
#endif
