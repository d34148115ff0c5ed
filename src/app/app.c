/* The application as its platform sees it: it is made from options, takes events, and returns frames. */
#include "app/app.h"
#include "app/commands/reopen.h"
#include "app/events.h"
#include "app/frame.h"
#include "app/language.h"
#include "app/open.h"
#include "app/pointer.h"
#include "app/save.h"
#include "app/saves.h"
#include "app/shows.h"
#include "app/state.h"
#include "document/kernel_form.h"
#include "document/program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool app_failed(const struct app *app, struct error *error)
{
    *error = app->document.failed;
    return error->kind != ERROR_NONE;
}

static enum language language_of(const char *code)
{
    if (!code)
        return language_of_environment();
    return strcmp(code, "ko") == 0 ? LANGUAGE_KO : LANGUAGE_EN;
}

/* What the command line says wins over what was kept. */
static void begin_preferences(struct app *app, const struct app_options *options)
{
    struct preferences *preferences = &app->preferences;
    preferences->language = language_of_environment();
    preferences->dark = options->dark;
    preferences->bare = options->bare;
    app->playhead = (struct playhead){.pass = PASS_ALL, .cut = PASS_ALL, .speed = 1, .finding = -1};
    progress_preferences(options->progress, preferences, &app->playhead);
    if (options->language)
        preferences->language = language_of(options->language);
    if (options->theme) {
        preferences->dark = strcmp(options->theme, "dark") == 0;
        preferences->theme_chosen = true;
    }
    if (options->text_percent)
        preferences->text_step = options->text_percent / 10 - 10;
    preferences->presenting = preferences->presenting || options->present;
    app->playhead.reduced_motion = app->playhead.reduced_motion || options->reduced_motion;
    app->progress = options->progress;
    app->computer.look = options->computer;
    app->computer.cancel = app->host.ended;
    progress_note_preferences(app->progress, preferences, &app->playhead);
    if (options->links) /* kept, unlike what the command asks for: it comes after what was there */
        snprintf(preferences->links, sizeof preferences->links, "%s", options->links);
}

static void begin(struct app *app, const struct app_options *options)
{
    app->width = options->width > 0 ? options->width : 1280;
    app->height = options->height > 0 ? options->height : 720;
    app->scale = options->scale > 0 ? options->scale : 1;
    app->at_list = true;
    app->shows = options->shows ? arena_text(&app->session, options->shows) : NULL;
    app->ui.notes = options->notes || app->shows != NULL;
    begin_preferences(app, options);
    struct document *document = &app->document;
    document->notice = &app->notice;
    document->worker = &app->host.worker;
    document->ended = app->host.ended;
    document->patience = app->host.patience;
    document->look.executor = options->on;
    document->blocks_chosen = options->blocks != NULL;
    if (options->blocks)
        document->blocks = *options->blocks;
    document->caches = options->caches;
    document->dram = options->dram ? arena_text(&app->session, options->dram) : NULL;
    document->gpu = options->gpu ? arena_text(&app->session, options->gpu) : NULL;
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
    begin(app, options);
    language_use(app->preferences.language);
    app_update_unit(app);
    struct error wrong; /* the program works without its glossary */
    bool const whole = glossary_load(&app->session, &app->glossary, &wrong);
    if (!open_first(app, options, error)) {
        app_free(app);
        return false;
    }
    if (options->overview && overview_named(options->overview) < OVERVIEW_PAGES)
        app->overview = (struct overview){.open = true, .page = overview_named(options->overview)};
    if (app->preferences.presenting && app->host.set_fullscreen)
        app->host.set_fullscreen(app->host.context, true);
    const char *said = progress_said(app->progress);
    if (said && !app->notice.text[0])
        notice_say(&app->notice, "%s", said);
    progress_touch(app->progress);
    if (!whole && wrong.kind == ERROR_INPUT && !app->notice.text[0])
        notice_error(&app->notice, &wrong);
    *app_out = app;
    return true;
}

void app_free(struct app *app)
{
    if (!app)
        return;
    computer_wait(app);
    app_note_progress(app);
    saves_end(app);
    document_close(&app->document, &app->playhead);
    kernel_form_free(&app->document);
    arena_free(&app->document.block_arenas[0]);
    arena_free(&app->document.block_arenas[1]);
    arena_free(&app->document.other_block.arena);
    arena_free(&app->pending.arena);
    folder_close(&app->folder);
    presenter_free(&app->presenter);
    arena_free(&app->frame);
    arena_free(&app->session);
    free(app);
}

void app_event(struct app *app, const struct app_event *event)
{
    events_take(app, event);
    save_wanted(app);
}

static const struct draw_list *draw_frame(struct app *app, double seconds)
{
    const struct draw_list *list = frame_draw(app, seconds);
    bool const saved = save_wanted(app);
    /* A control shows what is asked of it, the picture what was before: only the next frame shows both alike. */
    return saved || (app->changed && !app->pending.here) ? frame_draw(app, 0) : list;
}

static double wait_of_picture(const struct app *app)
{
    const struct document *document = &app->document;
    if (app->again || app->pending.here)
        return 0;
    if (app->blank)
        return INFINITY;
    if (app->at_list && app->computer.task)
        return 0.1;
    if (!app->at_list && document->lesson && ladder_unfinished(&document->ladder) && !document_covered(document))
        return 0;
    if (!app->at_list && (app->playhead.moving || app->playhead.playing))
        return app->playhead.rest;
    if (!app->at_list && (document->kernel || (document->program && document->program->work.started)))
        return 0.1; /* the seconds count on */
    return document->measuring.started ? 0.1 : measure_wait(&document->measuring);
}

double app_wait(const struct app *app)
{
    double const presenter = app->presenter.again ? 0 : presenter_wait(app);
    return fmin(fmin(wait_of_picture(app), presenter), fmin(pointer_wait(app), progress_wait(app->progress)));
}

bool app_still(const struct app *app)
{
    return isinf(wait_of_picture(app));
}

const struct draw_list *app_frame(struct app *app, double seconds)
{
    const struct draw_list *list = draw_frame(app, seconds);
    app->frames++;
    if (app->shows)
        shows_write(app);
    return list;
}

int app_knob(const struct app *app)
{
    return app->document.knob;
}

void app_forget_runs(struct app *app)
{
    document_forget_runs(&app->document);
}

const char *app_state_line(struct app *app)
{
    return reopen_line(app);
}
