/* The table of actions: see actions.def. */
#ifndef LANESCOPE_APP_COMMANDS_COMMANDS_H
#define LANESCOPE_APP_COMMANDS_COMMANDS_H
#include "app/commands/action.h"
#include "base/arena.h"
#include <stdbool.h>

struct app;
/* The function of each action: applies it to the app. */
#define ACTION(name, function, ...) void function(struct app *app, const struct action *action);
#include "app/commands/actions.def"
#undef ACTION

/* The one place where actions change the app. */
void action_apply(struct app *app, const struct action *action);
/* The action of a key; kind ACTION_NONE: it has none, or does not repeat. */
struct action action_of_key(int key, int modifiers, bool repeat);
/* The tooltip of a control that asks for this action. */
const char *action_tip(enum action_kind kind, int value);
struct help_row {
    const char *keys, *text;
};
/* The list of keys, in the user's language. */
size_t action_help(struct arena *arena, struct help_row **rows);
#endif
