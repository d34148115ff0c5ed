/* The ladder: a chart of one count over all values of a knob. Each point is a run of its own, and a click on it turns
 * the knob there. */
#include "view/stage.h"
#include <math.h>

struct scales {
    struct rect plot;
    double x0, x1, y1;
};

static struct point place(const struct scales *scales, const struct ladder_point *point)
{
    double across = scales->x1 > scales->x0 ? (point->x - scales->x0) / (scales->x1 - scales->x0) : 0.5;
    double up = scales->y1 > 0 ? point->y / scales->y1 : 0;
    return (struct point){scales->plot.x + (float)across * scales->plot.w,
                          scales->plot.y + scales->plot.h * (1 - (float)up)};
}

static double round_up(double value)
{
    if (value >= 4 && fabs(log2(value) - round(log2(value))) < 1e-9)
        return value; /* counts of passes are powers of two */
    double step = pow(10, floor(log10(value > 0 ? value : 1)));
    const double tries[] = {1, 2, 4, 5, 8, 10};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if (tries[i] * step >= value)
            return tries[i] * step;
    return value;
}

static void axes(struct view *view, const struct ladder *ladder, const struct scales *scales)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    for (int i = 0; i <= 2; i++) {
        double value = scales->y1 * i / 2;
        float y = scales->plot.y + scales->plot.h * (1 - (float)i / 2);
        draw_line(&ui->draw, (struct point){scales->plot.x, y}, (struct point){scales->plot.x + scales->plot.w, y},
                  hairline(ui), ui_color(ui, COLOR_EDGE));
        ui_label(ui, (struct rect){scales->plot.x - 76 * u, y - 11 * u, 64 * u, 22 * u}, FONT_TEXT, text_caption(ui),
                 UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), arena_format(view->arena, "%g", value));
    }
    float last = -1e9f;
    for (int i = 0; i < ladder->count; i++) {
        const char *text = ladder->points[i].label;
        float width = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 4 * u;
        float x = place(scales, &ladder->points[i]).x - width / 2;
        bool power = ladder->count <= 12 || (fmod(ladder->points[i].x, 8) < 1e-9);
        if (!power || x < last + 6 * u)
            continue;
        last = x + width;
        ui_label(ui, (struct rect){x, scales->plot.y + scales->plot.h + 6 * u, width, 22 * u}, FONT_TEXT,
                 text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM), text);
    }
}

static bool one_point(struct view *view, const struct ladder *ladder, const struct scales *scales, int index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const struct ladder_point *point = &ladder->points[index];
    struct point at = place(scales, point);
    float step = scales->plot.w / (float)(ladder->count > 1 ? ladder->count - 1 : 1);
    struct rect column = {at.x - step / 2, scales->plot.y - 8 * u, step, scales->plot.h + 34 * u};
    bool hot = ui_hovered(ui, column), current = index == ladder->current;
    float size = (current ? 13 : hot ? 12 : 8) * u;
    struct rect dot = {at.x - size / 2, at.y - size / 2, size, size};
    draw_line(&ui->draw, (struct point){at.x, scales->plot.y + scales->plot.h}, at, hairline(ui),
              color_mix(ui_color(ui, COLOR_ACCESS), ui_color(ui, COLOR_BACKGROUND), 0.6f));
    draw_fill(&ui->draw, dot, size, ui_color(ui, COLOR_ACCESS));
    if (current) {
        draw_outline(&ui->draw, rect_inset(dot, -4 * u, -4 * u), size, 4 * u, ui_color(ui, COLOR_CURSOR_RING));
        draw_outline(&ui->draw, rect_inset(dot, -3 * u, -3 * u), size, 2.5f * u, ui_color(ui, COLOR_CURSOR));
    }
    ui_tip(ui, column, "%s: %s · %s: %g", ladder->x_name, point->label, ladder->y_name, point->y);
    return ui_area(ui, ui_id_child(ui_id_text("ladder"), (uint32_t)index), column);
}

struct panel_size panel_ladder_size(const struct view *view)
{
    return view->stage->ladder && !view->stage->covered ? (struct panel_size){.least = 150, .best = 330} : NOT_SHOWN;
}

struct action panel_ladder(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    const struct ladder *ladder = view->stage->ladder;
    struct action action = NO_ACTION;
    box = view_columns(view, box);
    float u = ui->unit;
    struct rect title = rect_cut_top(&box, 28 * u);
    view_caption(view, title,
                 arena_format(view->arena,
                              view->ui->paper
                                  ? _("%s against %s · the ring is the setting now")
                                  : _("%s against %s · a click on a point goes there · the ring is the setting now"),
                              ladder->y_name, ladder->x_name));
    struct scales scales = {.plot = {box.x + 80 * u, box.y + 12 * u, box.w - 100 * u, box.h - 46 * u}};
    if (!ladder->count || scales.plot.h < 30 * u)
        return action;
    scales.x0 = ladder->points[0].x;
    scales.x1 = ladder->points[ladder->count - 1].x;
    double highest = 1;
    for (int i = 0; i < ladder->known; i++)
        highest = fmax(highest, ladder->points[i].y);
    scales.y1 = round_up(highest);
    axes(view, ladder, &scales);
    for (int i = 0; i < ladder->known; i++)
        if (one_point(view, ladder, &scales, i))
            action = (struct action){.kind = ACTION_SET_KNOB, .value = ladder->knob, .other = i};
    return action;
}
