/* Actions: all that a user can ask for, by key, mouse or clicker. Drawing a frame only collects them; they are applied
 * once it is drawn. actions.def has a row for each. */
#ifndef LANESCOPE_APP_COMMANDS_ACTION_H
#define LANESCOPE_APP_COMMANDS_ACTION_H
#include <stddef.h>

enum action_kind {
    ACTION_NONE,
#define ACTION(name, ...) ACTION_##name,
#include "app/commands/actions.def"
#undef ACTION
    ACTION_COUNT
};

struct action {
    enum action_kind kind;
    int value;       /* a direction, an index, a line: as the row says */
    int other;       /* a second one */
    size_t position; /* of the playback */
};

/* The actions of one frame, in the order in which they were asked for. */
enum { ACTIONS_MAX = 16 };
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
