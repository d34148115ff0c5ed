/* Moving through a document: accesses, warps, blocks, lines, time. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "document/program.h"
#include "screen/home.h"

static void go(struct app *app, size_t position, bool animate)
{
    playhead_seek(&app->playhead, app->document.playback, position, animate);
}

/* Returns the next position with any of the marks, or the same position if there is none. */
static size_t next_of(const struct app *app, int direction, unsigned marks)
{
    return playback_find(app->document.playback, app->playhead.position, direction, marks, app->playhead.filter);
}

size_t app_access_after(const struct app *app, int direction)
{
    return next_of(app, direction, EVENT_ACCESS | EVENT_BARRIER | EVENT_FAULT);
}

/* Whether the calls of a program are on screen, not the lanes of a launch. */
static bool program_listed(const struct app *app)
{
    return !app->at_list && app->document.program && app->document.program->run && !app->document.playback;
}

/* Chooses a call by a number of calls. */
static void step_call(struct app *app, int by)
{
    const struct open_program *program = app->document.program;
    size_t const last = program->count ? program->count - 1 : 0, step = (size_t)(by < 0 ? -(long long)by : by);
    size_t const at = program->chosen;
    document_go_call(&app->document, &app->playhead,
                     by < 0 ? (at < step ? 0 : at - step) : (last - at < step ? last : at + step), false);
}

void app_go_call(struct app *app, const struct action *action)
{
    if (app->document.program && action->value < 0)
        document_leave_launch(&app->document, &app->playhead);
    else if (app->document.program)
        document_go_call(&app->document, &app->playhead, (size_t)action->value, action->other != 0);
}

void app_all_calls(struct app *app, const struct action *action)
{
    (void)action;
    if (app->document.program && app->document.program->run)
        document_turn_calls(&app->document);
}

void app_step_access(struct app *app, const struct action *action)
{
    struct folder *folder = &app->folder;
    if (app->at_list && folder->open)
        folder->chosen = (folder->chosen + folder->count + (size_t)action->value) % folder->count;
    else if (app->at_list) {
        struct cards *cards = app_cards(app);
        size_t const items = home_count(cards);
        cards->chosen = (cards->chosen + items + (size_t)action->value) % items;
    }
    if (program_listed(app)) {
        step_call(app, action->value);
        return;
    }
    if (app->at_list || !app->document.playback)
        return;
    app->playhead.playing = false;
    size_t const next = app_access_after(app, action->value);
    if (next != app->playhead.position)
        go(app, next, action->value > 0);
}

static void scene_here(void *context, const struct playhead *playhead, struct scene *scene)
{
    struct app *app = context;
    document_scene(&app->document, playhead, &app->frame, scene);
}

void move_cut(struct app *app)
{
    struct scene scene;
    if (!app->playhead.moving || !app->document.playback)
        return;
    scene_here(app, &app->playhead, &scene);
    playhead_cut(&app->playhead, &scene);
}

void app_step_pass(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    if (app->at_list || !playback || !playback->count)
        return;
    if (app->playhead.playing)
        move_cut(app);
    app->playhead.playing = false;
    playhead_step_pass(&app->playhead, playback, action->value, scene_here, app);
}

void app_step_event(struct app *app, const struct action *action)
{
    if (!app->document.playback)
        return;
    app->playhead.playing = false;
    size_t const next = next_of(app, action->value, 0);
    if (next != app->playhead.position)
        go(app, next, action->value > 0);
}

void app_step_conflict(struct app *app, const struct action *action)
{
    if (!app->document.playback)
        return;
    app->playhead.playing = false;
    size_t const next = next_of(app, action->value, EVENT_CONFLICT | EVENT_FAULT);
    if (next != app->playhead.position)
        go(app, next, true);
    else
        notice_pass(&app->notice, "%s",
                    action->value > 0 ? _("no conflict after this access") : _("no conflict before this access"));
}

void app_go_end(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    if (program_listed(app))
        step_call(app, action->value < 0 ? -INT32_MAX : INT32_MAX);
    if (!playback || !playback->count)
        return;
    app->playhead.playing = false;
    go(app, action->value < 0 ? 0 : playback->count - 1, false);
}

void app_step_warp(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    if (!playback || !playback->count || app->at_list)
        return;
    struct playback_place place = playback_place(playback, app->playhead.position);
    uint32_t const count = playback->timeline->warp_count;
    place.warp = (place.warp + count + (uint32_t)action->value) % count;
    app->playhead.playing = false;
    go(app, playback_find_place(playback, &place), false);
}

/* Goes to the same place in the next or previous block. */
void app_step_block(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    uint64_t const before = app->document.block;
    if (!playback || !playback->count || app->at_list || (action->value < 0 && before == 0))
        return;
    struct playback_place const place = playback_place(playback, app->playhead.position);
    document_show_block(&app->document, &app->playhead, action->value < 0 ? before - 1 : before + 1);
    app->playhead.playing = false;
    if (app->document.block != before)
        go(app, playback_find_place(app->document.playback, &place), false);
}

void app_one_line_alone(struct app *app, const struct action *action)
{
    (void)action;
    const struct playback *playback = app->document.playback;
    const struct trace_site *site = playback ? playback_site(playback, app->playhead.position) : NULL;
    if (!app->at_list)
        app->playhead.filter = app->playhead.filter || !site ? 0 : site->line;
}

void app_choose_line(struct app *app, const struct action *action)
{
    uint32_t const line = (uint32_t)action->value;
    struct reading *reading = &app->document.reading;
    if (document_asks_line(&app->document)) {
        app->document.guesses[app->document.beat].line = line;
        return;
    }
    app->playhead.filter = app->playhead.filter == line ? 0 : line;
    if (!app->document.ptx)
        return;
    reading->lit = app->playhead.filter; /* its PTX comes into sight */
    reading->lit_row = reading->ptx = 0;
    reading->ptx_at = (uint32_t)action->other;
}

void app_go_finding(struct app *app, const struct action *action)
{
    document_go_finding(&app->document, &app->playhead, action->value, 0);
}

void app_go_race_side(struct app *app, const struct action *action)
{
    document_go_finding(&app->document, &app->playhead, app->playhead.finding, action->value);
}

void app_go_warp(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    size_t position = 0;
    if (playback && playback_line_access(playback, 0, (uint32_t)action->value, 0, &position))
        go(app, position, true);
}

void app_seek(struct app *app, const struct action *action)
{
    go(app, action->position, true);
}

void app_scrub(struct app *app, const struct action *action)
{
    app->playhead.playing = false;
    go(app, action->position, false);
}

void app_play(struct app *app, const struct action *action)
{
    (void)action;
    struct playhead *playhead = &app->playhead;
    const struct playback *playback = app->document.playback;
    if (!app->notice.bad)
        notice_clear(&app->notice);
    if (!playback || app->at_list)
        return;
    if (!playhead->playing) {
        playhead_play(playhead, playback, document_memories(&app->document));
        return;
    }
    playhead->playing = false; /* the picture stays at the pass that it shows */
    move_cut(app);
    playhead->pass = playhead->cut;
    playhead->cut = PASS_ALL;
}

void app_change_speed(struct app *app, const struct action *action)
{
    app->playhead.speed = playhead_speed(app->playhead.speed, action->value);
}
