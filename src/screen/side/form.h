/* The launch of a kernel that stands alone, as a card of fields. */
#ifndef LANESCOPE_SCREEN_SIDE_FORM_H
#define LANESCOPE_SCREEN_SIDE_FORM_H
#include "screen/drawing.h"

/* Draws the card at the bottom of the box if there is room above `least`, and takes its room off. words: what is
 * guessed and checked. Returns whether there is a form. */
bool draw_launch_form(struct drawing *drawing, struct view *view, struct rect *box, float least, const char *words);
#endif
