/* The choices of a question, and the sheet that covers the run until it is answered. */
#include "view/stage.h"
#include <math.h>

static float choice_height(const struct view *view, bool large)
{
    return (large ? 72 : 48) * view->ui->unit;
}

static float worded_size(const struct view *view, bool large)
{
    return (large ? 24 : 18) * view->ui->unit;
}

static float worded_height(const struct view *view, float width, const char *text, bool large)
{
    float const u = view->ui->unit;
    struct ui_span const span = {text, FONT_TEXT, COLOR_TEXT};
    return ui_paragraph_height(view->ui, width - 48 * u, worded_size(view, large), &span, 1) + 18 * u;
}

static float choices_height(const struct view *view, float width, const struct question_view *question, bool large)
{
    float const gap = 10 * view->ui->unit;
    float height = 0;
    for (int i = 0; i < question->count; i++)
        height += worded_height(view, width, question->choices[i], large) + gap;
    return height;
}

static int choices_across(const struct view *view, float width, int count)
{
    int fit = (int)floorf((width + 10 * view->ui->unit) / (86 * view->ui->unit));
    fit = fit < 1 ? 1 : fit;
    return count < fit ? count : fit;
}

static int choice_rows(const struct view *view, float width, int count)
{
    int across = choices_across(view, width, count);
    return across ? (count + across - 1) / across : 0;
}

static const struct {
    const char *label;
    struct action action;
} commands[] = {{N_("Answer"), {.kind = ACTION_COMMIT}},
                {N_("The class voted"), {.kind = ACTION_SKIP, .value = true}},
                {N_("Skip"), {.kind = ACTION_SKIP}}};
enum { COMMANDS = (int)(sizeof commands / sizeof *commands) };

/* Returns the words of a button; NULL: this question does not have it. */
static const char *command_label(const struct question_view *question, int index)
{
    if (commands[index].action.value && !question->class_voted)
        return NULL;
    return index == 0 && question->commit ? question->commit : _(commands[index].label);
}

static float command_width(const struct view *view, const char *label)
{
    return ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), label) + 26 * view->ui->unit;
}

/* Returns the width of the buttons beside the choices, which save a line where the room is wide and low; 0: they stand
 * below them. */
static float beside_width(const struct view *view, float width, const struct question_view *question, bool large)
{
    float const u = view->ui->unit;
    float all = 20 * u;
    if (large || question->worded || !question->count)
        return 0;
    for (int i = 0; i < COMMANDS; i++)
        if (command_label(question, i))
            all += command_width(view, command_label(question, i)) + 10 * u;
    return width - all >= 90 * u * (float)question->count + 200 * u ? all : 0;
}

float card_question_height(const struct view *view, float width, const struct question_view *question, bool large)
{
    float u = view->ui->unit;
    if (question->worded)
        return choices_height(view, width, question, large) + 48 * u;
    float const beside = beside_width(view, width, question, large);
    int rows = choice_rows(view, width - beside, question->count);
    return (float)rows * (choice_height(view, large) + 10 * u) + (beside > 0 ? 6 : 48) * u;
}

/* Draws a choice; words: the size of its text where it is a sentence, 0 for a number. */
static bool one_choice(struct view *view, struct rect box, int index, const char *text, bool chosen, float words)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_id id = ui_id_child(ui_id_text("choice"), (uint32_t)index);
    bool hot = ui_hovered(ui, box);
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, chosen ? COLOR_ACCESS : hot ? COLOR_ACCESS_SOFT : COLOR_PANEL));
    draw_outline(&ui->draw, box, 6 * u, fmaxf(1.5f, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, box, 6 * u);
    bool clicked = ui_area(ui, id, box);
    struct rect inner = rect_inset(box, 8 * u, 2 * u);
    struct color key = ui_color(ui, chosen ? COLOR_ON_ACCENT : COLOR_TEXT_DIM);
    struct rect left = rect_cut_left(&inner, 18 * u);
    ui_label(ui, left, FONT_TEXT, text_caption(ui), UI_LEFT, key, arena_format(view->arena, "%d", index + 1));
    if (words > 0) {
        struct ui_span const span = {text, chosen ? FONT_BOLD : FONT_TEXT, chosen ? COLOR_ON_ACCENT : COLOR_TEXT};
        float const height = ui_paragraph_height(ui, inner.w, words, &span, 1);
        rect_cut_top(&inner, fmaxf(0, (inner.h - height) / 2));
        ui_paragraph(ui, inner, words, &span, 1, false);
        return clicked;
    }
    ui_label(ui, inner, FONT_BOLD, box.h * 0.45f, UI_CENTER, ui_color(ui, chosen ? COLOR_ON_ACCENT : COLOR_TEXT), text);
    return clicked;
}

/* Draws the buttons that answer, in a line. */
static void draw_commands(struct view *view, struct rect line, const struct question_view *question,
                          struct action *action)
{
    struct ui *ui = view->ui;
    float const gap = 10 * ui->unit, room = line.w - 2 * gap;
    float all = 0;
    for (int i = 0; i < COMMANDS; i++)
        if (command_label(question, i))
            all += command_width(view, command_label(question, i));
    for (int i = 0; i < COMMANDS; i++) {
        const char *label = command_label(question, i);
        if (!label)
            continue;
        float const width = command_width(view, label);
        struct rect const button = rect_cut_left(&line, all > room ? width * room / all : width);
        rect_cut_left(&line, gap);
        if (ui_button(ui, ui_id_text(label), button, label, i == 0 && question->ready))
            *action = commands[i].action;
    }
}

struct action card_question(struct view *view, struct rect box, const struct question_view *question, bool large)
{
    struct ui *ui = view->ui;
    float u = ui->unit, gap = 10 * u;
    struct action action = NO_ACTION;
    float const beside = beside_width(view, box.w, question, large);
    struct rect aside = rect_cut_right(&box, beside);
    rect_cut_left(&aside, 20 * u);
    aside.h = choice_height(view, large);
    int across = question->worded ? 1 : choices_across(view, box.w, question->count);
    float const words = question->worded ? worded_size(view, large) : 0;
    for (int first = 0; first < question->count; first += across) {
        float const height =
            question->worded ? worded_height(view, box.w, question->choices[first], large) : choice_height(view, large);
        struct rect row = {box.x, box.y, box.w, height}; /* of a box that may be lower than all its choices */
        box.y += height + gap;
        if (!ui_shown(ui, row))
            continue;
        for (int i = first; i < question->count && i < first + across; i++)
            if (one_choice(view, rect_column(row, i - first, across, gap), i, question->choices[i],
                           i == question->chosen, words))
                action = (struct action){.kind = ACTION_ANSWER, .value = i};
    }
    struct rect const line = beside > 0 ? rect_inset(aside, 0, 4 * u) : (struct rect){box.x, box.y, box.w, 40 * u};
    if (ui_shown(ui, line))
        draw_commands(view, line, question, &action);
    return action;
}

/* Draws a text in the middle of one line or, if it is longer, on several lines. */
static void sheet_line(struct ui *ui, struct rect box, float size, const struct ui_span *span)
{
    if (ui_text_width(ui, span->role, size, span->text) <= box.w)
        ui_label(ui, box, span->role, size, UI_CENTER, ui_color(ui, span->color), span->text);
    else
        ui_paragraph(ui, box, size, span, 1, false);
}

static float sheet_line_height(struct ui *ui, float width, float size, const struct ui_span *span)
{
    return fmaxf(size * 1.6f, ui_paragraph_height(ui, width, size, span, 1) + size * 0.25f);
}

static void draw_sheet(struct view *view, struct rect box, const char *question, const char *hint)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    draw_fill(&ui->draw, box, 8 * u, ui_color(ui, COLOR_BAR));
    draw_outline_dashed(&ui->draw, box, 8 * u, fmaxf(1.5f, 1.5f * u), 8 * u, ui_color(ui, COLOR_IDLE));
    if (!question)
        return;
    float size = fminf(120 * u, box.h * 0.3f), width = box.w - fminf(120 * u, box.w * 0.12f);
    struct ui_span const asked = {question, FONT_BOLD, COLOR_TEXT}, how = {hint, FONT_TEXT, COLOR_TEXT_DIM};
    float words = 34 * u; /* smaller where the question is long; longer ones take several lines */
    float const wide = ui_text_width(ui, FONT_BOLD, words, question), least = text_body(ui);
    words = wide > width ? fmaxf(least, floorf(words * width / wide)) : words;
    float const below_all = fmaxf(36 * u, ui_paragraph_height(ui, width, text_caption(ui), &how, 1));
    float line = sheet_line_height(ui, width, words, &asked);
    for (; line > box.h && words > text_caption(ui); words = fmaxf(text_caption(ui), words - u))
        line = sheet_line_height(ui, width, fmaxf(text_caption(ui), words - u), &asked);
    float const below = line + below_all <= box.h ? below_all : 0; /* a low sheet has the question alone */
    size = size + line + below <= box.h ? size : 0;                /* no room for the large question mark */
    float const top = box.y + (box.h - size - line - below) * 0.45f;
    struct rect middle = {box.x + (box.w - width) / 2, top, width, size};
    if (size > 0)
        ui_label(ui, (struct rect){box.x, top, box.w, size}, FONT_BOLD, size * 0.8f, UI_CENTER,
                 ui_color(ui, COLOR_ACCESS), "?");
    middle.y += size;
    middle.h = line;
    sheet_line(ui, middle, words, &asked);
    middle.y += line;
    middle.h = below;
    if (below > 0)
        sheet_line(ui, middle, ui_text_width(ui, FONT_TEXT, 20 * u, hint) > width ? text_caption(ui) : 20 * u, &how);
}

static uint32_t *sheet_terms(const struct view *view, const struct text_paragraph *paragraph)
{
    uint32_t *terms = arena_array(view->arena, uint32_t, paragraph->span_count + 1);
    for (size_t i = 0; i < paragraph->span_count; i++)
        terms[i] = paragraph->spans[i].term;
    return terms;
}

static struct ui_span *sheet_spans(const struct view *view, const struct text_paragraph *paragraph, bool bold)
{
    struct ui_span *spans = arena_array(view->arena, struct ui_span, paragraph->span_count + 1);
    for (size_t i = 0; i < paragraph->span_count; i++) {
        enum text_style style = paragraph->spans[i].style;
        enum font_role role = style == TEXT_CODE ? FONT_CODE : bold || style == TEXT_BOLD ? FONT_BOLD : FONT_TEXT;
        const char *text = paragraph->spans[i].text;
        const char *words = role == FONT_CODE ? view_unbroken(view->arena, text) : text;
        spans[i] = (struct ui_span){words, role, COLOR_TEXT};
    }
    return spans;
}

/* Draws the whole question in place of the run, with its last paragraph large. Earlier paragraphs are left out if room
 * is short; the choices always stay. */
static struct action whole_question(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    const struct words_view *words = view->stage->words;
    float u = ui->unit, gap = 14 * u;
    bool large = box.h > 300 * u;
    float const last_size = (large ? 32 : 24) * u, size = (large ? 22 : 18) * u;
    float all = card_question_height(view, box.w, view->stage->question, large);
    float *heights = arena_array(view->arena, float, words->count + 1);
    for (size_t i = words->count; i-- > 0;) {
        bool last = i + 1 == words->count;
        struct ui_span *spans = sheet_spans(view, &words->paragraphs[i], last);
        float height =
            ui_paragraph_height(ui, box.w, last ? last_size : size, spans, words->paragraphs[i].span_count) + gap;
        if (!last && all + height > box.h)
            break;
        heights[i] = height;
        all += height;
    }
    rect_cut_top(&box, fmaxf(0, (box.h - all) * 0.4f));
    for (size_t i = 0; i < words->count; i++) {
        bool last = i + 1 == words->count;
        if (heights[i] > 0)
            ui_marked_paragraph(ui, rect_cut_top(&box, heights[i]), last ? last_size : size,
                                sheet_spans(view, &words->paragraphs[i], last),
                                sheet_terms(view, &words->paragraphs[i]), words->paragraphs[i].span_count, false);
    }
    return card_question(view, box, view->stage->question, large);
}

float question_least(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    float const u = view->ui->unit, width = view_columns(view, (struct rect){0}).w - 60 * u;
    if (!stage->compact || !stage->question || !stage_sheet(stage))
        return 0;
    float height = card_question_height(view, width, stage->question, false) + 62 * u;
    if (stage->words && stage->words->count) {
        const struct text_paragraph *last = &stage->words->paragraphs[stage->words->count - 1];
        const struct ui_span *spans = sheet_spans(view, last, true);
        height += ui_paragraph_height(view->ui, width, 24 * u, spans, last->span_count);
    }
    return height;
}

struct action question_cover(struct view *view, struct rect box)
{
    const struct stage_view *stage = view->stage;
    float const u = view->ui->unit;
    if (stage->compact) {
        draw_sheet(view, box, NULL, NULL);
        struct rect const inner = rect_inset(box, 30 * u, 16 * u);
        float const squeeze = (inner.h + 32 * u) / question_least(view);
        view->ui->unit = u * fminf(1, fmaxf(0.5f, squeeze)); /* large text shrinks before a choice is lost */
        struct action const action = whole_question(view, inner);
        view->ui->unit = u;
        return action;
    }
    const char *hint = stage->question->hint;
    if (view->ui->paper)
        hint = "";
    else if (!hint)
        hint = arena_format(
            view->arena,
            _("Predict first: choose an answer (or 1 to %d, then Enter). Until then the run stays covered."),
            stage->question->count);
    draw_sheet(view, box, stage->prompt, hint);
    return NO_ACTION;
}

/* Returns whether the stage shows the words of the step: they ask something, or they are the last ones. */
static bool strip_words(const struct stage_view *stage)
{
    return stage->words && stage->words->count;
}

/* Returns the words of the strip in a size, without a title: the bar above says which step it is. */
static struct words_view strip_text(const struct stage_view *stage, float size)
{
    struct words_view words = *stage->words;
    words.bare = true;
    words.title = NULL;
    words.size = size;
    return words;
}

static float strip_height(const struct view *view, float width, float size)
{
    const struct stage_view *stage = view->stage;
    float const inner = width - 36 * view->ui->unit;
    float height = 0;
    if (strip_words(stage)) {
        struct words_view const words = strip_text(stage, size);
        height = card_words_height(view, width, &words);
    }
    if (stage->question)
        height += card_question_height(view, inner, stage->question, false);
    if (stage->ways)
        height += card_ways_height(view, inner, stage->ways);
    return height;
}

/* The question about a picture that is in sight, below it where there is no right column; or the ways on. */
struct panel_size panel_question_strip_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    if (!stage->compact || stage_sheet(stage) || (!stage->question && !stage->ways))
        return NOT_SHOWN;
    float const u = view->ui->unit, width = view_columns(view, (struct rect){0}).w;
    float const largest = stage_is_code(stage) ? 20 * u : 24 * u;
    return (struct panel_size){.least = strip_height(view, width, text_body(view->ui)) / u,
                               .best = strip_height(view, width, largest) / u};
}

struct action panel_question_strip(struct view *view, struct rect box)
{
    const struct stage_view *stage = view->stage;
    struct action action = NO_ACTION;
    box = view_columns(view, box);
    if (strip_words(stage)) {
        float const u = view->ui->unit;
        float size = 24 * u;
        while (size > text_body(view->ui) && strip_height(view, box.w, size) > box.h + 0.5f)
            size = fmaxf(text_body(view->ui), size - u);
        struct words_view const words = strip_text(stage, size);
        ui_card(view->ui, box);
        card_words(view, rect_cut_top(&box, card_words_height(view, box.w, &words)), &words);
    }
    box = rect_inset(box, 18 * view->ui->unit, 0);
    if (stage->question)
        action = card_question(view, box, stage->question, false);
    else if (stage->ways)
        action = card_ways(view, box, stage->ways);
    return action;
}

struct panel_size panel_access_size(const struct view *view, float height)
{
    const struct stage_view *stage = view->stage;
    if (!stage->covered)
        return (struct panel_size){.least = fminf(height / view->ui->unit, 150), .best = height / view->ui->unit};
    int const panels = (stage->access != SCENE_EMPTY) + __builtin_popcount(stage->shown & stage_with(PANEL_SHEET));
    float const words = question_least(view) / view->ui->unit / (float)(panels > 0 ? panels : 1);
    return (struct panel_size){.least = fmaxf(words, 150), .best = fmaxf(words, 320)};
}
