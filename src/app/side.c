/* The right column: what is said or asked, the code, the measured time, the knobs. When there is not room for all of
 * it at its best, the code is shown in fewer lines first, then the time in one bar, then the words a few paragraphs at
 * a time; nothing is cut. */
#include "app/state.h"
#include <math.h>
#include <stdio.h>

static const char *step_title(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    const struct guess *guess = app_guess(app);
    int step = app->open.beat + 1;
    if (beat->kind == BEAT_ASK && app_covered(app))
        return arena_format(&app->frame, _("STEP %d · PREDICT"), step);
    if (beat->kind == BEAT_ASK && guess->committed)
        return arena_format(&app->frame, _("STEP %d · YOU GUESSED %g"), step, beat->choices[guess->chosen]);
    if (beat->kind == BEAT_ASK && guess->voted)
        return arena_format(&app->frame, _("STEP %d · THE CLASS VOTED"), step);
    if (beat->kind == BEAT_TASK)
        return arena_format(&app->frame, app_task_done(app) ? _("STEP %d · TASK DONE ✓") : _("STEP %d · TASK"), step);
    return arena_format(&app->frame, _("STEP %d"), step);
}

/* "right" or what the run says instead, next to the guess. */
const char *beat_verdict(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    const struct guess *guess = app_guess(app);
    if (beat->kind == BEAT_TASK && !app_task_done(app))
        return _("Not there yet: turn the knobs.");
    if (beat->kind != BEAT_ASK || app_covered(app) || !guess->committed)
        return NULL;
    double value = 0;
    if (!app->run || !run_evaluate(app->run, app->open.lesson, &app->open.setting, beat->answer, &value, NULL))
        return NULL;
    double chosen = beat->choices[guess->chosen];
    if (fabs(value - chosen) < 1e-9)
        return arena_format(&app->frame, _("You guessed %g, and so it is."), chosen);
    return arena_format(&app->frame, _("You guessed %g; the run says %g."), chosen, value);
}

/* The words that are to be read now: the question, or after it the answer. */
static struct words_view words_now(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    bool after = (beat->kind == BEAT_ASK && !app_covered(app)) || (beat->kind == BEAT_TASK && app_task_done(app));
    struct lesson_text text = app_fill_words(
        app, after && beat->after[app->language].count ? &beat->after[app->language] : &beat->words[app->language]);
    return (struct words_view){.title = step_title(app),
                               .paragraphs = text.paragraphs,
                               .count = text.count,
                               .hint = beat_verdict(app),
                               .size = text_body(&app->ui)};
}

static struct question_view question_now(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    const char **choices = arena_array(&app->frame, const char *, (size_t)beat->choice_count);
    for (int i = 0; i < beat->choice_count; i++)
        choices[i] = arena_format(&app->frame, "%g", beat->choices[i]);
    return (struct question_view){.choices = choices, .count = beat->choice_count, .chosen = app_guess(app)->chosen};
}

static void use_answer(struct app *app, int answer)
{
    if (answer >= 0)
        app_guess(app)->chosen = answer;
    else if (answer == QUESTION_COMMIT)
        app_commit(app);
    else if (answer == QUESTION_CLASS || answer == QUESTION_SKIP)
        app_skip(app, answer == QUESTION_CLASS);
}

void draw_question(struct app *app, struct view *view, struct rect box)
{
    struct question_view question = question_now(app);
    use_answer(app, panel_question(view, box, &question));
}

/* On a stage without a right column: the whole question where the run will be, its last sentence large. */
void draw_question_sheet(struct app *app, struct view *view, struct rect box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    struct words_view words = words_now(app);
    float choices = question_height(app, view, box.w), used = 0;
    for (size_t i = 0; i < words.count; i++) {
        bool last = i + 1 == words.count;
        const struct text_paragraph *paragraph = &words.paragraphs[i];
        struct ui_span *spans = arena_array(&app->frame, struct ui_span, paragraph->span_count + 1);
        for (size_t s = 0; s < paragraph->span_count; s++)
            spans[s] = (struct ui_span){paragraph->spans[s].text,
                                        paragraph->spans[s].style == TEXT_CODE           ? FONT_CODE
                                        : last || paragraph->spans[s].style == TEXT_BOLD ? FONT_BOLD
                                                                                         : FONT_TEXT,
                                        COLOR_TEXT};
        float size = last ? 24 * u : text_body(ui);
        float height = ui_paragraph_height(ui, box.w, size, spans, paragraph->span_count);
        if (!last && used + height + choices + 70 * u > box.h)
            continue; /* the question itself is its last paragraph */
        ui_paragraph(ui, box, size, spans, paragraph->span_count, false);
        rect_cut_top(&box, height + 10 * u);
        used += height + 10 * u;
    }
    rect_cut_top(&box, 4 * u);
    draw_question(app, view, box);
}

float question_height(struct app *app, struct view *view, float width)
{
    struct question_view question = question_now(app);
    return panel_question_height(view, width, &question);
}

/* As many paragraphs as fit from the first one shown; a button leads to the rest and round again. */
static void draw_words(struct app *app, struct view *view, struct rect box, struct words_view words)
{
    float u = app->ui.unit;
    if (panel_words_height(view, box.w, &words) <= box.h + 1) {
        app->open.paragraph = 0;
        panel_words(view, box, &words);
        return;
    }
    words.size = text_caption(&app->ui);
    if (panel_words_height(view, box.w, &words) <= box.h + 1) {
        app->open.paragraph = 0;
        panel_words(view, box, &words);
        return;
    }
    size_t all = words.count, first = (size_t)app->open.paragraph < all ? (size_t)app->open.paragraph : 0;
    const char *hint = words.hint;
    words.paragraphs += first;
    words.count = 1;
    words.hint = NULL;
    words.button = _("More");
    while (first + words.count < all) {
        words.count++;
        if (panel_words_height(view, box.w, &words) <= box.h)
            continue;
        words.count--;
        break;
    }
    bool last = first + words.count >= all;
    if (last) {
        words.hint = hint;
        if (hint && panel_words_height(view, box.w, &words) > box.h)
            words.hint = NULL;
        words.button = first ? _("From the top") : NULL;
    }
    words.beside = arena_format(&app->frame, "%zu–%zu / %zu", first + 1, first + words.count, all);
    if (panel_words(view, (struct rect){box.x, box.y, box.w, fmaxf(box.h, 60 * u)}, &words))
        app->open.paragraph = last ? 0 : (int)(first + words.count);
}

static struct code_view code_now(struct app *app, const struct view *view)
{
    bool covered = app_covered(app);
    const struct trace *trace = app->playback ? app->playback->trace : NULL;
    const struct counts *counts = app->run ? &app->run->counts : &app->file_counts;
    const char *source = app->run ? app->run->source : app->file_trace ? app->file_trace->source : NULL;
    const char *name = app->run ? app->run->source_name : app->file_trace ? app->file_trace->kernel : NULL;
    return (struct code_view){.source = source ? source : "",
                              .name = name ? name : "",
                              .trace = trace,
                              .counts = covered || !trace ? NULL : counts,
                              .line = view->scene ? view->scene->line : 0,
                              .filter = app->filter};
}

void draw_code(struct app *app, struct view *view, struct rect box, int strip)
{
    struct code_view code = code_now(app, view);
    code.strip = strip;
    if (!*code.source)
        return;
    uint32_t line = panel_code(view, box, &code);
    if (line)
        app->filter = app->filter == line ? 0 : line;
}

static struct time_view time_now(struct app *app, struct time_bar bars[4])
{
    struct time_view time = {.bars = bars, .count = app_time_bars(app, bars)};
    const struct lesson_variant *variant = &app->open.lesson->variants[app->open.setting.variant];
    time.busy = app->measuring.started;
    time.can_measure = variant->host || (app->run && app->run->executor == RUN_GPU);
    return time;
}

struct side_heights {
    float words, code, time, knobs;
};

static float total(const struct side_heights *h, float gap)
{
    int cards = (h->words > 0) + (h->code > 0) + (h->time > 0) + (h->knobs > 0);
    return h->words + h->code + h->time + h->knobs + gap * (float)(cards - 1);
}

/* Gives up height where it hurts least. */
static void fit_heights(struct app *app, struct side_heights *h, float room, float gap, bool has_code, int knob_rows)
{
    float u = app->ui.unit;
    float least_code = has_code ? (26 + 24 + 25 * 3) * u : 0;
    float over = total(h, gap) - room;
    if (over > 0) {
        float give = fminf(over, fmaxf(0, h->code - fmaxf(least_code, 250 * u)));
        h->code -= give;
        over -= give;
    }
    if (over > 0 && knob_rows) {
        float least = (30 + 40 * (float)knob_rows) * u;
        float give = fminf(over, fmaxf(0, h->knobs - least));
        h->knobs -= give;
        over -= give;
    }
    if (over > 0) {
        float give = fminf(over, fmaxf(0, h->code - least_code));
        h->code -= give;
        over -= give;
    }
    if (over > 0 && h->time > 0) { /* the other bars and the note go */
        float give = fmaxf(0, h->time - 92 * u);
        give = over < give ? over : give;
        h->time -= give;
        over -= give;
    }
    if (over > 0 && h->time > 0 && h->words - over < 190 * u) {
        over -= h->time + gap;
        h->time = 0;
    }
    if (over > 0)
        h->words = fmaxf(120 * u, h->words - over);
}

static void draw_time(struct app *app, struct view *view, struct rect box)
{
    struct time_bar bars[4];
    struct time_view time = time_now(app, bars);
    if (panel_time(view, box, &time))
        app_measure(app);
}

static void draw_knobs(struct app *app, struct view *view, struct rect box)
{
    struct lesson_setting before = app->open.setting;
    if (!panel_knobs(view, box, app->open.lesson, app->language, &app->open.setting, app->open.knob))
        return;
    for (int k = 0; k < app->open.lesson->knob_count; k++)
        if (before.value[k] != app->open.setting.value[k])
            app->open.knob = k;
    app_changed_setting(app, &before);
}

static void trace_side(struct app *app, struct view *view, struct rect box)
{
    draw_code(app, view, box, 0);
}

void draw_side(struct app *app, struct view *view, struct rect box)
{
    float u = app->ui.unit, gap = 12 * u;
    if (app->screen == SCREEN_TRACE) {
        trace_side(app, view, box);
        return;
    }
    struct words_view words = words_now(app);
    struct code_view code = code_now(app, view);
    struct time_bar bars[4];
    struct time_view time = time_now(app, bars);
    bool covered = app_covered(app);
    struct side_heights h = {.words = panel_words_height(view, box.w, &words)};
    float asking = covered ? question_height(app, view, box.w - 36 * u) + 6 * u : 0;
    h.words += asking;
    h.code = *code.source ? panel_code_height(view, &code) : 0;
    h.time = covered ? 0 : panel_time_height(view, &time, box.w);
    h.knobs = covered ? 0 : panel_knobs_height(view, app->open.lesson);
    int rows = app->open.lesson->knob_count + (app->open.lesson->variant_count > 1);
    fit_heights(app, &h, box.h, gap, h.code > 0, covered ? 0 : rows);
    struct rect card = rect_cut_top(&box, h.words);
    rect_cut_top(&box, gap);
    if (covered) {
        struct rect text = card;
        ui_card(view->ui, card);
        words.bare = true;
        struct rect ask = rect_inset(rect_cut_bottom(&text, asking), 18 * u, 0);
        draw_words(app, view, text, words);
        draw_question(app, view, ask);
    } else
        draw_words(app, view, card, words);
    if (h.code > 0) {
        struct rect at = rect_cut_top(&box, h.code);
        rect_cut_top(&box, gap);
        draw_code(app, view, at, 0);
    }
    if (h.time > 0) {
        struct rect at = rect_cut_top(&box, h.time);
        rect_cut_top(&box, gap);
        draw_time(app, view, at);
    }
    if (h.knobs > 0)
        draw_knobs(app, view, rect_cut_top(&box, fminf(h.knobs, box.h)));
}
