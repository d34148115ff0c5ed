/* The application's outside: made from options, fed with events, asked for frames. */
#include "app/app.h"
#include "app/keys.h"
#include "app/state.h"
#include "base/file.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_say(struct app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->notice, sizeof app->notice, format, arguments);
    va_end(arguments);
    app->notice_bad = false;
}

void app_say_error(struct app *app, const struct error *error)
{
    error_line(error, app->notice, (int)sizeof app->notice);
    app->notice_bad = true;
}

bool app_failed(const struct app *app, struct error *error)
{
    *error = app->failed;
    return app->failed.kind != ERROR_NONE;
}

static void load_cards(struct app *app)
{
    const char **names = NULL;
    size_t count = lesson_names(&app->session, &names, &app->card_errors, &app->card_error_count);
    app->cards = arena_array(&app->session, struct lesson_card, count);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson = NULL;
        struct error error;
        if (!lesson_load(names[i], &lesson, &error))
            continue;
        struct lesson_card *card = &app->cards[app->card_count++];
        card->name = arena_text(&app->session, lesson->name);
        card->beats = lesson->beat_count;
        card->stage = lesson->beat_count ? lesson->beats[0].stage : 0;
        for (int l = 0; l < LANGUAGE_COUNT; l++) {
            card->title[l] = arena_text(&app->session, lesson->title[l] ? lesson->title[l] : lesson->name);
            card->summary[l] = arena_text(&app->session, lesson->summary[l] ? lesson->summary[l] : "");
        }
        lesson_free(lesson);
    }
}

static bool set_knobs(struct app *app, const struct app_options *options, struct error *error)
{
    struct lesson_setting setting = app->open.setting;
    if (options->variant && !lesson_set_text(app->open.lesson, &setting,
                                             arena_format(&app->session, "variant=%s", options->variant), error))
        return false;
    for (int i = 0; i < options->set_count; i++)
        if (!lesson_set_text(app->open.lesson, &setting, options->set[i], error))
            return false;
    bool changed = memcmp(&setting, &app->open.setting, sizeof setting) != 0;
    app->open.setting = setting;
    if (changed || !app->run)
        app_show_setting(app, false);
    return true;
}

static bool open_first(struct app *app, const struct app_options *options, struct error *error)
{
    struct place_wanted const place = {options->access, options->block_chosen, options->block};
    if (options->trace_path) {
        if (!app_open_trace(app, options->trace_path, error))
            return false;
        app_seek_wanted(app, &place);
        return true;
    }
    if (options->file) {
        app_open_kernel(app, options->file, &place);
        return true;
    }
    if (!options->lesson)
        return true;
    if (!app_open_lesson(app, options->lesson, error))
        return false;
    int beat = options->beat > 0 ? options->beat - 1 : 0;
    if (beat >= app->open.lesson->beat_count)
        return error_set(error, ERROR_INPUT, "lesson %s has %d steps; there is no step %d", options->lesson,
                         app->open.lesson->beat_count, beat + 1);
    app_go_beat(app, beat);
    if (!set_knobs(app, options, error))
        return false;
    if (options->answered)
        app_guess(app)->skipped = true;
    app_ladder_want(app);
    app_seek_wanted(app, &place);
    return true;
}

bool app_new(const struct app_options *options, const struct text_metrics *metrics, const struct app_host *host,
             struct app **app_out, struct error *error)
{
    struct app *app = calloc(1, sizeof *app);
    *app_out = NULL;
    if (!app)
        return error_set(error, ERROR_MISSING, "no memory for the window's state");
    if (host)
        app->host = *host;
    app->ui.metrics = *metrics;
    app->width = options->width > 0 ? options->width : 1280;
    app->height = options->height > 0 ? options->height : 720;
    app->scale = options->scale > 0 ? options->scale : 1;
    app->presenting = options->present;
    app->reduced_motion = options->reduced_motion;
    app->theme_chosen = options->theme != NULL;
    app->dark = options->theme && strcmp(options->theme, "dark") == 0;
    app->language = options->language ? (strcmp(options->language, "ko") == 0 ? LANGUAGE_KO : LANGUAGE_EN)
                                      : language_of_environment();
    app->executor = options->on;
    app->blocks_chosen = options->blocks != NULL;
    if (options->blocks)
        app->blocks = *options->blocks;
    app->dram = options->dram ? arena_text(&app->session, options->dram) : NULL;
    app->gpu = options->gpu ? arena_text(&app->session, options->gpu) : NULL;
    app->speed = 1;
    app->finding = -1;
    language_use(app->language);
    app_update_unit(app);
    load_cards(app);
    if (!open_first(app, options, error)) {
        app_free(app);
        return false;
    }
    *app_out = app;
    return true;
}

void app_free(struct app *app)
{
    if (!app)
        return;
    app_close_lesson(app);
    arena_free(&app->block_arenas[0]);
    arena_free(&app->block_arenas[1]);
    arena_free(&app->above.arena);
    arena_free(&app->awaited.arena);
    arena_free(&app->frame);
    arena_free(&app->session);
    free(app);
}

static void drop_file(struct app *app, const char *path)
{
    struct error error;
    if (!path)
        return;
    if (trace_is_named(path)) {
        if (!app_open_trace(app, path, &error))
            app_say_error(app, &error);
    } else if (path_ends_with(path, ".cu") || path_ends_with(path, ".ptx"))
        app_open_kernel(app, &(struct run_file_request){.path = path}, &(struct place_wanted){0});
    else
        app_say(app, _("%s is not a .cu, .ptx or .trace file"), strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

void app_event(struct app *app, const struct app_event *event)
{
    struct ui_input *input = &app->ui.input;
    switch (event->kind) {
    case APP_KEY:
        app_key(app, event->key, event->modifiers, event->repeat);
        break;
    case APP_MOUSE_MOVE:
    case APP_MOUSE_DOWN:
    case APP_MOUSE_UP:
        input->mouse = (struct point){event->x, event->y};
        input->mouse_inside = true;
        if (event->kind == APP_MOUSE_DOWN) {
            if (app->moving && !app->playing)
                app_settle(app);
            app->blank = false;
            input->pressed = input->down = true;
        } else if (event->kind == APP_MOUSE_UP) {
            input->down = false;
            input->released = true;
        }
        break;
    case APP_MOUSE_LEAVE:
        input->mouse_inside = false;
        break;
    case APP_WHEEL:
        input->wheel += event->y;
        break;
    case APP_RESIZE:
        app->width = event->width;
        app->height = event->height;
        app->scale = event->scale > 0 ? event->scale : 1;
        app_update_unit(app);
        break;
    case APP_DROP_FILE:
        drop_file(app, event->text);
        break;
    case APP_EXPOSE:
        break;
    }
}

double app_wait(const struct app *app)
{
    if (app->again || app->awaited.here)
        return 0;
    if (app->blank)
        return INFINITY;
    if (app->screen != SCREEN_LIST && (app->moving || app->playing))
        return 0;
    const struct ladder_points *ladder = &app->open.ladder;
    if (app->screen == SCREEN_LESSON && ladder->wanted && ladder->known < ladder->count && !app_covered(app))
        return 0;
    return app->measuring.started ? 0.1 : app_measure_wait(app);
}

static void name_window(struct app *app)
{
    char title[sizeof app->title] = "Lanescope";
    if (app->screen == SCREEN_LESSON)
        snprintf(title, sizeof title, "%s · Lanescope", app->open.lesson->title[app->language]);
    else if (app->screen == SCREEN_TRACE)
        snprintf(title, sizeof title, "%s · Lanescope", app->file.name);
    if (!app->host.set_title || strcmp(title, app->title) == 0)
        return;
    memcpy(app->title, title, sizeof title);
    app->host.set_title(app->host.context, title);
}

/* Whether something was done to the window that this frame will act on only after it has drawn the old state. */
static bool was_touched(const struct ui_input *input)
{
    return input->pressed || input->released || input->activate || input->wheel != 0 || input->focus_step ||
           input->adjust;
}

const struct draw_list *app_frame(struct app *app, double seconds)
{
    arena_reset(&app->frame);
    app_open_awaited(app);
    app->ui.theme = app->dark ? &theme_dark : &theme_light;
    name_window(app);
    bool touched = was_touched(&app->ui.input);
    app->acted = false;
    uint32_t hot = app->hot;
    app_measure_poll(app);
    if (app->runs_stale)
        app_forget_runs(app);
    app_measure_rest(app, seconds);
    app_advance(app, seconds);
    if (app->screen == SCREEN_LESSON) {
        app_ladder_want(app);
        app_ladder_advance(app, seconds > 1e3 ? INFINITY : 0.006);
    }
    ui_begin(&app->ui, &app->frame, (struct rect){0, 0, (float)app->width, (float)app->height});
    if (app->blank) /* black in both themes: a white screen draws the eyes of a class */
        draw_fill(&app->ui.draw, (struct rect){0, 0, (float)app->width, (float)app->height}, 0,
                  (struct color){0, 0, 0, 255});
    else if (app->help)
        screen_help(app);
    else if (app->screen == SCREEN_LIST)
        screen_list(app);
    else
        screen_lesson(app);
    ui_end(&app->ui);
    app->again = touched || app->acted || hot != app->hot;
    return &app->ui.draw;
}

struct color app_background(const struct app *app)
{
    return (app->dark ? &theme_dark : &theme_light)->colors[COLOR_BACKGROUND];
}

const char *app_state_line(struct app *app)
{
    return app_reopen_line(app);
}
