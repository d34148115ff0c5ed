/* The calls of a program as a list. Where room is short, columns are left out; the mouse over a row says all of it. */
#include "view/cards/program.h"
#include <math.h>

/* Widths in pixels; 0: left out. */
struct columns_of {
    float number, name, what, place, time, waste, findings;
};

static const char *time_head(const struct program_view *program)
{
    return program->measured ? _("Time on the GPU") : _("Model time");
}

/* Returns what the last column says: the number of findings, or what else is wrong. */
static const char *wrong_words(const struct view *view, const struct program_view *program,
                               const struct program_item *item)
{
    return item->findings && !item->mistake ? arena_format(view->arena, "%u", item->findings)
                                            : program_item_wrong(view->arena, program, item);
}

/* Returns the width of the widest of what is wrong, at most a third of the list. */
static float wrong_width(const struct view *view, const struct program_view *program, float width)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui), most = width / 3;
    float widest = fmaxf(ui_text_width(ui, FONT_BOLD, size, _("Findings")), 60 * ui->unit);
    for (size_t i = 0; i < program->count && widest < most; i++) {
        const char *wrong = wrong_words(view, program, &program->items[i]);
        if (*wrong)
            widest = fmaxf(widest, ui_text_width(ui, FONT_BOLD, size, wrong));
    }
    return fminf(widest, most) + 14 * ui->unit;
}

static struct columns_of columns_of(const struct view *view, const struct program_view *program, float width)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    struct columns_of columns = {.number = ui_text_width(ui, FONT_TEXT, size, "88,888") + 14 * u,
                                 .findings = wrong_width(view, program, width)};
    float const place = 210 * u, time = ui_text_width(ui, FONT_BOLD, size, time_head(program)) + 40 * u,
                waste = fmaxf(ui_text_width(ui, FONT_BOLD, size, _("Most wasteful line")), 100 * u) + 22 * u;
    float room = width - columns.number - columns.findings;
    float const words = 560 * u; /* the names and what they did */
    if (room >= words + time) {
        columns.time = time;
        room -= time;
    }
    if (room >= words + place) {
        columns.place = place;
        room -= place;
    }
    if (room >= words + waste) {
        columns.waste = waste;
        room -= waste;
    }
    columns.name = room * 0.42f;
    columns.what = room - columns.name;
    return columns;
}

static void draw_head(struct view *view, const struct program_view *program, struct rect line,
                      const struct columns_of *columns)
{
    struct ui *ui = view->ui;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM);
    float const size = text_caption(ui), u = ui->unit;
    rect_cut_left(&line, columns->number);
    struct {
        float width;
        const char *text;
        enum ui_align align;
    } const heads[] = {{columns->name, _("Call"), UI_LEFT},
                       {columns->what, _("What it did"), UI_LEFT},
                       {columns->place, _("Line"), UI_LEFT},
                       {columns->time, time_head(program), UI_RIGHT},
                       {columns->waste, _("Most wasteful line"), UI_RIGHT},
                       {columns->findings, _("Findings"), UI_RIGHT}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (heads[i].width > 0)
            ui_label(ui, rect_inset(rect_cut_left(&line, heads[i].width), 4 * u, 0), FONT_BOLD, size, heads[i].align,
                     dim, heads[i].text);
}

static bool draw_row(struct view *view, struct rect line, const struct program_view *program, size_t index,
                     const struct columns_of *columns)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const struct program_item *item = &program->items[index];
    struct arena *arena = view->arena;
    ui_id const id = ui_id_child(ui_id_text("program list"), (uint32_t)index);
    if (index == program->chosen || ui_hovered(ui, line))
        draw_fill(&ui->draw, line, 4 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    if (index == program->chosen)
        draw_outline(&ui->draw, line, 4 * u, fmaxf(1, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, line, 4 * u);
    ui_tip(ui, line, "%s", program_item_tip(arena, item));
    bool const clicked = ui_area(ui, id, line);
    line = rect_inset(line, 8 * u, 2 * u);
    const char *wrong = wrong_words(view, program, item);
    bool const bad = program_item_bad(item), launch = item->kind == PROGRAM_LAUNCH;
    struct color const text = ui_color(ui, program->old ? COLOR_TEXT_DIM : COLOR_TEXT),
                       dim = ui_color(ui, COLOR_TEXT_DIM);
    struct rect const number = rect_inset(rect_cut_left(&line, columns->number), 4 * u, 0);
    ui_label(ui, number, FONT_TEXT, size, UI_LEFT, dim, words_count(arena, index + 1));
    ui_label(ui, rect_inset(rect_cut_left(&line, columns->name), 4 * u, 0), launch ? FONT_BOLD : FONT_CODE, size,
             UI_LEFT, text, item->name);
    ui_label(ui, rect_inset(rect_cut_left(&line, columns->what), 4 * u, 0), FONT_TEXT, size, UI_LEFT, text,
             program_item_words(arena, item));
    if (columns->place > 0)
        ui_label(ui, rect_inset(rect_cut_left(&line, columns->place), 4 * u, 0), FONT_TEXT, size, UI_LEFT, dim,
                 item->line ? arena_format(arena, "%s:%u", item->file, item->line) : "");
    if (columns->time > 0)
        ui_label(ui, rect_inset(rect_cut_left(&line, columns->time), 4 * u, 0), FONT_TEXT, size, UI_RIGHT, text,
                 item->measured_us > 0 ? view_duration(arena, item->measured_us)
                 : item->model_us > 0  ? view_duration(arena, item->model_us)
                                       : "");
    if (columns->waste > 0)
        ui_label(ui, rect_inset(rect_cut_left(&line, columns->waste), 4 * u, 0), FONT_TEXT, size, UI_RIGHT, text,
                 item->worst_line ? arena_format(arena, "%u", item->worst_line) : "");
    if (columns->findings > 0)
        ui_label(ui, rect_inset(rect_cut_left(&line, columns->findings), 4 * u, 0), bad ? FONT_BOLD : FONT_TEXT, size,
                 UI_RIGHT, bad ? ui_color(ui, COLOR_CONFLICT) : dim,
                 *wrong         ? wrong
                 : item->launch ? "0"
                                : "");
    return clicked;
}

/* Draws a card with what is said of the chosen call, unless it would take half of the list. */
static void draw_said(struct view *view, struct rect *box, const struct program_mistake *said)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), inner = box->w - 24 * u;
    struct ui_span const words[] = {{said->title, FONT_BOLD, said->fault ? COLOR_CONFLICT : COLOR_TEXT},
                                    {" · ", FONT_TEXT, COLOR_TEXT_DIM},
                                    {said->words, FONT_TEXT, COLOR_TEXT},
                                    {" ", FONT_TEXT, COLOR_TEXT},
                                    {said->advice, FONT_TEXT, COLOR_TEXT_DIM}};
    float const height = ui_paragraph_height(ui, inner, size, words, 5) + 20 * u;
    if (height > box->h * 0.5f) /* the list stays */
        return;
    struct rect const card = rect_cut_bottom(box, height);
    rect_cut_bottom(box, 8 * u);
    ui_card(ui, card);
    ui_paragraph(ui, rect_inset(card, 12 * u, 10 * u), size, words, 5, false);
}

void card_program_mistakes(struct view *view, struct rect *box, const struct program_view *program)
{
    bool any = false;
    for (size_t i = program->mistake_count; i-- > 0;)
        if (program->mistakes[i].item == program->chosen) {
            draw_said(view, box, &program->mistakes[i]);
            any = true;
        }
    if (!any && program->waste)
        draw_said(
            view, box,
            &(struct program_mistake){.title = program->waste, .words = program->cost, .advice = program->remedy});
}

struct action card_program_list(struct view *view, struct rect box, const struct program_view *program)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_body(ui), height = 32 * u;
    struct action action = NO_ACTION;
    struct ui_span const words[] = {
        {program->summary, program->failed ? FONT_BOLD : FONT_TEXT, program->failed ? COLOR_CONFLICT : COLOR_TEXT}};
    float const words_h = ui_paragraph_height(ui, box.w, size, words, 1);
    ui_paragraph(ui, rect_cut_top(&box, words_h + 6 * u), size, words, 1, false);
    if (!program->count)
        return action;
    struct columns_of const columns = columns_of(view, program, box.w - 16 * u);
    if (box.h >= 26 * u + height) /* a row of the list goes before its head */
        draw_head(view, program, rect_inset(rect_cut_top(&box, 26 * u), 8 * u, 0), &columns);
    size_t lines = (size_t)fmaxf(1, floorf(box.h / height));
    if (lines < program->count)
        lines = (size_t)fmaxf(1, floorf((box.h - 44 * u) / height));
    size_t const pages = (program->count + lines - 1) / lines, page = program->chosen / lines;
    if (pages > 1 && box.h >= 40 * u + height) /* else the keys alone turn the page */
        action = view_turn_page(view, rect_inset(rect_cut_bottom(&box, 40 * u), 0, 3 * u), page, pages, lines,
                                ACTION_GO_CALL);
    for (size_t i = page * lines; i < program->count && i < (page + 1) * lines; i++)
        if (draw_row(view, rect_cut_top(&box, height), program, i, &columns))
            action = (struct action){.kind = ACTION_GO_CALL, .value = (int)i, .other = true};
    return action;
}
