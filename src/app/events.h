/* Turns the events of the window (keys, mouse, dropped files) into input of the ui and into actions. */
#ifndef LANESCOPE_APP_EVENTS_H
#define LANESCOPE_APP_EVENTS_H
struct app;
struct app_event;
void events_take(struct app *app, const struct app_event *event);
#endif
