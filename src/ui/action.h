/* An action is anything that a user can ask for, by key, mouse or clicker. Drawing only collects actions; they are
 * applied after the frame is drawn. actions.def has a row for each. */
#ifndef LANESCOPE_UI_ACTION_H
#define LANESCOPE_UI_ACTION_H
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* The pages of the overview of a run: values of ACTION_OVERVIEW. */
enum overview_page { OVERVIEW_MAP, OVERVIEW_SITES, OVERVIEW_WARPS, OVERVIEW_EXPLAINED, OVERVIEW_PAGES };

enum action_kind {
    ACTION_NONE,
#define ACTION(name, ...) ACTION_##name,
#include "ui/actions.def"
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

#define NO_ACTION ((struct action){.kind = ACTION_NONE})

/* The actions of one frame, in order: at most a drag through many cells. */
enum { ACTIONS_MAX = 80 };
struct actions {
    struct action items[ACTIONS_MAX];
    int count;
};

/* Adds an action, if there is one. */
static inline void action_ask(struct actions *actions, struct action action)
{
    if (action.kind != ACTION_NONE && actions->count < ACTIONS_MAX)
        actions->items[actions->count++] = action;
}

/* Returns the action of a key; its kind is ACTION_NONE if the key has none or must not repeat. */
struct action action_of_key(int key, int modifiers, bool repeat);
/* What others ask of an action: the column of traits in actions.def says what each means. */
enum action_trait { ACTION_MOVES = 1, ACTION_KEEPS_CARD = 2, ACTION_LOOKS = 4 };
bool action_has(enum action_kind kind, enum action_trait trait);
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
