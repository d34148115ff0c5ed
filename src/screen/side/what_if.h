/* The cards of a program whose values can be turned. */
#ifndef LANESCOPE_SCREEN_SIDE_WHAT_IF_H
#define LANESCOPE_SCREEN_SIDE_WHAT_IF_H
#include "screen/drawing.h"
#include "view/cards/what_if.h"

/* Draws the knobs at the bottom of the box and cuts them off, if there is room for them above `least`. */
void draw_what_if(struct drawing *drawing, struct view *view, struct rect *box, float least);
/* Draws what the last turn or edit changed, likewise. Without a change to tell, it draws nothing. */
void draw_changes(struct drawing *drawing, struct view *view, struct rect *box, float least);
#endif
