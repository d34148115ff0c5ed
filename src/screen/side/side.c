/* The values of the cards of a lesson, and the right column of a file. */
#include "screen/side/side.h"
#include "base/mangled.h"
#include "document/sass.h"
#include "run/kernel_text.h"
#include "screen/side/form.h"
#include "screen/side/what_if.h"
#include "source/kernel.h"
#include <math.h>
#include <string.h>

static const char *const *values_of(struct arena *arena, const struct lesson_knob *knob)
{
    const char **values = arena_array(arena, const char *, (size_t)knob->value_count);
    for (int i = 0; i < knob->value_count; i++)
        values[i] = lesson_knob_value(knob, i, arena);
    return values;
}

/* Returns what the tip of a knob says that has no effect. */
static const char *idle_words(const struct drawing *drawing, int knob)
{
    const struct document *document = drawing->document;
    const struct lesson *lesson = document->lesson;
    const struct lesson_setting *setting = &document->look.setting;
    enum language const language = drawing->preferences->language;
    struct arena *arena = drawing->arena;
    const char *label = lesson_knob_label(&lesson->knobs[knob], setting->value[knob], language, arena);
    if (lesson->variant_count < 2)
        return arena_format(arena, _("%s: no effect; with the other knobs as they are, every value gives the same run"),
                            label);
    return arena_format(arena,
                        _("%s: no effect on \"%s\"; with the other knobs as they are, every value gives the same run"),
                        label, document_variant_label(document, arena, language, setting->variant));
}

struct knobs_view knobs_now(const struct drawing *drawing)
{
    const struct lesson *lesson = drawing->document->lesson;
    const struct lesson_setting *setting = &drawing->document->look.setting;
    struct knob_view *knobs = arena_array(drawing->arena, struct knob_view, (size_t)lesson->knob_count + 1);
    const char **variants = arena_array(drawing->arena, const char *, (size_t)lesson->variant_count);
    unsigned const idle = document_idle_knobs(drawing->document);
    for (int k = 0; k < lesson->knob_count; k++)
        knobs[k] = (struct knob_view){.label = lesson->knobs[k].label[drawing->preferences->language],
                                      .unit = lesson->knobs[k].unit,
                                      .values = values_of(drawing->arena, &lesson->knobs[k]),
                                      .count = lesson->knobs[k].value_count,
                                      .at = setting->value[k],
                                      .idle = idle >> k & 1,
                                      .tip = idle >> k & 1 ? idle_words(drawing, k) : NULL};
    for (int v = 0; v < lesson->variant_count; v++)
        variants[v] = document_variant_label(drawing->document, drawing->arena, drawing->preferences->language, v);
    return (struct knobs_view){.variants = variants,
                               .variant_count = lesson->variant_count,
                               .variant = setting->variant,
                               .knobs = knobs,
                               .count = lesson->knob_count,
                               .current = drawing->document->knob};
}

/* Returns the version of the source that has no run, with what is wrong in it at its line. */
static struct code_view newer_code(struct arena *arena, const struct newer_source *newer, int strip)
{
    const struct error *error = newer->error;
    char said[sizeof error->field + sizeof error->message + 32];
    struct code_mark *mark = arena_new(arena, struct code_mark);
    *mark = (struct code_mark){.line = error->line > 0 ? (uint32_t)error->line : 0,
                               .column = error->column > 0 ? (uint32_t)error->column : 0,
                               .said = arena_text(arena, error_problem(error, said, sizeof said))};
    return (struct code_view){.is_text = true,
                              .source = newer->text ? newer->text : "",
                              .name = newer->name ? newer->name : "",
                              .marks = mark,
                              .mark_count = mark->line > 0,
                              .line = mark->line,
                              .strip = strip};
}

/* Returns whether the faulty kernel is on screen as the answer showed it: its wrong line is then the current one. */
static bool bug_in_sight(const struct drawing *drawing)
{
    const struct document *document = drawing->document;
    const struct playhead *playhead = drawing->playhead;
    return document_bug(document) && document_answered(document) &&
           document->look.setting.variant != document_beat(document)->mended &&
           (playhead->finding >= 0 || playhead->position == playhead->beat_position);
}

struct code_view code_now(const struct drawing *drawing, const struct view *view, int strip)
{
    struct newer_source newer;
    if (document_newer_source(drawing->document, &newer)) {
        struct code_view code = newer_code(drawing->arena, &newer, strip);
        const struct reading *at = &drawing->document->reading;
        code.first = at->at_line == code.line ? at->code : 0;
        return code;
    }
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
                           ? mangled_name(drawing->arena, drawing->document->file.trace->kernel)
                           : drawing->document->file.name;
    uint32_t mark_count = 0, from = 0, to = 0;
    if (asks_line) /* another kernel of the file may be the mended one */
        document_kernel_lines(drawing->document, &from, &to);
    bool same = false;
    const char *foot = covered ? NULL : sass_words(document_run(drawing->document), drawing->arena, &same);
    const struct code_mark *marks = document_marks(drawing->document, drawing->arena, &mark_count);
    const struct reading *reading = &drawing->document->reading;
    struct launch_shown const launch = launch_now(drawing);
    uint32_t head = 0, end = 0;
    const struct run *run = drawing->document->run;
    if (run && trace) {
        const struct kernel_text *text = run_kernel_text(run, trace->kernel);
        head = text->first;
        end = text->last;
    } else if (source && trace) {
        source_kernel_lines(source, mangled_name(drawing->arena, trace->kernel), &head, &end);
    }
    uint32_t const line = asks_line               ? document_guess(drawing->document)->line
                          : bug_in_sight(drawing) ? document_bug(drawing->document)->wrong
                          : view->scene           ? view->scene->line
                                                  : 0;
    if (strip && drawing_lesson(drawing) && !asks_line && line >= head && line <= end) { /* no other kernels */
        from = head;
        to = end;
    }
    unsigned const later = drawing_lesson(drawing) ? document_beat(drawing->document)->later : 0;
    bool const shows_ptx = trace && !trace_is_foreign(trace) && !asks_line && !strip;
    return (struct code_view){.is_text = drawing->document->file.of_lesson,
                              .source = source ? source : "",
                              .name = name ? name : "",
                              .marks = marks,
                              .mark_count = covered ? 0 : mark_count,
                              .foot = foot,
                              .foot_good = same,
                              .trace = trace,
                              .no_passes = (later & LATER_PASSES) != 0,
                              .counts =
                                  document_asks(drawing->document) || (later & LATER_SECTORS) || !trace ? NULL : counts,
                              .from = from,
                              .to = to,
                              .first = asks_line || reading->at_line == line ? reading->code : 0,
                              .jumped = reading->at_line == line ? reading->jumped : 0,
                              .ptx_known = shows_ptx,
                              .ptx = shows_ptx ? ptx_now(drawing, view->scene, line) : NULL,
                              .lit = drawing->document->ptx && reading->ptx_at == line ? reading->lit : 0,
                              .picks = asks_line,
                              .launch = launch.text,
                              .values = launch.values,
                              .value_count = launch.value_count,
                              .head = head,
                              .end = end,
                              .line = line,
                              .filter = asks_line ? 0 : drawing->playhead->filter,
                              .strip = strip};
}

struct time_view time_now(const struct drawing *drawing)
{
    struct time_bar *bars = arena_array(drawing->arena, struct time_bar, TIME_BARS_MAX);
    struct lesson_setting settings[TIME_BARS_MAX];
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
        time.measure = arena_format(
            drawing->arena, _("Measure %s"),
            document_variant_label(drawing->document, drawing->arena, drawing->preferences->language, variant));
    return time;
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

/* Returns the words about a file's launch: what of it is guessed, and the scope of the checks if they found nothing. */
static const char *launch_words(struct drawing *drawing)
{
    const struct open_file *file = &drawing->document->file;
    struct report const report = document_report(drawing->document);
    bool const checked = file->run && file->run->executor == EXECUTOR_EMULATOR && !report_count(&report);
    const char *words = file->guess.any && file->run ? launch_guess_words(drawing->arena, &file->guess) : "";
    if (!checked)
        return words;
    const char *scope = report_scope(drawing->arena, &report);
    return *words
               ? arena_format(drawing->arena,
                              _("%s With this guess, checked %s: no bad access, no uninitialized read, no race."),
                              words, scope)
               : arena_format(drawing->arena, _("Checked %s: no bad access, no uninitialized read, no race."), scope);
}

/* Fills the cards below the code: the launch and the output. */
static int trace_cards(struct drawing *drawing, float width, struct side_card cards[2])
{
    const struct open_file *file = &drawing->document->file;
    int count = 0;
    struct rect room = {0, 0, width, 1e6f};
    if (file->run && *file->run->output)
        cards[count++] = (struct side_card){.title = _("OUTPUT"), .words = "", .code = file->run->output};
    if (file->launch && !drawing->document->form)
        cards[count++] = (struct side_card){.title = _("LAUNCH"),
                                            .words = launch_words(drawing),
                                            .code = unbroken_options(drawing->arena, file->launch)};
    for (int i = 0; i < count; i++)
        cards[i].height = text_card(drawing, room, cards[i].title, cards[i].words, cards[i].code, true);
    return count;
}

enum { LEAST_FIELDS = 92 }; /* units: below a report, the launch's fields need room, too, at least for one row */

void draw_file_side(struct drawing *drawing, struct view *view, struct rect box)
{
    float u = drawing->ui->unit, gap = 12 * u;
    struct report const report = document_report(drawing->document);
    const struct open_file *file = &drawing->document->file;
    struct report_view const shown = {&report, drawing->playhead->finding,
                                      file->guess.any && file->run ? launch_words(drawing) : NULL};
    struct code_view code = code_now(drawing, view, 0);
    struct side_card cards[2];
    int card_count = trace_cards(drawing, box.w, cards);
    struct code_heights const heights = card_code_heights(view, box.w, &code);
    float least_code = fminf(heights.best, (26 + 24 + 25 * 6) * u);
    if (report_rows(&report)) {
        float const fields = drawing->document->form ? LEAST_FIELDS * u + gap : 0;
        if (fields > 0)
            least_code = fminf(least_code, heights.least);
        float height = card_report_height(view, box.w, &shown, box.h - least_code - gap - fields);
        action_ask(drawing->actions, card_report(view, rect_cut_top(&box, height), &shown));
        rect_cut_top(&box, gap);
    }
    if (drawing->document->program)
        draw_what_if(drawing, view, &box, least_code);
    else
        draw_launch_form(drawing, view, &box, least_code, report_count(&report) ? "" : launch_words(drawing));
    for (int i = card_count - 1; i >= 0; i--) {
        if (box.h - cards[i].height - gap < least_code)
            continue;
        text_card(drawing, rect_cut_bottom(&box, cards[i].height), cards[i].title, cards[i].words, cards[i].code,
                  false);
        rect_cut_bottom(&box, gap);
    }
    if (*code.source)
        action_ask(drawing->actions, card_code(view, box, &code));
}
