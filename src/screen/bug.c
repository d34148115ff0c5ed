/* A step that looks for a bug: the kernel has the stage while its line is asked for. Then the wrong line stands above
 * the picture with its reason, and beside it the line that mends it. */
#include "screen/bug.h"
#include "screen/side/side.h"
#include "view/cards/cards.h"
#include <math.h>
#include <string.h>

enum { ROW = 25 }; /* of code */

void draw_bug_code(struct drawing *drawing, struct view *view, struct rect box)
{
    struct code_view code = code_now(drawing, view, 0);
    uint32_t const wrong = document_wrong_line(drawing->document),
                   rows = (uint32_t)fmaxf(3, (box.h - 80 * drawing->ui->unit) / (ROW * drawing->ui->unit));
    code.reads = true;
    if (!code.first && !code.line) /* it opens where the wrong line is in sight, not in the middle */
        code.first = wrong + 3 > code.from + rows ? wrong + 3 - rows : code.from;
    action_ask(drawing->actions, card_code(view, box, &code));
}

/* Draws lines of a source below a title, or only measures them. Returns their height. */
static float draw_lines(struct drawing *drawing, struct rect box, const char *source, uint32_t from, uint32_t to,
                        bool bad, bool measure)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, number = ui_text_width(ui, FONT_CODE, text_caption(ui), "0000 ");
    float height = 0;
    const char *at = source;
    for (uint32_t line = 1; line <= to; line++, at += strcspn(at, "\n") + 1) {
        if (line < from)
            continue;
        const char *text = at + strspn(at, " ");
        struct ui_span const span = {arena_text_n(drawing->arena, text, strcspn(text, "\n")), FONT_CODE, COLOR_TEXT};
        struct rect row = {box.x, box.y + height, box.w, 0};
        struct rect words = {row.x + number, row.y + 3 * u, row.w - number - 6 * u, 0};
        words.h = ui_paragraph_height(ui, words.w, text_caption(ui), &span, 1);
        row.h = words.h + 6 * u;
        if (!measure) {
            draw_fill(&ui->draw, row, 3 * u, ui_color(ui, bad ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
            if (bad)
                draw_hatch(&ui->draw, (struct rect){row.x, row.y, 6 * u, row.h}, 6 * u, 2 * u,
                           ui_color(ui, COLOR_CONFLICT));
            ui_label(ui, (struct rect){row.x + 8 * u, words.y, number - 10 * u, words.h}, FONT_CODE, text_caption(ui),
                     UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), arena_format(drawing->arena, "%u", line));
            ui_paragraph(ui, words, text_caption(ui), &span, 1, false);
        }
        height += row.h;
    }
    return height;
}

/* Draws one of the two columns, or only measures it. Returns its height. */
static float draw_column(struct drawing *drawing, struct rect box, const struct bug *bug, bool bad, const char *reason,
                         bool measure)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, title = 26 * u;
    uint32_t const from = bad ? bug->wrong : bug->from, to = bad ? bug->wrong : bug->to;
    const char *name = bad          ? arena_format(drawing->arena, _("× line %u is wrong"), bug->wrong)
                       : from == to ? arena_format(drawing->arena, _("✓ fixed: line %u"), from)
                                    : arena_format(drawing->arena, _("✓ fixed: lines %u to %u"), from, to);
    struct rect const head = rect_cut_top(&box, title);
    if (!measure)
        ui_label(ui, head, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, bad ? COLOR_CONFLICT : COLOR_ACCESS),
                 name);
    float height = title + draw_lines(drawing, box, bad ? bug->faulty : bug->mended, from, to, bad, measure);
    struct ui_span const why = {reason, FONT_TEXT, COLOR_TEXT};
    box.y += height - title + 4 * u;
    if (*reason)
        height += 4 * u + ui_paragraph(ui, box, text_caption(ui), &why, 1, measure);
    return height;
}

/* Draws the columns in their boxes, or only measures them. Returns the height of the higher one. */
static float draw_columns(struct drawing *drawing, struct rect sides[2], const char *reason, bool measure)
{
    const struct bug *bug = document_bug(drawing->document);
    float const u = drawing->ui->unit;
    float height = 0;
    for (int i = 0; i < (bug->from ? 2 : 1); i++) {
        if (!measure)
            ui_card(drawing->ui, sides[i]);
        struct rect const inner = rect_inset(sides[i], 12 * u, 6 * u);
        height = fmaxf(height, draw_column(drawing, inner, bug, i == 0, i == 0 ? reason : "", measure));
    }
    return height + 16 * u;
}

bool draw_bug_answer(struct drawing *drawing, struct rect *box)
{
    enum { PICTURE_LEAST = 330 };
    float const u = drawing->ui->unit;
    int const columns = document_bug(drawing->document)->from ? 2 : 1;
    const char *reason = beat_reason(drawing); /* of the wrong line, whichever line was guessed */
    struct rect all = rect_inset(*box, 22 * u, 0);
    rect_cut_top(&all, 8 * u);
    struct rect sides[2] = {rect_column(all, 0, columns, 16 * u), rect_column(all, 1, columns, 16 * u)};
    float height = draw_columns(drawing, sides, reason, true);
    if (box->h - height < PICTURE_LEAST * u)
        height = draw_columns(drawing, sides, reason = "", true);
    if (box->h - height < PICTURE_LEAST * u)
        return false;
    sides[0].h = sides[1].h = height;
    draw_columns(drawing, sides, reason, false);
    rect_cut_top(box, height + 14 * u);
    return true;
}
