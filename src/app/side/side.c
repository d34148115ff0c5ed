/* The right column: the words or the question, the code, the measured time, the knobs. When there is too little room,
 * first the code has fewer lines, then the time has one bar, then the words are smaller, then they are shown half at a
 * time. Nothing is cut. */
#include "app/side/side.h"
#include "app/document/machine.h"
#include "run/signature.h"
#include <math.h>
#include <string.h>

static const char *const *values_of(struct arena *arena, const struct lesson_knob *knob)
{
    const char **values = arena_array(arena, const char *, (size_t)knob->value_count);
    for (int i = 0; i < knob->value_count; i++)
        values[i] = lesson_knob_value(knob, i, arena);
    return values;
}

struct knobs_view knobs_now(const struct drawing *drawing)
{
    const struct lesson *lesson = drawing->document->lesson;
    const struct lesson_setting *setting = &drawing->document->look.setting;
    struct knob_view *knobs = arena_array(drawing->arena, struct knob_view, (size_t)lesson->knob_count + 1);
    const char **variants = arena_array(drawing->arena, const char *, (size_t)lesson->variant_count);
    for (int k = 0; k < lesson->knob_count; k++)
        knobs[k] = (struct knob_view){.label = lesson->knobs[k].label[drawing->preferences->language],
                                      .unit = lesson->knobs[k].unit,
                                      .values = values_of(drawing->arena, &lesson->knobs[k]),
                                      .count = lesson->knobs[k].value_count,
                                      .at = setting->value[k]};
    for (int v = 0; v < lesson->variant_count; v++)
        variants[v] = lesson->variants[v].label[drawing->preferences->language];
    return (struct knobs_view){.variants = variants,
                               .variant_count = lesson->variant_count,
                               .variant = setting->variant,
                               .knobs = knobs,
                               .count = lesson->knob_count,
                               .current = drawing->document->knob};
}

/* Draws as many paragraphs as fit from the first one shown. A button leads to the rest and back to the top. */
static struct panel_action draw_words(struct drawing *drawing, struct view *view, struct rect box,
                                      struct words_view words)
{
    float const u = drawing->ui->unit, smaller = text_caption(drawing->ui);
    bool fits = card_words_height(view, box.w, &words) <= box.h + 1;
    if (!fits) {
        words.size = smaller;
        fits = card_words_height(view, box.w, &words) <= box.h + 1;
    }
    if (fits) {
        card_words(view, box, &words);
        return drawing->document->paragraph ? (struct panel_action){.kind = WANT_PARAGRAPH} : NOTHING_DONE;
    }
    size_t all = words.count,
           first = (size_t)drawing->document->paragraph < all ? (size_t)drawing->document->paragraph : 0;
    const char *hint = words.hint;
    words.paragraphs += first;
    words.count = 1;
    words.hint = NULL;
    words.button = _("More");
    while (first + words.count < all) {
        words.count++;
        if (card_words_height(view, box.w, &words) <= box.h)
            continue;
        words.count--;
        break;
    }
    bool last = first + words.count >= all;
    if (last) {
        words.hint = hint;
        if (hint && card_words_height(view, box.w, &words) > box.h)
            words.hint = NULL;
        words.button = first ? _("From the top") : NULL;
    }
    words.next = last ? 0 : (int)(first + words.count);
    words.beside = words.count > 1 ? arena_format(drawing->arena, "%zu–%zu / %zu", first + 1, first + words.count, all)
                                   : arena_format(drawing->arena, "%zu / %zu", first + 1, all);
    return card_words(view, (struct rect){box.x, box.y, box.w, fmaxf(box.h, 60 * u)}, &words);
}

struct code_view code_now(const struct drawing *drawing, const struct view *view, int strip)
{
    bool const asks_line = document_asks_line(drawing->document);
    bool const covered = document_covered(drawing->document) || asks_line;
    const struct trace *trace = drawing->document->playback ? drawing->document->playback->trace : NULL;
    const struct counts *counts =
        drawing->document->run ? &drawing->document->run->counts : &drawing->document->file.counts;
    const char *source = drawing->document->run          ? drawing->document->run->source
                         : drawing->document->file.trace ? drawing->document->file.trace->source
                                                         : drawing->document->file.source;
    const char *name = drawing->document->run ? drawing->document->run->source_name
                       : drawing->document->file.trace
                           ? signature_name(drawing->arena, drawing->document->file.trace->kernel)
                           : drawing->document->file.name;
    uint32_t mark_count = 0, from = 0, to = 0;
    if (asks_line) /* another kernel of the file may be the mended one */
        document_kernel_lines(drawing->document, &from, &to);
    bool same = false;
    const char *foot = covered ? NULL : machine_words(document_run(drawing->document), drawing->arena, &same);
    const struct code_mark *marks = document_marks(drawing->document, drawing->arena, &mark_count);
    return (struct code_view){.is_text = drawing->document->file.of_lesson,
                              .source = source ? source : "",
                              .name = name ? name : "",
                              .marks = marks,
                              .mark_count = covered ? 0 : mark_count,
                              .foot = foot,
                              .foot_good = same,
                              .trace = trace,
                              .counts = document_asks(drawing->document) || !trace ? NULL : counts,
                              .from = from,
                              .to = to,
                              .line = asks_line     ? document_guess(drawing->document)->line
                                      : view->scene ? view->scene->line
                                                    : 0,
                              .filter = asks_line ? 0 : drawing->playhead->filter,
                              .strip = strip};
}

struct time_view time_now(const struct drawing *drawing)
{
    struct time_bar *bars = arena_array(drawing->arena, struct time_bar, 4);
    struct lesson_setting settings[4];
    struct time_view time = {
        .bars = bars,
        .count = document_time_bars(drawing->document, drawing->arena, drawing->preferences->language, bars, settings)};
    time.why = document_time_why(drawing->document, drawing->arena, drawing->preferences->language, bars, settings,
                                 time.count);
    time.busy = drawing->document->measuring.started;
    int variant = document_measurable(drawing->document);
    if (variant == drawing->document->look.setting.variant)
        time.measure = _("Measure now");
    else if (variant >= 0)
        time.measure = arena_format(drawing->arena, _("Measure %s"),
                                    drawing->document->lesson->variants[variant].label[drawing->preferences->language]);
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

/* Reduces a height by the column's excess, but not below least. */
static void give(const struct side_heights *h, float *height, float least, float room, float gap)
{
    *height -= fmaxf(0, fminf(total(h, gap) - room, *height - least));
}

/* Sets the height to 0 if the column is still too high. */
static void leave_out(const struct side_heights *h, float *height, float room, float gap)
{
    if (total(h, gap) > room + 0.5f)
        *height = 0;
}

/* The least heights of the words: whole at the smaller size, and half at a time. */
struct words_least {
    float whole, half;
};

/* Reduces the heights in the order of importance until the column fits. */
static void fit_heights(struct drawing *drawing, struct side_heights *h, float room, float gap,
                        const struct words_least *words, int bars, float least_knobs)
{
    float u = drawing->ui->unit;
    struct side_heights const best = *h;
    float const least_code = fminf(h->code, (24 + 25 * 3) * u); /* three lines, no title */
    bool const clock = h->time > 0 && document_beat(drawing->document)->tells_time[drawing->preferences->language];
    give(h, &h->code, fmaxf(least_code, 250 * u), room, gap);
    give(h, &h->knobs, least_knobs, room, gap);
    give(h, &h->code, least_code, room, gap);
    if (h->time > 0) /* the note goes first; the other bars only if the step has no times in its words */
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
    leave_out(h, &h->code, room, gap);
    leave_out(h, &h->knobs, room, gap);
    float const spare = room - total(h, gap);
    if (spare > 0 && h->time > 0 && clock)
        h->time = fminf(best.time, h->time + spare);
    float const larger = best.words - h->words; /* if the words are whole, but small */
    if (h->code > 0 && h->words >= words->whole && larger > room - total(h, gap))
        h->code += fmaxf(0, fminf(best.code - h->code, room - total(h, gap)));
    h->words += fmaxf(0, fminf(best.words - h->words, room - total(h, gap)));
    if (h->code > 0)
        h->code += fmaxf(0, fminf(best.code - h->code, room - total(h, gap)));
}

/* Returns the least heights of the words; `half` is the best way to split their paragraphs in two. */
static struct words_least least_words(struct view *view, float width, struct words_view words)
{
    const struct text_paragraph *paragraphs = words.paragraphs;
    size_t const count = words.count;
    words.size = text_caption(view->ui);
    struct words_least least = {.whole = card_words_height(view, width, &words)};
    least.half = least.whole;
    words.button = _("More");
    for (size_t first = 1; first < count; first++) {
        struct words_view top = words, rest = words;
        top.count = first;
        top.hint = NULL;
        rest.paragraphs = paragraphs + first;
        rest.count = count - first;
        least.half =
            fminf(least.half, fmaxf(card_words_height(view, width, &top), card_words_height(view, width, &rest)));
    }
    return least;
}

/* A card of plain text: a title, a paragraph, and one in the code's font. Returns its height. */
static float text_card(struct drawing *drawing, struct rect box, const char *title, const char *words, const char *code,
                       bool measure)
{
    struct ui *ui = drawing->ui;
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

/* Returns the words about a file's launch: that it is assumed, and the scope of the checks if they found nothing. */
static const char *launch_words(struct drawing *drawing)
{
    const struct open_file *file = &drawing->document->file;
    struct report const report = document_report(drawing->document);
    const char *words = file->assumed ? _("This launch is a guess. To set it, put a comment \"// lanescope:\" with the "
                                          "options below into the source and correct them.")
                                      : "";
    if (!file->run || file->run->executor != EXECUTOR_EMULATOR || report_count(&report))
        return words;
    const char *checked = arena_format(drawing->arena, _("Checked %s: no bad access, no uninitialized read, no race."),
                                       report_scope(drawing->arena, &report));
    return *words ? arena_format(drawing->arena, "%s %s", words, checked) : checked;
}

/* Fills the cards below the code: the launch and the output. */
static int trace_cards(struct drawing *drawing, float width, struct side_card cards[2])
{
    const struct open_file *file = &drawing->document->file;
    int count = 0;
    struct rect room = {0, 0, width, 1e6f};
    if (file->run && *file->run->output)
        cards[count++] = (struct side_card){.title = _("OUTPUT"), .words = "", .code = file->run->output};
    if (file->launch)
        cards[count++] = (struct side_card){.title = file->assumed ? _("LAUNCH · assumed") : _("LAUNCH"),
                                            .words = launch_words(drawing),
                                            .code = unbroken_options(drawing->arena, file->launch)};
    for (int i = 0; i < count; i++)
        cards[i].height = text_card(drawing, room, cards[i].title, cards[i].words, cards[i].code, true);
    return count;
}

static void trace_side(struct drawing *drawing, struct view *view, struct rect box)
{
    float u = drawing->ui->unit, gap = 12 * u;
    struct report const report = document_report(drawing->document);
    const struct open_file *file = &drawing->document->file;
    struct report_view const shown = {
        &report, drawing->playhead->finding,
        file->assumed ? arena_format(drawing->arena,
                                     _("This launch was guessed: %s. To give your own, write it into a comment that "
                                       "begins with // lanescope:"),
                                     unbroken_options(drawing->arena, file->launch))
                      : NULL};
    struct code_view code = code_now(drawing, view, 0);
    struct side_card cards[2];
    int card_count = trace_cards(drawing, box.w, cards);
    float least_code = fminf(card_code_height(view, box.w, &code), (26 + 24 + 25 * 6) * u);
    if (report_count(&report)) {
        float height = fminf(card_report_height(view, box.w, &shown), box.h - least_code - gap);
        drawing_want(drawing, card_report(view, rect_cut_top(&box, height), &shown));
        rect_cut_top(&box, gap);
    }
    for (int i = card_count - 1; i >= 0; i--) {
        if (box.h - cards[i].height - gap < least_code)
            continue;
        text_card(drawing, rect_cut_bottom(&box, cards[i].height), cards[i].title, cards[i].words, cards[i].code,
                  false);
        rect_cut_bottom(&box, gap);
    }
    if (*code.source)
        drawing_want(drawing, card_code(view, box, &code));
}

bool draw_side(struct drawing *drawing, struct view *view, struct rect box)
{
    float u = drawing->ui->unit, gap = 12 * u;
    if (!drawing_lesson(drawing)) {
        trace_side(drawing, view, box);
        return false;
    }
    struct words_view words = words_now(drawing);
    struct code_view code = code_now(drawing, view, 0);
    struct time_view const whole_time = time_now(drawing);
    struct time_view time = whole_time;
    struct question_view const question = question_now(drawing);
    struct knobs_view const knobs = knobs_now(drawing);
    struct ways_view const ways = ways_now(drawing);
    bool const asks = document_asks(drawing->document);
    float asking = asks         ? card_question_height(view, box.w - 36 * u, &question, false) + 6 * u
                   : ways.count ? card_ways_height(view, box.w - 36 * u, &ways) + 6 * u
                                : 0;
    struct side_heights h = {.words = card_words_height(view, box.w, &words) + asking};
    h.code = *code.source ? card_code_height(view, box.w, &code) : 0;
    h.time = asks ? 0 : card_time_height(view, &time, box.w);
    h.knobs = asks ? 0 : card_knobs_height(view, box.w, &knobs);
    if (time.why && total(&h, gap) > box.h) { /* the tooltip of "why?" has its words */
        time.why = NULL;
        h.time = card_time_height(view, &time, box.w);
    }
    if (total(&h, gap) - fmaxf(0, h.code - 250 * u) < box.h - 40 * u) { /* room for larger words */
        words.size = 20 * u;
        h.words = card_words_height(view, box.w, &words) + asking;
    }
    struct words_least least = least_words(view, box.w, words);
    least.whole += asking;
    least.half += asking;
    fit_heights(drawing, &h, box.h, gap, &least, time.count, card_knobs_least(view, box.w, &knobs));
    struct rect card = rect_cut_top(&box, h.words);
    rect_cut_top(&box, gap);
    struct rect text = card;
    struct rect const below = rect_inset(rect_cut_bottom(&text, asking), 18 * u, 0);
    ui_card(view->ui, card);
    words.bare = true;
    drawing_want(drawing, draw_words(drawing, view, text, words));
    if (asks)
        drawing_want(drawing, card_question(view, below, &question, false));
    else if (ways.count)
        drawing_want(drawing, card_ways(view, below, &ways));
    if (h.code > 0) {
        struct rect at = rect_cut_top(&box, h.code);
        rect_cut_top(&box, gap);
        code.strip = at.h < (26 + 24 + 25 * 3) * u ? 3 : 0;
        drawing_want(drawing, card_code(view, at, &code));
    }
    if (h.time > 0) {
        struct rect at = rect_cut_top(&box, h.time);
        rect_cut_top(&box, gap);
        drawing_want(drawing, card_time(view, at, &whole_time));
    }
    if (h.knobs > 0)
        drawing_want(drawing, card_knobs(view, rect_cut_top(&box, fminf(h.knobs, box.h)), &knobs));
    return h.knobs > 0;
}
