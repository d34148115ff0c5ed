/* Draws the stage from a document and a playhead. */
#ifndef LANESCOPE_SCREEN_STAGE_H
#define LANESCOPE_SCREEN_STAGE_H
#include "screen/drawing.h"

/* Returns the height that the panels of a lesson's step need; low: where those that can show only a part. */
float draw_stage_least(struct drawing *drawing, struct view *view, struct rect box, bool low);

/* Returns the height of the box that the panels of a lesson's step leave empty. */
float draw_stage_spare(struct drawing *drawing, struct view *view, struct rect box);

/* half: the name of one of two stages of a comparison; NULL: the only stage. */
void draw_stage(struct drawing *drawing, struct view *view, struct rect box, const char *half);
#endif
