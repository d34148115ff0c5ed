/* The code of a step that looks for a bug, on the stage. */
#ifndef LANESCOPE_SCREEN_BUG_H
#define LANESCOPE_SCREEN_BUG_H
#include "screen/drawing.h"
#include "view/view.h"

/* Draws the whole kernel with lines to click. */
void draw_bug_code(struct drawing *drawing, struct view *view, struct rect box);
/* Draws the wrong line with its reason and the mended one beside it, as much of it as leaves the picture its room, and
 * cuts their room off the box. Returns false where there is too little. */
bool draw_bug_answer(struct drawing *drawing, struct view *view, struct rect *box);
/* Returns whether draw_bug_answer has room in the box. */
bool bug_answer_fits(struct drawing *drawing, struct view *view, struct rect box);
#endif
