/* Cells, captions and numbers that several panels draw. */
#include "view/view.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct columns columns_in(const struct ui *ui, struct rect stage)
{
    float gutter = 100 * ui->unit;
    float pitch = floorf((stage.w - gutter) / WARP_LANES);
    return (struct columns){
        .x = stage.x + gutter, .pitch = pitch, .label_x = stage.x, .label_w = gutter - 12 * ui->unit};
}

struct rect column_cell(const struct columns *columns, int column, float y, float height)
{
    float gap = columns->pitch > 20 ? fmaxf(2, roundf(columns->pitch * 0.08f)) : 1;
    return (struct rect){columns->x + (float)column * columns->pitch, y, columns->pitch - gap, height};
}

struct color view_color(const struct view *view, enum color_role role)
{
    struct color color = ui_color(view->ui, role);
    return view->dim ? color_mix(color, ui_color(view->ui, COLOR_BACKGROUND), 0.72f) : color;
}

struct color view_text_on(const struct view *view, enum color_role fill)
{
    if (view->dim)
        return ui_color(view->ui, COLOR_TEXT);
    switch (fill) {
    case COLOR_ACCESS:
    case COLOR_CONFLICT:
    case COLOR_BROADCAST:
    case COLOR_ELSE:
    case COLOR_IDLE:
        return ui_color(view->ui, COLOR_ON_ACCENT);
    case COLOR_CURSOR:
    case COLOR_CURSOR_SOFT:
        return ui_color(view->ui, COLOR_ON_CURSOR);
    default:
        return ui_color(view->ui, COLOR_TEXT);
    }
}

static float cell_radius(struct rect box)
{
    return fminf(fminf(box.w, box.h) * 0.16f, 5);
}

float view_chip_text(const struct ui *ui, struct rect box)
{
    float large = fminf(24 * ui->unit, fminf(box.w * 0.5f, box.h * 0.46f));
    float const two_digits = 0.85f * (box.w - 2); /* so that 9 and 10 in narrow cells have the same size */
    return fmaxf(large, fminf(fminf(text_caption(ui), two_digits), box.h * 0.8f));
}

void view_chip(struct view *view, struct rect box, enum color_role fill, const char *label)
{
    struct ui *ui = view->ui;
    draw_fill(&ui->draw, box, cell_radius(box), view_color(view, fill));
    if (label && box.h >= 12 * ui->unit)
        ui_chip_label(ui, rect_inset(box, 1, 0), FONT_BOLD, view_chip_text(ui, box), view_text_on(view, fill), label);
}

void view_hollow(struct view *view, struct rect box, bool dashed)
{
    struct ui *ui = view->ui;
    struct color color = ui_color(ui, COLOR_EDGE);
    if (box.h < 14 * ui->unit) /* the edges of many low cells must stay pale */
        color = color_mix(color, ui_color(ui, COLOR_BACKGROUND), 0.45f);
    if (dashed)
        draw_outline_dashed(&ui->draw, box, cell_radius(box), hairline(ui), 3 * ui->unit, color);
    else
        draw_outline(&ui->draw, box, cell_radius(box), hairline(ui), color);
}

void view_cursor_ring(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    float line = fmaxf(2, 2 * ui->unit), edge = hairline(ui);
    struct rect ring = rect_inset(box, -line - edge, -line - edge);
    float radius = cell_radius(box) + line;
    struct color black = ui_color(ui, COLOR_CURSOR_RING);
    draw_outline(&ui->draw, rect_inset(ring, -edge, -edge), radius + edge, line + 2 * edge, black);
    draw_outline(&ui->draw, ring, radius, line, ui_color(ui, COLOR_CURSOR));
}

struct rect view_columns(const struct view *view, struct rect box)
{
    return (struct rect){view->columns.x, box.y, view->columns.pitch * WARP_LANES, box.h};
}

void view_gutter(struct view *view, float y, float height, const char *text, bool strong)
{
    struct rect box = {view->columns.label_x, y, view->columns.label_w, height};
    ui_label(view->ui, box, strong ? FONT_BOLD : FONT_TEXT, strong ? text_body(view->ui) : text_caption(view->ui),
             strong ? UI_LEFT : UI_RIGHT, ui_color(view->ui, strong ? COLOR_TEXT : COLOR_TEXT_DIM), text);
}

/* Returns the beginning of a text of several parts, "a · b · c", that fits into the width: at least the first part. */
static const char *parts_that_fit(const struct view *view, const char *text, float width)
{
    size_t const dot = strlen(" · ");
    while (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), text) > width) {
        size_t end = 0;
        for (const char *at = text; (at = strstr(at, " · ")); at += dot)
            end = (size_t)(at - text);
        if (!end)
            return text;
        text = arena_text_n(view->arena, text, end);
    }
    return text;
}

void view_caption(struct view *view, struct rect box, const char *text)
{
    text = parts_that_fit(view, text, box.w);
    ui_label(view->ui, box, FONT_TEXT, text_caption(view->ui), UI_LEFT, ui_color(view->ui, COLOR_TEXT_DIM), text);
}

const char *view_unmeasured_caches(struct arena *arena, const struct playback *playback)
{
    bool const other = playback->gpu && !playback->caches_unknown; /* GPU_DEFAULT was measured */
    const struct origins *origins = other ? playback_origins(playback) : NULL;
    if (!origins || origins->gpu.measured)
        return NULL;
    return arena_format(arena,
                        _("The sizes of the caches of %s are from documents. The rules of the model were found on GPUs "
                          "of compute capability %s, and not measured on this one."),
                        origins->gpu.gpu, CACHES_MEASURED_ON);
}

bool view_unmeasured_word(struct view *view, struct rect *line)
{
    struct ui *ui = view->ui;
    const char *said = view_unmeasured_caches(view->arena, view->scene->playback), *word_of_it = _("not measured");
    if (!said)
        return false;
    float const width = ui_text_width(ui, FONT_BOLD, text_caption(ui), word_of_it) + 1;
    struct rect const box = rect_cut_right(line, width);
    ui_label(ui, box, FONT_BOLD, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT), word_of_it);
    ui_tip(ui, box, "%s", said);
    rect_cut_right(line, 10 * ui->unit);
    return true;
}

void view_note_part(const struct view *view, uint32_t part, uint32_t all)
{
    if (view->noted && part < all) {
        view->noted->part = part;
        view->noted->all = all;
    }
}

const char *view_rows_shown(const struct view *view, uint32_t first, uint32_t count, uint32_t all)
{
    view_note_part(view, count, all);
    return count < all ? arena_format(view->arena, _("⋮ rows %u to %u of %u"), first + 1, first + count, all) : "";
}

const char *view_joined(struct arena *arena, const char *first, const char *second)
{
    return *first && *second ? arena_format(arena, "%s · %s", first, second) : *first ? first : second;
}

enum { SIGN_WIDTH = 20, SIGN_GAP = 12 };

bool view_legend(struct view *view, struct rect *box, const struct view_sign *signs, int count)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    float all = 0;
    for (int i = 0; i < count; i++)
        all += ui_text_width(ui, FONT_TEXT, text_caption(ui), signs[i].words) + 1 + (SIGN_WIDTH + SIGN_GAP) * u;
    if (all > box->w)
        return false;
    struct rect row = rect_cut_right(box, all);
    for (int i = 0; i < count; i++) {
        rect_cut_left(&row, SIGN_GAP * u);
        signs[i].draw(view, rect_inset(rect_cut_left(&row, SIGN_WIDTH * u), 2 * u, 3 * u));
        float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), signs[i].words) + 1;
        ui_label(ui, rect_cut_left(&row, width), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 signs[i].words);
    }
    return true;
}

void view_card_title(struct view *view, struct rect *box, const char *text)
{
    struct rect line = rect_cut_top(box, 26 * view->ui->unit);
    ui_label(view->ui, line, FONT_BOLD, text_caption(view->ui), UI_LEFT, ui_color(view->ui, COLOR_TEXT_DIM), text);
}

void view_heat(struct view *view, struct rect box, uint32_t lanes)
{
    if (view->hot_next && ui_hovered(view->ui, box))
        *view->hot_next |= lanes;
}

const char *view_unbroken(struct arena *arena, const char *text)
{
    size_t length = strlen(text), out = 0;
    char *unbroken = arena_alloc(arena, 2 * length + 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] != ' ') {
            unbroken[out++] = text[i];
            continue;
        }
        memcpy(unbroken + out, "\u00a0", 2);
        out += 2;
    }
    unbroken[out] = 0;
    return unbroken;
}

const char *view_shape(struct arena *arena, const uint32_t size[3])
{
    if (size[2] > 1)
        return arena_format(arena, "(%u, %u, %u)", size[0], size[1], size[2]);
    return size[1] > 1 ? arena_format(arena, "(%u, %u)", size[0], size[1]) : arena_format(arena, "%u", size[0]);
}

float view_clock_place(const struct view_clock *clock, uint64_t time)
{
    double const length = clock->last > clock->first ? (double)(clock->last - clock->first) : 1;
    double const at = time <= clock->first ? 0 : (double)(time - clock->first) / length;
    return clock->track.x + clock->track.w * (float)fmin(1, at);
}

void view_clock_now(struct view *view, const struct view_clock *clock, float y, float height)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, x = view_clock_place(clock, view->scene->event->time), foot = y + height;
    draw_line(&ui->draw, (struct point){x, y - 3 * u}, (struct point){x, foot + 3 * u}, 5 * u,
              ui_color(ui, COLOR_CURSOR_RING));
    draw_line(&ui->draw, (struct point){x, y - 2 * u}, (struct point){x, foot + 2 * u}, 2.5f * u,
              ui_color(ui, COLOR_CURSOR));
}

const char *view_duration(struct arena *arena, double microseconds)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}, {1e-3, "ns"}};
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && microseconds < units[u].scale)
        u++;
    double value = microseconds / units[u].scale;
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return arena_format(arena, "%.*f %s", decimals, value, units[u].unit);
}
