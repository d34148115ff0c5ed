/* The state shared by all widgets: `hot` is the widget under the mouse, `active` the widget that the mouse pressed,
 * `focus` the widget that receives keys. A press goes to the widget drawn last under the mouse, so that the widget on
 * top receives it. */
#include "ui/ui.h"
#include "ui/widget.h"
#include <math.h>
#include <string.h>

ui_id ui_id_text(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a hash */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash ? hash : 1;
}

ui_id ui_id_child(ui_id parent, uint32_t index)
{
    uint32_t hash = (parent ^ (index + 0x9e3779b9u)) * 16777619u;
    hash = (hash ^ hash >> 15) * 0x85ebca6bu;
    hash ^= hash >> 13;
    return hash ? hash : 1;
}

void ui_begin(struct ui *ui, struct arena *frame, struct rect screen)
{
    draw_begin(&ui->draw, frame);
    ui->screen = screen;
    ui->hot = 0;
    ui->tooltip = NULL;
    ui->order = NULL;
    ui->marks = NULL;
    ui->mark_count = ui->mark_capacity = 0;
    ui->order_count = ui->order_capacity = 0;
    ui->noted = NULL;
    ui->noted_count = ui->noted_capacity = 0;
    if (ui->unit <= 0)
        ui->unit = screen.h / 1080;
}

static void move_focus(struct ui *ui)
{
    uint32_t count = (uint32_t)ui->order_count, place = count;
    for (uint32_t i = 0; i < count; i++)
        if (ui->order[i] == ui->focus)
            place = i;
    if (place == count)
        ui->focus = 0; /* the widget with the focus is no longer on the screen */
    if (!ui->input.focus_step || !count)
        return;
    if (place == count)
        ui->focus = ui->input.focus_step > 0 ? ui->order[0] : ui->order[count - 1];
    else
        ui->focus = ui->order[(place + (ui->input.focus_step > 0 ? 1 : count - 1)) % count];
}

/* Draws the tooltip beside the mouse, on the other side of it near the screen's edge. */
static void draw_tooltip(struct ui *ui)
{
    float size = 16 * ui->unit, pad = 10 * ui->unit, away = 18 * ui->unit;
    float limit = fminf(420 * ui->unit, ui->screen.w - 2 * pad);
    float wide = ui_text_width(ui, FONT_TEXT, size, ui->tooltip);
    struct ui_span span = {ui->tooltip, FONT_TEXT, COLOR_TEXT};
    float inner = ceilf(fminf(wide, limit - 2 * pad)) + 1;
    struct rect box = {ui->tooltip_at.x + away, ui->tooltip_at.y + away, inner + 2 * pad,
                       ui_paragraph_height(ui, inner, size, &span, 1) + 2 * pad * 0.7f};
    if (box.x + box.w > ui->screen.x + ui->screen.w)
        box.x = ui->tooltip_at.x - away * 0.5f - box.w;
    if (box.y + box.h > ui->screen.y + ui->screen.h)
        box.y = ui->tooltip_at.y - away * 0.5f - box.h;
    box.x = fmaxf(box.x, ui->screen.x);
    box.y = fmaxf(box.y, ui->screen.y);
    draw_clip_none(&ui->draw);
    draw_over(&ui->draw);
    struct color shade = color_fade(ui_color(ui, COLOR_CURSOR_RING), 0.10f);
    for (int i = 3; i >= 1; i--) {
        float spread = (float)i * ui->unit;
        draw_fill(&ui->draw, rect_inset((struct rect){box.x, box.y + spread, box.w, box.h}, -spread, -spread),
                  6 * ui->unit + spread, shade);
    }
    draw_fill(&ui->draw, box, 6 * ui->unit, ui_color(ui, COLOR_PANEL));
    draw_outline(&ui->draw, box, 6 * ui->unit, fmaxf(1, ui->unit), ui_color(ui, COLOR_IDLE));
    ui_paragraph(ui, rect_inset(box, pad, pad * 0.7f), size, &span, 1, false);
}

void ui_end(struct ui *ui)
{
    move_focus(ui);
    if (ui->tooltip && !ui->active)
        draw_tooltip(ui);
    if (!ui->input.down && !ui->input.pressed)
        ui->active = 0;
    struct ui_input *input = &ui->input;
    input->from = input->pressed ? input->from : input->mouse;
    input->pressed = input->released = input->activate = input->second = false;
    input->wheel = 0;
    input->focus_step = input->adjust = input->read_on = input->read_code = 0;
}

void ui_passive(struct ui *ui, bool passive)
{
    ui->passive = passive;
}

void ui_window(struct ui *ui, struct rect box)
{
    ui->windowed = true;
    ui->window = box;
    ui->window_cut = INFINITY;
}

float ui_window_end(struct ui *ui)
{
    ui->windowed = false;
    return ui->window_cut;
}

bool ui_shown(struct ui *ui, struct rect box)
{
    float const slack = 0.5f; /* pixels */
    if (!ui->windowed)
        return true;
    bool const below = box.y + box.h > ui->window.y + ui->window.h + slack;
    if (below)
        ui->window_cut = fminf(ui->window_cut, box.y);
    return !below && box.y >= ui->window.y - slack;
}

struct color ui_color(const struct ui *ui, enum color_role role)
{
    return ui->theme->colors[role];
}

bool ui_hovered(const struct ui *ui, struct rect box)
{
    return !ui->passive && ui->input.mouse_inside && rect_holds(box, ui->input.mouse);
}

/* Keeps what the mouse can do at the box. */
static void note(struct ui *ui, struct rect box, const char *tip)
{
    if (!ui->notes || ui->passive)
        return;
    ui->noted = arena_grow(ui->draw.arena, ui->noted, ui->noted_count, &ui->noted_capacity, sizeof *ui->noted);
    ui->noted[ui->noted_count++] = (struct ui_noted){box, tip};
}

bool ui_pressed(struct ui *ui, ui_id id, struct rect box)
{
    note(ui, box, NULL);
    if (ui->passive || !ui->input.pressed || !ui->input.mouse_inside || !rect_holds(box, ui->input.from))
        return false;
    ui->active = id;
    return true;
}

/* Cuts the part `*enter`..`*leave` of a segment down to where its coordinate lies between low and high. */
static bool clip_segment(float from, float to, float low, float high, float *enter, float *leave)
{
    float const way = to - from;
    if (way == 0)
        return from >= low && from < high;
    float const a = (low - from) / way, b = (high - from) / way;
    *enter = fmaxf(*enter, fminf(a, b));
    *leave = fminf(*leave, fmaxf(a, b));
    return *enter <= *leave;
}

bool ui_crossed(const struct ui *ui, struct rect box)
{
    struct point const from = ui->input.from, to = ui->input.mouse;
    float enter = 0, leave = 1;
    return !ui->passive && ui->input.mouse_inside && clip_segment(from.x, to.x, box.x, box.x + box.w, &enter, &leave) &&
           clip_segment(from.y, to.y, box.y, box.y + box.h, &enter, &leave);
}

struct ui_touch ui_touch(struct ui *ui, ui_id id, struct rect box)
{
    bool over = ui_hovered(ui, box);
    struct ui_touch touch = {0};
    note(ui, box, NULL);
    if (ui->passive)
        return touch;
    if (over && (!ui->active || ui->active == id))
        ui->hot = id;
    if (ui->input.pressed && over && (!ui->input.released || !ui->active)) {
        ui->active = id;
        touch.pressed = true;
    }
    touch.held = ui->active == id && (ui->input.down || ui->input.pressed || ui->input.released);
    touch.clicked = ui->active == id && ui->input.released && over;
    touch.hot = over && (!ui->active || ui->active == id);
    return touch;
}

bool ui_focusable(struct ui *ui, ui_id id, struct rect box, float radius)
{
    if (ui->passive)
        return false;
    ui->order = arena_grow(ui->draw.arena, ui->order, ui->order_count, &ui->order_capacity, sizeof *ui->order);
    ui->order[ui->order_count++] = id;
    if (ui->focus != id)
        return false;
    float away = 3 * ui->unit, width = fmaxf(2, 2 * ui->unit);
    draw_outline(&ui->draw, rect_inset(box, -away - width, -away - width), radius + away + width, width,
                 ui_color(ui, COLOR_ACCESS));
    return true;
}

bool ui_area(struct ui *ui, ui_id id, struct rect box)
{
    return ui_touch(ui, id, box).clicked || (!ui->passive && ui->focus == id && ui->input.activate);
}

bool ui_drag(struct ui *ui, ui_id id, struct rect box, float *position)
{
    if (!ui_touch(ui, id, box).held || box.w <= 0)
        return false;
    *position = fminf(1, fmaxf(0, (ui->input.mouse.x - box.x) / box.w));
    return true;
}

void ui_tip(struct ui *ui, struct rect box, const char *format, ...)
{
    bool const hovered = ui_hovered(ui, box);
    if (!hovered && !ui->notes)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *tip = arena_format_v(ui->draw.arena, format, arguments);
    va_end(arguments);
    note(ui, box, tip);
    if (!hovered)
        return;
    ui->tooltip = tip;
    ui->tooltip_at = ui->input.mouse;
}

struct rect rect_cut_left(struct rect *rect, float width)
{
    width = fmaxf(0, fminf(width, rect->w));
    struct rect cut = {rect->x, rect->y, width, rect->h};
    rect->x += width;
    rect->w -= width;
    return cut;
}

struct rect rect_cut_right(struct rect *rect, float width)
{
    width = fmaxf(0, fminf(width, rect->w));
    rect->w -= width;
    return (struct rect){rect->x + rect->w, rect->y, width, rect->h};
}

struct rect rect_cut_top(struct rect *rect, float height)
{
    height = fmaxf(0, fminf(height, rect->h));
    struct rect cut = {rect->x, rect->y, rect->w, height};
    rect->y += height;
    rect->h -= height;
    return cut;
}

struct rect rect_cut_bottom(struct rect *rect, float height)
{
    height = fmaxf(0, fminf(height, rect->h));
    rect->h -= height;
    return (struct rect){rect->x, rect->y + rect->h, rect->w, height};
}

struct rect rect_column(struct rect rect, int index, int count, float gap)
{
    float width = (rect.w - gap * (float)(count - 1)) / (float)count;
    return (struct rect){rect.x + (float)index * (width + gap), rect.y, width, rect.h};
}

struct rect rect_inset(struct rect rect, float x, float y)
{
    return (struct rect){rect.x + x, rect.y + y, fmaxf(0, rect.w - 2 * x), fmaxf(0, rect.h - 2 * y)};
}

bool rect_holds(struct rect rect, struct point point)
{
    return point.x >= rect.x && point.x < rect.x + rect.w && point.y >= rect.y && point.y < rect.y + rect.h;
}
