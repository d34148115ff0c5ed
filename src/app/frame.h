/* One frame: update, draw, and apply the actions that drawing collected. */
#ifndef LANESCOPE_APP_FRAME_H
#define LANESCOPE_APP_FRAME_H
#include "ui/draw.h"

struct app;
const struct draw_list *frame_draw(struct app *app, double seconds);
#endif
