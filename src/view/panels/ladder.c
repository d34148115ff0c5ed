/* The ladder: a chart of one count or time over all values of a knob. Each point is a run of its own, and a click on it
 * turns the knob there. Measured times have a line for every variant; that of the setting now stands out. */
#include "view/stage.h"
#include <math.h>
#include <stdlib.h>

struct scales {
    struct rect plot;
    double x0, x1, y0, y1; /* y0 > 0: the y axis is logarithmic */
    bool even;             /* the values lie so far apart that they are drawn side by side */
};

static struct point place(const struct scales *scales, const struct ladder *ladder, int index, double y)
{
    double const x = ladder->points[index].x;
    double across = scales->x1 > scales->x0 ? (x - scales->x0) / (scales->x1 - scales->x0) : 0.5;
    if (scales->even)
        across = (double)index / (ladder->count - 1);
    double up = scales->y1 > 0 ? y / scales->y1 : 0;
    if (scales->y0 > 0)
        up = y > scales->y0 ? log(y / scales->y0) / log(scales->y1 / scales->y0) : 0;
    return (struct point){scales->plot.x + (float)across * scales->plot.w,
                          scales->plot.y + scales->plot.h * (1 - (float)up)};
}

/* Returns whether one step of the knob is so much smaller than the others that its values could not be told apart. */
static bool crowded(const struct ladder *ladder)
{
    double least = INFINITY, range = 0;
    for (int i = 1; i < ladder->count; i++) {
        double const gap = ladder->points[i].x - ladder->points[i - 1].x;
        least = fmin(least, gap);
        range += gap;
    }
    return ladder->count > 2 && range > 8 * least * (ladder->count - 1);
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
    bool const tens = scales->y0 > 0;
    int const steps = tens ? (int)lround(log10(scales->y1 / scales->y0)) : 2;
    int const every = (int)ceilf(22 * u * (float)steps / fmaxf(1, scales->plot.h));
    for (int i = 0; i <= steps; i++) {
        double value = tens ? scales->y0 * pow(10, i) : scales->y1 * i / 2;
        float y = scales->plot.y + scales->plot.h * (1 - (float)i / (float)steps);
        draw_line(&ui->draw, (struct point){scales->plot.x, y}, (struct point){scales->plot.x + scales->plot.w, y},
                  hairline(ui), ui_color(ui, COLOR_EDGE));
        if (i > 0 && i % every != 0) /* the next one would cover it */
            continue;
        ui_label(ui, (struct rect){scales->plot.x - 76 * u, y - 11 * u, 64 * u, 22 * u}, FONT_TEXT, text_caption(ui),
                 UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), arena_format(view->arena, "%g", value));
    }
    float last = -1e9f;
    for (int i = 0; i < ladder->count; i++) {
        const char *text = ladder->points[i].label;
        float width = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 4 * u;
        float x = place(scales, ladder, i, 0).x - width / 2;
        bool power = ladder->count <= 12 || (fmod(ladder->points[i].x, 8) < 1e-9);
        if (!power || x < last + 6 * u)
            continue;
        last = x + width;
        ui_label(ui, (struct rect){x, scales->plot.y + scales->plot.h + 6 * u, width, 22 * u}, FONT_TEXT,
                 text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM), text);
    }
}

/* Returns where a click goes to a point: halfway to its neighbours, and not beyond the chart. */
static struct rect column_of(const struct scales *scales, const struct ladder *ladder, int index, float u)
{
    float const beyond = 20 * u, here = place(scales, ladder, index, 0).x;
    float left = scales->plot.x - beyond, right = scales->plot.x + scales->plot.w + beyond;
    if (index > 0)
        left = (place(scales, ladder, index - 1, 0).x + here) / 2;
    if (index + 1 < ladder->count)
        right = (place(scales, ladder, index + 1, 0).x + here) / 2;
    return (struct rect){left, scales->plot.y - 8 * u, right - left, scales->plot.h + 34 * u};
}

static bool one_point(struct view *view, const struct ladder *ladder, const struct scales *scales, int index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    const struct ladder_point *point = &ladder->points[index];
    struct point at = place(scales, ladder, index, isnan(point->y) ? 0 : point->y);
    struct rect const column = column_of(scales, ladder, index, u);
    bool hot = ui_hovered(ui, column), current = index == ladder->current;
    float size = (current ? 13 : hot ? 12 : 8) * u;
    bool const pressed = ui_area(ui, ui_id_child(ui_id_text("ladder"), (uint32_t)index), column);
    if (isnan(point->y))
        return pressed;
    struct rect dot = {at.x - size / 2, at.y - size / 2, size, size};
    draw_line(&ui->draw, (struct point){at.x, scales->plot.y + scales->plot.h}, at, hairline(ui),
              color_mix(ui_color(ui, COLOR_ACCESS), ui_color(ui, COLOR_BACKGROUND), 0.6f));
    draw_fill(&ui->draw, dot, size, ui_color(ui, COLOR_ACCESS));
    if (current) {
        draw_outline(&ui->draw, rect_inset(dot, -4 * u, -4 * u), size, 4 * u, ui_color(ui, COLOR_CURSOR_RING));
        draw_outline(&ui->draw, rect_inset(dot, -3 * u, -3 * u), size, 2.5f * u, ui_color(ui, COLOR_CURSOR));
    }
    const char *others = "";
    for (int i = 0; i < ladder->other_count; i++)
        if (!isnan(ladder->others[i].values[index]))
            others = arena_format(view->arena, "%s · %s: %.4g", others, ladder->others[i].label,
                                  ladder->others[i].values[index]);
    ui_tip(ui, column, "%s: %s · %s: %.4g%s", ladder->x_name, point->label, ladder->y_name, point->y, others);
    return pressed;
}

/* The name of a line, where the line ends. */
struct line_name {
    struct point end;
    float y; /* of its middle: that of the end, or beside it where others stand close by */
    const char *text;
    bool current;
};

static int compare_ends(const void *a, const void *b)
{
    const struct line_name *x = a, *y = b;
    return (x->end.y > y->end.y) - (x->end.y < y->end.y);
}

/* Moves names apart that would cover each other: downwards and, from the lowest place on, upwards again. */
static void spread_names(struct line_name *names, int count, float width, float high, float lowest)
{
    qsort(names, (size_t)count, sizeof *names, compare_ends);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (fabsf(names[k].end.x - names[i].end.x) < width)
                names[i].y = fmaxf(names[i].y, names[k].y + high);
    for (int i = count - 1; i >= 0; i--) {
        names[i].y = fminf(names[i].y, lowest);
        for (int k = i + 1; k < count; k++)
            if (fabsf(names[k].end.x - names[i].end.x) < width)
                names[i].y = fminf(names[i].y, names[k].y - high);
    }
}

/* Writes a name where its line ends. A stroke leads to one that stands beside the end. */
static void name_line(struct view *view, const struct line_name *name, float width, float high)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct point const from = {name->end.x + 4 * u, name->end.y}, to = {name->end.x + 13 * u, name->y};
    if (fabsf(name->y - name->end.y) > 3 * u)
        draw_line(&ui->draw, from, to, hairline(ui), ui_color(ui, name->current ? COLOR_ACCESS : COLOR_IDLE));
    ui_label(ui, (struct rect){name->end.x + 14 * u, name->y - high / 2, width, high},
             name->current ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_LEFT,
             ui_color(ui, name->current ? COLOR_TEXT : COLOR_TEXT_DIM), name->text);
}

/* Returns whether points of the lines lie where the name of a line that ends here would stand. */
static bool is_crossed(const struct view *view, const struct ladder *ladder, const struct scales *scales,
                       struct point end, float width)
{
    float const u = view->ui->unit;
    for (int l = -1; l < ladder->other_count; l++)
        for (int i = 0; i < (l < 0 ? ladder->known : ladder->count); i++) {
            double const y = l < 0 ? ladder->points[i].y : ladder->others[l].values[i];
            struct point const at = place(scales, ladder, i, isnan(y) ? 0 : y);
            if (!isnan(y) && at.x > end.x && at.x < end.x + 14 * u + width && fabsf(at.y - end.y) < 14 * u)
                return true;
        }
    return false;
}

/* Draws a line for each variant: that of the setting now, over which its points are drawn, and the others in grey. The
 * tip of the points has the name of a line that ends among the others. */
static void variant_lines(struct view *view, const struct ladder *ladder, const struct scales *scales, float names_w)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, high = 20 * u;
    struct line_name *names = arena_array(view->arena, struct line_name, (size_t)ladder->other_count + 1);
    int count = 0;
    for (int l = -1; l < ladder->other_count; l++) {
        const struct ladder_line *line = l < 0 ? NULL : &ladder->others[l];
        struct color const color = ui_color(ui, line ? COLOR_IDLE : COLOR_ACCESS);
        struct point last = {0};
        int known = 0;
        for (int i = 0; i < (line ? ladder->count : ladder->known); i++) {
            double const y = line ? line->values[i] : ladder->points[i].y;
            if (isnan(y))
                continue;
            struct point const at = place(scales, ladder, i, y);
            if (known++)
                draw_line(&ui->draw, last, at, fmaxf(1.5f, 1.5f * u), color);
            if (line)
                draw_fill(&ui->draw, (struct rect){at.x - 2.5f * u, at.y - 2.5f * u, 5 * u, 5 * u}, 0, color);
            last = at;
        }
        if (known && !is_crossed(view, ladder, scales, last, names_w))
            names[count++] = (struct line_name){last, last.y, line ? line->label : ladder->name, !line};
    }
    spread_names(names, count, names_w, high, scales->plot.y + scales->plot.h);
    for (int i = 0; i < count; i++)
        if (names[i].y >= scales->plot.y - 4 * u) /* higher is the caption */
            name_line(view, &names[i], names_w, high);
}

static float names_width(const struct view *view, const struct ladder *ladder)
{
    float width = ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), ladder->name);
    for (int i = 0; i < ladder->other_count; i++)
        width = fmaxf(width, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), ladder->others[i].label));
    return width + 4 * view->ui->unit;
}

/* Sets the range of the values. Lines of several variants are drawn on a logarithmic axis where a linear one would
 * press the lower ones flat. */
static void find_range(const struct ladder *ladder, struct scales *scales)
{
    double highest = 0, lowest = INFINITY;
    for (int l = -1; l < ladder->other_count; l++)
        for (int i = 0; i < (l < 0 ? ladder->known : ladder->count); i++) {
            double const y = l < 0 ? ladder->points[i].y : ladder->others[l].values[i];
            highest = fmax(highest, y);
            lowest = y > 0 ? fmin(lowest, y) : lowest;
        }
    if (ladder->other_count && highest > 30 * lowest) {
        scales->y0 = pow(10, floor(log10(lowest)));
        scales->y1 = pow(10, ceil(log10(highest)));
    } else {
        scales->y1 = round_up(fmax(1, highest));
    }
}

struct panel_size panel_ladder_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    if (!stage->ladder || stage->covered)
        return NOT_SHOWN;
    if (!(stage->focus & STAGE_LADDER))
        return (struct panel_size){.least = 150, .best = 330, .low = 124};
    if (!stage->compact)
        return (struct panel_size){.least = 210, .best = 330, .low = 124};
    /* it is seen from afar; where it has the times, their bars go before it becomes low */
    return (struct panel_size){.least = 250, .best = 330, .low = stage->ladder->times ? 190 : 150};
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
    float const names = ladder->other_count ? names_width(view, ladder) : 0;
    struct scales scales = {.plot = {box.x + 80 * u, box.y + 12 * u, box.w - 100 * u - names, box.h - 46 * u},
                            .even = crowded(ladder)};
    if (!ladder->count || scales.plot.h < 30 * u)
        return action;
    scales.x0 = ladder->points[0].x;
    scales.x1 = ladder->points[ladder->count - 1].x;
    find_range(ladder, &scales);
    axes(view, ladder, &scales);
    if (ladder->other_count)
        variant_lines(view, ladder, &scales, names);
    for (int i = 0; i < ladder->known; i++)
        if (one_point(view, ladder, &scales, i))
            action = (struct action){.kind = ACTION_SET_KNOB, .value = ladder->knob, .other = i};
    return action;
}
