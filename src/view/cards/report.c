/* The report as a card: a row for each finding. The current row is open and shows its message and advice. */
#include "view/report.h"
#include <math.h>

static float row_height(const struct view *view)
{
    return 52 * view->ui->unit;
}

enum words { WORDS_NONE, WORDS_ADVICE, WORDS_ALL };

/* Draws the words of the open finding, or only measures them. Returns their height. If room is short, the message goes,
 * because the stage shows it. The note does not: a verdict that rests on a guess says so. */
static float opened(struct view *view, struct rect box, const struct report_view *report, const struct report_row *row,
                    enum words words, bool measure)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct ui_span message = {row->message, FONT_TEXT, COLOR_TEXT};
    float y = words == WORDS_ALL ? ui_paragraph(ui, box, text_body(ui), &message, 1, measure) + 8 * u : 0;
    if (row->advice) {
        struct ui_span span = {row->advice, FONT_BOLD, COLOR_ACCESS};
        struct rect rest = {box.x, box.y + y, box.w, box.h - y};
        y += ui_paragraph(ui, rest, text_body(ui), &span, 1, measure) + 8 * u;
    }
    if (report->note) {
        struct ui_span span = {report->note, FONT_TEXT, COLOR_TEXT_DIM};
        struct rect rest = {box.x, box.y + y, box.w, box.h - y};
        y += ui_paragraph(ui, rest, text_caption(ui), &span, 1, measure) + 8 * u;
    }
    return y;
}

static bool is_open(const struct report_view *report)
{
    return report->current >= 0 && report->current < (int)report_rows(report->report);
}

float card_report_height(const struct view *view, float width, const struct report_view *report, float most)
{
    struct view copy = *view;
    float const u = view->ui->unit, rows = 46 * u + row_height(view) * (float)report_rows(report->report);
    struct rect const room = {0, 0, width - 56 * u, 1e6f};
    bool const open = is_open(report);
    struct report_row const row =
        open ? report_row(view->arena, report->report, (uint32_t)report->current) : (struct report_row){0};
    for (enum words words = WORDS_ALL; open && words != WORDS_NONE; words--) {
        float const height = rows + opened(&copy, room, report, &row, words, true);
        if (height <= most)
            return height;
    }
    return open ? most : fminf(rows, most);
}

/* Draws a triangle for a fault, or two opposed arrows for a race. */
static void mark(struct view *view, struct rect box, bool race)
{
    struct ui *ui = view->ui;
    float u = ui->unit, s = 9 * u;
    struct point m = {box.x + box.w / 2, box.y + box.h / 2};
    struct color color = ui_color(ui, COLOR_CONFLICT);
    if (!race) {
        struct point points[3] = {{m.x, m.y - s}, {m.x + s, m.y + s * 0.8f}, {m.x - s, m.y + s * 0.8f}};
        draw_polygon(&ui->draw, points, 3, color);
        return;
    }
    struct point left[3] = {{m.x - s * 1.1f, m.y - s * 0.7f}, {m.x - s * 0.1f, m.y}, {m.x - s * 1.1f, m.y + s * 0.7f}};
    struct point right[3] = {{m.x + s * 1.1f, m.y - s * 0.7f}, {m.x + s * 0.1f, m.y}, {m.x + s * 1.1f, m.y + s * 0.7f}};
    draw_polygon(&ui->draw, left, 3, color);
    draw_polygon(&ui->draw, right, 3, color);
}

static bool one_row(struct view *view, struct rect box, const struct report_row *words, uint32_t index, bool current)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_id id = ui_id_child(ui_id_text("finding"), index);
    struct rect row = rect_inset(box, 0, 3 * u);
    draw_fill(&ui->draw, row, 4 * u, ui_color(ui, current ? COLOR_CONFLICT_SOFT : COLOR_PANEL));
    if (!current && ui_hovered(ui, row))
        draw_outline(&ui->draw, row, 4 * u, hairline(ui), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, row, 4 * u);
    bool clicked = ui_area(ui, id, row);
    mark(view, rect_cut_left(&row, 38 * u), words->race);
    row = rect_inset(row, 0, 2 * u);
    ui_label(ui, rect_cut_top(&row, row.h / 2), FONT_BOLD, text_caption(ui), UI_LEFT,
             ui_color(ui, current ? COLOR_TEXT : COLOR_CONFLICT), words->title);
    ui_label(ui, row, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM),
             words->place);
    return clicked;
}

struct action card_report(struct view *view, struct rect box, const struct report_view *report)
{
    struct ui *ui = view->ui;
    float u = ui->unit, row = row_height(view);
    uint32_t count = report_rows(report->report);
    ui_card(ui, box);
    draw_hatch(&ui->draw, (struct rect){box.x, box.y, 6 * u, box.h}, 7 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    box = rect_inset(box, 18 * u, 10 * u);
    view_card_title(view, &box,
                    report->report->looked_known ? arena_format(view->arena, _("REPORT · %u found %s"), count,
                                                                report_scope(view->arena, report->report))
                                                 : arena_format(view->arena, _("REPORT · %u found"), count));
    bool const open = is_open(report);
    struct report_row const now =
        open ? report_row(view->arena, report->report, (uint32_t)report->current) : (struct report_row){0};
    struct rect const room = {0, 0, box.w - 20 * u, 1e6f};
    enum words shown = open ? WORDS_ALL : WORDS_NONE;
    float words = 0;
    for (; shown != WORDS_NONE; shown--) {
        words = opened(view, room, report, &now, shown, true);
        if (words + row <= box.h + 1)
            break;
        words = 0;
    }
    uint32_t fit = (uint32_t)fmaxf(1, floorf((box.h - words) / row + 0.02f));
    uint32_t first = open && (uint32_t)report->current >= fit ? (uint32_t)report->current + 1 - fit : 0;
    struct action action = NO_ACTION;
    for (uint32_t i = first; i < count && i < first + fit; i++) {
        bool current = (int)i == report->current;
        struct report_row const one = current ? now : report_row(view->arena, report->report, i);
        if (one_row(view, rect_cut_top(&box, row), &one, i, current))
            action = (struct action){.kind = ACTION_GO_FINDING, .value = (int)i};
        if (current && shown != WORDS_NONE) {
            struct rect at = rect_inset(rect_cut_top(&box, words), 10 * u, 4 * u);
            opened(view, at, report, &now, shown, false);
        }
    }
    return action;
}
