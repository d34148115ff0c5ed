/* The table of actions: see actions.def. */
#ifndef LANESCOPE_APP_COMMANDS_COMMANDS_H
#define LANESCOPE_APP_COMMANDS_COMMANDS_H
#include "app/commands/action.h"
#include "base/arena.h"
#include <stdbool.h>

struct app;
/* Each action has one function, which applies it to the app. */
#define ACTION(name, function, ...) void function(struct app *app, const struct action *action);
#include "app/commands/actions.def"
#undef ACTION

/* Completes the motion, and notes where it was: see playhead_cut. */
void move_cut(struct app *app);
/* Applies the action. Keys, mouse and clicker all come through here. */
void action_apply(struct app *app, const struct action *action);
/* Returns the action of a key; its kind is ACTION_NONE if the key has none or must not repeat. */
struct action action_of_key(int key, int modifiers, bool repeat);
/* Returns the tooltip of a control for this action, or "". */
const char *action_tip(enum action_kind kind);
struct help_row {
    const char *keys, *text;
};
/* Returns the number of rows of the list of keys (?), in the user's language. */
size_t action_help(struct arena *arena, struct help_row **rows);
#endif
