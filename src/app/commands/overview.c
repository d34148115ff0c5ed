#include "app/overview.h"
#include "app/commands/commands.h"
#include "app/state.h"
#include "ui/keys.h"
#include "view/overview/overview.h"
#include <string.h>

static const char *const names[OVERVIEW_PAGES] = {"clock", "lines", "warps", "why"};

const char *overview_name(enum overview_page page)
{
    return names[page];
}

enum overview_page overview_named(const char *name)
{
    enum overview_page page = 0;
    while (page < OVERVIEW_PAGES && strcmp(names[page], name) != 0)
        page++;
    return page;
}

static bool can_show(const struct app *app)
{
    return !app->at_list && app->document.playback && !document_asks(&app->document);
}

void overview_prepare(struct app *app)
{
    if (!app->pending.here)
        app->overview.open = app->overview.open && can_show(app);
    if (app->overview.open && can_show(app))
        document_prepare_overview(&app->document);
}

void app_overview(struct app *app, const struct action *action)
{
    struct overview *overview = &app->overview;
    if (app->at_list || !app->document.playback)
        return;
    if (document_asks(&app->document)) {
        notice_pass(&app->notice, "%s", _("answer or skip the question first: the overview would answer it"));
        return;
    }
    overview->open = !overview->open || overview->page != (enum overview_page)action->value;
    overview->page = (enum overview_page)action->value;
    overview->chosen = 0;
    app->help = app->lookup.open = false;
    app->playhead.playing = app->playhead.playing && !overview->open;
}

void app_overview_row(struct app *app, const struct action *action)
{
    if (action->value >= 0)
        app->overview.chosen = (size_t)action->value;
}

/* Goes to an event of the trace, in its block. */
void app_go_event(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    const struct trace *trace = document->playback ? document->playback->trace : NULL;
    app->overview.open = false;
    if (!trace || action->position >= trace->events.count)
        return;
    uint64_t const block = trace->events.items[action->position].block;
    app->playhead.playing = false;
    if (block != document->block)
        document_show_block(document, &app->playhead, block);
    const struct timeline *timeline = document->playback->timeline;
    for (size_t at = 0; at < timeline->count; at++)
        if (timeline->events[at] == action->position) {
            playhead_seek(&app->playhead, document->playback, at, true);
            return;
        }
}

/* Opens the lesson that teaches what to do about a kind of waste. */
void app_learn(struct app *app, const struct action *action)
{
    const char *name =
        action->value >= 0 && action->value < EXPLAIN_KINDS ? explain_lesson((enum explain_kind)action->value) : "";
    const struct cards *cards = app_cards(app);
    for (size_t i = 0; i < cards->count; i++)
        if (*name && strcmp(cards->items[i].name, name) == 0) {
            app->overview.open = false;
            app_open_card(app, &(struct action){.value = (int)i});
            return;
        }
    if (*name)
        notice_pass(&app->notice, _("there is no lesson %s"), name);
}

/* Chooses a row of `count` by a number of rows. */
static void choose(struct app *app, size_t count, int by)
{
    size_t const step = (size_t)(by < 0 ? -by : by);
    size_t *chosen = &app->overview.chosen;
    if (!count)
        return;
    *chosen = *chosen < count ? *chosen : count - 1;
    *chosen =
        by > 0 ? (count - 1 - *chosen < step ? count - 1 : *chosen + step) : (*chosen < step ? 0 : *chosen - step);
}

bool overview_key(struct app *app, int key, int modifiers)
{
    overview_prepare(app); /* the key may come before the first frame */
    if (!app->overview.open)
        return false;
    const struct playback *playback = app->document.playback;
    bool const why = app->overview.page == OVERVIEW_EXPLAINED;
    struct waste_view const list = {.outliers = playback ? playback->outliers : NULL,
                                    .list = app->overview.page == OVERVIEW_SITES ? WASTE_SITES : WASTE_WARPS};
    bool const enter = key == KEY_ENTER || key == KEY_PAD_ENTER, up = key == KEY_UP, down = key == KEY_DOWN;
    if (modifiers || (enter && app->ui.focus))
        return false;
    if (key == KEY_ESCAPE && !app->ui.focus) {
        app->overview.open = false;
        return true;
    }
    if (app->overview.page == OVERVIEW_MAP) { /* the arrows at the side move along the clock, as always */
        if (enter)
            app->overview.open = false;
        else if (up || down)
            app_step_warp(app, &(struct action){.value = up ? -1 : 1});
        return enter || up || down;
    }
    if (!list.outliers || !playback->explain)
        return false;
    size_t const count = why ? playback->explain->count : waste_count(&list), chosen = app->overview.chosen;
    size_t const event = !why             ? waste_event(&list, chosen)
                         : chosen < count ? playback->explain->items[chosen].event
                                          : SIZE_MAX;
    if (enter && event != SIZE_MAX)
        app_go_event(app, &(struct action){.position = event});
    else if (up || down)
        choose(app, count, up ? -1 : 1);
    else if (key == KEY_HOME || key == KEY_END)
        choose(app, count, key == KEY_HOME ? -INT32_MAX : INT32_MAX);
    else
        return enter;
    return true;
}
