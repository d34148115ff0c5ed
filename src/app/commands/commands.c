/* Every key in one table: what it is called, what it does. The list that ? shows is made from it, so that the two
 * cannot part. */
#include "app/keys.h"
#include "app/state.h"
#include <math.h>
#include <string.h>

static void step_access(struct app *app, int direction)
{
    if (app->screen == SCREEN_LIST) {
        if (app->card_count)
            app->card = (app->card + app->card_count + (size_t)direction) % app->card_count;
        return;
    }
    if (!app->playback)
        return;
    app->playing = false;
    size_t next =
        playback_find(app->playback, app->position, direction, MARK_ACCESS | MARK_BARRIER | MARK_FAULT, app->filter);
    if (next != app->position)
        app_seek(app, next, direction > 0);
}

static void step_event(struct app *app, int direction)
{
    if (!app->playback)
        return;
    app->playing = false;
    size_t next = playback_find(app->playback, app->position, direction, 0, app->filter);
    if (next != app->position)
        app_seek(app, next, direction > 0);
}

static void step_conflict(struct app *app, int direction)
{
    if (!app->playback)
        return;
    app->playing = false;
    size_t next = playback_find(app->playback, app->position, direction, MARK_CONFLICT | MARK_FAULT, app->filter);
    if (next != app->position)
        app_seek(app, next, true);
    else
        app_say(app, "%s", direction > 0 ? _("no conflict after this access") : _("no conflict before this access"));
}

static void go_end(struct app *app, int direction)
{
    if (!app->playback || !app->playback->count)
        return;
    app->playing = false;
    app_seek(app, direction < 0 ? 0 : app->playback->count - 1, false);
}

void app_step_beat(struct app *app, int direction)
{
    if (app->screen == SCREEN_LIST) {
        step_access(app, direction);
        return;
    }
    if (!app->open.lesson)
        return;
    if (app->presenting && direction > 0 && app_covered(app)) { /* a clicker has no key but this one */
        if (app_guess(app)->chosen < 0)
            app_skip(app, true);
        else
            app_commit(app);
        return;
    }
    int beat = app->open.beat + direction;
    if (beat >= app->open.lesson->beat_count)
        app_say(app, "%s", _("this was the last step; Esc goes back to the lessons"));
    app_go_beat(app, beat);
}

static void step_warp(struct app *app, int direction)
{
    if (!app->playback || !app->playback->count || app->screen == SCREEN_LIST)
        return;
    struct playback_place place = playback_place(app->playback, app->position);
    uint32_t const count = app->playback->timeline->warp_count;
    place.warp = (place.warp + count + (uint32_t)direction) % count;
    app->playing = false;
    app_seek(app, playback_find_place(app->playback, &place), false);
}

void app_step_block(struct app *app, int direction)
{
    if (!app->playback || !app->playback->count || app->screen == SCREEN_LIST || (direction < 0 && app->block == 0))
        return;
    uint64_t const before = app->block;
    struct playback_place const place = playback_place(app->playback, app->position);
    app_show_block(app, direction < 0 ? before - 1 : before + 1);
    app->playing = false;
    if (app->block != before)
        app_seek(app, playback_find_place(app->playback, &place), false);
}

static void one_line_alone(struct app *app, int unused)
{
    (void)unused;
    const struct trace_site *site = app->playback ? playback_site(app->playback, app->position) : NULL;
    if (app->screen != SCREEN_LIST)
        app->filter = app->filter || !site ? 0 : site->line;
}

void app_play(struct app *app)
{
    if (!app->playback || app->screen == SCREEN_LIST)
        return;
    app->playing = !app->playing;
    if (app->playing && app->position + 1 >= app->playback->count)
        app_seek(app, app->beat_position, true);
}

static void play(struct app *app, int unused)
{
    (void)unused;
    app_play(app);
}

static void turn_knob(struct app *app, int direction)
{
    if (app->open.lesson && app->screen == SCREEN_LESSON)
        app_turn_knob(app, app->open.knob, app->open.setting.value[app->open.knob] + direction);
}

static void choose_knob(struct app *app, int direction)
{
    if (app->open.lesson && app->open.lesson->knob_count)
        app->open.knob = (app->open.knob + direction + app->open.lesson->knob_count) % app->open.lesson->knob_count;
}

static void change_speed(struct app *app, int direction)
{
    app->speed = fminf(8, fmaxf(0.25f, direction > 0 ? app->speed * 2 : app->speed / 2));
}

void app_answer(struct app *app, int choice)
{
    const struct lesson_beat *beat = app_beat(app);
    if (app->screen == SCREEN_LIST && choice < (int)app->card_count) {
        app->card = (size_t)choice;
        return;
    }
    if (app_covered(app) && choice < beat->choice_count)
        app_guess(app)->chosen = choice;
}

static void open_card(struct app *app)
{
    struct error error;
    if (app->card >= app->card_count)
        return;
    app->notice[0] = 0;
    if (!app_open_lesson(app, app->cards[app->card].name, &error))
        app_say_error(app, &error);
    else if (!app->run)
        app_go_beat(app, 0);
}

void app_commit(struct app *app)
{
    if (app->screen == SCREEN_LIST) {
        open_card(app);
        return;
    }
    if (!app_covered(app))
        return;
    if (app_guess(app)->chosen < 0) {
        app_say(app, "%s", _("choose an answer first: 1 to 6, or a click"));
        return;
    }
    app_guess(app)->committed = true;
    app_guess(app)->setting = app->open.setting;
    app_ladder_want(app);
    app_seek(app, app->position, true);
}

void app_skip(struct app *app, bool voted)
{
    if (!app_covered(app))
        return;
    *(voted ? &app_guess(app)->voted : &app_guess(app)->skipped) = true;
    app_ladder_want(app);
    app_seek(app, app->position, true);
}

static void commit(struct app *app, int unused)
{
    (void)unused;
    app_commit(app);
}

void app_compare(struct app *app)
{
    struct open_lesson *open = &app->open;
    if (!open->lesson || !open->has_other) {
        app_say(app, "%s",
                _("turn a knob first, or press E: Tab then switches between the run before and the run now"));
        return;
    }
    struct look now = {open->setting, app->executor};
    open->setting = open->other.setting;
    app->executor = open->other.executor;
    if (!app_show_setting(app, true)) {
        open->setting = now.setting;
        app->executor = now.executor;
        return;
    }
    open->other = now;
    open->showing_other = !open->showing_other;
}

static void compare(struct app *app, int unused)
{
    (void)unused;
    app_compare(app);
}

static void above(struct app *app, int unused)
{
    (void)unused;
    app_toggle_above(app);
}

static void flip(struct app *app, int unused)
{
    (void)unused;
    app_flip(app);
}

static void dram(struct app *app, int mapping)
{
    if (mapping)
        app_turn_dram_mapping(app);
    else
        app_turn_dram(app, 1);
}

static void blank(struct app *app, int unused)
{
    (void)unused;
    app->blank = !app->blank;
}

void app_present(struct app *app, bool on)
{
    app->presenting = on;
    if (on && !app->theme_chosen)
        app->dark = false;
    if (app->host.set_fullscreen)
        app->host.set_fullscreen(app->host.context, on);
    app_update_unit(app);
}

static void present(struct app *app, int unused)
{
    (void)unused;
    app_present(app, !app->presenting);
}

/* Leaves what is open, innermost first; never the program. */
static void leave(struct app *app, int unused)
{
    (void)unused;
    if (app->help)
        app->help = false;
    else if (app->presenting)
        app_present(app, false);
    else if (app->filter)
        app->filter = 0;
    else if (app->open.above)
        app->open.above = false;
    else if (app->screen != SCREEN_LIST) {
        app->screen = SCREEN_LIST;
        app->playing = false;
        app->notice[0] = 0;
    }
}

static void text_size(struct app *app, int direction)
{
    app->text_step = direction == 0 ? 0 : app->text_step + direction;
    app->text_step = app->text_step < 0 ? 0 : app->text_step > 8 ? 8 : app->text_step;
    app_update_unit(app);
}

static void theme(struct app *app, int unused)
{
    (void)unused;
    app->dark = !app->dark;
    app->theme_chosen = true;
}

static void motion(struct app *app, int unused)
{
    (void)unused;
    app->reduced_motion = !app->reduced_motion;
    app_settle(app);
    app_say(app, "%s", app->reduced_motion ? _("reduced motion: pictures change at once") : _("motion is on"));
}

static void next_language(struct app *app, int unused)
{
    (void)unused;
    app->language = (app->language + 1) % LANGUAGE_COUNT;
    language_use(app->language);
    app->notice[0] = 0;
}

static void screenshot(struct app *app, int unused)
{
    (void)unused;
    app_screenshot(app);
}

static void gif(struct app *app, int unused)
{
    (void)unused;
    app_save_gif(app);
}

static void copy(struct app *app, int unused)
{
    (void)unused;
    app_copy(app);
}

static void reset(struct app *app, int unused)
{
    (void)unused;
    if (app->screen == SCREEN_TRACE && app->playback)
        app_seek(app, app->beat_position, false);
    if (app->screen != SCREEN_LESSON)
        return;
    *app_guess(app) = (struct guess){.chosen = -1};
    app_go_beat(app, app->open.beat);
}

static void help(struct app *app, int unused)
{
    (void)unused;
    app->help = !app->help;
}

static void focus(struct app *app, int direction)
{
    app->ui.input.focus_step = direction;
}

struct command {
    int key, modifiers;
    void (*run)(struct app *app, int argument);
    int argument;
    const char *keys, *text; /* NULL: the row before says it too */
};

static const struct command commands[] = {
    {KEY_PAGE_DOWN, 0, app_step_beat, 1, "PageDown PageUp", N_("next, previous step of the story")},
    {KEY_PAGE_UP, 0, app_step_beat, -1, NULL, NULL},
    {KEY_RIGHT, 0, step_access, 1, "→ ←", N_("next, previous access")},
    {KEY_LEFT, 0, step_access, -1, NULL, NULL},
    {KEY_DOWN, 0, step_access, 1, NULL, NULL},
    {KEY_UP, 0, step_access, -1, NULL, NULL},
    {KEY_RIGHT, APP_SHIFT, step_event, 1, "Shift + → ←", N_("next, previous recorded event")},
    {KEY_LEFT, APP_SHIFT, step_event, -1, NULL, NULL},
    {KEY_RIGHT, APP_CONTROL, step_conflict, 1, "Ctrl + → ←", N_("next, previous conflict")},
    {KEY_LEFT, APP_CONTROL, step_conflict, -1, NULL, NULL},
    {KEY_W, 0, step_warp, 1, "W  Shift + W", N_("next, previous warp")},
    {KEY_W, APP_SHIFT, step_warp, -1, NULL, NULL},
    {KEY_N, 0, app_step_block, 1, "N  Shift + N", N_("next, previous block")},
    {KEY_N, APP_SHIFT, app_step_block, -1, NULL, NULL},
    {KEY_F, 0, one_line_alone, 0, "F", N_("only this line's accesses; again: all")},
    {KEY_HOME, 0, go_end, -1, "Home End", N_("first, last event")},
    {KEY_END, 0, go_end, 1, NULL, NULL},
    {KEY_SPACE, 0, play, 0, "Space", N_("play, pause")},
    {KEY_SEMICOLON, 0, change_speed, -1, "; '", N_("slower, faster")},
    {KEY_APOSTROPHE, 0, change_speed, 1, NULL, NULL},
    {KEY_RIGHT_BRACKET, 0, turn_knob, 1, "] [", N_("turn the knob up, down")},
    {KEY_LEFT_BRACKET, 0, turn_knob, -1, NULL, NULL},
    {KEY_RIGHT_BRACKET, APP_SHIFT, choose_knob, 1, "Shift + ] [", N_("choose the knob")},
    {KEY_LEFT_BRACKET, APP_SHIFT, choose_knob, -1, NULL, NULL},
    {KEY_1, 0, app_answer, 0, "1 … 6", N_("choose an answer")},
    {KEY_1 + 1, 0, app_answer, 1, NULL, NULL},
    {KEY_1 + 2, 0, app_answer, 2, NULL, NULL},
    {KEY_1 + 3, 0, app_answer, 3, NULL, NULL},
    {KEY_1 + 4, 0, app_answer, 4, NULL, NULL},
    {KEY_6, 0, app_answer, 5, NULL, NULL},
    {KEY_ENTER, 0, commit, 0, "Enter", N_("commit the answer; open a lesson")},
    {KEY_PAD_ENTER, 0, commit, 0, NULL, NULL},
    {KEY_TAB, 0, compare, 0, "Tab", N_("switch between the run before and the run now")},
    {KEY_TAB, APP_SHIFT, above, 0, "Shift + Tab", N_("both runs, one above the other")},
    {KEY_E, 0, flip, 0, "E", N_("this access in the GPU's, emulator's run")},
    {KEY_D, 0, dram, 0, "D  Shift + D", N_("another DRAM model, another mapping")},
    {KEY_D, APP_SHIFT, dram, 1, NULL, NULL},
    {KEY_B, 0, blank, 0, "B  .", N_("blank the screen")},
    {KEY_PERIOD, 0, blank, 0, NULL, NULL},
    {KEY_F11, 0, present, 0, "F11  F5", N_("present")},
    {KEY_F5, 0, present, 0, NULL, NULL},
    {KEY_ESCAPE, 0, leave, 0, "Esc", N_("leave the presentation; back to the lessons")},
    {KEY_EQUALS, APP_CONTROL, text_size, 1, "Ctrl + / - / 0", N_("larger, smaller, normal text")},
    {KEY_EQUALS, APP_CONTROL | APP_SHIFT, text_size, 1, NULL, NULL},
    {KEY_PAD_PLUS, APP_CONTROL, text_size, 1, NULL, NULL},
    {KEY_MINUS, APP_CONTROL, text_size, -1, NULL, NULL},
    {KEY_PAD_MINUS, APP_CONTROL, text_size, -1, NULL, NULL},
    {KEY_0, APP_CONTROL, text_size, 0, NULL, NULL},
    {KEY_T, 0, theme, 0, "T", N_("light or dark")},
    {KEY_M, 0, motion, 0, "M", N_("reduced motion")},
    {KEY_L, 0, next_language, 0, "L", N_("language")},
    {KEY_S, 0, screenshot, 0, "S", N_("save a picture (PNG)")},
    {KEY_G, 0, gif, 0, "G", N_("save an animation of it (GIF)")},
    {KEY_C, APP_CONTROL, copy, 0, "Ctrl + C", N_("copy a command that reopens this")},
    {KEY_R, 0, reset, 0, "R", N_("reset this step")},
    {KEY_F6, 0, focus, 1, "F6", N_("the next control; Enter uses it")},
    {KEY_F6, APP_SHIFT, focus, -1, NULL, NULL},
    {KEY_SLASH, APP_SHIFT, help, 0, "?", N_("this list")},
    {KEY_F1, 0, help, 0, NULL, NULL},
    {KEY_SLASH, 0, help, 0, NULL, NULL},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

size_t app_help(struct arena *arena, struct help_row **rows)
{
    size_t count = 0;
    *rows = arena_array(arena, struct help_row, COMMAND_COUNT);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].text)
            (*rows)[count++] = (struct help_row){commands[i].keys, _(commands[i].text)};
    return count;
}

/* A control that has the focus takes Enter, and the arrows up and down when it has values. */
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

/* Any key ends an animation; it then does what it does. */
void app_key(struct app *app, int key, int modifiers, bool repeat)
{
    if (app->moving && !app->playing)
        app_settle(app);
    bool blanking = key == KEY_B || key == KEY_PERIOD;
    if (app->blank && !blanking) {
        app->blank = false;
        return;
    }
    if (app->help && key != KEY_ESCAPE && key != KEY_SLASH && key != KEY_F1 && key != KEY_L && key != KEY_T) {
        app->help = false;
        return;
    }
    if (focused_key(app, key))
        return;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = &commands[i];
        if (command->key != key || command->modifiers != modifiers)
            continue;
        bool steps = command->run == step_access || command->run == step_event || command->run == step_conflict ||
                     command->run == turn_knob || command->run == text_size;
        if (!repeat || steps) {
            if (!app->notice_bad)
                app->notice[0] = 0;
            command->run(app, command->argument);
        }
        return;
    }
}
