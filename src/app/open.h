/* Opening documents: those of the command line, and files dropped on the window. */
#ifndef LANESCOPE_APP_OPEN_H
#define LANESCOPE_APP_OPEN_H
#include "app/state.h"

/* What the options name. False, with error set, when nothing can be shown. */
bool open_first(struct app *app, const struct app_options *options, struct error *error);
void open_dropped(struct app *app, const char *path);
/* Before each frame: where someone waits, a frame says that a kernel will run, and this runs it in the next one. */
void open_awaited(struct app *app);
#endif
