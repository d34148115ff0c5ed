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
/* Returns the tooltip of a control for this action, or "". */
const char *action_tip(enum action_kind kind);
enum { HELP_KEYS = 3 };
struct help_row {
    const char *keys[HELP_KEYS]; /* each with the action that it asks for; NULL: no more */
    struct action actions[HELP_KEYS];
    const char *text;
    bool asks, stays; /* a click asks for the action; the list stays open then */
};
/* Returns the number of rows of the list of keys (?), in the user's language. */
size_t action_help(struct arena *arena, struct help_row **rows);
#endif
