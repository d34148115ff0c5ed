/* One frame: time goes on, the picture is drawn, and the actions asked for in it are applied. */
#ifndef LANESCOPE_APP_FRAME_H
#define LANESCOPE_APP_FRAME_H
#include "ui/draw.h"

struct app;
const struct draw_list *frame_draw(struct app *app, double seconds);
#endif
