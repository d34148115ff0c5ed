#include "app/handout.h"
#include "app/commands/reopen.h"
#include "app/frame.h"
#include "app/state.h"
#include "base/lines.h"
#include "base/mangled.h"
#include "screen/screen.h"
#include "screen/side/side.h"
#include "screen/stage.h"
#include <math.h>
#include <string.h>

enum { FILE_PAGES_MAX = 200 };

struct handout {
    struct app *app;
    int pages;
    bool cut; /* a file has more to show than FILE_PAGES_MAX pages */
    bool (*put)(void *context, const struct handout_page *page, struct error *error);
    void *context;
};

/* What a step still has to show, on its first page and on the ones behind it. */
struct sheet {
    struct drawing *drawing;
    struct view *view;
    struct words_view words;
    struct question_view question;
    struct code_view code;
    struct time_view time;
    bool asks, has_code, has_time, answers;
};

static bool has_answer(const struct lesson_beat *beat)
{
    return lesson_beat_asks(beat) || beat->kind == BEAT_TASK;
}

/* Appends a paragraph: a bold beginning, then text in one style. */
static void add_line(struct arena *arena, struct words_view *words, const char *bold, const char *text,
                     enum text_style style)
{
    struct text_paragraph *all = arena_array(arena, struct text_paragraph, words->count + 1);
    struct text_span *spans = arena_array(arena, struct text_span, 2);
    for (size_t i = 0; i < words->count; i++)
        all[i] = words->paragraphs[i];
    spans[0] = (struct text_span){.style = TEXT_BOLD, .text = bold};
    spans[1] = (struct text_span){.style = style, .text = text};
    all[words->count] = (struct text_paragraph){.spans = spans, .span_count = *text ? 2 : 1};
    words->paragraphs = all;
    words->count++;
}

static void add_words(struct arena *arena, struct words_view *words, struct lesson_text text)
{
    struct text_paragraph *all = arena_array(arena, struct text_paragraph, words->count + text.count + 1);
    for (size_t i = 0; i < words->count + text.count; i++)
        all[i] = i < words->count ? words->paragraphs[i] : text.paragraphs[i - words->count];
    words->paragraphs = all;
    words->count += text.count;
}

static const char *choice_text(const struct drawing *drawing, int choice)
{
    return question_now(drawing).choices[choice];
}

/* Returns the setting on screen: "tiles · tile 16". */
static const char *setting_words(const struct drawing *drawing)
{
    const struct lesson *lesson = drawing->document->lesson;
    const struct lesson_setting *setting = &drawing->document->look.setting;
    enum language const language = drawing->preferences->language;
    const char *words = lesson->variant_count > 1 ? lesson->variants[setting->variant].label[language] : "";
    for (int k = 0; k < lesson->knob_count; k++)
        words = arena_format(drawing->arena, "%s%s%s", words, *words ? " · " : "",
                             lesson_knob_label(&lesson->knobs[k], setting->value[k], language, drawing->arena));
    return words;
}

/* Puts the answer in front of the words, and the replies to wrong answers behind them. */
static void add_answer(const struct drawing *drawing, struct words_view *words)
{
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    enum language const language = drawing->preferences->language;
    struct words_view all = {.title = words->title, .size = words->size, .bare = words->bare};
    struct lesson_text const explained = {words->paragraphs, words->count};
    double value = 0;
    bool const known = (beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE) && document_answer(document, &value);
    for (int i = 0; known && i < beat->choice_count; i++)
        if (fabs(value - beat->choices[i]) < 1e-9)
            add_line(drawing->arena, &all, arena_format(drawing->arena, _("Answer: %s"), choice_text(drawing, i)), "",
                     TEXT_PLAIN);
    if (beat->kind == BEAT_BUG && document_wrong_line(document))
        add_line(drawing->arena, &all,
                 arena_format(drawing->arena, _("Answer: line %u. "), document_wrong_line(document)),
                 line_words(drawing->arena, document_run(document) ? document_run(document)->source : "",
                            document_wrong_line(document)),
                 TEXT_CODE);
    if (beat->kind == BEAT_TASK)
        add_line(drawing->arena, &all, arena_format(drawing->arena, _("A way to do it: %s"), setting_words(drawing)),
                 "", TEXT_PLAIN);
    add_words(drawing->arena, &all, explained);
    for (int i = 0; beat->wrong[language] && i < beat->choice_count; i++) {
        if (!beat->wrong[language][i].count || (known && fabs(value - beat->choices[i]) < 1e-9))
            continue;
        add_line(drawing->arena, &all, arena_format(drawing->arena, _("If you said \"%s\":"), choice_text(drawing, i)),
                 "", TEXT_PLAIN);
        add_words(drawing->arena, &all, document_fill_words(document, drawing->arena, &beat->wrong[language][i]));
    }
    *words = all;
}

/* Takes so many paragraphs off the words as fit into the height; all or the first one at least. */
static struct words_view take_words(struct sheet *sheet, float width, float height)
{
    struct words_view part = sheet->words;
    while (part.count > 1 && card_words_height(sheet->view, width, &part) > height)
        part.count--;
    sheet->words.paragraphs += part.count;
    sheet->words.count -= part.count;
    sheet->words.title = NULL;
    return part;
}

/* Fills a column with what the step still has to show, from the top. */
static void fill_column(struct sheet *sheet, struct rect box)
{
    struct view *view = sheet->view;
    float const u = view->ui->unit, gap = 14 * u, inner = box.w - 36 * u;
    if (sheet->words.count) {
        struct words_view const part = take_words(sheet, box.w, box.h);
        card_words(view, rect_cut_top(&box, card_words_height(view, box.w, &part)), &part);
    }
    if (sheet->words.count)
        return;
    if (sheet->asks && sheet->question.count) {
        float const height = card_question_height(view, inner, &sheet->question, false) - 40 * u;
        if (height > box.h)
            return;
        card_question(view, rect_inset(rect_cut_top(&box, height), 18 * u, 0), &sheet->question, false);
        sheet->asks = false;
    }
    rect_cut_top(&box, gap);
    if (sheet->has_time) {
        float const height = card_time_height(view, &sheet->time, box.w);
        if (height > box.h)
            return;
        card_time(view, rect_cut_top(&box, height), &sheet->time);
        rect_cut_top(&box, gap);
        sheet->has_time = false;
    }
    if (sheet->has_code) {
        struct code_heights const code = card_code_heights(view, box.w, &sheet->code);
        float const height = fminf(box.h, code.best);
        if (height < code.least + 60 * u && height >= box.h)
            return;
        card_code(view, rect_cut_top(&box, height), &sheet->code);
        sheet->has_code = false;
    }
}

static bool is_empty(const struct sheet *sheet)
{
    return !sheet->words.count && !(sheet->asks && sheet->question.count) && !sheet->has_time && !sheet->has_code;
}

/* The file's name, what the page shows, and below them the kernel and its block. */
static void draw_file_head(struct sheet *sheet, struct rect box)
{
    struct drawing *drawing = sheet->drawing;
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct document *document = drawing->document;
    int const finding = drawing->playhead->finding;
    uint32_t const line = sheet->view->scene->line;
    struct report const report = document_report(document);
    const char *kind = finding >= 0 ? report_title(report_finding(&report, (uint32_t)finding))
                       : line       ? arena_format(drawing->arena, _("line %u"), line)
                                    : "";
    struct rect const low = rect_cut_bottom(&box, 26 * u);
    float const used = ui_label(ui, box, FONT_BOLD, 28 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), document->file.name);
    rect_cut_left(&box, used + 24 * u);
    ui_label(ui, box, FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, COLOR_ACCESS), kind);
    ui_label(ui, low, FONT_TEXT, 16 * u, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(drawing->arena, _("%s · block %llu"),
                          mangled_name(drawing->arena, document->playback->trace->kernel),
                          (unsigned long long)document->block));
}

static void draw_head(struct sheet *sheet, struct rect box)
{
    struct drawing *drawing = sheet->drawing;
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct document *document = drawing->document;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM);
    draw_badge_words(drawing, &box);
    if (!document->lesson) {
        draw_file_head(sheet, box);
        return;
    }
    const char *step =
        arena_format(drawing->arena, _("step %d of %d"), document->beat + 1, document->lesson->beat_count);
    const char *kind = sheet->answers ? _("Answers") : beat_full_name(drawing, document_beat(document));
    struct rect low = rect_cut_bottom(&box, 26 * u);
    float const used = ui_label(ui, box, FONT_BOLD, 28 * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
                                document->lesson->title[drawing->preferences->language]);
    rect_cut_left(&box, used + 24 * u);
    ui_label(ui, box, FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, COLOR_ACCESS),
             arena_format(drawing->arena, "%s · %s", kind, step));
    ui_label(ui, low, FONT_TEXT, 16 * u, UI_LEFT, dim, setting_words(drawing));
}

static void draw_foot(struct sheet *sheet, struct rect box, const char *reopen, int page, bool cut)
{
    struct ui *ui = sheet->drawing->ui;
    float const u = ui->unit;
    if (cut)
        reopen = arena_format(sheet->drawing->arena, _("the last of %d pages: further findings and lines are left out"),
                              FILE_PAGES_MAX);
    draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, 1,
              ui_color(ui, COLOR_EDGE));
    ui_label(ui, rect_cut_right(&box, 60 * u), FONT_BOLD, 18 * u, UI_RIGHT, ui_color(ui, COLOR_TEXT),
             arena_format(sheet->drawing->arena, "%d", page));
    rect_cut_top(&box, 8 * u);
    ui_text(ui, box, FONT_CODE, 16 * u, COLOR_TEXT_DIM, reopen);
}

static bool put_page(struct handout *handout, const char *reopen, bool answers, struct error *error)
{
    struct app *app = handout->app;
    ui_end(&app->ui);
    struct handout_page const page = {.list = &app->ui.draw,
                                      .background = app_background(app),
                                      .number = handout->pages,
                                      .beat = app->document.beat,
                                      .answers = answers,
                                      .reopen = reopen};
    return handout->put(handout->context, &page, error);
}

/* Begins a page, with its head and its foot, and returns the room between them. */
static struct rect begin_page(struct handout *handout, struct sheet *sheet, const char *reopen)
{
    struct app *app = handout->app;
    struct rect box = {0, 0, (float)app->width, (float)app->height};
    handout->pages++;
    ui_begin(&app->ui, &app->frame, box);
    float const u = app->ui.unit;
    box = rect_inset(box, 44 * u, 36 * u);
    draw_head(sheet, rect_cut_top(&box, 68 * u));
    rect_cut_top(&box, 14 * u);
    draw_foot(sheet, rect_cut_bottom(&box, 56 * u), reopen, handout->pages,
              handout->cut && handout->pages == FILE_PAGES_MAX);
    rect_cut_bottom(&box, 10 * u);
    return box;
}

static struct drawing paper_of(struct app *app, struct actions *actions)
{
    static const struct glossary none; /* nothing explains a word under the mouse */
    return (struct drawing){.ui = &app->ui,
                            .glossary = &none,
                            .arena = &app->frame,
                            .document = &app->document,
                            .playhead = &app->playhead,
                            .preferences = &app->preferences,
                            .notice = &app->notice,
                            .actions = actions,
                            .knobs_aside = true};
}

static void fill_sheet(struct sheet *sheet, bool answers)
{
    struct drawing *drawing = sheet->drawing;
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    sheet->answers = answers;
    sheet->words = words_now(drawing);
    sheet->words.hint = NULL; /* of keys and of the mouse */
    sheet->words.bare = true;
    sheet->asks = document_asks(document);
    sheet->question = question_now(drawing);
    sheet->code = code_now(drawing, sheet->view, 0);
    sheet->has_code = *sheet->code.source != '\0';
    sheet->time = time_now(drawing);
    sheet->time.measure = NULL;
    for (int i = 0; i < sheet->time.count; i++)
        sheet->has_time = sheet->has_time || sheet->time.bars[i].time.source != TIME_NONE;
    sheet->has_time = sheet->has_time && beat->tells_time[drawing->preferences->language] && !sheet->asks &&
                      !document_time_is_asked(document);
    if (answers)
        add_answer(drawing, &sheet->words);
}

/* Builds the scene at the playhead and returns the view of it. */
static struct view view_of(struct app *app, struct scene *scene, uint32_t *hot)
{
    document_scene(&app->document, &app->playhead, &app->frame, scene);
    playhead_motion(&app->playhead, scene);
    return (struct view){.ui = &app->ui,
                         .arena = &app->frame,
                         .scene = scene,
                         .still_arrows = true,
                         .fault = document_finding_lanes(&app->document, &app->playhead),
                         .hot_next = hot};
}

/* Draws the page of a file at the playhead: the picture, and the window's right column. */
static bool draw_file_page(struct handout *handout, struct error *error)
{
    struct app *app = handout->app;
    struct actions actions = {.count = 0};
    struct scene scene;
    uint32_t hot = 0;
    frame_draw(app, 1e6);
    struct drawing drawing = paper_of(app, &actions);
    struct view view = view_of(app, &scene, &hot);
    struct sheet sheet = {.drawing = &drawing, .view = &view};
    const char *reopen = reopen_line(app);
    struct rect box = begin_page(handout, &sheet, reopen);
    struct rect const side = rect_cut_right(&box, 530 * app->ui.unit);
    rect_cut_right(&box, 28 * app->ui.unit);
    draw_stage(&drawing, &view, box, NULL);
    draw_file_side(&drawing, &view, side);
    return put_page(handout, reopen, false, error);
}

static bool is_same_access(const struct trace_site *a, const struct trace_site *b)
{
    return a == b || (a->line && a->line == b->line && a->space == b->space && a->operation == b->operation);
}

/* Lists the first event of each line that accesses memory in each way, at most `most`. PTX without lines has one for
 * each instruction. */
static size_t list_new(const struct playback *playback, size_t *positions, size_t most)
{
    size_t count = 0;
    for (size_t position = 0; position < playback->count && count < most; position++) {
        const struct trace_site *site = playback_site(playback, position);
        bool known = !site || !(playback->marks[position] & EVENT_ACCESS);
        for (size_t i = 0; i < count && !known; i++)
            known = is_same_access(site, playback_site(playback, positions[i]));
        if (!known)
            positions[count++] = position;
    }
    return count;
}

/* A page for each finding, then one for the first access of each kind and line; the first pages if there are many. */
static bool draw_file(struct handout *handout, struct error *error)
{
    struct app *app = handout->app;
    struct document *document = &app->document;
    struct playhead *playhead = &app->playhead;
    if (document->file.refused) {
        *error = document->file.error;
        return false;
    }
    if (app_failed(app, error))
        return false;
    if (!document->playback || !document->playback->count)
        return error_set(error, ERROR_INPUT, "%s has no access to put on paper", document->file.name);
    struct report const report = document_report(document);
    uint64_t const block = document->block;
    bool good = true;
    size_t positions[FILE_PAGES_MAX + 1], findings = report_count(&report);
    size_t const lines = list_new(document->playback, positions, FILE_PAGES_MAX + 1);
    handout->cut = findings + lines > FILE_PAGES_MAX;
    for (uint32_t i = 0; good && i < findings && i < FILE_PAGES_MAX; i++) {
        document_go_finding(document, playhead, (int)i, 0);
        good = draw_file_page(handout, error);
    }
    playhead->finding = -1;
    document_show_block(document, playhead, block);
    const struct playback *playback = document->playback;
    for (size_t i = 0; good && i < lines && handout->pages < FILE_PAGES_MAX; i++) {
        playhead_seek(playhead, playback, positions[i], false);
        good = draw_file_page(handout, error);
    }
    return good;
}

static bool draw_step(struct handout *handout, bool answers, struct error *error)
{
    struct app *app = handout->app;
    frame_draw(app, 1e6); /* all motion ends, and all that the panels show is there */
    if (app_failed(app, error))
        return false;
    if (!app->document.playback)
        return error_set(error, ERROR_RUN, "step %d has no run to show", app->document.beat + 1);
    struct actions actions = {.count = 0};
    struct drawing drawing = paper_of(app, &actions);
    struct scene scene;
    uint32_t hot = 0;
    struct view view = view_of(app, &scene, &hot);
    struct sheet sheet = {.drawing = &drawing, .view = &view};
    const char *reopen = reopen_line(app);
    fill_sheet(&sheet, answers);
    struct rect box = begin_page(handout, &sheet, reopen);
    float const u = app->ui.unit, gap = 28 * u;
    struct rect const side = rect_cut_right(&box, 530 * u);
    rect_cut_right(&box, gap);
    draw_stage(&drawing, &view, box, NULL);
    fill_column(&sheet, side);
    bool good = put_page(handout, reopen, answers, error);
    while (good && !is_empty(&sheet)) {
        box = begin_page(handout, &sheet, reopen);
        for (int i = 0; i < 2 && !is_empty(&sheet); i++)
            fill_column(&sheet, rect_column(box, i, 2, gap));
        good = put_page(handout, reopen, answers, error);
    }
    return good;
}

static bool draw_answer(struct handout *handout, int beat, struct error *error)
{
    struct app *app = handout->app;
    document_go_beat(&app->document, &app->playhead, beat);
    if (app->document.lesson->beats[beat].kind == BEAT_TASK && !document_do_task(&app->document, &app->playhead))
        return true;
    app->document.guesses[beat].skipped = true;
    if (app->document.run)
        document_describe_run(&app->document, &app->playhead);
    return draw_step(handout, true, error);
}

bool handout_draw(const struct app_options *options, enum handout_answers answers, const struct text_metrics *metrics,
                  bool (*put)(void *context, const struct handout_page *page, struct error *error), void *context,
                  struct error *error)
{
    struct handout handout = {.put = put, .context = context};
    if (!app_new(options, metrics, NULL, &handout.app, error))
        return false;
    struct app *app = handout.app;
    app->ui.paper = true;
    int const count = app->document.lesson ? app->document.lesson->beat_count : 0;
    bool const file = app->document.kind == DOCUMENT_FILE;
    bool good = file        ? draw_file(&handout, error)
                : count > 0 ? true
                            : error_set(error, ERROR_INPUT, "there are no steps to put on paper");
    for (int beat = 0; good && beat < count; beat++) {
        if (beat)
            document_go_beat(&app->document, &app->playhead, beat);
        good = draw_step(&handout, false, error);
        if (good && answers == HANDOUT_TEACHER && has_answer(&app->document.lesson->beats[beat]))
            good = draw_answer(&handout, beat, error);
    }
    for (int beat = 0; good && answers == HANDOUT_AT_END && beat < count; beat++)
        if (has_answer(&app->document.lesson->beats[beat]))
            good = draw_answer(&handout, beat, error);
    app_free(app);
    return good;
}
