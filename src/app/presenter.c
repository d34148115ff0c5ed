#include "app/presenter.h"
#include "app/state.h"
#include "ui/keys.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool on_lesson(const struct app *app)
{
    return !app->at_list && app->document.kind == DOCUMENT_LESSON && app->document.lesson;
}

bool app_in_class(const struct app *app)
{
    return app->preferences.presenting || app->presenter.place != PRESENTER_CLOSED;
}

void app_follow_class(struct app *app)
{
    if (app->document.in_class == app_in_class(app))
        return;
    app_note_progress(app);
    document_teach(&app->document, &app->playhead, app_in_class(app));
}

/* Opens or closes its window. */
static bool show_window(struct app *app, bool shown)
{
    return app->host.show_aside && app->host.show_aside(app->host.context, shown);
}

void presenter_close(struct app *app)
{
    struct presenter *presenter = &app->presenter;
    if (presenter->place == PRESENTER_ASIDE)
        show_window(app, false);
    presenter->place = PRESENTER_CLOSED;
    presenter->shown = 0;
}

/* Beside a second screen the view has its own window; without one it stands in place of the lesson. A value other than
 * 0 asks for the window in any case. */
void app_presenter(struct app *app, const struct action *action)
{
    struct presenter *presenter = &app->presenter;
    bool const second = app->host.displays && app->host.displays(app->host.context) > 1;
    if (presenter->place != PRESENTER_CLOSED) {
        presenter_close(app);
        return;
    }
    if ((second || action->value) && show_window(app, true))
        presenter->place = PRESENTER_ASIDE;
    else if (action->value)
        notice_pass(&app->notice, "%s", _("no second window can be opened"));
    else if (on_lesson(app))
        presenter->place = PRESENTER_HERE;
    else
        notice_pass(&app->notice, "%s", _("the notes are those of a lesson: open one first"));
    presenter_follow(app);
}

void app_restart_clock(struct app *app, const struct action *action)
{
    (void)action;
    app->presenter.seconds = 0;
}

void presenter_follow(struct app *app)
{
    struct presenter *presenter = &app->presenter;
    if (!on_lesson(app)) {
        if (presenter->place == PRESENTER_HERE)
            presenter->place = PRESENTER_CLOSED;
        return;
    }
    char name[sizeof presenter->lesson];
    snprintf(name, sizeof name, "%s", app->document.lesson->name);
    bool const same = strcmp(name, presenter->lesson) == 0;
    if (!same) {
        memcpy(presenter->lesson, name, sizeof name);
        presenter->seconds = 0;
    }
    if (!same || presenter->beat != app->document.beat) {
        presenter->beat = app->document.beat;
        presenter->choice = 0;
        presenter->typing = false;
    }
}

void app_pass_time(struct app *app, double seconds)
{
    if (on_lesson(app) && seconds > 0)
        app->presenter.seconds += seconds;
}

double presenter_wait(const struct app *app)
{
    double const seconds = app->presenter.seconds;
    if (app->presenter.place == PRESENTER_CLOSED || !on_lesson(app))
        return INFINITY;
    return 60 - fmod(seconds, 60) + 0.01; /* behind the full minute, so that the clock shows it */
}

/* ---- votes ---- */

static uint16_t *votes_of(struct app *app, int choice)
{
    return &app->document.guesses[app->document.beat].votes[choice];
}

void app_vote(struct app *app, const struct action *action)
{
    int const choice = action->value, count = action->other;
    if (!on_lesson(app) || choice < 0 || choice >= document_beat(&app->document)->choice_count)
        return;
    *votes_of(app, choice) = (uint16_t)(count < 0 ? 0 : count > VOTES_MOST ? VOTES_MOST : count);
    app->presenter.choice = choice;
    app->presenter.typing = false;
}

void app_choose_vote(struct app *app, const struct action *action)
{
    app->presenter.choice = action->value;
    app->presenter.typing = false;
}

static void type_digit(struct app *app, int digit)
{
    struct presenter *presenter = &app->presenter;
    int const choice = presenter->choice, before = presenter->typing ? *votes_of(app, choice) : 0;
    int const count = 10 * before + digit <= VOTES_MOST ? 10 * before + digit : before; /* no digit replaces others */
    app_vote(app, &(struct action){.value = choice, .other = count});
    presenter->typing = true;
}

bool presenter_key(struct app *app, int key, bool aside)
{
    struct presenter *presenter = &app->presenter;
    bool const here = presenter->place == PRESENTER_HERE || (presenter->place == PRESENTER_ASIDE && aside);
    if (!here || !on_lesson(app) || !document_asks(&app->document))
        return false;
    presenter_follow(app);
    int const count = document_beat(&app->document)->choice_count, digit = key_digit(key);
    if (!count || app->jump.open)
        return false;
    if (digit >= 0)
        type_digit(app, digit);
    else if (key == KEY_BACKSPACE)
        app_vote(app, &(struct action){.value = presenter->choice, .other = *votes_of(app, presenter->choice) / 10});
    else if (key == KEY_DOWN || key == KEY_ENTER || key == KEY_PAD_ENTER)
        app_choose_vote(app, &(struct action){.value = (presenter->choice + 1) % count});
    else if (key == KEY_UP)
        app_choose_vote(app, &(struct action){.value = (presenter->choice + count - 1) % count});
    else
        return false;
    if (key == KEY_BACKSPACE)
        presenter->typing = true;
    return true;
}

/* ---- its window ---- */

void presenter_event(struct app *app, const struct app_event *event)
{
    struct presenter *presenter = &app->presenter;
    struct ui_input *input = &presenter->ui.input;
    switch (event->kind) {
    case APP_RESIZE:
        presenter->width = event->width;
        presenter->height = event->height;
        presenter->scale = event->scale > 0 ? event->scale : 1;
        presenter->shown = 0;
        break;
    case APP_EXPOSE:
        presenter->shown = 0;
        break;
    case APP_CLOSE:
        presenter_close(app);
        break;
    case APP_MOUSE_LEAVE:
        input->mouse_inside = false;
        break;
    case APP_MOUSE_MOVE:
    case APP_MOUSE_DOWN:
    case APP_MOUSE_UP:
        input->mouse = (struct point){event->x, event->y};
        input->mouse_inside = true;
        if (event->kind == APP_MOUSE_DOWN) {
            input->from = input->mouse;
            input->pressed = input->down = true;
        } else if (event->kind == APP_MOUSE_UP) {
            input->down = false;
            input->released = true;
        }
        break;
    case APP_WHEEL:
        input->wheel += event->y;
        break;
    case APP_KEY:
    case APP_MOUSE_SECOND:
    case APP_DROP_FILE:
    case APP_NO_CHOOSER:
    case APP_FILES_CHANGED:
        break;
    }
}

void presenter_free(struct presenter *presenter)
{
    arena_free(&presenter->frame);
}
