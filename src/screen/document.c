/* The screen of a document: a lesson's step, or a file. */
#include "document/program.h"
#include "document/sass.h"
#include "screen/bug.h"
#include "screen/layout.h"
#include "screen/screen.h"
#include "screen/side/program.h"
#include "screen/side/stale.h"
#include "screen/stage.h"
#include <math.h>

/* Returns the name of the clock of the event's time: the GPU's, or the model's with the GPU whose latencies it uses. */
static const char *clock_words(struct drawing *drawing, const struct scene *scene)
{
    const struct run *run = document_run(drawing->document);
    if (scene->trace->clock == TRACE_CLOCK_GPU)
        return _("GPU clock");
    return run && run->clock.gpu ? arena_format(drawing->arena, _("model clock (%s)"), run->clock.gpu)
                                 : _("model clock");
}

/* Returns " · warps that wait: 7 of 8": for memory or at a barrier, of those that have not ended. "" with a
 * GPU's clock. */
static const char *waiting_words(struct drawing *drawing, const struct scene *scene)
{
    unsigned waiting = 0, alive = 0;
    for (uint32_t warp = 0; warp < scene->warp_count; warp++) {
        waiting += scene->warps[warp] == TIMELINE_MEMORY || scene->warps[warp] == TIMELINE_BARRIER;
        alive += scene->warps[warp] != TIMELINE_DONE;
    }
    return scene->trace->clock != TRACE_CLOCK_MODEL || scene->warp_count < 2
               ? ""
               : arena_format(drawing->arena, _(" · warps that wait: %u of %u"), waiting, alive);
}

static const char *where_words(struct drawing *drawing, const struct scene *scene, const char *clock,
                               const char *waiting)
{
    return arena_format(drawing->arena, _("block %llu, warp %u · %s: at cycle %llu%s"),
                        (unsigned long long)scene->block, scene->warp, clock, (unsigned long long)scene->event->time,
                        waiting);
}

static const char *block_words(struct drawing *drawing, const struct scene *scene)
{
    return arena_format(drawing->arena, _("block %llu, warp %u"), (unsigned long long)scene->block, scene->warp);
}

/* Returns the hint beside the timeline: the keys or, at the last access, what comes next. */
static const char *hint_words(struct drawing *drawing, const struct scene *scene)
{
    const struct document *document = drawing->document;
    size_t const at = drawing->playhead->position;
    if (document_covered(document))
        return _("the answer uncovers the run");
    if (scene->pass >= 0)
        return arena_format(drawing->arena, _("pass %d of %d"), scene->pass + 1, scene_steps(scene));
    if (drawing->playhead->ended)
        return _("the end · Space: from the first");
    unsigned const stops = EVENT_ACCESS | EVENT_BARRIER | EVENT_FAULT;
    bool const last = playback_find(document->playback, at, 1, stops, drawing->playhead->filter) == at;
    bool const first = playback_find(document->playback, at, -1, stops, drawing->playhead->filter) == at;
    if (last && drawing_lesson(drawing))
        return document->beat + 1 < document->lesson->beat_count
                   ? arena_format(drawing->arena, _("the last · PageDown: step %d"), document->beat + 2)
               : drawing->next_lesson ? _("the last · then the next lesson")
                                      : _("the last · then all lessons");
    if (first && !last)
        return _("the first · → goes on");
    return last ? _("the last access") : _("← → access · ? keys");
}

static void draw_timeline(struct drawing *drawing, struct view *view, struct rect box)
{
    struct timeline_view timeline = {.playback = drawing->document->playback,
                                     .position = drawing->playhead->position,
                                     .playing = drawing->playhead->playing,
                                     .speed = drawing->playhead->speed,
                                     .filter = drawing->playhead->filter,
                                     .covered = document_covered(drawing->document),
                                     .plain = drawing_lesson(drawing) &&
                                              (document_beat(drawing->document)->later & LATER_LEGEND) != 0,
                                     .where = "",
                                     .where_short = "",
                                     .where_least = "",
                                     .hint = hint_words(drawing, view->scene)};
    const struct scene *scene = view->scene;
    if (timeline.covered) {
        timeline.where = timeline.where_short = timeline.where_least = block_words(drawing, scene);
    } else if (scene->event) {
        bool const measured = scene->trace->clock == TRACE_CLOCK_GPU;
        timeline.where = where_words(drawing, scene, clock_words(drawing, scene), waiting_words(drawing, scene));
        timeline.where_short = where_words(drawing, scene, measured ? _("GPU clock") : _("model clock"), "");
        timeline.where_least = block_words(drawing, scene);
    }
    action_ask(drawing->actions, card_timeline(view, box, &timeline));
}

static void draw_nothing(struct drawing *drawing, const struct layout *layout)
{
    struct ui *ui = drawing->ui;
    struct rect box = rect_inset(layout->stage, 40 * ui->unit, layout->stage.h * 0.3f);
    ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_TEXT_DIM,
            _("There is no run to show yet. The line above gives the reason. Press R to try again."));
    box = rect_inset(layout->stage, 40 * ui->unit, 0);
    box = (struct rect){box.x, box.y + layout->stage.h * 0.3f + 70 * ui->unit, 320 * ui->unit, 48 * ui->unit};
    if (drawing->document->look.executor == EXECUTOR_EMULATOR || drawing->document->look.executor == EXECUTOR_BEST ||
        !drawing->document->lesson)
        return;
    if (ui_button(ui, ui_id_text("use emulator"), box, _("Run it on the emulator"), true))
        drawing_ask(drawing, ACTION_USE_EMULATOR, 0);
}

/* Draws a kernel that could not run: the reason, and its source with the line marked. */
static void draw_refused(struct drawing *drawing, const struct layout *layout)
{
    struct ui *ui = drawing->ui;
    const struct error *error = &drawing->document->file.error;
    struct view view = {.ui = ui, .arena = drawing->arena};
    struct rect box = layout->stage;
    float u = ui->unit;
    box.w = layout->side.w > 0 ? layout->side.x + layout->side.w - box.x : box.w;
    struct rect inner = rect_inset(box, 24 * u, 16 * u);
    const char *place = error->line ? arena_format(drawing->arena, _("line %u"), (unsigned)error->line) : "";
    struct ui_span spans[] = {{drawing->document->file.of_lesson ? _("This lesson cannot be opened")
                               : drawing->document->program      ? _("This program cannot run")
                                                                 : _("This kernel cannot run"),
                               FONT_BOLD, COLOR_CONFLICT},
                              {error->line ? arena_format(drawing->arena, " · %s", place) : "", FONT_BOLD, COLOR_TEXT}};
    const char *advice = error->remedy;
    if (drawing->document->file.of_lesson)
        advice = arena_format(drawing->arena, "%s%s%s", advice, *advice ? ". " : "",
                              _("Esc goes back to the lessons, which open as before. Open this one again after a "
                                "change of its file."));
    char problem[sizeof error->field + sizeof error->message + 32];
    struct ui_span words[] = {{error_problem(error, problem, sizeof problem), FONT_TEXT, COLOR_TEXT}},
                   remedy[] = {{advice, FONT_BOLD, COLOR_ACCESS}};
    float title = ui_paragraph_height(ui, inner.w, 26 * u, spans, 2) + 6 * u;
    float said = ui_paragraph_height(ui, inner.w, 20 * u, words, 1) + 6 * u;
    float done = *advice ? ui_paragraph_height(ui, inner.w, 20 * u, remedy, 1) + 6 * u : 0;
    struct rect const card = rect_cut_top(&box, title + said + done + 32 * u);
    ui_card(ui, card);
    draw_hatch(&ui->draw, (struct rect){card.x, card.y, 8 * u, card.h}, 7 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    inner = rect_inset(card, 24 * u, 16 * u);
    ui_paragraph(ui, rect_cut_top(&inner, title), 26 * u, spans, 2, false);
    ui_paragraph(ui, rect_cut_top(&inner, said), 20 * u, words, 1, false);
    if (done > 0)
        ui_paragraph(ui, rect_cut_top(&inner, done), 20 * u, remedy, 1, false);
    rect_cut_top(&box, 14 * u);
    struct code_view const code = code_now(drawing, &view, 0);
    if (*code.source)
        action_ask(drawing->actions, card_code(&view, box, &code));
}

/* Draws the stage, or two of them if two runs are compared. */
static void draw_picture(struct drawing *drawing, struct view *view, struct rect box)
{
    const struct document *document = drawing->document;
    if (drawing->bug_stage) {
        draw_bug_code(drawing, view, rect_inset(box, 16 * drawing->ui->unit, 10 * drawing->ui->unit));
        return;
    }
    drawing->bug_shown = drawing->bug_told = false; /* while the room is measured */
    drawing->bug_shown = document_bug(document) && document_answered(document) && draw_bug_answer(drawing, view, &box);
    if (document->above && document->has_other && !document_covered(document))
        draw_both(drawing, view, box);
    else
        draw_stage(drawing, view, box, NULL);
}

static void draw_file(struct drawing *drawing, struct view *view, const struct layout *layout)
{
    if (!layout->compact)
        draw_file_side(drawing, view, layout->side);
    struct rect stage = layout->stage;
    draw_stale_words(drawing, &stage);
    struct rect const whole = stage;
    draw_program_strip(drawing, view, &stage);
    draw_picture(drawing, view, stage);
    draw_stale_veil(drawing, whole);
    draw_timeline(drawing, view, layout->timeline);
}

/* Draws the bar with the buttons to other steps. It continues the timeline or, with the tabs of pages, is below it. */
static void steps_bar(struct drawing *drawing, struct rect box, const struct deck *deck, bool pages)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, hairline(ui),
              ui_color(ui, COLOR_EDGE));
    float const margin = (ui->screen.w < 700 * u ? 12 : 24) * u;
    rect_cut_right(&box, margin);
    box = rect_inset(box, 0, (box.h - 40 * u) / 2);
    if (!pages) {
        if (box.x < margin) { /* below the stage, it has the whole width */
            rect_cut_left(&box, margin);
            box = rect_cut_right(&box, fminf(box.w, 520 * u));
        }
        draw_step_buttons(drawing, box);
        return;
    }
    rect_cut_left(&box, margin);
    draw_step_buttons(drawing, rect_cut_right(&box, box.w * 0.42f));
    rect_cut_right(&box, 12 * u);
    deck_tabs(drawing, box, &deck->slots[0]);
}

static void draw_lesson(struct drawing *drawing, struct view *view, const struct layout *layout)
{
    bool const pages = layout->place == DECK_PAGES;
    struct rect page = pages ? layout->stage : layout->side;
    if (pages && layout->notice.h > 0) { /* it is a part of the picture's page */
        page.h += page.y - layout->notice.y;
        page.y = layout->notice.y;
    }
    if (pages) /* a page of cards has the room of the timeline, too */
        page.h += layout->timeline.h;
    struct deck deck = deck_of(drawing, view, page, layout->place);
    bool const picture = !pages || deck_shows(&deck, PART_PICTURE);
    drawing->paged = pages;
    drawing->knobs_aside = deck_has_own(&deck, PART_KNOBS);
    drawing->time_aside = deck_shows(&deck, PART_TIME);
    if (!pages && document_bug(drawing->document) && document_answered(drawing->document)) {
        drawing->bug_aside = !bug_answer_fits(drawing, view, layout->stage);
        deck = deck_of(drawing, view, page, layout->place); /* whose words are more now */
    }
    drawing->code_stage =
        !pages && document_asks_cells(drawing->document) &&
        draw_stage_spare(drawing, view, layout->stage) >= fmaxf(230 * drawing->ui->unit, layout->stage.h / 2);
    if (!pages || !picture)
        deck_draw(drawing, view, &deck);
    if (picture) {
        if (layout->notice.h > 0)
            draw_notice(drawing, layout->notice, layout->notice_text, layout->notice_bad);
        draw_picture(drawing, view, layout->stage);
        draw_timeline(drawing, view, layout->timeline);
    }
    steps_bar(drawing, layout->steps, &deck, pages);
    deck_read_on(drawing, &deck);
}

void screen_document(struct drawing *drawing)
{
    const struct document *document = drawing->document;
    struct layout layout = layout_of(drawing);
    drawing->compact = layout.compact;
    drawing->bug_stage = drawing_lesson(drawing) && document_asks_line(document) && !layout.compact &&
                         layout.stage.h >= 300 * drawing->ui->unit;
    drawing->code_stage = false;
    drawing->bug_shown = drawing->bug_told = drawing->bug_aside = false; /* until their room is known */
    drawing->hot_next = 0;
    draw_top_bar(drawing, layout.top);
    bool const lesson_run = drawing_lesson(drawing) && document->playback; /* it has the notice above its picture */
    if (layout.notice.h > 0 && !lesson_run)
        draw_notice(drawing, layout.notice, layout.notice_text, layout.notice_bad);
    if (document->file.refused) {
        layout.stage.h += layout.timeline.h;
        draw_refused(drawing, &layout);
        return;
    }
    if (document->program && !document->playback) {
        struct view plain = {.ui = drawing->ui, .arena = drawing->arena};
        if (document->program->run)
            draw_program(drawing, &plain, layout.stage, layout.side, layout.timeline);
        else
            draw_program_work(drawing, drawing->ui->screen);
        return;
    }
    if (!document->playback) {
        draw_nothing(drawing, &layout);
        return;
    }
    struct scene scene;
    document_scene(document, drawing->playhead, drawing->arena, &scene);
    playhead_motion(drawing->playhead, &scene);
    struct view view = {.ui = drawing->ui,
                        .arena = drawing->arena,
                        .scene = &scene,
                        .still_arrows = drawing->playhead->reduced_motion,
                        .fault = document_finding_lanes(document, drawing->playhead),
                        .hot = drawing->hot,
                        .pinned = document->pinned,
                        .way = way_words(drawing, &scene),
                        .hot_next = &drawing->hot_next,
                        .shown = drawing->shown};
    if (drawing_lesson(drawing))
        draw_lesson(drawing, &view, &layout);
    else
        draw_file(drawing, &view, &layout);
}
