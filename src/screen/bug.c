/* A step that looks for a bug: the kernel has the stage while its line is asked for. Then the wrong line stands above
 * the picture with its reason, and beside it the line that mends it. */
#include "screen/bug.h"
#include "screen/side/side.h"
#include "screen/stage.h"
#include "view/cards/cards.h"
#include <math.h>
#include <string.h>

void draw_bug_code(struct drawing *drawing, struct view *view, struct rect box)
{
    struct code_view code = code_now(drawing, view, 0);
    code.reads = true;
    if (!code.first && !code.line) /* it opens where the wrong line is in sight, not in the middle */
        code.sight = document_wrong_line(drawing->document);
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

/* How much of the answer is shown. */
struct amount {
    const char *reason; /* of the wrong line, whichever line was guessed; "": none */
    bool brief;         /* of several fixed lines, the nearest */
};

/* Returns what stands above the lines. */
static const char *column_title(struct drawing *drawing, const struct bug *bug, bool bad, bool brief)
{
    if (bad)
        return arena_format(drawing->arena, _("× line %u is wrong"), bug->wrong);
    if (bug->from == bug->to)
        return arena_format(drawing->arena, _("✓ fixed: line %u"), bug->from);
    return arena_format(drawing->arena, brief ? _("✓ fixed: lines %u ⋮ %u") : _("✓ fixed: lines %u to %u"), bug->from,
                        bug->to);
}

/* Draws one of the two columns, or only measures it. Returns its height. */
static float draw_column(struct drawing *drawing, struct rect box, bool bad, const struct amount *amount, bool measure)
{
    const struct bug *bug = document_bug(drawing->document);
    struct ui *ui = drawing->ui;
    float const u = ui->unit, title = 26 * u;
    uint32_t const from = bad             ? bug->wrong
                          : amount->brief ? bug->nearest
                                          : bug->from,
                   to = bad             ? bug->wrong
                        : amount->brief ? bug->nearest
                                        : bug->to;
    struct rect const head = rect_cut_top(&box, title);
    if (!measure)
        ui_label(ui, head, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, bad ? COLOR_CONFLICT : COLOR_ACCESS),
                 column_title(drawing, bug, bad, amount->brief));
    float height = title + draw_lines(drawing, box, bad ? bug->faulty : bug->mended, from, to, bad, measure);
    struct ui_span const why = {bad ? amount->reason : "", FONT_TEXT, COLOR_TEXT};
    box.y += height - title + 4 * u;
    if (*why.text)
        height += 4 * u + ui_paragraph(ui, box, text_caption(ui), &why, 1, measure);
    return height;
}

/* Draws the columns in their boxes, or only measures them. Returns the height of the higher one. */
static float draw_columns(struct drawing *drawing, struct rect sides[2], const struct amount *amount, bool measure)
{
    float const u = drawing->ui->unit;
    float height = 0;
    for (int i = 0; i < (document_bug(drawing->document)->from ? 2 : 1); i++) {
        if (!measure)
            ui_card(drawing->ui, sides[i]);
        height = fmaxf(height, draw_column(drawing, rect_inset(sides[i], 12 * u, 6 * u), i == 0, amount, measure));
    }
    return height + 16 * u;
}

/* Divides the room between the two columns so that the higher one is low. Returns its height. */
static float divide(struct drawing *drawing, struct rect all, const struct amount *amount, struct rect sides[2])
{
    static const float parts[] = {0.5f, 0.42f, 0.34f}; /* of the wrong line, which is one of fewer */
    float const gap = 16 * drawing->ui->unit;
    float least = INFINITY;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct rect rest = all, tried[2];
        tried[0] = rect_cut_left(&rest, (all.w - gap) * parts[i]);
        rect_cut_left(&rest, gap);
        tried[1] = rest;
        float const height = draw_columns(drawing, tried, amount, true);
        if (height >= least - 1)
            continue;
        least = height;
        memcpy(sides, tried, sizeof tried);
    }
    return least;
}

/* Draws the answer at the top of the box, or only measures whether it fits. */
static bool place_answer(struct drawing *drawing, struct view *view, struct rect *box, bool measure)
{
    float const u = drawing->ui->unit, below = 14 * u;
    int const columns = document_bug(drawing->document)->from ? 2 : 1;
    const char *reason = beat_reason(drawing);
    struct amount const amounts[] = {{reason, false}, {reason, true}, {"", true}};
    struct rect all = rect_inset(*box, 22 * u, 0);
    rect_cut_top(&all, 8 * u);
    for (int low = 0; low < 2; low++) {
        float const room = box->h - below - draw_stage_least(drawing, view, *box, low);
        for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
            struct rect sides[2] = {all};
            float const height = columns > 1 ? divide(drawing, all, &amounts[i], sides)
                                             : draw_columns(drawing, sides, &amounts[i], true);
            if (height > room)
                continue;
            if (measure)
                return true;
            sides[0].h = sides[1].h = height;
            draw_columns(drawing, sides, &amounts[i], false);
            rect_cut_top(box, height + below);
            drawing->bug_told = *amounts[i].reason;
            return true;
        }
    }
    return false;
}

bool draw_bug_answer(struct drawing *drawing, struct view *view, struct rect *box)
{
    return place_answer(drawing, view, box, false);
}

bool bug_answer_fits(struct drawing *drawing, struct view *view, struct rect box)
{
    return place_answer(drawing, view, &box, true);
}
