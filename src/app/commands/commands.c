/* What the actions do to the app. Keys, mouse and clicker all come through here. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "base/words.h"

static void (*const apply[ACTION_COUNT])(struct app *app, const struct action *action) = {
#define ACTION(name, function, ...) [ACTION_##name] = function,
#include "ui/actions.def"
#undef ACTION
};

/* Returns whether the action leads to another step or document, whose overview nobody has asked for. */
static bool leaves_overview(enum action_kind kind)
{
    return kind == ACTION_STEP_BEAT || kind == ACTION_GO_BEAT || kind == ACTION_NEXT_LESSON || kind == ACTION_HOME;
}

void action_apply(struct app *app, const struct action *action)
{
    if (leaves_overview(action->kind))
        app->overview.open = false;
    if (!action_has(action->kind, ACTION_KEEPS_CARD))
        app->lookup.term = 0;
    if (!action_has(action->kind, ACTION_LOOKS) && action->kind != ACTION_SWITCHES && action->kind != ACTION_LEAVE)
        app->all_switches = false;
    bool const moves = action_has(action->kind, ACTION_MOVES);
    bool const frozen = moves && !app->at_list && document_covered(&app->document);
    if (frozen && document_asks_cells(&app->document))
        notice_pass(&app->notice, "%s", _("mark the cells of this access first, or skip"));
    else if (frozen)
        notice_pass(&app->notice, "%s", _("answer or skip the question first: it asks about this access"));
    else if (action->kind != ACTION_NONE)
        apply[action->kind](app, action);
    app_follow_class(app); /* before the next key: it answers for the class */
    if (action->kind != ACTION_NONE)
        progress_touch(app->progress);
    struct reading *reading = &app->document.reading;
    if (moves && !frozen && reading->part <= PART_WORDS) /* a move shows in the picture only */
        reading->part = PART_PICTURE;
}
