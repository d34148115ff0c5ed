/* Opens documents: from the command line, and files dropped on the window. */
#ifndef LANESCOPE_APP_OPEN_H
#define LANESCOPE_APP_OPEN_H
#include "app/state.h"

/* Opens the document that the options name. Returns false, with error set, when nothing can be shown. */
bool open_first(struct app *app, const struct app_options *options, struct error *error);
/* Lists the folder of the file opened last, else the current one. */
void open_folder(struct app *app);
/* Opens a file. Of files that are dropped together, the first that can be opened; the others are counted. */
void open_dropped(struct app *app, const char *path, unsigned dropped_before);
/* Runs a kernel's file and goes to an access of it; 0: to its first finding. */
void open_kernel_at(struct app *app, const char *path, int access);
/* Runs the kernel of the pending file. It is called before each frame; the first call only lets a frame announce the
 * run. */
void open_pending(struct app *app);
/* Goes to the access of this number. */
void open_at_access(struct app *app, int access);
/* Opens a lesson that has just been loaded at the step where it was left. */
void open_lesson_as_left(struct app *app);
#endif
