/* The source of the kernel. The current line is highlighted, and the cost of an access stands at the right of each
 * line. A long source scrolls to the current line, or by the wheel, a key and two buttons to any other, and a wide line
 * continues in the next row. A click on a name goes to its definition, a click elsewhere on a line filters the timeline
 * to its accesses. */
#include "source/tokens.h"
#include "view/code/lines.h"
#include "view/code/parts.h"
#include <math.h>
#include <string.h>

struct source_lines {
    const char **start; /* start[n - 1] is the first character of line n */
    uint32_t count;
};

static struct source_lines lines_of(struct arena *arena, const char *source)
{
    struct source_lines lines = {.count = 0};
    for (const char *s = source; *s; s++)
        lines.count += *s == '\n' || !s[1];
    lines.start = arena_array(arena, const char *, (size_t)lines.count + 1);
    const char *at = source;
    for (uint32_t i = 0; i < lines.count; i++) {
        lines.start[i] = at;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return lines;
}

/* Draws the note below the code, or only measures it. Returns its height. */
static float foot(struct view *view, struct rect box, const struct code_view *code, bool measure)
{
    float u = view->ui->unit;
    struct ui_span const spans[2] = {{code->foot_good ? "✓ " : "", FONT_BOLD, COLOR_ACCESS},
                                     {code->foot, FONT_TEXT, code->foot_good ? COLOR_TEXT_DIM : COLOR_TEXT}};
    return code->foot ? ui_paragraph(view->ui, box, text_caption(view->ui), spans, 2, measure) + 6 * u : 0;
}

static const struct code_mark *mark_of(const struct code_view *code, uint32_t line)
{
    for (uint32_t i = 0; i < code->mark_count; i++)
        if (code->marks[i].line == line)
            return &code->marks[i];
    return NULL;
}

/* Draws the background of a line: of the current one, of one with a finding, of a definition that the user jumped to,
 * of the one that the timeline is filtered to, of the one that belongs to the PTX under the mouse (`lit`). */
static void line_ground(struct view *view, struct rect row, const struct code_view *code, uint32_t line, uint32_t lit)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const struct code_mark *mark = mark_of(code, line);
    if (line == lit || (code->ptx && line == code->lit))
        draw_fill(&ui->draw, row, 3 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    else if (line == code->line || mark)
        draw_fill(&ui->draw, row, 3 * u, ui_color(ui, line == code->line ? COLOR_CURSOR_SOFT : COLOR_CONFLICT_SOFT));
    if (mark)
        draw_hatch(&ui->draw, (struct rect){row.x, row.y, 6 * u, row.h}, 6 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    if (line == code->jumped)
        draw_outline_dashed(&ui->draw, row, 3 * u, fmaxf(1.5f, 1.5f * u), 5 * u, ui_color(ui, COLOR_ACCESS));
    if (line == code->filter)
        draw_outline(&ui->draw, row, 3 * u, fmaxf(2, 2 * u), ui_color(ui, COLOR_ACCESS));
}

/* How to draw a line that is too wide. WRAP_NOT: cut, without its cost. WRAP_CODE: on several rows with its cost, but
 * without its comment. WRAP_ALL: whole, on several rows. */
enum wrap { WRAP_NOT, WRAP_CODE, WRAP_ALL };

static struct code_line lay_out_line(struct view *view, const struct code_view *code, const char *start,
                                     uint32_t number, float width, size_t outer, enum wrap wrap)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const char *text = code_line_text(view->arena, start);
    struct code_line line = {.number = number, .rows = 1, .words = text + strspn(text, " ")};
    line.left_out = (size_t)(line.words - text);
    float const letter = ui_text_width(ui, FONT_CODE, text_caption(ui), " ");
    if (*line.words && line.left_out > outer)
        line.indent = fminf(letter * (float)(line.left_out - outer), width * 0.4f);
    line.pieces[0].length = strlen(line.words);
    float const room = width - line.indent - ui_text_width(ui, FONT_CODE, text_caption(ui), line.words);
    const struct code_mark *mark = mark_of(code, number);
    line.bad = mark != NULL;
    line.end = mark ? mark->words : code_cost_text(view, code, number, &line.bad, room < 190 * u);
    if (line.end)
        line.end_width = ui_text_width(ui, FONT_BOLD, text_caption(ui), line.end) + 1;
    if (mark && line.end_width > width * 0.5f) {
        line.end = NULL;
        line.end_width = 0;
    }
    if (line.end)
        line.end_width += (line.bad && !mark ? 22 : 6) * u;
    size_t const length = wrap == WRAP_CODE ? source_line_code(view->arena, line.words) : strlen(line.words);
    const char *needed = arena_text_n(view->arena, line.words, length);
    float const taken = line.indent + line.end_width + ui_text_width(ui, FONT_CODE, text_caption(ui), needed);
    if (taken > width && wrap == WRAP_NOT && !mark) { /* the code has priority: the tooltip shows the cost as well */
        line.end = NULL;
        line.end_width = 0;
    }
    if (wrap && taken > width)
        code_part_words(view, &line, width);
    line.code_rows = line.rows;
    if (mark && mark->said && wrap) {
        struct ui_span const span = {mark->said, FONT_TEXT, COLOR_CONFLICT};
        line.below = mark->said;
        line.rows +=
            (uint32_t)ceilf(ui_paragraph_height(ui, width, text_caption(ui), &span, 1) / code_row_height(view));
    }
    return line;
}

/* Draws the text at the end of a line and cuts its room off the row. */
static void line_end(struct view *view, struct rect *inner, const struct code_view *code, const struct code_line *line)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    bool const marked = mark_of(code, line->number) != NULL, current = line->number == code->line;
    if (!line->end)
        return;
    struct rect at = rect_cut_right(inner, line->end_width);
    struct color strong = ui_color(ui, marked || !current ? COLOR_CONFLICT : COLOR_TEXT);
    struct color quiet = ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM);
    rect_cut_left(&at, 6 * u);
    if (line->bad && !marked) { /* a hatched mark, for readers who cannot rely on colour */
        struct rect const hatch = rect_cut_left(&at, 16 * u);
        draw_hatch(&ui->draw, (struct rect){hatch.x + 2 * u, hatch.y + hatch.h / 2 - 6 * u, 8 * u, 12 * u}, 4 * u,
                   1.5f * u, strong);
    }
    ui_label(ui, at, FONT_BOLD, text_caption(ui), UI_RIGHT, line->bad ? strong : quiet, line->end);
}

/* Draws a caret under the column of a compiler's error or of an instruction of PTX. byte: its offset in the row. */
static void caret(struct view *view, struct rect text, size_t byte, enum color_role color)
{
    struct ui *ui = view->ui;
    float u = ui->unit, letter = ui_text_width(ui, FONT_CODE, text_caption(ui), " ");
    float x = text.x + letter * (float)byte, y = text.y + text.h - 1 * u;
    struct point points[3] = {{x + letter / 2, y - 6 * u}, {x + letter / 2 + 5 * u, y}, {x + letter / 2 - 5 * u, y}};
    if (x + letter <= text.x + text.w)
        draw_polygon(&ui->draw, points, 3, ui_color(ui, color));
}

static struct action one_line(struct view *view, struct rect rows, const struct code_view *code,
                              const struct code_line *line, float number_w, const struct code_ptx_row *lit)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    bool const current = line->number == code->line;
    bool const comment = source_line_code(view->arena, line->words) == 0;
    const struct code_mark *mark = mark_of(code, line->number);
    line_ground(view, rows, code, line->number, lit ? lit->line : 0);
    struct color dim = ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM);
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("code line"), line->number), rows);
    struct code_word word = {0};
    code_cost_tip(view, rows, code, line->number);
    rows = rect_inset(rows, 6 * u, 0);
    /* of a line with more rows than the card has room for, the first ones */
    for (uint32_t i = 0; i < line->code_rows && (i == 0 || rows.h > code_row_height(view) * 0.9f); i++) {
        struct rect inner = rect_cut_top(&rows, code_row_height(view)), number = rect_cut_left(&inner, number_w);
        rect_cut_left(&inner, 12 * u);
        if (i == 0)
            ui_label(ui, number, FONT_CODE, text_caption(ui), UI_RIGHT, dim,
                     arena_format(view->arena, "%u", line->number));
        if (i + 1 == line->code_rows)
            line_end(view, &inner, code, line);
        rect_cut_left(&inner, line->indent + (i ? code_hanging(view) : 0));
        size_t const from = line->pieces[i].from, length = line->pieces[i].length;
        ui_label(ui, inner, FONT_CODE, text_caption(ui), UI_LEFT, comment ? dim : ui_color(ui, COLOR_TEXT),
                 arena_text_n(view->arena, line->words + from, length));
        if (!word.length)
            word = code_word_below(view, inner, code, line->number, line->words, from, length);
        if (mark && mark->column > line->left_out + from && mark->column <= line->left_out + from + length + 1)
            caret(view, inner, mark->column - 1 - line->left_out - from, COLOR_CONFLICT);
        if (lit && lit->line == line->number && lit->column > line->left_out + from &&
            lit->column <= line->left_out + from + length)
            caret(view, inner, lit->column - 1 - line->left_out - from, COLOR_ACCESS);
    }
    if (line->below && rows.h > code_row_height(view) * 0.9f) {
        struct ui_span const span = {line->below, FONT_TEXT, COLOR_CONFLICT};
        rect_cut_left(&rows, number_w + 12 * u);
        ui_paragraph(ui, rows, text_caption(ui), &span, 1, false);
    }
    if (clicked && word.definition)
        return (struct action){ACTION_GO_DEFINITION, .value = (int)word.definition, .other = (int)code->line};
    return clicked ? (struct action){ACTION_CHOOSE_LINE, .value = (int)line->number, .other = (int)code->line}
                   : NO_ACTION;
}

/* Returns the indentation that all visible lines share. It is left out, so that more of a long line fits. */
static size_t outer_indent(struct view *view, const struct source_lines *lines, uint32_t first, uint32_t end)
{
    size_t outer = SIZE_MAX;
    for (uint32_t line = first; line < end; line++) {
        const char *text = code_line_text(view->arena, lines->start[line - 1]);
        size_t indent = strspn(text, " ");
        if (text[indent] && indent < outer)
            outer = indent;
    }
    return outer == SIZE_MAX ? 0 : outer;
}

static float number_width(struct view *view, const struct source_lines *lines)
{
    return ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), lines->count > 99 ? "000" : "00") + 1;
}

/* Returns the width that a card leaves for the text: without its edges and the line number. */
static float words_width(struct view *view, const struct source_lines *lines, float card)
{
    return card - number_width(view, lines) - (20 + 12 + 12) * view->ui->unit;
}

static uint32_t last_shown(const struct code_view *code, const struct source_lines *lines)
{
    return code->to && code->to < lines->count ? code->to : lines->count;
}

static float launch_height(struct view *view, float width, const struct code_view *code)
{
    float const u = view->ui->unit;
    struct ui_span const span = {code->launch, FONT_CODE, COLOR_TEXT};
    return code->launch && !code->strip
               ? ui_paragraph_height(view->ui, width - 32 * u, text_caption(view->ui), &span, 1) + 6 * u
               : 0;
}

struct code_heights card_code_heights(const struct view *view, float width, const struct code_view *code)
{
    struct view copy = *view;
    float const u = view->ui->unit, title = code->strip ? 0 : 26 * u, one = code_row_height(view);
    struct source_lines const lines = lines_of(view->arena, code->source);
    float const room = words_width(&copy, &lines, width);
    uint32_t rows = 0, most = 3;
    for (uint32_t i = code->from ? code->from - 1 : 0; i < last_shown(code, &lines); i++) {
        uint32_t const needed = lay_out_line(&copy, code, lines.start[i], i + 1, room, 0, WRAP_ALL).rows;
        rows += needed;
        most = needed > most ? needed : most;
    }
    bool const opened = code->ptx && !code->strip;
    float const ptx = opened ? code_ptx_height(view, code) : 0, ptx_least = opened ? code_ptx_least(view, code) : 0;
    float const best = title + 24 * u + launch_height(&copy, width, code) + ptx + one * (float)rows +
                       foot(&copy, (struct rect){0, 0, width - 32 * u, 1e6f}, code, true);
    return (struct code_heights){best, fminf((26 + 20) * u + ptx_least + one * (float)most, best)};
}

/* Returns the first line of those that end two lines below a line, as many as there are rows for. */
static uint32_t first_with(struct view *view, const struct code_view *code, const struct source_lines *lines,
                           float width, uint32_t fit)
{
    uint32_t const last = last_shown(code, lines), low = code->from ? code->from : 1;
    uint32_t const sight = code->sight < low ? low : code->sight > last ? last : code->sight;
    uint32_t used = 0, first = sight + 1, end = sight + 1;
    while (first > low) {
        uint32_t const rows = lay_out_line(view, code, lines->start[first - 2], first - 1, width, 0, WRAP_ALL).rows;
        if (first <= sight && used + rows > fit)
            break;
        used += rows;
        first--;
        while (first == sight && end <= last && end <= sight + 2) { /* the lines below come before those above */
            uint32_t const more = lay_out_line(view, code, lines->start[end - 1], end, width, 0, WRAP_ALL).rows;
            if (used + more > fit)
                break;
            used += more;
            end++;
        }
    }
    return first;
}

/* Returns the lines from the first one on, as many as there are rows for. */
static struct code_line *lines_from(struct view *view, const struct code_view *code, const struct source_lines *lines,
                                    float width, uint32_t fit, uint32_t *count)
{
    struct code_line *chosen = arena_array(view->arena, struct code_line, (size_t)fit + 1);
    uint32_t const last = last_shown(code, lines), low = code->from ? code->from : 1;
    uint32_t const wanted = code->first ? code->first : first_with(view, code, lines, width, fit);
    uint32_t const first = wanted < low ? low : wanted > last ? last : wanted;
    size_t const outer = outer_indent(view, lines, first, first + fit <= last ? first + fit : last + 1);
    uint32_t used = 0;
    *count = 0;
    for (uint32_t n = first; n <= last; n++) {
        struct code_line const line = lay_out_line(view, code, lines->start[n - 1], n, width, outer, WRAP_ALL);
        if (*count && used + line.rows > fit)
            break;
        used += line.rows;
        chosen[(*count)++] = line;
    }
    return chosen;
}

/* Returns the lines around the current one, as many as there are rows for. With few rows only the current one is
 * wrapped. */
static struct code_line *choose_lines(struct view *view, const struct code_view *code, const struct source_lines *lines,
                                      float width, uint32_t fit, uint32_t *count)
{
    struct code_line *chosen = arena_array(view->arena, struct code_line, (size_t)fit + 1);
    uint32_t const wanted = code->lit          ? code->lit
                            : code->line       ? code->line
                            : code->filter     ? code->filter
                            : code->from       ? code->from
                            : code->mark_count ? code->marks[0].line
                            : code->end        ? code->end /* where its lanes end */
                                               : 1;
    uint32_t const centre = wanted < lines->count ? wanted : lines->count;
    uint32_t const first_line = code->from ? code->from : 1, last_line = last_shown(code, lines);
    uint32_t const low = centre > fit + first_line ? centre - fit : first_line;
    uint32_t const high = centre + fit < last_line ? centre + fit : last_line;
    size_t const outer = outer_indent(view, lines, centre > fit / 2 ? centre - fit / 2 : 1,
                                      centre + fit / 2 < lines->count ? centre + fit / 2 : lines->count + 1);
    struct code_line *around = arena_array(view->arena, struct code_line, (size_t)(high - low) + 1);
    for (uint32_t n = low; n <= high; n++)
        around[n - low] = lay_out_line(view, code, lines->start[n - 1], n, width, outer,
                                       fit >= 10 || code->reads ? WRAP_ALL
                                       : n == centre            ? WRAP_CODE
                                                                : WRAP_NOT);
    uint32_t first = centre, end = centre + 1, used = around[centre - low].rows;
    for (bool grown = true; grown;) {
        bool const above = first > low && used + around[first - 1 - low].rows <= fit;
        bool const below = end <= high && used + around[end - low].rows <= fit;
        grown = above || below;
        if (above && (!below || centre - first < end - centre))
            used += around[--first - low].rows;
        else if (below)
            used += around[end++ - low].rows;
    }
    while (first < centre && !*around[first - low].words) { /* no blank lines at the top */
        used -= around[first++ - low].rows;
        if (end <= high && used + around[end - low].rows <= fit)
            used += around[end++ - low].rows;
    }
    *count = end - first < fit ? end - first : fit;
    memcpy(chosen, around + (first - low), *count * sizeof *chosen);
    return chosen;
}

/* Draws the part of the lines that is in sight, at the right edge. */
static void scroll_mark(struct view *view, struct rect rows, float before, float shown, float all)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct rect const track = {rows.x + rows.w + 3 * u, rows.y, 4 * u, rows.h};
    draw_fill(&ui->draw, track, 2 * u, ui_color(ui, COLOR_BAR));
    draw_fill(&ui->draw, (struct rect){track.x, track.y + rows.h * before / all, track.w, rows.h * shown / all}, 2 * u,
              ui_color(ui, COLOR_IDLE));
}

/* Draws the button that leads back from a definition. Without a title there is only its key. */
static bool back_button(struct view *view, struct rect *title, uint32_t line)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const char *label = line ? arena_format(view->arena, "‹ %u", line) : "‹";
    if (title->w <= 0)
        return false;
    struct rect const at = rect_cut_right(title, ui_text_width(ui, FONT_TEXT, 18 * u, label) + 30 * u);
    ui_tip(ui, at, "%s", _("back to where you were (Backspace)"));
    return ui_button(ui, ui_id_text("back from definition"), rect_inset(at, 1 * u, -1 * u), label, true);
}

/* Draws the launch below the title or, where that takes too many of the lines, in place of it. */
static void draw_launch(struct view *view, struct rect *box, struct rect title, const struct code_view *code)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const char *name = arena_format(view->arena, code->is_text ? _("FILE · %s") : _("KERNEL · %s"), code->name);
    if (ui_text_width(ui, FONT_BOLD, size, name) > title.w)
        name = code->name;
    bool below = false;
    if (code->launch && title.w > 0) {
        struct ui_span const span = {code->launch, FONT_CODE, COLOR_TEXT};
        struct rect row = rect_inset(*box, 6 * u, 0);
        float const height = ui_paragraph_height(ui, row.w, size, &span, 1) + 6 * u;
        float const ptx = code->ptx ? code_ptx_least(view, code) : 0;
        below = box->h - height - ptx >= 3 * code_row_height(view) && height < fmaxf(30 * u, box->h * 0.3f);
        row.h = height;
        if (below) {
            ui_paragraph(ui, row, size, &span, 1, false);
            rect_cut_top(box, height);
        }
        ui_tip(ui, below ? row : title, _("the launch of this run: %s"), code->launch);
    }
    bool const instead = code->launch && !below && ui_text_width(ui, FONT_CODE, size, code->launch) <= title.w;
    ui_label(ui, title, instead ? FONT_CODE : FONT_BOLD, size, UI_LEFT,
             ui_color(ui, instead ? COLOR_TEXT : COLOR_TEXT_DIM), instead ? code->launch : name);
}

/* Draws the way to the lines above and below those shown, in the title: which they are, and two buttons. The wheel and
 * the key that reads on go there, too. */
static struct action scroll_code(struct view *view, struct rect card, struct rect rows, struct rect *title,
                                 const struct code_view *code, const struct source_lines *lines,
                                 const struct code_line *shown, uint32_t count)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    uint32_t const low = code->from ? code->from : 1, high = last_shown(code, lines);
    uint32_t const first = shown[0].number, last = shown[count - 1].number;
    bool const above = first > low, below = last < high;
    struct action action = NO_ACTION;
    if (code->jumped && back_button(view, title, code->line))
        action = (struct action){ACTION_LEAVE_DEFINITION, .other = (int)code->line};
    if (!above && !below)
        return action;
    if (!code->strip)
        scroll_mark(view, rows, (float)(first - low), (float)(last + 1 - first), (float)(high + 1 - low));
    uint32_t const back = first > low + count ? first - count : low, on = below ? last + 1 : first;
    struct action const up = {ACTION_SCROLL_CODE, .value = (int)back, .other = (int)code->line},
                        down = {ACTION_SCROLL_CODE, .value = (int)on, .other = (int)code->line};
    if (title->w > 0) {
        struct rect const lower = rect_cut_right(title, 30 * u), upper = rect_cut_right(title, 30 * u);
        if (below && ui_button(ui, ui_id_text("code below"), rect_inset(lower, 1 * u, -1 * u), "↓", false))
            action = down;
        if (above && ui_button(ui, ui_id_text("code above"), rect_inset(upper, 1 * u, -1 * u), "↑", false))
            action = up;
        ui_tip(ui, lower, "%s", _("lines below"));
        ui_tip(ui, upper, "%s", _("lines above"));
    }
    bool const hovered = ui_hovered(ui, card);
    if (hovered && ui->input.wheel < 0 && below) {
        action = down;
        action.value = (int)(first + 2 < on ? first + 2 : on);
    }
    if (hovered && ui->input.wheel > 0 && above) {
        action = up;
        action.value = (int)(first > low + 2 ? first - 2 : low);
    }
    int const wanted = ui->input.read_code;
    if ((wanted > 0 && below) || (wanted < 0 && above)) {
        action = wanted > 0 ? down : up;
        ui->input.read_code = 0;
    }
    if (!code->reads)
        return action;
    if ((ui->input.read_on > 0 && below) || (ui->input.read_on < 0 && above)) {
        action = ui->input.read_on > 0 ? down : up;
        ui->input.read_on = 0;
    }
    return action;
}

/* Draws the button that opens the PTX, and cuts it off the title. */
static bool ptx_button(struct view *view, struct rect *title, const struct code_view *code)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, width = ui_text_width(ui, FONT_TEXT, 18 * u, "PTX") + 26 * u;
    if (!code->ptx_known || title->w < 3 * width)
        return false;
    struct rect const at = rect_cut_right(title, width);
    rect_cut_right(title, 4 * u);
    ui_tip(ui, at, "%s", code->ptx ? _("the source alone (U)") : _("the PTX beside the source (U)"));
    return ui_button(ui, ui_id_text("ptx"), rect_inset(at, 1 * u, -1 * u), "PTX", code->ptx != NULL);
}

/* Returns the line under the mouse; 0: none. */
static uint32_t line_below(const struct view *view, struct rect box, const struct code_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (ui_hovered(view->ui, rect_cut_top(&box, code_row_height(view) * (float)lines[i].rows)))
            return lines[i].number;
    return 0;
}

/* Draws the lines of the source and, if it is open, the PTX. */
static struct action draw_lines(struct view *view, struct rect card, struct rect box, struct rect *title,
                                const struct code_view *code, const struct source_lines *lines)
{
    struct rect part = {0};
    if (code->ptx && !code->strip)
        part = code_ptx_cut(view, &box, code, last_shown(code, lines) - (code->from ? code->from - 1 : 0));
    float const number_w = number_width(view, lines), width = box.w - number_w - (12 + 12) * view->ui->unit;
    uint32_t const fit = (uint32_t)fmaxf(1, floorf(box.h / code_row_height(view) + 0.02f));
    uint32_t count = 0;
    const struct code_line *shown =
        (code->first || code->sight ? lines_from : choose_lines)(view, code, lines, width, fit, &count);
    struct code_lines_shown const ptx =
        part.h > 0 ? code_ptx_lay_out(view, part, code) : (struct code_lines_shown){.count = 0};
    uint32_t const row = ptx.hovered ? ptx.hovered : code->ptx && part.h > 0 && code->lit ? code->ptx->lit : 0;
    const struct code_ptx_row *lit = code->ptx && row && row <= code->ptx->count ? &code->ptx->rows[row - 1] : NULL;
    struct action action =
        part.h > 0 ? code_ptx_draw(view, &ptx, code, line_below(view, box, shown, count)) : NO_ACTION;
    struct rect const own = part.h > 0 ? (struct rect){card.x, box.y, box.w, box.h} : card; /* the wheel scrolls it */
    struct action const scrolled = scroll_code(view, own, box, title, code, lines, shown, count);
    action = scrolled.kind != ACTION_NONE ? scrolled : action;
    for (uint32_t i = 0; i < count; i++) {
        struct rect const at = rect_cut_top(&box, code_row_height(view) * (float)shown[i].rows);
        struct action const wanted = one_line(view, at, code, &shown[i], number_w, lit);
        action = wanted.kind != ACTION_NONE ? wanted : action;
    }
    return action;
}

struct action card_code(struct view *view, struct rect box, const struct code_view *code)
{
    struct ui *ui = view->ui;
    struct rect const card = box;
    struct source_lines const lines = lines_of(view->arena, code->source);
    ui_card(ui, box);
    box = rect_inset(box, 10 * ui->unit, 10 * ui->unit);
    struct rect title = {0};
    if (!code->strip)
        title = rect_inset(rect_cut_top(&box, 26 * ui->unit), 8 * ui->unit, 0);
    struct rect below = rect_inset(box, 6 * ui->unit, 0);
    float foot_h = foot(view, below, code, true);
    float const ptx = code->ptx && !code->strip ? code_ptx_height(view, code) : 0;
    if (foot_h > 0 && box.h - foot_h - ptx >= code_row_height(view) * fminf((float)lines.count, 5)) {
        below = rect_inset(rect_cut_bottom(&box, foot_h), 6 * ui->unit, 0);
        rect_cut_top(&below, 6 * ui->unit);
        foot(view, below, code, false);
    }
    if (!lines.count)
        return NO_ACTION;
    bool const toggled = ptx_button(view, &title, code);
    struct rect named = title;
    rect_cut_right(&named, (code->jumped ? 130 : 62) * ui->unit); /* the room of the buttons */
    draw_launch(view, &box, named, code);
    struct action const action = draw_lines(view, card, box, &title, code, &lines);
    return toggled ? (struct action){.kind = ACTION_PTX} : action;
}
