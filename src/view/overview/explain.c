/* What a launch wastes and why, in sentences: an instruction a part, the most wasteful first. */
#include "report/explain.h"
#include "base/lines.h"
#include "view/overview/overview.h"
#include <math.h>

/* In units. WIDEST: lines of text stay readable. TEXT_LEAST: of the smallest text here. */
enum { GAP = 14, PAD = 10, LESSON_H = 36, WIDEST = 1100, TEXT_LEAST = 16 };

/* What an item says below its heading: the reason with its lanes, and the remedy. Nothing of one that is not blamed. */
static const char *why_of(struct view *view, const struct explanation *item)
{
    const char *why = report_explain(view->arena, REPORT_TRANSLATED, item);
    const char *lanes = report_explain_lanes(view->arena, REPORT_TRANSLATED, item);
    return *lanes ? arena_format(view->arena, "%s (%s)", why, lanes) : why;
}

static const char *heading(struct view *view, const struct explanation *item)
{
    return arena_format(view->arena, "%s · %s", report_explain_place(view->arena, REPORT_TRANSLATED, item),
                        report_explain_title(REPORT_TRANSLATED, item->kind));
}

/* Returns the line below the heading: what it wastes, or of what is fine why it is. */
static const char *cost_of(struct view *view, const struct explanation *item)
{
    return item->kind == EXPLAIN_FINE ? report_explain(view->arena, REPORT_TRANSLATED, item)
                                      : report_explain_cost(view->arena, REPORT_TRANSLATED, item);
}

static const char *code_of(struct view *view, const struct explain_view *shown, const struct explanation *item)
{
    return line_words(view->arena, shown->explain->trace->source, item->site ? item->site->line : 0);
}

static float paragraph_height(struct view *view, float width, const char *text, enum font_role font)
{
    struct ui_span const span = {text, font, COLOR_TEXT};
    return ui_paragraph_height(view->ui, width, text_body(view->ui), &span, 1);
}

static float height_of(struct view *view, float width, const struct explain_view *shown, size_t index)
{
    const struct explanation *item = &shown->explain->items[index];
    float const u = view->ui->unit, inner = width - 2 * PAD * u;
    float height = 2 * PAD * u + paragraph_height(view, inner, heading(view, item), FONT_BOLD) + 24 * u;
    height += *code_of(view, shown, item) ? 24 * u : 0;
    if (!item->blamed)
        return height;
    height += 4 * u + paragraph_height(view, inner, why_of(view, item), FONT_TEXT);
    height +=
        4 * u + paragraph_height(view, inner, report_explain_remedy(view->arena, REPORT_TRANSLATED, item), FONT_TEXT);
    return height + 8 * u + LESSON_H * u;
}

static void paragraph(struct view *view, struct rect *box, const char *text, enum font_role font, enum color_role color)
{
    struct ui_span const span = {text, font, color};
    float const height = ui_paragraph_height(view->ui, box->w, text_body(view->ui), &span, 1);
    ui_paragraph(view->ui, rect_cut_top(box, height), text_body(view->ui), &span, 1, false);
}

/* Draws the button that opens the lesson. Returns whether it was pressed. */
static bool draw_lesson(struct view *view, struct rect line, const struct explain_view *shown, size_t index)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    enum explain_kind const kind = shown->explain->items[index].kind;
    const char *title = shown->lessons[kind] ? shown->lessons[kind] : explain_lesson(kind);
    const char *label = arena_format(view->arena, _("Lesson: %s ›"), title);
    float const wide = ui_text_width(ui, FONT_TEXT, text_body(ui), label) + 30 * u;
    ui_id const id = ui_id_child(ui_id_text("explained lesson"), (uint32_t)index);
    return ui_button(ui, id, rect_cut_left(&line, fminf(wide, line.w)), label, false);
}

static struct action draw_item(struct view *view, struct rect box, const struct explain_view *shown, size_t index)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const struct explanation *item = &shown->explain->items[index];
    struct action action = NO_ACTION;
    bool const reachable = item->event != SIZE_MAX;
    ui_id const id = ui_id_child(ui_id_text("explained"), (uint32_t)index);
    struct rect const whole = box;
    struct rect press = box;
    if (item->blamed)
        rect_cut_bottom(&press, (LESSON_H + PAD) * u);
    if (index == shown->chosen || (reachable && ui_hovered(ui, press)))
        draw_fill(&ui->draw, whole, 6 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_outline(&ui->draw, whole, 6 * u, fmaxf(1, (index == shown->chosen ? 1.5f : 1) * u),
                 ui_color(ui, index == shown->chosen ? COLOR_ACCESS : COLOR_EDGE));
    ui_focusable(ui, id, whole, 6 * u);
    if (reachable)
        ui_tip(ui, press, "%s", _("click: to its most wasteful access"));
    bool const clicked = ui_area(ui, id, press);
    box = rect_inset(box, PAD * u, PAD * u);
    paragraph(view, &box, heading(view, item), FONT_BOLD, COLOR_TEXT);
    struct rect const cost = rect_cut_top(&box, 24 * u);
    ui_label(ui, cost, FONT_TEXT, text_caption(ui), UI_LEFT,
             ui_color(ui, item->blamed ? COLOR_CONFLICT : COLOR_TEXT_DIM), cost_of(view, item));
    const char *code = code_of(view, shown, item);
    if (*code)
        ui_label(ui, rect_cut_top(&box, 24 * u), FONT_CODE, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 code);
    if (item->blamed) {
        rect_cut_top(&box, 4 * u);
        paragraph(view, &box, why_of(view, item), FONT_TEXT, COLOR_TEXT);
        rect_cut_top(&box, 4 * u);
        paragraph(view, &box, report_explain_remedy(view->arena, REPORT_TRANSLATED, item), FONT_TEXT, COLOR_TEXT);
        rect_cut_top(&box, 8 * u);
        if (draw_lesson(view, rect_cut_top(&box, LESSON_H * u), shown, index))
            action = (struct action){.kind = ACTION_LEARN, .value = (int)item->kind};
    }
    if (clicked && reachable && action.kind == ACTION_NONE)
        action = (struct action){.kind = ACTION_GO_EVENT, .position = item->event};
    return action;
}

/* Returns the sentence above the list. */
static const char *summary(struct view *view, const struct explain_view *shown)
{
    size_t blamed = 0;
    for (size_t i = 0; i < shown->explain->count; i++)
        blamed += shown->explain->items[i].blamed;
    if (!shown->explain->count)
        return _("No instruction has accessed memory or diverged.");
    if (!blamed)
        return arena_format(view->arena, _("Nothing that matters is wasted %s."), shown->scope);
    return arena_format(view->arena, _("Wasted %s, the most first:"), shown->scope);
}

/* Finds the page that holds the chosen item: its first item and the one behind its last. Pages are as full as the
 * heights allow. Returns the number of pages. */
static size_t find_page(struct view *view, struct rect room, const struct explain_view *shown, size_t *first,
                        size_t *end, size_t *page)
{
    float const gap = GAP * view->ui->unit;
    size_t const count = shown->explain->count;
    size_t pages = 0;
    for (size_t at = 0, begin; at < count; pages++) {
        float used = 0;
        begin = at;
        for (; at < count; at++) {
            float const height = height_of(view, room.w, shown, at) + (at > begin ? gap : 0);
            if (at > begin && used + height > room.h)
                break;
            used += height;
        }
        if (shown->chosen >= begin && shown->chosen < at) {
            *first = begin;
            *end = at;
            *page = pages;
        }
    }
    return pages;
}

static const char *counted(void)
{
    return _("Counted are 32 bytes for each sector above the least or loaded again, 128 for each pass above the least, "
             "4 for each idle lane of a step, 1 of another instruction.");
}

/* Returns the height of the words above the list. */
static float words_height(struct view *view, float width, const struct explain_view *shown, bool draw, struct rect box)
{
    struct ui *ui = view->ui;
    struct ui_span const words[] = {{summary(view, shown), FONT_BOLD, COLOR_TEXT},
                                    {" ", FONT_TEXT, COLOR_TEXT},
                                    {counted(), FONT_TEXT, COLOR_TEXT_DIM},
                                    {" ", FONT_TEXT, COLOR_TEXT},
                                    {report_explain_order(), FONT_TEXT, COLOR_TEXT_DIM}};
    size_t const spans = shown->explain->cached ? 5 : 3;
    if (draw)
        ui_paragraph(ui, box, text_caption(ui), words, spans, false);
    return ui_paragraph_height(ui, width, text_caption(ui), words, spans) + 10 * ui->unit;
}

/* Returns whether each item has room on a page of its own. */
static bool fits(struct view *view, struct rect box, const struct explain_view *shown)
{
    float const u = view->ui->unit;
    float const room = box.h - words_height(view, box.w, shown, false, box) - 50 * u;
    for (size_t i = 0; i < shown->explain->count; i++)
        if (height_of(view, fminf(box.w, WIDEST * u), shown, i) > room)
            return false;
    return true;
}

static struct action draw_list(struct view *view, struct rect box, const struct explain_view *shown)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct action action = NO_ACTION;
    struct rect const words = rect_cut_top(&box, words_height(view, box.w, shown, false, box));
    words_height(view, words.w, shown, true, words);
    if (!shown->explain->count)
        return action;
    box.w = fminf(box.w, WIDEST * u);
    size_t first = 0, end = 0, page = 0;
    size_t pages = find_page(view, box, shown, &first, &end, &page);
    if (pages > 1) {
        struct rect const foot = rect_cut_bottom(&box, 44 * u);
        rect_cut_bottom(&box, 6 * u);
        pages = find_page(view, box, shown, &first, &end, &page);
        int const turn = view_turn(view, rect_inset(foot, 0, 2 * u), page, pages);
        if (turn)
            action = (struct action){.kind = ACTION_OVERVIEW_ROW, .value = turn > 0 ? (int)end : (int)first - 1};
    }
    for (size_t i = first; i < end; i++) {
        struct rect const item = rect_cut_top(&box, height_of(view, box.w, shown, i));
        struct action const wanted = draw_item(view, item, shown, i);
        action = wanted.kind != ACTION_NONE ? wanted : action;
        rect_cut_top(&box, GAP * u);
    }
    return action;
}

struct action card_explain(struct view *view, struct rect box, const struct explain_view *given)
{
    struct ui *ui = view->ui;
    float const unit = ui->unit;
    struct explain_view shown = *given;
    shown.chosen = shown.chosen < shown.explain->count ? shown.chosen : 0;
    float const least = ui->minimum_text > 0 ? ui->minimum_text / TEXT_LEAST : unit / 2;
    while (ui->unit > least && !fits(view, box, &shown)) /* large text shrinks before a sentence is lost */
        ui->unit = fmaxf(least, ui->unit * 0.95f);
    struct action const action = draw_list(view, box, &shown);
    ui->unit = unit;
    return action;
}
