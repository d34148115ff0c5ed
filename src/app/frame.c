#include "app/frame.h"
#include "app/commands/commands.h"
#include "app/open.h"
#include "app/pointer.h"
#include "app/saves.h"
#include "app/state.h"
#include "screen/screen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void name_window(struct app *app)
{
    const struct document *document = &app->document;
    char title[sizeof app->title] = "Lanescope";
    if (!app->at_list)
        snprintf(title, sizeof title, "%s · Lanescope",
                 document->kind == DOCUMENT_LESSON ? document->lesson->title[app->preferences.language]
                                                   : document->file.name);
    if (!app->host.set_title || strcmp(title, app->title) == 0)
        return;
    memcpy(app->title, title, sizeof title);
    app->host.set_title(app->host.context, title);
}

/* Takes over a finished measurement, and starts the next automatic one. */
static void update_times(struct app *app, double seconds)
{
    struct document *document = &app->document;
    struct measuring *measuring = &document->measuring;
    enum language const language = app->preferences.language;
    struct lesson_setting next;
    if (measure_ended(measuring, document->worker)) {
        if (measuring->good)
            document_renew_runs(document, &app->playhead);
        else
            notice_error(&app->notice, &measuring->error);
    }
    if (document->stale)
        document_renew_runs(document, &app->playhead);
    bool const lesson = !app->at_list && document->kind == DOCUMENT_LESSON;
    bool const unasked = app->host.attended && !app->host.untimed && lesson && !app->playhead.playing &&
                         !measuring->started && document_next_time(document, &app->frame, language, &next);
    if (measure_rested(measuring, unasked ? &next : NULL, seconds))
        document_start_measuring(document, &next);
}

static void update_playhead(struct app *app, double seconds)
{
    struct document *document = &app->document;
    if (!document->playback || app->at_list)
        return;
    struct scene scene;
    if (app->playhead.moving)
        document_scene(document, &app->playhead, &app->frame, &scene);
    playhead_advance(&app->playhead, document->playback, app->playhead.moving ? &scene : NULL,
                     document_memories(document), seconds);
}

/* Runs more points of the ladder while the run is uncovered. */
static void update_ladder(struct app *app, double seconds)
{
    struct document *document = &app->document;
    struct error error;
    document_want_ladder(document);
    if (ladder_unfinished(&document->ladder) && !document_covered(document) &&
        !ladder_advance(&document->ladder, document->lesson, seconds > 1e3 ? INFINITY : 0.006, &error))
        notice_error(&app->notice, &error);
}

/* Prepares everything that drawing needs: drawing itself runs no kernel. */
static void update(struct app *app, double seconds)
{
    open_pending(app);
    computer_look(app);
    name_window(app);
    if (app->drawn && app->host.attended) /* the first picture does not wait for all lessons, nor does a later step */
        app_cards(app);
    update_times(app, seconds);
    if (document_follow_program(&app->document, &app->playhead))
        app->again = true;
    if (document_follow_kernel(&app->document, &app->playhead))
        app->again = true;
    saves_follow(app);
    update_playhead(app, seconds);
    overview_prepare(app);
    if (app->at_list || app->document.kind != DOCUMENT_LESSON)
        return;
    update_ladder(app, seconds);
    if (app->blank || app->help || !app->document.playback)
        return;
    document_prepare_other(&app->document);
    document_find_counts(&app->document, &app->frame, app->preferences.language);
}

/* Returns whether the input of this frame may change the next one. */
static bool was_touched(const struct ui_input *input)
{
    return input->pressed || input->second || input->released || input->activate || input->wheel != 0 ||
           input->focus_step || input->adjust || input->read_on || input->read_code;
}

static void draw(struct app *app, struct drawing *drawing)
{
    struct rect const all = {0, 0, (float)app->width, (float)app->height};
    bool const inside = app->ui.input.mouse_inside;
    if (app->pointer.hidden && !app->spotlight.on) /* what lies below a pointer that nobody sees is not pointed at */
        app->ui.input.mouse_inside = false;
    app->ui.mark_open = app->lookup.open ? 0 : app->lookup.term;
    ui_begin(&app->ui, &app->frame, all);
    if (app->blank) /* black in both themes: a white screen would distract a class */
        draw_fill(&app->ui.draw, all, 0, (struct color){0, 0, 0, 255});
    else if (app->help)
        screen_help(drawing);
    else if (app->lookup.open)
        screen_glossary(drawing);
    else if (app->overview.open && !app->pending.here)
        screen_overview(drawing);
    else if (app->at_list && app->folder.open && !app->pending.here)
        screen_folder(drawing, &app->folder);
    else if (app->at_list)
        screen_home(drawing, &(struct home){app_cards(app), app->computer.known ? &app->computer.facts : NULL,
                                            app->pending.here});
    else if (app->presenter.place == PRESENTER_HERE)
        screen_presenter(drawing, &app->presenter);
    else
        screen_document(drawing);
    if (!app->blank && !app->help) {
        draw_term_card(drawing);
        spotlight_draw(app);
    }
    app->ui.input.mouse_inside = inside;
    bool const points = !app->pointer.hidden && !app->spotlight.on && !app->pointer.keyed;
    if (!points) /* a word about a place that nobody points at hides the picture */
        app->ui.tooltip = NULL;
    ui_end(&app->ui);
}

/* Saves what has changed, a while after it did. A failure is said in the next frame. */
static void keep(struct app *app)
{
    if (progress_wait(app->progress) > 0)
        return;
    app_note_progress(app);
    progress_save(app->progress);
    const char *said = progress_said(app->progress);
    if (said) {
        notice_say(&app->notice, "%s", said);
        app->again = true;
    }
}

/* Returns the title of the lesson after this one if the step shows it: the last one does. */
static const char *next_lesson(struct app *app)
{
    const struct lesson *lesson = app->at_list ? NULL : app->document.lesson;
    if (!lesson ||
        (app->document.beat + 1 < lesson->beat_count && document_beat(&app->document)->kind != BEAT_REMEMBER))
        return NULL;
    const struct lesson_card *next = cards_next(app_cards(app), lesson);
    return next ? next->title[app->preferences.language] : NULL;
}

/* Fills the titles of the lessons that explanations lead to, if these are on screen. */
static void name_explained(struct app *app, struct drawing *drawing)
{
    if (!app->overview.open || app->overview.page != OVERVIEW_EXPLAINED)
        return;
    const struct cards *cards = app_cards(app);
    for (size_t i = 0; i < cards->count; i++)
        for (int kind = 0; kind < EXPLAIN_KINDS; kind++)
            if (strcmp(cards->items[i].name, explain_lesson((enum explain_kind)kind)) == 0)
                drawing->explained[kind] = cards->items[i].title[app->preferences.language];
}

struct drawing app_drawing(struct app *app, struct ui *ui, struct arena *arena, struct actions *actions)
{
    struct drawing drawing = {.ui = ui,
                              .arena = arena,
                              .document = &app->document,
                              .playhead = &app->playhead,
                              .preferences = &app->preferences,
                              .notice = &app->notice,
                              .next_lesson = next_lesson(app),
                              .glossary = &app->glossary,
                              .lookup = &app->lookup,
                              .overview = &app->overview,
                              .actions = actions,
                              .help_page = app->help_page,
                              .in_class = app_in_class(app),
                              .pointer_hidden = app->pointer.hidden,
                              .all_switches = app->all_switches,
                              .at_list = app->at_list,
                              .hot = app->hot,
                              .shown = app->shown,
                              .hot_next = app->hot};
    name_explained(app, &drawing);
    return drawing;
}

const struct draw_list *frame_draw(struct app *app, double seconds)
{
    arena_reset(&app->frame);
    app->ui.theme = app->preferences.dark ? &theme_dark : &theme_light;
    bool const touched = was_touched(&app->ui.input);
    app_apply_turns(app);
    update(app, seconds);
    pointer_rest(app, seconds);
    presenter_follow(app);
    app_follow_class(app);
    struct actions actions = {.count = 0};
    memset(app->shown, 0, sizeof app->shown);
    struct drawing drawing = app_drawing(app, &app->ui, &app->frame, &actions);
    draw(app, &drawing);
    app->again = touched || drawing.hot_next != app->hot || actions.count;
    app->hot = drawing.hot_next;
    app->lookup.fresh = false;
    app->again = lookup_walk_on(app) || app->again;
    for (int i = 0; i < actions.count; i++)
        action_apply(app, &actions.items[i]);
    app->changed = actions.count > 0;
    app->again = app->again || (app->host.attended && !app->cards_known);
    app->drawn = true;
    keep(app);
    return &app->ui.draw;
}

const struct panel_shown *app_panels(const struct app *app)
{
    return app->shown;
}

struct color app_background(const struct app *app)
{
    return (app->preferences.dark ? &theme_dark : &theme_light)->colors[COLOR_BACKGROUND];
}
