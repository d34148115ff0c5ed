/* The lesson screen, and the same without a story for a recorded trace. */
#include "app/state.h"

/* Whose clock the event's time is of; of the model's, whose latencies it has, where that is known. */
static const char *clock_words(struct app *app, const struct scene *scene)
{
    const struct run *run = app->run ? app->run : app->file.run;
    if (scene->trace->clock == TRACE_CLOCK_GPU)
        return _("GPU clock");
    return run && run->clock.gpu ? arena_format(&app->frame, _("model clock (%s)"), run->clock.gpu) : _("model clock");
}

/* " · 7 of 8 warps wait": for memory or at a barrier, of those that have not ended. "" where a GPU's clock does not
 * say. */
static const char *waiting_words(struct app *app, const struct scene *scene)
{
    unsigned waiting = 0, alive = 0;
    for (uint32_t warp = 0; warp < scene->warp_count; warp++) {
        waiting += scene->warps[warp] == TIMELINE_MEMORY || scene->warps[warp] == TIMELINE_BARRIER;
        alive += scene->warps[warp] != TIMELINE_DONE;
    }
    return scene->trace->clock != TRACE_CLOCK_MODEL || scene->warp_count < 2
               ? ""
               : arena_format(&app->frame, _(" · %u of %u warps wait"), waiting, alive);
}

static const char *where_words(struct app *app, const struct scene *scene, const char *clock, const char *waiting)
{
    return arena_format(&app->frame, _("block %llu, warp %u · %s: %llu cycles%s"), (unsigned long long)scene->block,
                        scene->warp, clock, (unsigned long long)scene->event->time, waiting);
}

static struct panel_action draw_timeline(struct app *app, struct view *view, struct rect box)
{
    struct timeline_view timeline = {.playback = app->playback,
                                     .position = app->position,
                                     .playing = app->playing,
                                     .speed = app->speed,
                                     .filter = app->filter,
                                     .covered = app_covered(app),
                                     .where = "",
                                     .where_short = ""};
    const struct scene *scene = view->scene;
    if (scene->event) {
        bool const measured = scene->trace->clock == TRACE_CLOCK_GPU;
        timeline.where = where_words(app, scene, clock_words(app, scene), waiting_words(app, scene));
        timeline.where_short = where_words(app, scene, measured ? _("GPU clock") : _("model clock"), "");
    }
    return card_timeline(view, box, &timeline);
}

static void draw_nothing(struct app *app, const struct layout *layout)
{
    struct ui *ui = &app->ui;
    struct rect box = rect_inset(layout->stage, 40 * ui->unit, layout->stage.h * 0.3f);
    ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_TEXT_DIM,
            _("There is no run to show yet. The line above gives the reason. Press R to try again."));
    box = rect_inset(layout->stage, 40 * ui->unit, 0);
    box = (struct rect){box.x, box.y + layout->stage.h * 0.3f + 70 * ui->unit, 320 * ui->unit, 48 * ui->unit};
    if (app->executor == EXECUTOR_EMULATOR || app->executor == EXECUTOR_BEST || !app->open.lesson)
        return;
    if (ui_button(ui, ui_id_text("use emulator"), box, _("Run it on the emulator"), true)) {
        app->executor = EXECUTOR_EMULATOR;
        app->notice[0] = 0;
        app_show_setting(app, false);
    }
}

/* A kernel that could not run: why, and its source with the line marked. */
static struct panel_action draw_refused(struct app *app, const struct layout *layout)
{
    struct ui *ui = &app->ui;
    const struct error *error = &app->file.error;
    struct view view = {.ui = ui, .arena = &app->frame};
    struct rect box = layout->stage;
    float u = ui->unit;
    box.w = layout->side.w > 0 ? layout->side.x + layout->side.w - box.x : box.w;
    struct rect inner = rect_inset(box, 24 * u, 16 * u);
    const char *place = error->line ? arena_format(&app->frame, _("line %u"), (unsigned)error->line) : "";
    struct ui_span spans[] = {{_("This kernel cannot run"), FONT_BOLD, COLOR_CONFLICT},
                              {error->line ? arena_format(&app->frame, " · %s", place) : "", FONT_BOLD, COLOR_TEXT}};
    struct ui_span words[] = {{error->message, FONT_TEXT, COLOR_TEXT}},
                   remedy[] = {{error->remedy, FONT_BOLD, COLOR_ACCESS}};
    float title = ui_paragraph_height(ui, inner.w, 26 * u, spans, 2) + 6 * u;
    float said = ui_paragraph_height(ui, inner.w, 20 * u, words, 1) + 6 * u;
    float done = *error->remedy ? ui_paragraph_height(ui, inner.w, 20 * u, remedy, 1) + 6 * u : 0;
    struct rect const card = rect_cut_top(&box, title + said + done + 32 * u);
    ui_card(ui, card);
    draw_hatch(&ui->draw, (struct rect){card.x, card.y, 8 * u, card.h}, 7 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    inner = rect_inset(card, 24 * u, 16 * u);
    ui_paragraph(ui, rect_cut_top(&inner, title), 26 * u, spans, 2, false);
    ui_paragraph(ui, rect_cut_top(&inner, said), 20 * u, words, 1, false);
    if (done > 0)
        ui_paragraph(ui, rect_cut_top(&inner, done), 20 * u, remedy, 1, false);
    rect_cut_top(&box, 14 * u);
    struct code_view const code = code_now(app, &view, 0);
    return *code.source ? card_code(&view, box, &code) : NOTHING_DONE;
}

void screen_lesson(struct app *app)
{
    struct ui *ui = &app->ui;
    struct layout layout = app_layout(app, app->notice[0] != 0);
    draw_top_bar(app, layout.top);
    if (app->screen == SCREEN_LIST)
        return;
    if (layout.notice.h > 0)
        draw_notice(app, layout.notice);
    if (app->file.refused) {
        layout.stage.h += layout.timeline.h;
        struct panel_action const action = draw_refused(app, &layout);
        app_act(app, &action);
        return;
    }
    if (!app->playback) {
        draw_nothing(app, &layout);
        return;
    }
    struct scene scene;
    app_scene(app, &scene);
    app_motion(app, &scene);
    uint32_t hot = 0;
    struct view view = {.ui = ui,
                        .arena = &app->frame,
                        .scene = &scene,
                        .still_arrows = app->reduced_motion,
                        .fault = app_finding_lanes(app),
                        .hot = app->hot,
                        .hot_next = &hot};
    app->knobs_aside = false;
    struct panel_action actions[3] = {{.kind = WANT_NOTHING}};
    if (!layout.compact)
        actions[0] = draw_side(app, &view, layout.side);
    actions[1] = app->open.above && app->open.has_other && app->screen == SCREEN_LESSON && !app_covered(app)
                     ? draw_both(app, &view, layout.stage, layout.compact)
                     : draw_stage(app, &view, layout.stage, layout.compact, NULL);
    actions[2] = draw_timeline(app, &view, layout.timeline);
    app->hot = hot;
    for (int i = 0; i < 3; i++)
        app_act(app, &actions[i]);
}
