/* Edit and see: a file on screen that is saved, by any editor, is compiled and run again. */
#ifndef LANESCOPE_APP_SAVES_H
#define LANESCOPE_APP_SAVES_H
struct app;

/* Watches the files of the document on screen, and runs it again if they have changed. Called for each frame. */
void saves_follow(struct app *app);
void saves_end(struct app *app);
#endif
