/* The mouse in class: its pointer hides while it rests, and it leads a spotlight. */
#ifndef LANESCOPE_APP_POINTER_H
#define LANESCOPE_APP_POINTER_H
#include "app/state.h"

/* Shows the pointer again, for as long as it moves and a while longer. */
void pointer_moved(struct app *app);
/* Lets the pointer of a presentation rest for so many seconds more, and hides it after two. */
void pointer_rest(struct app *app, double seconds);
/* Hides the pointer of a presentation at the next frame: who presses a key points at nothing. */
void pointer_key(struct app *app);
/* Returns the seconds until the pointer hides; INFINITY: it does not. */
double pointer_wait(const struct app *app);
void spotlight_resize(struct spotlight *spotlight, int steps);
/* Darkens all but a circle around the mouse, if the spotlight is on. */
void spotlight_draw(struct app *app);
#endif
