/* Saves a PNG or SVG of the screen, or a GIF of the access on screen. */
#ifndef LANESCOPE_APP_SAVE_H
#define LANESCOPE_APP_SAVE_H
#include <stdbool.h>

struct app;
/* Saves the picture that an action asked for, and returns whether it drew frames for it. */
bool save_wanted(struct app *app);
#endif
