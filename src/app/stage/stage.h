/* Draws the stage from a document and a playhead. */
#ifndef LANESCOPE_APP_STAGE_STAGE_H
#define LANESCOPE_APP_STAGE_STAGE_H
#include "app/drawing.h"

/* half: the name of one of two stages of a comparison; NULL: the only stage. */
void draw_stage(struct drawing *drawing, struct view *view, struct rect box, const char *half);
#endif
