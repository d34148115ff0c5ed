/* What is on screen, as a file: for tests that use the window as a person does. */
#ifndef LANESCOPE_APP_SHOWS_H
#define LANESCOPE_APP_SHOWS_H
#include "app/state.h"

/* Writes the frame that was just drawn to app->shows. */
void shows_write(struct app *app);
#endif
