/* How the widgets look. Sizes are in units (1/1080 of the design height), so that every screen size has the same
 * layout. */
#include "ui/widget.h"
#include <math.h>

static float hairline(const struct ui *ui)
{
    return fmaxf(1, roundf(ui->unit));
}

/* Returns a control's text size: the usual size, or less in a low box. */
static float control_text(const struct ui *ui, struct rect box)
{
    return fminf(18 * ui->unit, box.h * 0.6f);
}

void ui_card(struct ui *ui, struct rect box)
{
    float radius = 6 * ui->unit;
    draw_fill(&ui->draw, box, radius, ui_color(ui, COLOR_PANEL));
    draw_outline(&ui->draw, box, radius, hairline(ui), ui_color(ui, COLOR_EDGE));
}

void ui_badge(struct ui *ui, struct rect box, enum ui_border border, const char *text)
{
    float radius = box.h / 2, width = fmaxf(1, roundf(2 * ui->unit)), size = fminf(16 * ui->unit, box.h * 0.6f);
    struct color edge = ui_color(ui, border == UI_GREY ? COLOR_IDLE : COLOR_ACCESS);
    enum color_role fill = border == UI_SOLID ? COLOR_ACCESS_SOFT : border == UI_DASHED ? COLOR_PANEL : COLOR_BAR;
    draw_fill(&ui->draw, box, radius, ui_color(ui, fill));
    if (border == UI_DASHED)
        draw_outline_dashed(&ui->draw, box, radius, width, 5 * ui->unit, edge);
    else
        draw_outline(&ui->draw, box, radius, border == UI_GREY ? hairline(ui) : width, edge);
    ui_label(ui, rect_inset(box, radius * 0.8f, 0), FONT_BOLD, size, UI_CENTER,
             ui_color(ui, border == UI_GREY ? COLOR_TEXT_DIM : COLOR_ACCESS), text);
}

bool ui_button(struct ui *ui, ui_id id, struct rect box, const char *label, bool primary)
{
    if (ui->paper)
        return false;
    struct ui_touch touch = ui_touch(ui, id, box);
    bool focused = ui_focusable(ui, id, box, 5 * ui->unit);
    struct color access = ui_color(ui, COLOR_ACCESS), panel = ui_color(ui, COLOR_PANEL);
    struct color fill = primary ? access : panel, edge = ui_color(ui, COLOR_EDGE);
    /* mixes the fill away from the text's colour, so that the contrast grows */
    if (primary && (touch.hot || touch.held))
        fill =
            color_mix(access,
                      color_contrast(access, ui_color(ui, COLOR_CURSOR_RING)) > 5.5f ? ui_color(ui, COLOR_TEXT)
                                                                                     : ui_color(ui, COLOR_CURSOR_RING),
                      touch.held ? 0.3f : 0.15f);
    else if (touch.hot || touch.held)
        fill = ui_color(ui, COLOR_ACCESS_SOFT);
    if (touch.hot || touch.held)
        edge = access;
    draw_fill(&ui->draw, box, 5 * ui->unit, fill);
    if (!primary)
        draw_outline(&ui->draw, box, 5 * ui->unit, hairline(ui), edge);
    ui_label(ui, rect_inset(box, 8 * ui->unit, 0), primary ? FONT_BOLD : FONT_TEXT, control_text(ui, box), UI_CENTER,
             ui_color(ui, primary ? COLOR_ON_ACCENT : COLOR_TEXT), label);
    return touch.clicked || (focused && ui->input.activate);
}

static bool set_within(int *value, int wanted, int minimum, int maximum)
{
    wanted = wanted < minimum ? minimum : wanted > maximum ? maximum : wanted;
    bool changed = *value != wanted;
    *value = wanted;
    return changed;
}

static int wheel_steps(const struct ui *ui, bool hot)
{
    return !hot || ui->input.wheel == 0 ? 0 : ui->input.wheel > 0 ? 1 : -1;
}

/* Returns the colour of the value of a slider or a choice. */
static struct color value_color(const struct ui *ui)
{
    return ui_color(ui, ui->quiet ? COLOR_IDLE : COLOR_ACCESS);
}

bool ui_slider(struct ui *ui, ui_id id, struct rect box, int *value, int minimum, int maximum)
{
    float knob = fminf(10 * ui->unit, box.h / 2), middle = box.y + box.h / 2, half = fmaxf(1, 2 * ui->unit);
    struct rect track = {box.x + knob, middle - half, fmaxf(1, box.w - 2 * knob), 2 * half};
    struct ui_touch touch = ui_touch(ui, id, box);
    int wanted = *value + wheel_steps(ui, touch.hot);
    bool focused = ui_focusable(ui, id, box, 5 * ui->unit);
    if (focused)
        wanted += ui->input.adjust;
    if (touch.held) {
        float place = fminf(1, fmaxf(0, (ui->input.mouse.x - track.x) / track.w));
        wanted = minimum + (int)lroundf(place * (float)(maximum - minimum));
    }
    bool changed = set_within(value, wanted, minimum, maximum);
    float part = maximum > minimum ? (float)(*value - minimum) / (float)(maximum - minimum) : 0;
    struct color access = value_color(ui);
    draw_fill(&ui->draw, track, half, ui_color(ui, COLOR_EDGE));
    draw_fill(&ui->draw, (struct rect){track.x, track.y, track.w * part, track.h}, half, access);
    struct rect disc = {track.x + track.w * part - knob, middle - knob, 2 * knob, 2 * knob};
    if (touch.hot || touch.held)
        draw_fill(&ui->draw, rect_inset(disc, -5 * ui->unit, -5 * ui->unit), knob * 2, color_fade(access, 0.18f));
    draw_fill(&ui->draw, disc, knob, touch.held ? access : ui_color(ui, COLOR_PANEL));
    draw_outline(&ui->draw, disc, knob, fmaxf(2, 2.5f * ui->unit), access);
    return changed;
}

bool ui_choice(struct ui *ui, ui_id id, struct rect box, const char *const *labels, int count, int *chosen)
{
    float radius = 5 * ui->unit, gap = fmaxf(2, roundf(3 * ui->unit));
    int wanted = *chosen;
    bool focused = ui_focusable(ui, id, box, radius);
    draw_fill(&ui->draw, box, radius, ui_color(ui, COLOR_BAR));
    draw_outline(&ui->draw, box, radius, hairline(ui), ui_color(ui, COLOR_EDGE));
    struct rect inside = rect_inset(box, gap, gap);
    for (int i = 0; i < count; i++) {
        struct rect segment = rect_column(inside, i, count, gap);
        struct ui_touch touch = ui_touch(ui, ui_id_child(id, (uint32_t)i), segment);
        if (touch.clicked)
            wanted = i;
        bool on = i == *chosen;
        if (on || touch.hot)
            draw_fill(&ui->draw, segment, radius - gap / 2, on ? value_color(ui) : ui_color(ui, COLOR_ACCESS_SOFT));
        ui_label(ui, rect_inset(segment, 4 * ui->unit, 0), on ? FONT_BOLD : FONT_TEXT, control_text(ui, segment),
                 UI_CENTER,
                 ui_color(ui, on          ? COLOR_ON_ACCENT
                              : ui->quiet ? COLOR_TEXT_DIM
                                          : COLOR_TEXT),
                 labels[i]);
    }
    if (focused && count > 0) {
        wanted += ui->input.adjust;
        if (ui->input.activate)
            wanted = (wanted + 1) % count;
    }
    return set_within(chosen, wanted, 0, count - 1);
}
