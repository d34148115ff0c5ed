/* The keys, the mouse and the clock of the presenter's view. */
#ifndef LANESCOPE_APP_PRESENTER_H
#define LANESCOPE_APP_PRESENTER_H
#include "app/app.h"
#include "screen/presenter.h"

/* Closes the view, and its window. */
void presenter_close(struct app *app);
/* Takes a key of the view. Returns false if it has none of its own for it. aside: it came from the view's window. */
bool presenter_key(struct app *app, int key, bool aside);
/* Takes the mouse and the size of its window. */
void presenter_event(struct app *app, const struct app_event *event);
/* Returns the seconds until its clock shows another minute. */
double presenter_wait(const struct app *app);
/* Notes the step on screen, and the lesson. */
void presenter_follow(struct app *app);
void presenter_free(struct presenter *presenter);
#endif
