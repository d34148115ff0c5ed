/* The table of actions. The keys, the list of keys (?) and the tooltips all come from it, so that they always agree. */
#include "app/commands/commands.h"
#include "app/app.h"
#include "app/keys.h"
#include "app/state.h"
#include "base/words.h"
#include <string.h>

enum { KEYS_MAX = 6, ONCE = 0, HELD = 1 };
struct key {
    int key, modifiers, value;
};
struct row {
    void (*apply)(struct app *app, const struct action *action);
    bool repeats;
    struct key keys[KEYS_MAX]; /* key 0: the end */
    const char *shown, *help, *tip;
};

#define KEYS(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define NO_KEYS                                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
static const struct row rows[ACTION_COUNT] = {
#define ACTION(name, function, held, keys, shown, help, tip) [ACTION_##name] = {function, held, keys, shown, help, tip},
#include "app/commands/actions.def"
#undef ACTION
};

/* Returns whether the action leaves the access on screen. */
static bool moves(enum action_kind kind)
{
    switch (kind) {
    case ACTION_STEP_ACCESS:
    case ACTION_STEP_PASS:
    case ACTION_STEP_EVENT:
    case ACTION_STEP_CONFLICT:
    case ACTION_STEP_WARP:
    case ACTION_STEP_BLOCK:
    case ACTION_GO_END:
    case ACTION_PLAY:
    case ACTION_GO_WARP:
    case ACTION_GO_EVENT:
    case ACTION_SEEK:
    case ACTION_SCRUB:
        return true;
    default:
        return false;
    }
}

/* Returns whether the card of a word stays open. */
static bool keeps_card(enum action_kind kind)
{
    switch (kind) {
    case ACTION_TERM:
    case ACTION_GLOSSARY:
    case ACTION_GLOSSARY_TERM:
    case ACTION_LEAVE: /* closes it */
    case ACTION_SCROLL_WORDS:
    case ACTION_TEXT_SIZE:
    case ACTION_THEME:
    case ACTION_LANGUAGE:
    case ACTION_SAVE_PICTURE:
    case ACTION_SAVE_ANIMATION:
        return true;
    default:
        return false;
    }
}

/* Returns whether the action leads to another step or document, whose overview nobody has asked for. */
static bool leaves_overview(enum action_kind kind)
{
    return kind == ACTION_STEP_BEAT || kind == ACTION_GO_BEAT || kind == ACTION_NEXT_LESSON || kind == ACTION_HOME;
}

/* Returns whether the action changes how all looks, and nothing else. */
static bool changes_looks(enum action_kind kind)
{
    return kind == ACTION_THEME || kind == ACTION_LANGUAGE || kind == ACTION_MOTION || kind == ACTION_TEXT_SIZE;
}

void action_apply(struct app *app, const struct action *action)
{
    if (leaves_overview(action->kind))
        app->overview.open = false;
    if (!keeps_card(action->kind))
        app->lookup.term = 0;
    if (!changes_looks(action->kind) && action->kind != ACTION_SWITCHES && action->kind != ACTION_LEAVE)
        app->all_switches = false;
    bool const frozen = moves(action->kind) && !app->at_list && document_covered(&app->document);
    if (frozen && document_asks_cells(&app->document))
        notice_pass(&app->notice, "%s", _("mark the cells of this access first, or skip"));
    else if (frozen)
        notice_pass(&app->notice, "%s", _("answer or skip the question first: it asks about this access"));
    else if (action->kind != ACTION_NONE)
        rows[action->kind].apply(app, action);
    if (action->kind != ACTION_NONE)
        progress_touch(app->progress);
    struct reading *reading = &app->document.reading;
    if (moves(action->kind) && !frozen && reading->part <= PART_WORDS) /* a move shows in the picture only */
        reading->part = PART_PICTURE;
}

struct action action_of_key(int key, int modifiers, bool repeat)
{
    for (enum action_kind kind = 0; kind < ACTION_COUNT; kind++)
        for (int i = 0; i < KEYS_MAX && rows[kind].keys[i].key; i++) {
            const struct key *bound = &rows[kind].keys[i];
            if (bound->key == key && bound->modifiers == modifiers && (!repeat || rows[kind].repeats))
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

/* Returns whether the list of keys can do it: not what needs further keys, and what the list itself is. */
static bool asked_by_row(enum action_kind kind)
{
    return kind != ACTION_HELP && kind != ACTION_FOCUS && kind != ACTION_JUMP && kind != ACTION_ANSWER &&
           kind != ACTION_POINT && kind != ACTION_MARK;
}

static void take_row(struct arena *arena, enum action_kind kind, struct help_row *row)
{
    const char *rest = rows[kind].shown;
    *row = (struct help_row){.text = _(rows[kind].help), .asks = asked_by_row(kind), .stays = changes_looks(kind)};
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
