/* The presenter's view: notes, what the class is asked with its votes, the next step, the clock. */
#include "screen/presenter.h"
#include "lesson/lesson_run.h"
#include "screen/screen.h"
#include "screen/side/deck.h"
#include "screen/side/side.h"
#include "view/cards/cards.h"
#include <math.h>
#include <string.h>

/* Returns the words in the largest size, from `largest` down, at which they fit. */
static struct words_view fitted(const struct view *view, struct rect box, struct words_view words, float largest)
{
    float const least = fminf(largest, view->ui->minimum_text);
    for (words.size = largest; words.size > least; words.size = fmaxf(least, words.size - 1))
        if (card_words_height(view, box.w, &words) <= box.h)
            break;
    return words;
}

/* Draws the words in the box; what has no room even in the smallest size is left out line by line. */
static void draw_words(struct view *view, struct rect box, const struct words_view *words, float largest)
{
    struct words_view const shown = fitted(view, box, *words, largest);
    ui_window(view->ui, box);
    card_words(view, box, &shown);
    ui_window_end(view->ui);
}

static struct lesson_text both(struct arena *arena, struct lesson_text first, struct lesson_text second)
{
    struct text_paragraph *all = arena_array(arena, struct text_paragraph, first.count + second.count + 1);
    for (size_t i = 0; i < first.count + second.count; i++)
        all[i] = i < first.count ? first.paragraphs[i] : second.paragraphs[i - first.count];
    return (struct lesson_text){all, first.count + second.count};
}

/* Draws the notes on the step; with the first step also those on the whole lesson. */
static void draw_notes(struct drawing *drawing, struct view *view, struct rect box)
{
    const struct document *document = drawing->document;
    const struct lesson *lesson = document->lesson;
    enum language const language = drawing->preferences->language;
    struct arena *arena = drawing->arena;
    struct lesson_text text = document_fill_words(document, arena, &document_beat(document)->notes[language]);
    if (document->beat == 0)
        text = both(arena, lesson->notes[language], text);
    struct text_span const none = {
        .text = arena_format(arena, _("There are no notes on this step. They would stand in %s/notes.%s.md."),
                             lesson->folder, language == LANGUAGE_KO ? "ko" : "en")};
    struct text_paragraph const alone = {.spans = &none, .span_count = 1};
    if (!text.count)
        text = (struct lesson_text){&alone, 1};
    struct words_view const words = {.title = arena_format(arena, _("NOTES · STEP %d OF %d · %s"), document->beat + 1,
                                                           lesson->beat_count,
                                                           beat_full_name(drawing, document_beat(document))),
                                     .paragraphs = text.paragraphs,
                                     .count = text.count};
    draw_words(view, box, &words, 30 * drawing->ui->unit);
}

/* ---- the votes ---- */

static bool is_right(const struct drawing *drawing, int choice)
{
    double value;
    return document_answer(drawing->document, &value) &&
           fabs(value - document_beat(drawing->document)->choices[choice]) < 1e-9;
}

/* Draws - or + and returns whether it was used. */
static bool step_button(struct ui *ui, struct rect *row, const char *sign, int choice, const char *tip)
{
    struct rect box = rect_cut_right(row, 40 * ui->unit);
    box = rect_inset(box, 3 * ui->unit, fmaxf(0, (box.h - 34 * ui->unit) / 2));
    ui_tip(ui, box, "%s", tip);
    return ui_button(ui, ui_id_child(ui_id_text(sign), (uint32_t)choice), box, sign, false);
}

static void vote_row(struct drawing *drawing, struct rect row, const struct presenter *presenter, int choice, int total)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    int const votes = document_guess(drawing->document)->votes[choice];
    bool const chosen = presenter->choice == choice && document_asks(drawing->document);
    draw_fill(&ui->draw, row, 5 * u, ui_color(ui, COLOR_BAR));
    if (votes && total) {
        struct rect share = row;
        share.w *= (float)votes / (float)total;
        draw_fill(&ui->draw, share, 5 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    }
    draw_outline(&ui->draw, row, 5 * u, fmaxf(1, (chosen ? 2.5f : 1) * u),
                 ui_color(ui, chosen ? COLOR_ACCESS : COLOR_EDGE));
    struct rect inner = rect_inset(row, 8 * u, 0);
    if (step_button(ui, &inner, "+", choice, _("one vote more")))
        action_ask(drawing->actions, (struct action){.kind = ACTION_VOTE, .value = choice, .other = votes + 1});
    if (step_button(ui, &inner, "−", choice, _("one vote less")) && votes)
        action_ask(drawing->actions, (struct action){.kind = ACTION_VOTE, .value = choice, .other = votes - 1});
    ui_label(ui, rect_cut_right(&inner, 56 * u), FONT_BOLD, 22 * u, UI_RIGHT, ui_color(ui, COLOR_TEXT),
             arena_format(drawing->arena, "%d", votes));
    rect_cut_right(&inner, 12 * u);
    ui_label(ui, rect_cut_left(&inner, 26 * u), FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, COLOR_ACCESS),
             is_right(drawing, choice) ? "✓" : "");
    struct ui_span const label = {choice_label(drawing, choice), FONT_TEXT, COLOR_TEXT};
    float size = 20 * u;
    while (size > ui->minimum_text && ui_paragraph_height(ui, inner.w, size, &label, 1) > inner.h)
        size = fmaxf(ui->minimum_text, size - 1);
    float const height = ui_paragraph_height(ui, inner.w, size, &label, 1);
    if (height > inner.h) { /* one line, cut: the other window has all of it */
        ui_label(ui, inner, FONT_TEXT, size, UI_LEFT, ui_color(ui, COLOR_TEXT), label.text);
    } else {
        struct rect text = inner;
        rect_cut_top(&text, (inner.h - height) / 2);
        ui_paragraph(ui, text, size, &label, 1, false);
    }
    if (ui_area(ui, ui_id_child(ui_id_text("votes"), (uint32_t)choice), inner))
        drawing_ask(drawing, ACTION_CHOOSE_VOTE, choice);
}

static float votes_height(const struct drawing *drawing)
{
    int const count = document_beat(drawing->document)->choice_count;
    return count ? ((float)count * 54 + 34) * drawing->ui->unit : 0;
}

static void draw_votes(struct drawing *drawing, struct rect box, const struct presenter *presenter)
{
    struct ui *ui = drawing->ui;
    const struct guess *guess = document_guess(drawing->document);
    int const count = document_beat(drawing->document)->choice_count;
    int total = 0;
    for (int i = 0; i < count; i++)
        total += guess->votes[i];
    struct rect const foot = rect_cut_bottom(&box, 34 * ui->unit);
    float const height = box.h / (float)count, gap = fminf(6 * ui->unit, height * 0.12f);
    for (int i = 0; i < count; i++) {
        struct rect row = rect_cut_top(&box, height);
        row.h -= gap;
        vote_row(drawing, row, presenter, i, total);
    }
    const char *words = total == 0 ? _("Votes: type a number, then ↓, or use + and −.")
                                   : arena_format(drawing->arena, _("Votes: %d. PageDown shows the run."), total);
    if (total && !document_asks(drawing->document))
        words = arena_format(drawing->arena, _("Votes: %d."), total);
    ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
}

/* Draws what the class sees in words: the question with its answers, or the text of the step. */
static void draw_class(struct drawing *drawing, struct view *view, struct rect box, const struct presenter *presenter)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    bool const asks = document_asks(drawing->document);
    struct words_view words = words_now(drawing);
    if (asks && words.count) { /* its last paragraph asks */
        words.paragraphs += words.count - 1;
        words.count = 1;
    }
    words.title = asks ? _("THE CLASS IS ASKED") : _("THE CLASS READS");
    words.hint = NULL;
    words.bare = true;
    ui_card(ui, box);
    struct rect votes = rect_cut_bottom(&box, fminf(votes_height(drawing), fmaxf(box.h * 0.5f, box.h - 120 * u)));
    draw_words(view, box, &words, 22 * u);
    if (votes.h > 0)
        draw_votes(drawing, rect_inset(votes, 18 * u, 0), presenter);
}

/* ---- the next step ---- */

static bool has_braces(const struct text_paragraph *paragraph)
{
    for (size_t i = 0; i < paragraph->span_count; i++)
        if (strchr(paragraph->spans[i].text, '{'))
            return true;
    return false;
}

/* Returns the paragraphs of the step's words that need no run: the next step has none yet. */
static struct lesson_text coming_words(const struct drawing *drawing, int beat)
{
    const struct lesson *lesson = drawing->document->lesson;
    struct lesson_setting setting = lesson_defaults(lesson);
    lesson_apply_sets(&setting, lesson->beats[beat].sets, lesson->beats[beat].set_count);
    struct lesson_text const text = run_fill_words(NULL, lesson, &setting, drawing->arena,
                                                   &lesson->beats[beat].words[drawing->preferences->language]);
    struct text_paragraph *known = arena_array(drawing->arena, struct text_paragraph, text.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < text.count; i++)
        if (!has_braces(&text.paragraphs[i]))
            known[count++] = text.paragraphs[i];
    return (struct lesson_text){known, count};
}

static void draw_next(struct drawing *drawing, struct view *view, struct rect box)
{
    const struct document *document = drawing->document;
    int const next = document->beat + 1;
    struct words_view words = {0};
    struct text_span span = {0};
    struct text_paragraph const alone = {.spans = &span, .span_count = 1};
    if (next < document->lesson->beat_count) {
        struct lesson_text const text = coming_words(drawing, next);
        words.paragraphs = text.paragraphs;
        words.count = text.count;
        words.title = arena_format(drawing->arena, _("NEXT · STEP %d · %s"), next + 1,
                                   beat_full_name(drawing, &document->lesson->beats[next]));
    } else {
        span.text = drawing->next_lesson ? drawing->next_lesson : _("All lessons");
        words.paragraphs = &alone;
        words.count = 1;
        words.title = drawing->next_lesson ? _("NEXT LESSON") : _("THE LAST STEP");
    }
    draw_words(view, box, &words, 20 * drawing->ui->unit);
}

/* ---- the clock ---- */

static const char *clock_words(const struct drawing *drawing, const struct presenter *presenter)
{
    const struct lesson *lesson = drawing->document->lesson;
    int const minutes = (int)fmin(presenter->seconds / 60, 9999);
    if (!lesson->minutes_in_class)
        return arena_format(drawing->arena, _("%d min"), minutes);
    double const part = presenter->seconds / (60.0 * lesson->minutes_in_class);
    int const step = (int)fmin(part * lesson->beat_count, lesson->beat_count - 1) + 1;
    return arena_format(drawing->arena, _("%d of %u min · at an even pace: step %d"), minutes, lesson->minutes_in_class,
                        step);
}

static void draw_head(struct drawing *drawing, struct rect box, const struct presenter *presenter)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
              fmaxf(1, u), ui_color(ui, COLOR_EDGE));
    box = rect_inset(box, 24 * u, 10 * u);
    float const wide = ui_text_width(ui, FONT_BOLD, text_caption(ui), _("Close")) + 36 * u;
    struct rect close = rect_cut_right(&box, wide);
    ui_tip(ui, close, "%s", _("closes the notes (A)"));
    if (ui_button(ui, ui_id_text("close notes"), close, _("Close"), false))
        drawing_ask(drawing, ACTION_PRESENTER, 0);
    rect_cut_right(&box, 16 * u);
    struct rect again = rect_cut_right(&box, ui_text_width(ui, FONT_BOLD, text_caption(ui), _("From 0")) + 36 * u);
    ui_tip(ui, again, "%s", _("the clock begins again"));
    if (ui_button(ui, ui_id_text("clock"), again, _("From 0"), false))
        drawing_ask(drawing, ACTION_RESTART_CLOCK, 0);
    rect_cut_right(&box, 16 * u);
    const char *time = clock_words(drawing, presenter);
    float const needed = ui_text_width(ui, FONT_BOLD, 22 * u, time) + 2;
    ui_label(ui, rect_cut_right(&box, fminf(needed, box.w * 0.6f)), FONT_BOLD, 22 * u, UI_RIGHT,
             ui_color(ui, COLOR_TEXT), time);
    rect_cut_right(&box, 16 * u);
    ui_label(ui, box, FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
             drawing->document->lesson->title[drawing->preferences->language]);
}

void screen_presenter(struct drawing *drawing, const struct presenter *presenter)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    struct rect all = ui->screen;
    struct view view = {.ui = ui, .arena = drawing->arena};
    if (drawing->at_list || !drawing_lesson(drawing) || !drawing->document->lesson) {
        all = rect_inset(all, 40 * u, all.h * 0.3f);
        ui_text(ui, all, FONT_TEXT, 26 * u, COLOR_TEXT_DIM,
                _("The notes follow the lesson that is opened in the other window."));
        return;
    }
    draw_head(drawing, rect_cut_top(&all, 62 * u), presenter);
    struct rect foot = rect_cut_bottom(&all, 58 * u);
    all = rect_inset(all, 24 * u, 16 * u);
    bool const narrow = all.w < 900 * u && all.h > all.w * 0.8f;
    struct rect side = narrow ? rect_cut_bottom(&all, all.h * 0.55f) : rect_cut_right(&all, all.w * 0.44f);
    if (narrow)
        rect_cut_bottom(&all, 16 * u);
    else
        rect_cut_right(&all, 20 * u);
    if (side.h > 420 * u) { /* else the question needs all the room */
        draw_next(drawing, &view, rect_cut_bottom(&side, side.h * 0.27f));
        rect_cut_bottom(&side, 16 * u);
    }
    draw_notes(drawing, &view, all);
    draw_class(drawing, &view, side, presenter);
    draw_step_buttons(drawing, rect_inset(foot, 24 * u, 8 * u));
}
