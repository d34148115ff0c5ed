/* The stage of a document, drawn from what it offers and where the playhead stands. */
#ifndef LANESCOPE_APP_STAGE_STAGE_H
#define LANESCOPE_APP_STAGE_STAGE_H
#include "app/drawing.h"

/* half: the name of one of two stages under one another, in place of the block's line; NULL: the whole one. */
void draw_stage(struct drawing *drawing, struct view *view, struct rect box, const char *half);
#endif
