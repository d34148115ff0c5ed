/* The warps of the block as strips, with a shape and a word for the state of each. The warp in focus has a wider strip.
 * If there are many, the others show their shape and number only. */
#include "view/stage.h"
#include <math.h>

static const char *state_word(enum timeline_state state)
{
    switch (state) {
    case TIMELINE_MEMORY:
        return _("memory");
    case TIMELINE_BARRIER:
        return _("barrier");
    case TIMELINE_DONE:
        return _("done");
    case TIMELINE_FAULT:
        return _("fault");
    case TIMELINE_READY:
        break;
    }
    return _("ready");
}

/* Returns what the state means for the warp. */
static const char *state_meaning(enum timeline_state state)
{
    switch (state) {
    case TIMELINE_MEMORY:
        return _("memory: an access of it is under way");
    case TIMELINE_BARRIER:
        return _("barrier: it waits for the other warps of the block");
    case TIMELINE_DONE:
        return _("done: its threads have ended");
    case TIMELINE_FAULT:
        return _("fault: the run stops here");
    case TIMELINE_READY:
        break;
    }
    return _("ready: it can take its next step");
}

/* Draws the shape of a state. Ready: a ring. Memory: a disc. Barrier: two bars. Done: a square. Fault: a triangle. */
static void state_shape(struct view *view, struct point middle, float size, enum timeline_state state)
{
    struct draw_list *draw = &view->ui->draw;
    struct rect box = {middle.x - size / 2, middle.y - size / 2, size, size};
    float line = fmaxf(2, size * 0.16f);
    struct color color = ui_color(view->ui, state == TIMELINE_FAULT ? COLOR_CONFLICT : COLOR_TEXT);
    switch (state) {
    case TIMELINE_READY:
        draw_outline(draw, box, size / 2, line, color);
        break;
    case TIMELINE_MEMORY:
        draw_fill(draw, box, size / 2, ui_color(view->ui, COLOR_ACCESS));
        break;
    case TIMELINE_BARRIER:
        draw_fill(draw, (struct rect){box.x, box.y, size * 0.34f, size}, 0, color);
        draw_fill(draw, (struct rect){box.x + size * 0.66f, box.y, size * 0.34f, size}, 0, color);
        break;
    case TIMELINE_DONE:
        draw_fill(draw, rect_inset(box, size * 0.08f, size * 0.08f), 0, ui_color(view->ui, COLOR_IDLE));
        break;
    case TIMELINE_FAULT: {
        struct point points[3] = {{middle.x, box.y}, {box.x + size, box.y + size}, {box.x, box.y + size}};
        draw_polygon(draw, points, 3, color);
        break;
    }
    }
}

/* Draws a strip without the state of its warp, which the question asks about. */
static void covered_strip(struct view *view, struct rect box, uint32_t warp)
{
    const char *number = arena_format(view->arena, "%u", warp);
    const char *name = arena_format(view->arena, _("warp %s"), number);
    struct rect const inner = rect_inset(box, fminf(10 * view->ui->unit, box.w * 0.1f), 0);
    bool const fits = ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), name) <= inner.w;
    ui_tip(view->ui, box, "%s", name);
    if (box.w >= 24 * view->ui->unit)
        ui_chip_label(view->ui, inner, FONT_BOLD, text_caption(view->ui), ui_color(view->ui, COLOR_TEXT),
                      fits ? name : number);
}

static bool one_strip(struct view *view, struct rect box, uint32_t warp, bool focused)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    enum timeline_state state = view->scene->warps[warp];
    float radius = 4 * u;
    draw_fill(&ui->draw, box, radius, ui_color(ui, focused ? COLOR_ACCESS_SOFT : COLOR_PANEL));
    draw_outline(&ui->draw, box, radius, focused ? fmaxf(2, 2 * u) : hairline(ui),
                 ui_color(ui, focused ? COLOR_ACCESS : COLOR_EDGE));
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("warp"), warp), box);
    if (view->stage->secrets & SECRET_STATES) {
        covered_strip(view, box, warp);
        return clicked;
    }
    ui_tip(ui, box, _("warp %u · %s"), warp, state_meaning(state));
    const char *number = arena_format(view->arena, "%u", warp);
    if (box.w < 58 * u) {
        if (box.w >= 24 * u && box.w < 44 * u)
            ui_chip_label(ui, rect_inset(box, 2, 0), FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT), number);
        else if (box.w >= 44 * u) {
            state_shape(view, (struct point){box.x + 13 * u, box.y + box.h / 2}, 11 * u, state);
            ui_chip_label(ui, (struct rect){box.x + 20 * u, box.y, box.w - 22 * u, box.h}, FONT_TEXT, text_caption(ui),
                          ui_color(ui, COLOR_TEXT), number);
        } else
            state_shape(view, (struct point){box.x + box.w / 2, box.y + box.h / 2}, fminf(box.w * 0.6f, 11 * u), state);
        return clicked;
    }
    struct rect inner = rect_inset(box, 10 * u, 0);
    struct rect shape = rect_cut_left(&inner, 20 * u);
    state_shape(view, (struct point){shape.x + 7 * u, box.y + box.h / 2}, 12 * u, state);
    const char *name = arena_format(view->arena, _("warp %s"), number);
    float name_w = ui_text_width(ui, FONT_BOLD, text_caption(ui), name);
    float word_w = ui_text_width(ui, FONT_TEXT, text_caption(ui), state_word(state));
    if (name_w > inner.w) {
        name = number;
        name_w = ui_text_width(ui, FONT_BOLD, text_caption(ui), name);
    }
    ui_label(ui, rect_cut_left(&inner, name_w + 1), FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             name);
    if (inner.w >= word_w + 8 * u)
        ui_label(ui, inner, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, focused ? COLOR_TEXT : COLOR_TEXT_DIM),
                 state_word(state));
    return clicked;
}

struct panel_size panel_warps_size(const struct view *view)
{
    if (view->stage->secrets & SECRET_WARPS)
        return NOT_SHOWN;
    return (struct panel_size){.least = 42, .best = 46};
}

struct action panel_warps(struct view *view, struct rect box)
{
    const struct scene *scene = view->scene;
    const struct columns *columns = &view->columns;
    struct action action = NO_ACTION;
    uint32_t count = scene->warp_count;
    if (!count)
        return action;
    box.h -= 10 * view->ui->unit;
    float gap = count > 12 ? 2 : 8 * view->ui->unit;
    float width = columns->pitch * WARP_LANES - 2;
    float even = (width - gap * (float)(count - 1)) / (float)count;
    float wide = 190 * view->ui->unit;
    bool enlarge = count > 1 && even < wide;
    float other = enlarge ? (width - wide - gap * (float)(count - 1)) / (float)(count - 1) : fminf(even, wide * 1.6f);
    float x = columns->x;
    for (uint32_t w = 0; w < count; w++) {
        bool focused = scene->event ? w == scene->warp : w == 0;
        float strip = focused && enlarge ? wide : other;
        if (one_strip(view, (struct rect){x, box.y, strip, box.h}, w, focused))
            action = (struct action){.kind = ACTION_GO_WARP, .value = (int)w};
        x += strip + gap;
    }
    return action;
}
