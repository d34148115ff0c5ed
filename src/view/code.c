/* The kernel as written, its current line highlighted, and what each line costs an access at the right. A long source
 * scrolls to the line; a wide one is clipped before the counts. A click asks to see that line alone. */
#include "view/panels.h"
#include <math.h>
#include <string.h>

static float line_height(const struct view *view)
{
    return 25 * view->ui->unit;
}

static uint32_t count_lines(const char *source)
{
    uint32_t lines = 0;
    for (const char *s = source; *s; s++)
        lines += *s == '\n' || !s[1];
    return lines;
}

/* What is said below the code, in the card's width; returns its height. */
static float foot(struct view *view, struct rect box, const struct code_view *code, bool measure)
{
    float u = view->ui->unit;
    struct ui_span const spans[2] = {{code->foot_good ? "✓ " : "", FONT_BOLD, COLOR_ACCESS},
                                     {code->foot, FONT_TEXT, code->foot_good ? COLOR_TEXT_DIM : COLOR_TEXT}};
    return code->foot ? ui_paragraph(view->ui, box, text_caption(view->ui), spans, 2, measure) + 6 * u : 0;
}

float panel_code_height(const struct view *view, float width, const struct code_view *code)
{
    struct view copy = *view;
    float u = view->ui->unit, title = code->strip ? 0 : 26 * u;
    return title + 24 * u + line_height(view) * (float)count_lines(code->source) +
           foot(&copy, (struct rect){0, 0, width - 32 * u, 1e6f}, code, true);
}

/* A line of the source, tabs as spaces. */
static const char *line_text(struct arena *arena, const char *source, uint32_t line)
{
    for (uint32_t at = 1; at < line && *source; source++)
        at += *source == '\n';
    size_t length = strcspn(source, "\n");
    char *text = arena_alloc(arena, length * 4 + 1);
    size_t out = 0;
    for (size_t i = 0; i < length; i++) {
        if (source[i] != '\t') {
            text[out++] = source[i];
            continue;
        }
        do
            text[out++] = ' ';
        while (out % 4);
    }
    text[out] = 0;
    return text;
}

struct line_cost {
    uint64_t requests, wavefronts, wavefronts_ideal, sectors, sectors_ideal, shared_requests, global_requests;
    uint64_t divergent, branches;
};

static struct line_cost cost_of(const struct code_view *code, uint32_t line)
{
    struct line_cost cost = {0};
    for (uint32_t s = 0; code->counts && s < code->counts->site_count && s < code->trace->site_count; s++) {
        const struct trace_site *site = &code->trace->sites[s];
        const struct site_counts *counts = &code->counts->sites[s];
        if (site->line != line)
            continue;
        cost.requests += counts->requests;
        if (counts->wavefronts) {
            cost.shared_requests += counts->requests;
            cost.wavefronts += counts->wavefronts;
            cost.wavefronts_ideal += counts->wavefronts_ideal;
        }
        if (counts->sectors) {
            cost.global_requests += counts->requests;
            cost.sectors += counts->sectors;
            cost.sectors_ideal += counts->sectors_ideal;
        }
        if (site->operation == TRACE_BRANCH) {
            cost.branches += counts->requests;
            cost.divergent += counts->divergent;
        }
    }
    return cost;
}

/* A line's units per access of a warp: how many, and whether that is an average, not what each of them took. */
struct ratio {
    const char *number;
    bool one, average;
};

static struct ratio ratio_of(struct arena *arena, uint64_t part, uint64_t whole)
{
    double const value = (double)part / (double)whole;
    bool const even = part % whole == 0;
    return (struct ratio){arena_format(arena, even ? "%.0f" : "%.1f", value), even && part == whole, !even};
}

/* "8 passes", "4 sectors", or both; NULL for a line that touches no memory. bad: more than need be. */
static const char *cost_text(struct view *view, const struct code_view *code, uint32_t line, bool *bad, bool brief,
                             bool briefest)
{
    struct line_cost cost = cost_of(code, line);
    struct arena *arena = view->arena;
    const char *passes = NULL, *sectors = NULL;
    *bad = cost.wavefronts > cost.wavefronts_ideal || cost.sectors > cost.sectors_ideal;
    if (cost.shared_requests) {
        struct ratio const ratio = ratio_of(arena, cost.wavefronts, cost.shared_requests);
        passes = briefest         ? arena_format(arena, "%s×", ratio.number)
                 : ratio.one      ? _("1 pass")
                 : !ratio.average ? arena_format(arena, _("%s passes"), ratio.number)
                 : brief          ? arena_format(arena, _("avg. %s passes"), ratio.number)
                                  : arena_format(arena, _("%s passes on average"), ratio.number);
    }
    if (cost.global_requests) {
        struct ratio const ratio = ratio_of(arena, cost.sectors, cost.global_requests);
        sectors = ratio.one        ? _("1 sector")
                  : !ratio.average ? arena_format(arena, _("%s sectors"), ratio.number)
                  : brief          ? arena_format(arena, _("avg. %s sectors"), ratio.number)
                                   : arena_format(arena, _("%s sectors on average"), ratio.number);
    }
    if (passes && sectors)
        return brief ? passes : arena_format(view->arena, "%s · %s", passes, sectors);
    if (!passes && !sectors && cost.divergent)
        return _("diverges");
    return passes ? passes : sectors;
}

static void cost_tip(struct view *view, struct rect box, const struct code_view *code, uint32_t line)
{
    struct line_cost cost = cost_of(code, line);
    if (cost.shared_requests)
        ui_tip(view->ui, box, _("line %u, whole run: %s shared accesses of a warp, %s passes (%s at least)"), line,
               view_count(view->arena, cost.shared_requests), view_count(view->arena, cost.wavefronts),
               view_count(view->arena, cost.wavefronts_ideal));
    else if (cost.global_requests)
        ui_tip(view->ui, box, _("line %u, whole run: %s accesses of a warp, %s sectors (%s at least)"), line,
               view_count(view->arena, cost.global_requests), view_count(view->arena, cost.sectors),
               view_count(view->arena, cost.sectors_ideal));
    else if (cost.branches)
        ui_tip(view->ui, box, _("line %u, whole run: %s branches, %s diverge"), line,
               view_count(view->arena, cost.branches), view_count(view->arena, cost.divergent));
}

static const struct code_mark *mark_of(const struct code_view *code, uint32_t line)
{
    for (uint32_t i = 0; i < code->mark_count; i++)
        if (code->marks[i].line == line)
            return &code->marks[i];
    return NULL;
}

/* What lies under a line's text: the current one, one that something went wrong on, the one filtered to. */
static void line_ground(struct view *view, struct rect row, const struct code_view *code, uint32_t line)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const struct code_mark *mark = mark_of(code, line);
    if (line == code->line || mark)
        draw_fill(&ui->draw, row, 3 * u, ui_color(ui, line == code->line ? COLOR_CURSOR_SOFT : COLOR_CONFLICT_SOFT));
    if (mark)
        draw_hatch(&ui->draw, (struct rect){row.x, row.y, 6 * u, row.h}, 6 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    if (line == code->filter)
        draw_outline(&ui->draw, row, 3 * u, fmaxf(2, 2 * u), ui_color(ui, COLOR_ACCESS));
}

/* At a line's end: what went wrong on it, else what it costs. Cuts what it takes off the row. */
static void line_end(struct view *view, struct rect *inner, const struct code_view *code, uint32_t line, float room)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const struct code_mark *mark = mark_of(code, line);
    bool bad = mark != NULL, current = line == code->line;
    const char *words = mark ? mark->words : cost_text(view, code, line, &bad, room < 190 * u, room < 110 * u);
    if (!words)
        return;
    float width = ui_text_width(ui, FONT_BOLD, text_caption(ui), words) + 1;
    if (mark && width > inner->w * 0.5f)
        return;
    struct color strong = ui_color(ui, mark || !current ? COLOR_CONFLICT : COLOR_TEXT);
    struct color quiet = ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM);
    ui_label(ui, rect_cut_right(inner, width), FONT_BOLD, text_caption(ui), UI_RIGHT, bad ? strong : quiet, words);
    if (bad && !mark) { /* besides the colour: a hatched mark */
        struct rect at = rect_cut_right(inner, 16 * u);
        draw_hatch(&ui->draw, (struct rect){at.x + 2 * u, at.y + at.h / 2 - 6 * u, 8 * u, 12 * u}, 4 * u, 1.5f * u,
                   strong);
    }
    rect_cut_right(inner, 6 * u);
}

/* A caret under the place that a compiler complains of. */
static void caret(struct view *view, struct rect text, uint32_t column, size_t left_out)
{
    struct ui *ui = view->ui;
    float u = ui->unit, letter = ui_text_width(ui, FONT_CODE, text_caption(ui), " ");
    if (column == 0 || column - 1 < left_out)
        return;
    float x = text.x + letter * (float)(column - 1 - left_out), y = text.y + text.h - 1 * u;
    struct point points[3] = {{x + letter / 2, y - 6 * u}, {x + letter / 2 + 5 * u, y}, {x + letter / 2 - 5 * u, y}};
    if (x + letter <= text.x + text.w)
        draw_polygon(&ui->draw, points, 3, ui_color(ui, COLOR_CONFLICT));
}

static bool one_line(struct view *view, struct rect row, const struct code_view *code, uint32_t line, float number_w,
                     size_t outer)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    bool current = line == code->line;
    line_ground(view, row, code, line);
    struct color ink = ui_color(ui, COLOR_TEXT);
    struct color dim = ui_color(ui, current ? COLOR_TEXT : COLOR_TEXT_DIM);
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("code line"), line), row);
    cost_tip(view, row, code, line);
    struct rect inner = rect_inset(row, 6 * u, 0);
    ui_label(ui, rect_cut_left(&inner, number_w), FONT_CODE, text_caption(ui), UI_RIGHT, dim,
             arena_format(view->arena, "%u", line));
    rect_cut_left(&inner, 12 * u);
    const char *text = line_text(view->arena, code->source, line);
    const char *words = text + strspn(text, " ");
    float indent = ui_text_width(ui, FONT_CODE, text_caption(ui), " ") * (float)((size_t)(words - text) - outer);
    float room = inner.w - indent - ui_text_width(ui, FONT_CODE, text_caption(ui), words);
    line_end(view, &inner, code, line, room);
    rect_cut_left(&inner, *words ? fminf(indent, inner.w * 0.4f) : 0);
    ui_label(ui, inner, FONT_CODE, text_caption(ui), UI_LEFT, strncmp(words, "//", 2) == 0 ? dim : ink, words);
    if (mark_of(code, line))
        caret(view, inner, mark_of(code, line)->column, (size_t)(words - text));
    return clicked;
}

/* The indentation that all lines in view share: left out, so that long lines keep their ends. */
static size_t outer_indent(struct view *view, const char *source, uint32_t first, uint32_t end)
{
    size_t outer = SIZE_MAX;
    for (uint32_t line = first; line < end; line++) {
        const char *text = line_text(view->arena, source, line);
        size_t indent = strspn(text, " ");
        if (text[indent] && indent < outer)
            outer = indent;
    }
    return outer == SIZE_MAX ? 0 : outer;
}

uint32_t panel_code(struct view *view, struct rect box, const struct code_view *code)
{
    struct ui *ui = view->ui;
    ui_card(ui, box);
    box = rect_inset(box, 10 * ui->unit, 10 * ui->unit);
    if (!code->strip) {
        struct rect title = rect_cut_top(&box, 26 * ui->unit);
        title = rect_inset(title, 6 * ui->unit, 0);
        ui_label(ui, title, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, _("KERNEL · %s"), code->name));
    }
    uint32_t lines = count_lines(code->source);
    struct rect below = rect_inset(box, 6 * ui->unit, 0);
    float foot_h = foot(view, below, code, true);
    if (foot_h > 0 && box.h - foot_h >= line_height(view) * fminf((float)lines, 5)) {
        below = rect_inset(rect_cut_bottom(&box, foot_h), 6 * ui->unit, 0);
        rect_cut_top(&below, 6 * ui->unit);
        foot(view, below, code, false);
    }
    uint32_t fit = (uint32_t)fmaxf(1, floorf(box.h / line_height(view) + 0.02f));
    uint32_t first = 1, centre = code->line         ? code->line
                                 : code->filter     ? code->filter
                                 : code->mark_count ? code->marks[0].line
                                                    : 1;
    if (lines > fit && centre > fit / 2)
        first = centre - fit / 2;
    if (lines > fit && first + fit > lines + 1)
        first = lines + 1 - fit;
    float number_w = ui_text_width(ui, FONT_CODE, text_caption(ui), lines > 99 ? "000" : "00") + 1;
    uint32_t clicked = 0, end = first + fit < lines + 1 ? first + fit : lines + 1;
    size_t outer = outer_indent(view, code->source, first, end);
    for (uint32_t line = first; line < end; line++)
        if (one_line(view, rect_cut_top(&box, line_height(view)), code, line, number_w, outer))
            clicked = line;
    return clicked;
}
