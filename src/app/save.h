/* Taking a picture away: a PNG, or a GIF of the access on screen. */
#ifndef LANESCOPE_APP_SAVE_H
#define LANESCOPE_APP_SAVE_H
#include <stdbool.h>

struct app;
/* Saves what an action asked for, if any did. True: frames were drawn for it. */
bool save_wanted(struct app *app);
#endif
