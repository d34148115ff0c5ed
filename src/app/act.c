/* The one place that does what a panel or a card was asked for: after the frame is drawn, so that drawing changes
 * nothing. */
#include "app/state.h"
#include <math.h>

static void seek(struct app *app, const struct panel_action *action)
{
    if (!action->animate)
        app->playing = false; /* the hand has the scrubber */
    app_seek(app, action->position, action->animate);
}

static void go_to_warp(struct app *app, int warp)
{
    size_t position = 0;
    if (playback_line_access(app->playback, 0, (uint32_t)warp, 0, &position))
        app_seek(app, position, true);
}

static void choose_variant(struct app *app, int variant)
{
    struct lesson_setting const before = app->open.setting;
    app->open.setting.variant = variant;
    app_changed_setting(app, &before);
}

static void play(struct app *app)
{
    if (!app->notice_bad)
        app->notice[0] = 0;
    app_play(app);
}

void app_act(struct app *app, const struct panel_action *action)
{
    app->acted |= action->kind != WANT_NOTHING;
    switch (action->kind) {
    case WANT_NOTHING:
        return;
    case WANT_SEEK:
        seek(app, action);
        return;
    case WANT_WARP:
        go_to_warp(app, action->index);
        return;
    case WANT_BLOCK:
        app_step_block(app, action->value);
        return;
    case WANT_LINE:
        app->filter = app->filter == (uint32_t)action->index ? 0 : (uint32_t)action->index;
        return;
    case WANT_KNOB:
        app->open.knob = action->index;
        return;
    case WANT_TURN:
        app_turn_knob(app, action->index, action->value);
        return;
    case WANT_VARIANT:
        choose_variant(app, action->value);
        return;
    case WANT_DRAM:
        app_turn_dram(app, action->value);
        return;
    case WANT_DRAM_MAPPING:
        app_turn_dram_mapping(app);
        return;
    case WANT_FINDING:
        app_go_finding(app, action->index, 0);
        return;
    case WANT_RACE_SIDE:
        app_go_finding(app, app->finding, action->index);
        return;
    case WANT_MEASURE:
        app_measure(app);
        return;
    case WANT_CHOOSE:
        app_guess(app)->chosen = action->index;
        return;
    case WANT_COMMIT:
        app_commit(app);
        return;
    case WANT_VOTE:
    case WANT_SKIP:
        app_skip(app, action->kind == WANT_VOTE);
        return;
    case WANT_PARAGRAPH:
        app->open.paragraph = action->index;
        return;
    case WANT_PLAY:
        play(app);
        return;
    case WANT_FASTER: /* from the fastest back to the slowest */
        app->speed = app->speed >= 8 ? 0.25f : app->speed * 2;
        return;
    case WANT_SLOWER:
        app->speed = fmaxf(0.25f, app->speed / 2);
        return;
    }
}
