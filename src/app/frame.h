/* One frame: update, draw, and apply the actions that drawing collected. */
#ifndef LANESCOPE_APP_FRAME_H
#define LANESCOPE_APP_FRAME_H
#include "screen/drawing.h"

struct app;
const struct draw_list *frame_draw(struct app *app, double seconds);
/* Returns the inputs of a frame of the app, to be drawn with this ui. */
struct drawing app_drawing(struct app *app, struct ui *ui, struct arena *arena, struct actions *actions);
#endif
