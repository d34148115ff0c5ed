/* The table of actions. The keys, the list of keys (?) and the tooltips all come from it, so that they always agree. */
#include "ui/action.h"
#include "base/words.h"
#include "ui/keys.h"
#include <string.h>

enum { KEYS_MAX = 6 };
enum { ONCE = 0, HELD = 8, BY_KEY = 16, MOVES = ACTION_MOVES, KEEPS_CARD = ACTION_KEEPS_CARD, LOOKS = ACTION_LOOKS };
struct key {
    int key, modifiers, value;
};
struct row {
    unsigned traits;
    struct key keys[KEYS_MAX]; /* key 0: the end */
    const char *shown, *help, *tip;
};

#define KEYS(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define NO_KEYS KEYS({0})
static const struct row rows[ACTION_COUNT] = {
#define ACTION(name, function, traits, keys, shown, help, tip) [ACTION_##name] = {traits, keys, shown, help, tip},
#include "ui/actions.def"
#undef ACTION
};

bool action_has(enum action_kind kind, enum action_trait trait)
{
    return rows[kind].traits & trait;
}

struct action action_of_key(int key, int modifiers, bool repeat)
{
    for (enum action_kind kind = 0; kind < ACTION_COUNT; kind++)
        for (int i = 0; i < KEYS_MAX && rows[kind].keys[i].key; i++) {
            const struct key *bound = &rows[kind].keys[i];
            if (bound->key == key && bound->modifiers == modifiers && (!repeat || rows[kind].traits & HELD))
                return (struct action){.kind = kind, .value = bound->value};
        }
    return (struct action){.kind = ACTION_NONE};
}

const char *action_tip(enum action_kind kind)
{
    return rows[kind].tip ? _(rows[kind].tip) : "";
}

/* Returns the value that the key passes which stands at `place` in the list of keys: equal values stand there once. */
static int value_at(const struct key keys[KEYS_MAX], int place)
{
    int found = -1, values[KEYS_MAX];
    for (int i = 0; i < KEYS_MAX && keys[i].key; i++) {
        bool known = false;
        for (int k = 0; k <= found; k++)
            known = known || values[k] == keys[i].value;
        if (known)
            continue;
        values[++found] = keys[i].value;
        if (found == place)
            break;
    }
    return found < 0 ? 0 : values[found];
}

static void take_row(struct arena *arena, enum action_kind kind, struct help_row *row)
{
    const char *rest = rows[kind].shown;
    *row = (struct help_row){
        .text = _(rows[kind].help), .asks = !(rows[kind].traits & BY_KEY), .stays = action_has(kind, ACTION_LOOKS)};
    for (int i = 0; i < HELP_KEYS && rest; i++) {
        const char *end = i + 1 < HELP_KEYS ? strstr(rest, "  ") : NULL; /* two blanks part the keys */
        row->keys[i] = end ? arena_text_n(arena, rest, (size_t)(end - rest)) : rest;
        row->actions[i] = (struct action){.kind = kind, .value = value_at(rows[kind].keys, i)};
        rest = end ? end + 2 : NULL;
    }
}

size_t action_help(struct arena *arena, struct help_row **out)
{
    size_t count = 0;
    *out = arena_array(arena, struct help_row, ACTION_COUNT);
    for (enum action_kind kind = 0; kind < ACTION_COUNT; kind++)
        if (rows[kind].help)
            take_row(arena, kind, &(*out)[count++]);
    return count;
}
