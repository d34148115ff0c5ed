/* The right column: what is said or asked, the code, the measured time, the knobs. When there is not room for all of
 * it at its best, the code is shown in fewer lines first, then the time in one bar, then the words smaller, then half
 * of them at a time; nothing is cut. */
#include "app/state.h"
#include "run/signature.h"
#include <math.h>
#include <string.h>

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
    if (memcmp(&guess->setting, &app->open.setting, sizeof guess->setting) != 0)
        return NULL; /* the knobs were turned since: the guess was about another run */
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

/* The last paragraph of the words as one line: where there is no room for more than a sentence. */
const char *beat_last_words(struct app *app)
{
    struct words_view words = words_now(app);
    const char *line = "";
    for (size_t i = 0; words.count && i < words.paragraphs[words.count - 1].span_count; i++)
        line = arena_format(&app->frame, "%s%s", line, words.paragraphs[words.count - 1].spans[i].text);
    return line;
}

static struct question_view question_now(struct app *app, bool large)
{
    const struct lesson_beat *beat = app_beat(app);
    const char **choices = arena_array(&app->frame, const char *, (size_t)beat->choice_count);
    for (int i = 0; i < beat->choice_count; i++)
        choices[i] = arena_format(&app->frame, "%g", beat->choices[i]);
    return (struct question_view){
        .choices = choices, .count = beat->choice_count, .chosen = app_guess(app)->chosen, .large = large};
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

static void draw_question(struct app *app, struct view *view, struct rect box, bool large)
{
    struct question_view question = question_now(app, large);
    use_answer(app, panel_question(view, box, &question));
}

static float question_height(struct app *app, struct view *view, float width, bool large)
{
    struct question_view question = question_now(app, large);
    return panel_question_height(view, width, &question);
}

static struct ui_span *sheet_spans(struct app *app, const struct text_paragraph *paragraph, bool bold)
{
    struct ui_span *spans = arena_array(&app->frame, struct ui_span, paragraph->span_count + 1);
    for (size_t i = 0; i < paragraph->span_count; i++) {
        enum text_style style = paragraph->spans[i].style;
        enum font_role role = style == TEXT_CODE ? FONT_CODE : bold || style == TEXT_BOLD ? FONT_BOLD : FONT_TEXT;
        const char *text = paragraph->spans[i].text;
        spans[i] = (struct ui_span){role == FONT_CODE ? view_unbroken(&app->frame, text) : text, role, COLOR_TEXT};
    }
    return spans;
}

/* On a stage without a right column: the whole question where the run will be, its last sentence large. What leads to
 * it is left out when there is no room; the choices never are. */
void draw_question_sheet(struct app *app, struct view *view, struct rect box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit, gap = 14 * u;
    struct words_view words = words_now(app);
    bool large = box.h > 300 * u;
    float choices = question_height(app, view, box.w, large), all = choices;
    float *heights = arena_array(&app->frame, float, words.count + 1);
    for (size_t i = words.count; i-- > 0;) {
        bool last = i + 1 == words.count;
        float size = (last ? large ? 32 : 24 : large ? 22 : 18) * u;
        struct ui_span *spans = sheet_spans(app, &words.paragraphs[i], last);
        float height = ui_paragraph_height(ui, box.w, size, spans, words.paragraphs[i].span_count) + gap;
        if (!last && all + height > box.h)
            break;
        heights[i] = height;
        all += height;
    }
    rect_cut_top(&box, fmaxf(0, (box.h - all) * 0.4f));
    for (size_t i = 0; i < words.count; i++) {
        bool last = i + 1 == words.count;
        if (heights[i] <= 0)
            continue;
        ui_paragraph(ui, rect_cut_top(&box, heights[i]),
                     (last    ? large ? 32 : 24
                      : large ? 22
                              : 18) *
                         u,
                     sheet_spans(app, &words.paragraphs[i], last), words.paragraphs[i].span_count, false);
    }
    draw_question(app, view, box, large);
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
    words.beside = words.count > 1 ? arena_format(&app->frame, "%zu–%zu / %zu", first + 1, first + words.count, all)
                                   : arena_format(&app->frame, "%zu / %zu", first + 1, all);
    if (panel_words(view, (struct rect){box.x, box.y, box.w, fmaxf(box.h, 60 * u)}, &words))
        app->open.paragraph = last ? 0 : (int)(first + words.count);
}

static struct code_view code_now(struct app *app, const struct view *view)
{
    bool covered = app_covered(app);
    const struct trace *trace = app->playback ? app->playback->trace : NULL;
    const struct counts *counts = app->run ? &app->run->counts : &app->file.counts;
    const char *source = app->run ? app->run->source : app->file.trace ? app->file.trace->source : app->file.source;
    const char *name = app->run          ? app->run->source_name
                       : app->file.trace ? signature_name(&app->frame, app->file.trace->kernel)
                                         : app->file.name;
    uint32_t mark_count = 0;
    bool same = false;
    const char *foot = covered ? NULL : app_machine_words(app, &same);
    const struct code_mark *marks = app_marks(app, &mark_count);
    return (struct code_view){.source = source ? source : "",
                              .name = name ? name : "",
                              .marks = marks,
                              .mark_count = covered ? 0 : mark_count,
                              .foot = foot,
                              .foot_good = same,
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
    time.why = app_time_why(app, bars, time.count);
    time.busy = app->measuring.started;
    int variant = app_measurable(app);
    if (variant == app->open.setting.variant)
        time.measure = _("Measure now");
    else if (variant >= 0)
        time.measure =
            arena_format(&app->frame, _("Measure %s"), app->open.lesson->variants[variant].label[app->language]);
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

/* Takes from a height, down to least, what the column is too high by. */
static void give(const struct side_heights *h, float *height, float least, float room, float gap)
{
    *height -= fmaxf(0, fminf(total(h, gap) - room, *height - least));
}

/* Nothing at all, with its gap, when the column is still too high. */
static void leave_out(const struct side_heights *h, float *height, float room, float gap)
{
    if (total(h, gap) > room + 0.5f)
        *height = 0;
}

/* The words, whole at the smaller size, and half of them at a time. */
struct words_least {
    float whole, half;
};

/* Gives up height where it hurts least. */
static void fit_heights(struct app *app, struct side_heights *h, float room, float gap, const struct words_least *words,
                        int bars)
{
    float u = app->ui.unit;
    const struct lesson *lesson = app->open.lesson;
    int const knob_rows = lesson->knob_count + (lesson->variant_count > 1);
    struct side_heights const best = *h;
    float const least_code = fminf(h->code, (24 + 25 * 3) * u); /* three lines, no title */
    bool const clock = h->time > 0 && app_speaks_of_time(app);
    give(h, &h->code, fmaxf(least_code, 250 * u), room, gap);
    give(h, &h->knobs, (22 + 36 * (float)knob_rows) * u, room, gap);
    give(h, &h->code, least_code, room, gap);
    if (h->time > 0) /* the note goes, and where the step is not about the clock the other bars */
        give(h, &h->time, clock ? (58 + 34 * (float)bars) * u : 92 * u, room, gap);
    give(h, &h->words, words->whole, room, gap);
    if (clock) {
        leave_out(h, &h->knobs, room, gap);
        leave_out(h, &h->code, room, gap);
    } else
        leave_out(h, &h->time, room, gap);
    if (total(h, gap) > room + 0.5f)
        h->words = words->half;
    leave_out(h, &h->time, room, gap);
    float const spare = room - total(h, gap);
    if (spare > 0 && h->time > 0 && clock)
        h->time = fminf(best.time, h->time + spare);
    float const larger = best.words - h->words; /* where the words are whole, but small */
    if (h->code > 0 && h->words >= words->whole && larger > room - total(h, gap))
        h->code += fmaxf(0, fminf(best.code - h->code, room - total(h, gap)));
    h->words += fmaxf(0, fminf(best.words - h->words, room - total(h, gap)));
    if (h->code > 0)
        h->code += fmaxf(0, fminf(best.code - h->code, room - total(h, gap)));
}

/* What the words need; the half is the better of all ways to part their paragraphs in two. */
static struct words_least least_words(struct view *view, float width, struct words_view words)
{
    const struct text_paragraph *paragraphs = words.paragraphs;
    size_t const count = words.count;
    words.size = text_caption(view->ui);
    struct words_least least = {.whole = panel_words_height(view, width, &words)};
    least.half = least.whole;
    words.button = _("More");
    for (size_t first = 1; first < count; first++) {
        struct words_view top = words, rest = words;
        top.count = first;
        top.hint = NULL;
        rest.paragraphs = paragraphs + first;
        rest.count = count - first;
        least.half =
            fminf(least.half, fmaxf(panel_words_height(view, width, &top), panel_words_height(view, width, &rest)));
    }
    return least;
}

void draw_time(struct app *app, struct view *view, struct rect box)
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

/* A card of plain text: a title, a paragraph, and one in the code's font. Returns its height. */
static float text_card(struct app *app, struct rect box, const char *title, const char *words, const char *code,
                       bool measure)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    struct rect inner = rect_inset(box, 18 * u, 10 * u);
    struct ui_span spans[2] = {{words, FONT_TEXT, COLOR_TEXT}, {code, FONT_CODE, COLOR_TEXT}};
    float top = 26 * u, y = top;
    if (!measure) {
        ui_card(ui, box);
        ui_label(ui, (struct rect){inner.x, inner.y, inner.w, top}, FONT_BOLD, text_caption(ui), UI_LEFT,
                 ui_color(ui, COLOR_TEXT_DIM), title);
    }
    for (int i = 0; i < 2; i++)
        if (*spans[i].text)
            y += ui_paragraph(ui, (struct rect){inner.x, inner.y + y, inner.w, inner.h - y}, text_caption(ui),
                              &spans[i], 1, measure) +
                 4 * u;
    return y + 20 * u;
}

struct side_card {
    const char *title, *words, *code;
    float height;
};

/* An option and its value stay on one line: no-break spaces between them. */
static const char *unbroken_options(struct arena *arena, const char *options)
{
    const char *out = "", *option;
    while ((option = strstr(options, "--"))) {
        size_t const end = (size_t)(option - options) + strcspn(option, " ");
        size_t const value = options[end] ? end + 1 + strcspn(options + end + 1, " ") : end;
        out = arena_format(arena, "%s%s", out, view_unbroken(arena, arena_text_n(arena, options, value)));
        options += value;
        if (*options)
            out = arena_format(arena, "%s ", out);
        options += *options == ' ';
    }
    return arena_format(arena, "%s%s", out, options);
}

/* What is said of a file's launch: that nobody said how, and where nothing wrong was found. */
static const char *launch_words(struct app *app)
{
    const struct open_file *file = &app->file;
    struct report const report = app_report(app);
    const char *words = file->assumed ? _("Nobody said how to launch it. A comment \"// lanescope:\" with the options "
                                          "below, changed to what is true, does.")
                                      : "";
    if (!file->run || file->run->executor != EXECUTOR_EMULATOR || report_count(&report))
        return words;
    const char *checked =
        arena_format(&app->frame, _("Checked %s: no bad access, no read of what nobody wrote, no race."),
                     report_scope(&app->frame, &report));
    return *words ? arena_format(&app->frame, "%s %s", words, checked) : checked;
}

/* Below the code: how it was launched, and what it printed. */
static int trace_cards(struct app *app, float width, struct side_card cards[2])
{
    const struct open_file *file = &app->file;
    int count = 0;
    struct rect room = {0, 0, width, 1e6f};
    if (file->run && *file->run->output)
        cards[count++] = (struct side_card){.title = _("OUTPUT"), .words = "", .code = file->run->output};
    if (file->launch)
        cards[count++] = (struct side_card){.title = file->assumed ? _("LAUNCH · assumed") : _("LAUNCH"),
                                            .words = launch_words(app),
                                            .code = unbroken_options(&app->frame, file->launch)};
    for (int i = 0; i < count; i++)
        cards[i].height = text_card(app, room, cards[i].title, cards[i].words, cards[i].code, true);
    return count;
}

static void trace_side(struct app *app, struct view *view, struct rect box)
{
    float u = app->ui.unit, gap = 12 * u;
    struct report const report = app_report(app);
    struct report_view const shown = {&report, app->finding};
    struct code_view code = code_now(app, view);
    struct side_card cards[2];
    int card_count = trace_cards(app, box.w, cards);
    float least_code = fminf(panel_code_height(view, box.w, &code), (26 + 24 + 25 * 6) * u);
    if (report_count(&report)) {
        float height = fminf(panel_report_height(view, box.w, &shown), box.h - least_code - gap);
        int clicked = panel_report(view, rect_cut_top(&box, height), &shown);
        rect_cut_top(&box, gap);
        if (clicked >= 0)
            app_go_finding(app, clicked, 0);
    }
    for (int i = card_count - 1; i >= 0; i--) {
        if (box.h - cards[i].height - gap < least_code)
            continue;
        text_card(app, rect_cut_bottom(&box, cards[i].height), cards[i].title, cards[i].words, cards[i].code, false);
        rect_cut_bottom(&box, gap);
    }
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
    float asking = covered ? question_height(app, view, box.w - 36 * u, false) + 6 * u : 0;
    struct side_heights h = {.words = panel_words_height(view, box.w, &words) + asking};
    h.code = *code.source ? panel_code_height(view, box.w, &code) : 0;
    h.time = covered ? 0 : panel_time_height(view, &time, box.w);
    h.knobs = covered ? 0 : panel_knobs_height(view, app->open.lesson);
    if (time.why && total(&h, gap) > box.h) { /* its words come when "why?" is pointed at */
        time.why = NULL;
        h.time = panel_time_height(view, &time, box.w);
    }
    if (total(&h, gap) - fmaxf(0, h.code - 250 * u) < box.h - 40 * u) { /* room for larger words */
        words.size = 20 * u;
        h.words = panel_words_height(view, box.w, &words) + asking;
    }
    struct words_least least = least_words(view, box.w, words);
    least.whole += asking;
    least.half += asking;
    fit_heights(app, &h, box.h, gap, &least, time.count);
    struct rect card = rect_cut_top(&box, h.words);
    rect_cut_top(&box, gap);
    if (covered) {
        struct rect text = card;
        ui_card(view->ui, card);
        words.bare = true;
        struct rect ask = rect_inset(rect_cut_bottom(&text, asking), 18 * u, 0);
        draw_words(app, view, text, words);
        draw_question(app, view, ask, false);
    } else
        draw_words(app, view, card, words);
    if (h.code > 0) {
        struct rect at = rect_cut_top(&box, h.code);
        rect_cut_top(&box, gap);
        draw_code(app, view, at, at.h < (26 + 24 + 25 * 3) * u ? 3 : 0);
    }
    if (h.time > 0) {
        struct rect at = rect_cut_top(&box, h.time);
        rect_cut_top(&box, gap);
        draw_time(app, view, at);
    }
    app->knobs_aside = h.knobs > 0;
    if (h.knobs > 0)
        draw_knobs(app, view, rect_cut_top(&box, fminf(h.knobs, box.h)));
}
