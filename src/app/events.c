#include "app/events.h"
#include "app/commands/commands.h"
#include "app/open.h"
#include "app/pointer.h"
#include "app/presenter.h"
#include "app/state.h"
#include "ui/keys.h"

/* Returns true if the focused control takes the key: Enter, the arrows up and down, Escape. */
static bool focused_key(struct app *app, int key)
{
    if (!app->ui.focus)
        return false;
    if (key == KEY_ENTER || key == KEY_PAD_ENTER)
        app->ui.input.activate = true;
    else if (key == KEY_UP || key == KEY_DOWN)
        app->ui.input.adjust = key == KEY_UP ? 1 : -1;
    else if (key == KEY_ESCAPE)
        app->ui.focus = 0;
    else
        return false;
    return true;
}

/* Any key completes the motion before its own action. */
static void take_key(struct app *app, const struct app_event *event)
{
    int const key = event->key, modifiers = event->modifiers;
    bool const repeat = event->repeat;
    if (!app->playhead.playing)
        move_cut(app);
    pointer_key(app);
    /* Shift may still be held from the key that opened the view. A class votes while its screen is black, too. */
    bool const votes = !modifiers || (modifiers == MODIFIER_SHIFT && key_digit(key) >= 0);
    if (votes && event->aside && presenter_key(app, key, true))
        return;
    bool blanking = key == KEY_B || key == KEY_PERIOD;
    if (app->blank && !blanking) {
        app->blank = false;
        return;
    }
    if (app->help && key != KEY_ESCAPE && key != KEY_SLASH && key != KEY_F1 && key != KEY_L && key != KEY_T &&
        key != KEY_P) {
        app->help = false;
        return;
    }
    if (app->lookup.open && lookup_key(app, key, modifiers))
        return;
    if (votes && !event->aside && presenter_key(app, key, false))
        return;
    if (jump_takes_key(app, key, modifiers))
        return;
    if (folder_takes_key(app, key, modifiers))
        return;
    if (field_takes_key(app, key, modifiers))
        return;
    if (app->overview.open && overview_key(app, key, modifiers))
        return;
    if (app->lookup.term && (key == KEY_ENTER || key == KEY_PAD_ENTER)) {
        action_apply(app, &(struct action){.kind = ACTION_GLOSSARY_TERM, .value = (int)app->lookup.term - 1});
        return;
    }
    if (focused_key(app, key))
        return;
    bool const pointing = !app->at_list && (document_asks_line(&app->document) || document_asks_cells(&app->document));
    struct action action = {.kind = ACTION_NONE};
    if (pointing)
        action = action_of_key(key, modifiers | WHILE_POINTING, repeat);
    if (action.kind == ACTION_NONE)
        action = action_of_key(key, modifiers, repeat);
    if (!repeat) /* a held arrow stops where the step ends */
        action = clicker_action(app, action);
    if (action.kind == ACTION_NONE)
        return;
    notice_clear_passing(&app->notice);
    if (!app->notice.bad)
        notice_clear(&app->notice);
    if (repeat && action.kind == ACTION_TURN_KNOB)
        app->turns += action.value; /* all repeats until the next frame are one turn, with one run */
    else
        action_apply(app, &action);
}

static void take_mouse(struct app *app, const struct app_event *event)
{
    struct ui_input *input = &app->ui.input;
    input->mouse = (struct point){event->x, event->y};
    input->mouse_inside = true;
    pointer_moved(app);
    if (event->kind == APP_MOUSE_DOWN) {
        if (!app->playhead.playing)
            move_cut(app);
        if (event->y > 56 * app->ui.unit) /* below the bar on top, where a passing notice can be closed */
            notice_clear_passing(&app->notice);
        app->blank = app->jump.open = false;
        app->lookup.term = 0;
        input->from = input->mouse;
        input->pressed = input->down = true;
    } else if (event->kind == APP_MOUSE_SECOND) {
        input->second = true;
    } else if (event->kind == APP_MOUSE_UP) {
        input->down = false;
        input->released = true;
    }
}

void app_apply_turns(struct app *app)
{
    struct action const turn = {.kind = ACTION_TURN_KNOB, .value = app->turns};
    app->turns = 0;
    if (turn.value)
        action_apply(app, &turn);
}

void events_take(struct app *app, const struct app_event *event)
{
    if (event->kind != APP_KEY || !event->repeat)
        app_apply_turns(app);
    if (event->aside && event->kind != APP_KEY && event->kind != APP_DROP_FILE) {
        pointer_moved(app);
        presenter_event(app, event);
        return;
    }
    switch (event->kind) {
    case APP_KEY:
        take_key(app, event);
        break;
    case APP_MOUSE_MOVE:
    case APP_MOUSE_DOWN:
    case APP_MOUSE_SECOND:
    case APP_MOUSE_UP:
        take_mouse(app, event);
        break;
    case APP_MOUSE_LEAVE:
        app->ui.input.mouse_inside = false;
        break;
    case APP_WHEEL:
        if (app->spotlight.on)
            spotlight_resize(&app->spotlight, event->y > 0 ? 1 : -1);
        else
            app->ui.input.wheel += event->y;
        break;
    case APP_RESIZE:
        app->width = event->width;
        app->height = event->height;
        app->scale = event->scale > 0 ? event->scale : 1;
        app_update_unit(app);
        progress_touch(app->progress);
        break;
    case APP_DROP_FILE:
        open_dropped(app, event->text, event->dropped_before);
        break;
    case APP_FILES_CHANGED:
        app->saves.look = true;
        break;
    case APP_NO_CHOOSER:
        open_folder(app);
        break;
    case APP_CLOSE:
    case APP_EXPOSE:
        break;
    }
}
