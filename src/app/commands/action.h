/* An action is anything that a user can ask for, by key, mouse or clicker. Drawing only collects actions; they are
 * applied after the frame is drawn. actions.def has a row for each. */
#ifndef LANESCOPE_APP_COMMANDS_ACTION_H
#define LANESCOPE_APP_COMMANDS_ACTION_H
#include "app/overview.h"
#include <stddef.h>

enum action_kind {
    ACTION_NONE,
#define ACTION(name, ...) ACTION_##name,
#include "app/commands/actions.def"
#undef ACTION
    ACTION_COUNT
};

/* Besides the modifiers of a key in actions.def: it counts only while the step asks for a place, a line or a cell. */
enum { WHILE_POINTING = 8 };

struct action {
    enum action_kind kind;
    int value;       /* a direction, an index or a line: see the row */
    int other;       /* a second value */
    size_t position; /* of the playback */
};

/* The actions of one frame, in order: at most a drag through many cells. */
enum { ACTIONS_MAX = 80 };
struct actions {
    struct action items[ACTIONS_MAX];
    int count;
};

static inline void action_ask(struct actions *actions, struct action action)
{
    if (actions->count < ACTIONS_MAX)
        actions->items[actions->count++] = action;
}
#endif
