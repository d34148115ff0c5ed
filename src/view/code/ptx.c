/* The PTX beside the source, or below it in a narrow card. The instructions of the current line are tinted, and that
 * of the event on screen has a bar. The mouse over a line lights its instructions, the mouse over an instruction its
 * line; a click keeps the light. At the end of a row stands how often warps executed it, and what it cost. */
#include "view/code/lines.h"
#include "view/code/parts.h"
#include <math.h>
#include <string.h>

enum { ROWS_BEST = 14, ROWS_LEAST = 8, ROWS_WAY = 7 };
static float const title_height = 28, gap = 10, least_half = 520; /* units */

float code_ptx_height(const struct view *view, const struct code_view *code)
{
    float const u = view->ui->unit;
    uint32_t const rows = code->ptx->count < ROWS_BEST ? code->ptx->count : ROWS_BEST;
    return (title_height + gap) * u + code_row_height(view) * (float)(rows + (code->ptx->way ? ROWS_WAY : 0));
}

float code_ptx_least(const struct view *view, const struct code_view *code)
{
    return (title_height + gap) * view->ui->unit +
           code_row_height(view) * (float)(ROWS_LEAST + (code->ptx->way ? ROWS_WAY : 0));
}

struct rect code_ptx_cut(const struct view *view, struct rect *box, const struct code_view *code, uint32_t wanted)
{
    float const u = view->ui->unit, row = code_row_height(view);
    struct rect part;
    if (box->w >= 2 * least_half * u) {
        part = rect_cut_right(box, floorf(box->w * 0.5f));
        rect_cut_left(&part, 2 * gap * u);
        return part;
    }
    float const source = fmaxf(3 * row, fminf(row * (float)wanted, box->h * (code->ptx->way ? 0.3f : 0.45f)));
    float const height = fminf(code_ptx_height(view, code) + row * (float)code->ptx->count, box->h - source);
    part = rect_cut_bottom(box, fmaxf(height, 0));
    rect_cut_top(&part, gap * u);
    return part;
}

/* Returns the text at the end of a row: "×256 · 32 sectors". */
static const char *end_of(struct view *view, const struct code_view *code, const struct code_ptx_row *row, bool *bad)
{
    const char *cost = row->site != PTX_NO_INDEX ? code_site_text(view, code, row->site, bad) : NULL;
    struct arena *arena = view->arena;
    if (row->value)
        cost = cost ? arena_format(arena, "= %s · %s", row->value, cost) : arena_format(arena, "= %s", row->value);
    if (!row->counted || !code->counts)
        return cost;
    const char *times = arena_format(arena, "×%s", words_count(arena, row->executed));
    return cost ? arena_format(arena, "%s · %s", cost, times) : times;
}

static float gutter(struct view *view)
{
    return ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), "0000") + 10 * view->ui->unit;
}

static struct code_line lay_out_row(struct view *view, const struct code_view *code, uint32_t number, float width)
{
    struct ui *ui = view->ui;
    const struct code_ptx_row *row = &code->ptx->rows[number - 1];
    struct code_line line = {.number = number, .rows = 1, .words = row->text};
    float const size = text_caption(ui);
    line.indent = row->label ? 0 : ui_text_width(ui, FONT_CODE, size, "  ");
    line.pieces[0].length = strlen(row->text);
    line.end = end_of(view, code, row, &line.bad);
    if (line.end)
        line.end_width = ui_text_width(ui, FONT_TEXT, size, line.end) + 12 * ui->unit;
    if (line.indent + line.end_width + ui_text_width(ui, FONT_CODE, size, row->text) > width)
        code_part_words(view, &line, width);
    return line;
}

/* Draws the way of a lane, as much of it as leaves room for the rows, or only measures it. Returns its height. */
static float draw_way(struct view *view, struct rect box, const struct code_way *way, bool measure)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, room = box.h - 3 * code_row_height(view);
    struct ui_span const lines[] = {{way->title, FONT_BOLD, COLOR_TEXT_DIM},
                                    {way->formula, FONT_CODE, COLOR_TEXT},
                                    {way->numbers, FONT_CODE, COLOR_TEXT},
                                    {way->ends, FONT_TEXT, COLOR_TEXT_DIM}};
    float used = 0;
    box = rect_inset(box, 6 * u, 0);
    for (int i = 0; i < 4; i++) {
        if (!lines[i].text || !*lines[i].text)
            continue;
        float const height = ui_paragraph_height(ui, box.w, text_caption(ui), &lines[i], 1);
        if (used + height > room)
            continue;
        struct rect const line = {box.x, box.y + used, box.w, height};
        if (!measure)
            ui_paragraph(ui, line, text_caption(ui), &lines[i], 1, false);
        used += height;
    }
    return used > 0 ? used + 6 * u : 0;
}

static bool is_of(const struct code_ptx_row *row, uint32_t line)
{
    return line && (row->line == line || row->call_line == line);
}

/* Returns the row to keep in sight: the chosen one, else the first of the chosen line, else the current one. */
static uint32_t centre_of(const struct code_view *code)
{
    const struct code_ptx *ptx = code->ptx;
    if (ptx->lit && ptx->lit <= ptx->count)
        return ptx->lit;
    uint32_t const line = code->lit ? code->lit : ptx->current ? 0 : code->line;
    for (uint32_t i = 0; line && i < ptx->count; i++)
        if (is_of(&ptx->rows[i], line))
            return i + 1;
    return ptx->current && ptx->current <= ptx->count ? ptx->current : 1;
}

/* Returns the first row from which on the centre stands in the middle of so many rows. */
static uint32_t first_around(struct view *view, const struct code_view *code, float width, uint32_t centre,
                             uint32_t fit)
{
    uint32_t used = lay_out_row(view, code, centre, width).rows, first = centre;
    while (first > 1) {
        uint32_t const rows = lay_out_row(view, code, first - 1, width).rows;
        if (used + rows > (fit + 1) / 2)
            break;
        used += rows;
        first--;
    }
    for (uint32_t i = centre + 1; i <= code->ptx->count && used < fit; i++)
        used += lay_out_row(view, code, i, width).rows;
    while (first > 1 && used + lay_out_row(view, code, first - 1, width).rows <= fit)
        used += lay_out_row(view, code, --first, width).rows;
    return first;
}

struct code_lines_shown code_ptx_lay_out(struct view *view, struct rect box, const struct code_view *code)
{
    float const u = view->ui->unit, height = code_row_height(view), width = box.w - gutter(view) - 12 * u;
    struct code_lines_shown shown = {.title = rect_cut_top(&box, title_height * u), .rows = box};
    if (code->ptx->way)
        shown.way = rect_cut_top(&box, draw_way(view, box, code->ptx->way, true));
    shown.rows = box;
    uint32_t const fit = (uint32_t)fmaxf(1, floorf(box.h / height + 0.02f));
    struct code_line *lines = arena_array(view->arena, struct code_line, (size_t)fit + 1);
    if (!code->ptx->count || box.h < height * 0.9f)
        return shown;
    uint32_t const chosen = code->ptx->first <= code->ptx->count ? code->ptx->first : 0;
    uint32_t number = chosen ? chosen : first_around(view, code, width, centre_of(code), fit), used = 0;
    for (; number <= code->ptx->count; number++) {
        struct code_line const line = lay_out_row(view, code, number, width);
        if (shown.count && used + line.rows > fit)
            break;
        struct rect const place = {box.x, box.y + height * (float)used, box.w, height * (float)line.rows};
        if (ui_hovered(view->ui, place))
            shown.hovered = number;
        used += line.rows;
        lines[shown.count++] = line;
    }
    shown.lines = lines;
    return shown;
}

/* Draws what stands behind a row: the light of the current line, of the one under the mouse, of the chosen one. */
static void ground(struct view *view, struct rect box, const struct code_view *code, uint32_t number, uint32_t line)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const struct code_ptx_row *row = &code->ptx->rows[number - 1];
    bool const below = is_of(row, line), chosen = is_of(row, code->lit);
    if (below || chosen)
        draw_fill(&ui->draw, box, 3 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    else if (is_of(row, code->line))
        draw_fill(&ui->draw, box, 3 * u, ui_color(ui, COLOR_CURSOR_SOFT));
    if (number == code->ptx->current)
        draw_fill(&ui->draw, (struct rect){box.x, box.y, 5 * u, box.h}, 2 * u, ui_color(ui, COLOR_CURSOR));
    if (number == code->ptx->lit)
        draw_outline(&ui->draw, box, 3 * u, fmaxf(2, 2 * u), ui_color(ui, COLOR_ACCESS));
}

static void tip(struct view *view, struct rect box, const struct code_view *code, const struct code_ptx_row *row)
{
    struct arena *arena = view->arena;
    const char *place = "", *times = "";
    if (row->label || !row->line)
        return;
    if (row->call_line)
        place = arena_format(arena, _("line %u, inlined into line %u"), row->line, row->call_line);
    else
        place = row->column ? arena_format(arena, _("line %u, column %u"), row->line, row->column)
                            : arena_format(arena, _("line %u"), row->line);
    if (row->counted && code->counts)
        times = arena_format(arena, _("executed by warps %s {time|times}"), words_count(arena, row->executed));
    ui_tip(view->ui, box, "%s%s%s", place, *times ? "\n" : "", times);
}

static void draw_row(struct view *view, struct rect box, const struct code_view *code, const struct code_line *line,
                     uint32_t lit_line)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const struct code_ptx_row *row = &code->ptx->rows[line->number - 1];
    bool const current = is_of(row, code->line);
    struct color const plain = ui_color(ui, COLOR_TEXT), dim = ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM);
    ground(view, box, code, line->number, lit_line);
    tip(view, box, code, row);
    box = rect_inset(box, 6 * u, 0);
    for (uint32_t i = 0; i < line->rows && (i == 0 || box.h > code_row_height(view) * 0.9f); i++) {
        struct rect inner = rect_cut_top(&box, code_row_height(view)), number = rect_cut_left(&inner, gutter(view));
        rect_cut_right(&number, 10 * u);
        if (i == 0 && row->line)
            ui_label(ui, number, FONT_CODE, size, UI_RIGHT, dim, arena_format(view->arena, "%u", row->line));
        if (i + 1 == line->rows && line->end)
            ui_label(ui, rect_cut_right(&inner, line->end_width), FONT_TEXT, size, UI_RIGHT,
                     line->bad ? ui_color(ui, COLOR_CONFLICT) : dim, line->end);
        rect_cut_left(&inner, line->indent + (i ? code_hanging(view) : 0));
        ui_label(ui, inner, row->label ? FONT_TEXT : FONT_CODE, size, UI_LEFT, row->label ? dim : plain,
                 arena_text_n(view->arena, line->words + line->pieces[i].from, line->pieces[i].length));
    }
}

/* Returns the request to scroll, by the wheel or one of two buttons in the title. */
static struct action scroll(struct view *view, const struct code_lines_shown *shown, struct rect *title,
                            const struct code_view *code)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    uint32_t const first = shown->lines[0].number, last = shown->lines[shown->count - 1].number;
    uint32_t const up = first > shown->count ? first - shown->count : 1, none = 0;
    bool const above = first > 1, below = last < code->ptx->count;
    uint32_t wanted = none;
    if (!above && !below)
        return NO_ACTION;
    struct rect const lower = rect_cut_right(title, 30 * u), upper = rect_cut_right(title, 30 * u);
    if (below && ui_button(ui, ui_id_text("ptx below"), rect_inset(lower, 1 * u, 0), "↓", false))
        wanted = last + 1;
    if (above && ui_button(ui, ui_id_text("ptx above"), rect_inset(upper, 1 * u, 0), "↑", false))
        wanted = up;
    bool const hovered = ui_hovered(ui, shown->rows);
    if (hovered && ui->input.wheel < 0 && below)
        wanted = first + 2 < last + 1 ? first + 2 : last + 1;
    if (hovered && ui->input.wheel > 0 && above)
        wanted = first > 3 ? first - 2 : 1;
    return wanted ? (struct action){ACTION_PTX_ROW, .value = (int)wanted, .other = (int)code->line} : NO_ACTION;
}

/* Draws the title: what is shown, and what is not known about it. */
static void draw_title(struct view *view, struct rect title, const struct code_view *code)
{
    struct ui *ui = view->ui;
    const char *words = code->ptx->partly        ? _("PTX · only what makes events, as in the file")
                        : code->ptx->events_only ? _("PTX · only events are counted")
                        : code->counts           ? _("PTX · ×: executed by warps")
                                                 : _("PTX");
    if (ui_text_width(ui, FONT_BOLD, text_caption(ui), words) > title.w)
        words = _("PTX");
    ui_label(ui, title, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
}

struct action code_ptx_draw(struct view *view, const struct code_lines_shown *shown, const struct code_view *code,
                            uint32_t line)
{
    struct ui *ui = view->ui;
    struct rect title = rect_inset(shown->title, 6 * ui->unit, 0), rows = shown->rows;
    struct action action = NO_ACTION;
    if (!shown->count) {
        draw_title(view, title, code);
        return action;
    }
    action = scroll(view, shown, &title, code);
    draw_title(view, title, code);
    if (code->ptx->way && shown->way.h > 0) {
        struct rect way = shown->way;
        way.h += shown->rows.h;
        draw_way(view, way, code->ptx->way, false);
    }
    for (uint32_t i = 0; i < shown->count; i++) {
        const struct code_line *row = &shown->lines[i];
        struct rect const box = rect_cut_top(&rows, code_row_height(view) * (float)row->rows);
        draw_row(view, box, code, row, line);
        if (ui_area(ui, ui_id_child(ui_id_text("ptx row"), row->number), box))
            action = (struct action){ACTION_PTX_LIGHT, .value = (int)row->number, .other = (int)code->line,
                                     .position = code->ptx->rows[row->number - 1].line};
    }
    return action;
}
