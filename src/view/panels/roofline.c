/* The roofline: operations in a second against operations for each byte, both on logarithmic axes. The roofs are the
 * measured rates of one GPU. A variant is a row of marks at the height of its measured rate: for the bytes counted in
 * DRAM, through L1, and through shared memory. Without counts or a time it has no mark. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

static const char *const memory_names[] = {[ROOFLINE_DRAM] = N_("bytes in DRAM"),
                                           [ROOFLINE_L1] = N_("bytes through L1"),
                                           [ROOFLINE_SHARED] = N_("passes × 128 B, shared")};
/* for a narrow panel: L1 and shared memory are one array */
static const char *const memory_short[] = {[ROOFLINE_DRAM] = N_("bytes in DRAM"),
                                           [ROOFLINE_L1] = N_("bytes through L1"),
                                           [ROOFLINE_SHARED] = N_("passes × 128 B")};

struct plot {
    struct rect area;
    double low_x, high_x, low_y, high_y; /* powers of ten */
};

struct mark {
    struct rect box;
    size_t number; /* of the point, from 1 */
    enum roofline_memory memory;
    bool current;
};

static float place_x(const struct plot *plot, double intensity)
{
    return plot->area.x + plot->area.w * (float)((log10(intensity) - plot->low_x) / (plot->high_x - plot->low_x));
}

static float place_y(const struct plot *plot, double rate)
{
    return plot->area.y + plot->area.h * (float)((plot->high_y - log10(rate)) / (plot->high_y - plot->low_y));
}

/* Returns "5.06 TFLOP/s" from a number, with three figures and a prefix. */
static const char *with_unit(struct arena *arena, double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    for (; value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof *prefixes; prefix++)
        value /= 1000;
    int const decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return arena_format(arena, "%.*f %s%s", decimals, value, prefixes[prefix], unit);
}

/* Returns "10 T" for the thirteenth power of ten. */
static const char *decade_text(struct arena *arena, double decade)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    int const step = (int)fmin(fmax(floor(decade / 3), 0), 5);
    return arena_format(arena, "%g%s", pow(10, decade - 3 * step), prefixes[step]);
}

static bool any_known(const struct roofline *roofline)
{
    for (size_t i = 0; i < roofline->count; i++)
        if (roofline->points[i].known)
            return true;
    return false;
}

/* Chooses whole decades that hold the ridges of the roofs and all points. */
static struct plot plot_of(const struct roofline *roofline, struct rect area)
{
    double low_x = 1, high_x = roofline->flop_rate / roofline->rates[ROOFLINE_DRAM] * 4;
    double low_y = roofline->flop_rate / 20;
    for (size_t i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        if (!point->known)
            continue;
        low_y = fmin(low_y, roofline_rate(point));
        for (int memory = 0; memory < ROOFLINE_MEMORIES; memory++) {
            if (!roofline_uses(point, (enum roofline_memory)memory))
                continue;
            low_x = fmin(low_x, roofline_intensity(point, (enum roofline_memory)memory));
            high_x = fmax(high_x, roofline_intensity(point, (enum roofline_memory)memory));
        }
    }
    return (struct plot){area, floor(log10(low_x)), ceil(log10(high_x)), floor(log10(low_y)),
                         ceil(log10(roofline->flop_rate * 1.5))};
}

static void draw_axes(struct view *view, const struct plot *plot)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct color const edge = ui_color(ui, COLOR_EDGE), text = ui_color(ui, COLOR_TEXT_DIM);
    const struct rect *area = &plot->area;
    for (int decade = (int)ceil(plot->low_x); decade <= (int)floor(plot->high_x); decade++) {
        float const x = place_x(plot, pow(10, decade));
        draw_line(&ui->draw, (struct point){x, area->y}, (struct point){x, area->y + area->h}, hairline(ui), edge);
        ui_label(ui, (struct rect){x - 40 * u, area->y + area->h + 2 * u, 80 * u, 22 * u}, FONT_TEXT, text_caption(ui),
                 UI_CENTER, text, arena_format(view->arena, "%g", pow(10, decade)));
    }
    for (int decade = (int)ceil(plot->low_y); decade <= (int)floor(plot->high_y); decade++) {
        float const y = place_y(plot, pow(10, decade));
        draw_line(&ui->draw, (struct point){area->x, y}, (struct point){area->x + area->w, y}, hairline(ui), edge);
        view_gutter(view, y - 11 * u, 22 * u, decade_text(view->arena, decade), false);
    }
}

static void draw_roof(struct view *view, const struct plot *plot, const struct roofline *roofline,
                      enum roofline_memory memory)
{
    struct ui *ui = view->ui;
    double const ridge = roofline->flop_rate / roofline->rates[memory];
    double const left = fmax(pow(10, plot->low_x), pow(10, plot->low_y) / roofline->rates[memory]);
    struct point *line = arena_array(view->arena, struct point, 3);
    line[0] = (struct point){place_x(plot, left), place_y(plot, roofline_roof(roofline, memory, left))};
    line[1] = (struct point){place_x(plot, ridge), place_y(plot, roofline->flop_rate)};
    line[2] = (struct point){plot->area.x + plot->area.w, line[1].y};
    draw_polyline(&ui->draw, line, 3, fmaxf(1.5f, 2 * ui->unit), 0, ui_color(ui, COLOR_TEXT));
}

/* Draws a line of text above a height of the plot, from `left` on or up to `right`. */
static void label_above(struct view *view, float left, float right, float y, enum ui_align align, const char *text)
{
    struct ui *ui = view->ui;
    ui_label(ui, (struct rect){left, y - 24 * ui->unit, right - left, 22 * ui->unit}, FONT_TEXT, text_caption(ui),
             align, ui_color(ui, COLOR_TEXT), text);
}

static void draw_roofs(struct view *view, const struct plot *plot, const struct roofline *roofline)
{
    struct ui *ui = view->ui;
    struct arena *arena = view->arena;
    float const u = ui->unit, top = place_y(plot, roofline->flop_rate), right = plot->area.x + plot->area.w;
    float from = plot->area.x;
    /* From left to right. L1 and shared memory are one array, with roofs that hardly differ: one label names both. */
    for (int memory = ROOFLINE_MEMORIES; memory-- > 0;) {
        if (!(roofline->rates[memory] > 0))
            continue;
        float const ridge = place_x(plot, roofline->flop_rate / roofline->rates[memory]);
        draw_roof(view, plot, roofline, (enum roofline_memory)memory);
        if (memory == ROOFLINE_SHARED)
            continue;
        const char *name = memory == ROOFLINE_DRAM                ? "DRAM"
                           : roofline->rates[ROOFLINE_SHARED] > 0 ? _("L1, shared")
                                                                  : "L1";
        bool const fits = ui_text_width(ui, FONT_TEXT, text_caption(ui), name) <= ridge - from;
        if (ridge > from + 50 * u)
            label_above(view, from, ridge, top, UI_RIGHT, fits || memory == ROOFLINE_DRAM ? name : "L1");
        from = ridge + 16 * u;
    }
    if (right > from + 50 * u)
        label_above(view, from, right, top, UI_RIGHT, "FMA");
    if (!roofline->other || !(roofline->other_rate > pow(10, plot->low_y)))
        return;
    struct point *line = arena_array(arena, struct point, 2);
    float const y = place_y(plot, roofline->other_rate);
    line[0] = (struct point){plot->area.x, y};
    line[1] = (struct point){right, y};
    draw_polyline(&ui->draw, line, 2, fmaxf(1.5f, 1.5f * u), 6 * u, ui_color(ui, COLOR_IDLE));
}

static void draw_shape(struct view *view, struct rect box, enum roofline_memory memory, bool current)
{
    struct ui *ui = view->ui;
    struct color const color = ui_color(ui, current ? COLOR_ACCESS : COLOR_IDLE), back = ui_color(ui, COLOR_BACKGROUND);
    struct rect const edge = rect_inset(box, -1.5f * ui->unit, -1.5f * ui->unit);
    float const radius = memory == ROOFLINE_DRAM ? box.w : 0;
    for (int round = 0; round < 2; round++) {
        struct rect const of = round ? box : edge;
        float const x = of.x + of.w / 2, y = of.y + of.h / 2, half = of.w * 0.64f;
        struct point const corners[] = {{x, y - half}, {x + half, y}, {x, y + half}, {x - half, y}};
        if (memory == ROOFLINE_SHARED)
            draw_polygon(&ui->draw, corners, 4, round ? color : back);
        else
            draw_fill(&ui->draw, of, radius, round ? color : back);
    }
}

static const char *point_words(struct view *view, const struct roofline_point *point)
{
    struct arena *arena = view->arena;
    const char *words =
        arena_format(arena, _("%s: %s; %.3g FLOP for each byte in DRAM (%s), %.3g for each byte through L1 (%s)"),
                     point->label, with_unit(arena, roofline_rate(point), "FLOP/s"),
                     roofline_intensity(point, ROOFLINE_DRAM), with_unit(arena, point->bytes[ROOFLINE_DRAM], "B"),
                     roofline_intensity(point, ROOFLINE_L1), with_unit(arena, point->bytes[ROOFLINE_L1], "B"));
    if (!roofline_uses(point, ROOFLINE_SHARED))
        return words;
    return arena_format(arena, _("%s, %.3g for each byte of shared memory (%s)"), words,
                        roofline_intensity(point, ROOFLINE_SHARED),
                        with_unit(arena, point->bytes[ROOFLINE_SHARED], "B"));
}

static bool overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Draws the marks, those of the current point last. A number that a later mark covers is left out. */
static void draw_points(struct view *view, const struct plot *plot, const struct roofline *roofline)
{
    struct ui *ui = view->ui;
    float const size = 22 * ui->unit;
    struct mark *marks = arena_array(view->arena, struct mark, roofline->count * ROOFLINE_MEMORIES + 1);
    size_t count = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < roofline->count; i++) {
            const struct roofline_point *point = &roofline->points[i];
            if (!point->known || point->current != (round == 1))
                continue;
            float const y = place_y(plot, roofline_rate(point));
            struct point ends[2] = {{INFINITY, y}, {0, y}};
            for (int memory = 0; memory < ROOFLINE_MEMORIES; memory++) {
                if (!roofline_uses(point, (enum roofline_memory)memory))
                    continue;
                float const x = place_x(plot, roofline_intensity(point, (enum roofline_memory)memory));
                ends[0].x = fminf(ends[0].x, x);
                ends[1].x = fmaxf(ends[1].x, x);
                marks[count++] = (struct mark){
                    {x - size / 2, y - size / 2, size, size}, i + 1, (enum roofline_memory)memory, point->current};
            }
            draw_line(&ui->draw, ends[0], ends[1], hairline(ui),
                      ui_color(ui, point->current ? COLOR_ACCESS : COLOR_IDLE));
        }
    for (size_t i = 0; i < count; i++) {
        bool covered = false;
        for (size_t later = i + 1; later < count; later++)
            covered = covered || overlap(marks[i].box, marks[later].box);
        draw_shape(view, marks[i].box, marks[i].memory, marks[i].current);
        if (!covered)
            ui_chip_label(ui, marks[i].box, FONT_BOLD, text_caption(ui), ui_color(ui, COLOR_ON_ACCENT),
                          arena_format(view->arena, "%zu", marks[i].number));
        ui_tip(ui, marks[i].box, "%s", point_words(view, &roofline->points[marks[i].number - 1]));
    }
}

/* Writes the name of a row, or the short one where the whole has no room; the whole is then in a tip. */
static void legend_name(struct view *view, struct rect row, const char *name, const char *or_short)
{
    struct ui *ui = view->ui;
    bool const fits = ui_text_width(ui, FONT_TEXT, text_caption(ui), name) <= row.w;
    ui_label(ui, row, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), fits ? name : or_short);
    if (!fits)
        ui_tip(ui, row, "%s", name);
}

/* Returns a name without what stands in parentheses at its end. */
static const char *without_remark(const struct view *view, const char *name)
{
    size_t const length = strcspn(name, "(");
    return arena_format(view->arena, "%.*s", (int)(length && name[length - 1] == ' ' ? length - 1 : length), name);
}

/* Cuts a row off the box and writes a value at its right end. Returns the room between the sign at its left end, which
 * the caller draws in `sign`, and the value. */
static struct rect legend_row(struct view *view, struct rect *box, struct rect *sign, const char *value)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct rect row = rect_cut_top(box, 28 * u);
    *sign = rect_cut_left(&row, 24 * u);
    float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), value) + 2;
    ui_label(ui, rect_cut_right(&row, fminf(width, row.w * 0.6f)), FONT_TEXT, text_caption(ui), UI_RIGHT,
             ui_color(ui, COLOR_TEXT), value);
    rect_cut_right(&row, 8 * u);
    return row;
}

/* Lists the points with their rates, then the roofs, with the shape whose bytes each is about. */
static void draw_legend(struct view *view, struct rect box, const struct roofline *roofline)
{
    struct ui *ui = view->ui;
    struct arena *arena = view->arena;
    float const u = ui->unit, line = 28 * u;
    struct rect sign;
    for (size_t i = 0; i < roofline->count && box.h >= line; i++) {
        const struct roofline_point *point = &roofline->points[i];
        struct rect const row = legend_row(
            view, &box, &sign, point->known ? with_unit(arena, roofline_rate(point), "FLOP/s") : _("not recorded"));
        ui_label(ui, sign, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(arena, "%zu", i + 1));
        ui_label(ui, row, point->current ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
                 point->label);
        if (point->known)
            ui_tip(ui, row, "%s", point_words(view, point));
    }
    if (roofline->other && box.h >= line) {
        struct rect const row = legend_row(view, &box, &sign, with_unit(arena, roofline->other_rate, "FLOP/s"));
        struct point *dashes = arena_array(arena, struct point, 2);
        dashes[0] = (struct point){sign.x, sign.y + sign.h / 2};
        dashes[1] = (struct point){sign.x + 16 * u, sign.y + sign.h / 2};
        draw_polyline(&ui->draw, dashes, 2, fmaxf(1.5f, 1.5f * u), 4 * u, ui_color(ui, COLOR_IDLE));
        legend_name(view, row, roofline->other, without_remark(view, roofline->other));
    }
    rect_cut_top(&box, 6 * u);
    for (int memory = ROOFLINE_MEMORIES; memory-- > 0 && box.h >= line;) {
        if (!(roofline->rates[memory] > 0))
            continue;
        struct rect const row = legend_row(view, &box, &sign, with_unit(arena, roofline->rates[memory], "B/s"));
        draw_shape(view, (struct rect){sign.x, sign.y + 7 * u, 14 * u, 14 * u}, (enum roofline_memory)memory, false);
        legend_name(view, row, _(memory_names[memory]), _(memory_short[memory]));
    }
    if (box.h >= line) {
        struct rect const row = legend_row(view, &box, &sign, with_unit(arena, roofline->flop_rate, "FLOP/s"));
        ui_label(ui, row, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), "FMA");
    }
}

/* Returns the width of the list: of its longest row, but at most so much of the panel's that the plot stays legible. */
static float legend_width(const struct view *view, const struct roofline *roofline, float all)
{
    struct ui *ui = view->ui;
    float widest = 0;
    for (size_t i = 0; i < roofline->count; i++)
        widest = fmaxf(widest, ui_text_width(ui, FONT_BOLD, text_caption(ui), roofline->points[i].label));
    for (int memory = 0; memory < ROOFLINE_MEMORIES; memory++)
        if (roofline->rates[memory] > 0)
            widest = fmaxf(widest, ui_text_width(ui, FONT_TEXT, text_caption(ui), _(memory_names[memory])));
    if (roofline->other)
        widest = fmaxf(widest, ui_text_width(ui, FONT_TEXT, text_caption(ui), roofline->other));
    float const value = fmaxf(ui_text_width(ui, FONT_TEXT, text_caption(ui), "88.8 TFLOP/s"),
                              ui_text_width(ui, FONT_TEXT, text_caption(ui), _("not recorded")));
    return fminf(widest + value + 62 * ui->unit, all * 0.58f);
}

static const char *caption_text(struct view *view, const struct roofline *roofline, float width)
{
    struct ui *ui = view->ui;
    const char *words = arena_format(
        view->arena,
        any_known(roofline) ? _("FLOP/s against FLOP/byte; bytes counted, times and roofs measured on %s")
                            : _("FLOP/s against FLOP/byte; no launch of this setting was counted and timed on %s"),
        roofline->gpu);
    return ui_text_width(ui, FONT_TEXT, text_caption(ui), words) <= width ? words : _("FLOP/s against FLOP/byte");
}

struct panel_size panel_roofline_size(const struct view *view)
{
    if (view->stage->covered || view->stage->fault)
        return NOT_SHOWN;
    return view->stage->roofline ? (struct panel_size){.least = 230, .best = 360}
                                 : (struct panel_size){.least = 60, .best = 60, .steady = true};
}

struct action panel_roofline(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const struct roofline *roofline = view->stage->roofline;
    box = view_columns(view, box);
    struct rect const caption = rect_cut_top(&box, 30 * u);
    if (!roofline) {
        view_caption(view, caption, _("The file of this GPU has no measured roofs."));
        return NO_ACTION;
    }
    view_caption(view, caption, caption_text(view, roofline, caption.w));
    struct rect legend = rect_cut_right(&box, legend_width(view, roofline, box.w));
    rect_cut_left(&legend, 24 * u);
    struct plot const plot = plot_of(roofline, (struct rect){box.x, box.y + 6 * u, box.w, box.h - 44 * u});
    if (plot.area.h < 80 * u)
        return NO_ACTION;
    draw_axes(view, &plot);
    draw_roofs(view, &plot, roofline);
    draw_points(view, &plot, roofline);
    draw_legend(view, legend, roofline);
    return NO_ACTION;
}
