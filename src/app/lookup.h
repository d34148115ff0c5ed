/* The keys and actions of the glossary. */
#ifndef LANESCOPE_APP_LOOKUP_H
#define LANESCOPE_APP_LOOKUP_H
#include "screen/lookup.h"

struct app;
/* Returns whether the screen of all terms takes the key. */
bool lookup_key(struct app *app, int key, int modifiers);
/* Opens the card that a key asked for before the step's words were on screen. Returns whether it did. */
bool lookup_walk_on(struct app *app);
#endif
