/* The table of actions: see actions.def. */
#ifndef LANESCOPE_APP_COMMANDS_COMMANDS_H
#define LANESCOPE_APP_COMMANDS_COMMANDS_H
#include "ui/action.h"
#include <stdbool.h>

struct app;
/* Each action has one function, which applies it to the app. */
#define ACTION(name, function, ...) void function(struct app *app, const struct action *action);
#include "ui/actions.def"
#undef ACTION

/* Completes the motion, and notes where it was: see playhead_cut. */
void move_cut(struct app *app);
/* Applies the action. Keys, mouse and clicker all come through here. */
void action_apply(struct app *app, const struct action *action);
/* Returns the action as a presentation means it: an arrow that has nothing more to move goes to the next, previous
 * step, because some clickers have only arrows. */
struct action clicker_action(struct app *app, struct action action);
/* Returns whether an arrow can still move the mark of the line or cell that the step asks for. */
bool app_can_point(struct app *app, int direction);
/* Returns the position of the next, previous access; the current one if there is none. */
size_t app_access_after(const struct app *app, int direction);
/* Takes a key that belongs to the number of a step (jump.c). Returns false if it does not. */
bool jump_takes_key(struct app *app, int key, int modifiers);
/* Takes a key of a value that is typed for a field of a launch: digits begin it. */
bool field_takes_key(struct app *app, int key, int modifiers);
/* Returns true if the list of a folder is open and takes the key as a part of a path. */
bool folder_takes_key(struct app *app, int key, int modifiers);
#endif
