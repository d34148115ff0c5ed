/* The overview of the run on screen: its keys and its contents. */
#ifndef LANESCOPE_APP_OVERVIEW_H
#define LANESCOPE_APP_OVERVIEW_H
#include "screen/overview.h"

/* Returns the page's name on the command line, "clock", "lines", "warps" or "why"; and the page of a name,
 * OVERVIEW_PAGES if it has none. */
const char *overview_name(enum overview_page page);
enum overview_page overview_named(const char *name);

struct app;
/* Applies a key while the overview is open. Returns false if the key means what it always does. */
bool overview_key(struct app *app, int key, int modifiers);
/* Computes what the open overview shows, before it is drawn, and closes it where nothing can be shown. */
void overview_prepare(struct app *app);
#endif
