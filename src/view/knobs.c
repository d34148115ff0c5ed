/* The knobs of a lesson and the switch between its variants. */
#include "view/cards.h"
#include <math.h>

static float row_height(const struct view *view)
{
    return 52 * view->ui->unit;
}

float card_knobs_height(const struct view *view, const struct knobs_view *knobs)
{
    int rows = knobs->count + (knobs->variant_count > 1);
    return 50 * view->ui->unit + row_height(view) * (float)rows;
}

static const char *value_text(struct view *view, const struct knob_view *knob, int index)
{
    long long value = (long long)knob->values[index];
    if (!knob->unit || !*knob->unit) /* gettext("") returns the header of the catalogue */
        return arena_format(view->arena, "%lld", value);
    return arena_format(view->arena, "%lld %s", value, _(knob->unit));
}

/* Returns the width of the widest value. */
static float value_width(struct view *view, const struct knobs_view *knobs)
{
    float widest = 48 * view->ui->unit;
    for (int k = 0; k < knobs->count; k++) { /* the last value has the most digits, because values ascend */
        const char *last = value_text(view, &knobs->knobs[k], knobs->knobs[k].count - 1);
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_BOLD, text_body(view->ui), last));
    }
    return widest + 16 * view->ui->unit;
}

/* Draws the variants side by side, each as wide as its name needs. */
static struct panel_action choose_variant(struct view *view, struct rect row, const struct knobs_view *knobs)
{
    struct ui *ui = view->ui;
    float u = ui->unit, pad = 3 * u, all = 0;
    float *widths = arena_array(view->arena, float, (size_t)knobs->variant_count), size = text_body(ui);
    for (int v = 0; v < knobs->variant_count; v++)
        all += ui_text_width(ui, FONT_BOLD, size, knobs->variants[v]) + 24 * u;
    size = all > row.w ? text_caption(ui) : size;
    all = 0;
    for (int v = 0; v < knobs->variant_count; v++)
        all += widths[v] = ui_text_width(ui, FONT_BOLD, size, knobs->variants[v]) + 10 * u;
    draw_fill(&ui->draw, row, 5 * u, ui_color(ui, COLOR_BAR));
    draw_outline(&ui->draw, row, 5 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    struct rect inside = rect_inset(row, pad, pad);
    float room = inside.w;
    struct panel_action action = NOTHING_DONE;
    for (int v = 0; v < knobs->variant_count; v++) {
        struct rect segment = rect_cut_left(&inside, widths[v] * room / all);
        ui_id id = ui_id_child(ui_id_text("variant"), (uint32_t)v);
        bool on = v == knobs->variant;
        if (on || ui_hovered(ui, segment))
            draw_fill(&ui->draw, segment, 4 * u, ui_color(ui, on ? COLOR_ACCESS : COLOR_ACCESS_SOFT));
        ui_focusable(ui, id, segment, 4 * u);
        ui_label(ui, rect_inset(segment, 2 * u, 0), on ? FONT_BOLD : FONT_TEXT, size, UI_CENTER,
                 ui_color(ui, on ? COLOR_ON_ACCENT : COLOR_TEXT), knobs->variants[v]);
        if (ui_area(ui, id, segment) && !on)
            action = (struct panel_action){.kind = WANT_VARIANT, .value = v};
    }
    return action;
}

static bool one_knob(struct view *view, struct rect row, const struct knob_view *knob, ui_id id, float value_w,
                     int *index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct color ink = ui_color(ui, COLOR_TEXT), dim = ui_color(ui, COLOR_TEXT_DIM);
    struct rect name = rect_cut_left(&row, row.w * 0.28f);
    ui_label(ui, name, FONT_TEXT, text_body(ui), UI_LEFT, ink, knob->label);
    rect_cut_left(&row, 8 * u);
    if (knob->count <= 5) {
        const char **labels = arena_array(view->arena, const char *, (size_t)knob->count);
        for (int v = 0; v < knob->count; v++)
            labels[v] = arena_format(view->arena, "%lld", (long long)knob->values[v]);
        struct rect value = rect_cut_right(&row, value_w);
        bool changed =
            ui_choice(ui, id, rect_inset(row, 0, fmaxf(0, (row.h - 34 * u) / 2)), labels, knob->count, index);
        rect_cut_left(&value, 14 * u);
        ui_label(ui, value, FONT_BOLD, text_body(ui), UI_LEFT, ink, value_text(view, knob, *index));
        return changed;
    }
    struct rect value = rect_cut_right(&row, value_w);
    rect_cut_left(&value, 14 * u);
    rect_cut_left(&row, 8 * u);
    ui_label(ui, value, FONT_BOLD, text_body(ui), UI_LEFT, ink, value_text(view, knob, *index));
    if (row.h >= 46 * u) {
        struct rect ends = rect_cut_bottom(&row, 21 * u);
        ui_label(ui, rect_cut_left(&ends, ends.w / 2), FONT_TEXT, text_caption(ui), UI_LEFT, dim,
                 arena_format(view->arena, "%lld", (long long)knob->values[0]));
        ui_label(ui, ends, FONT_TEXT, text_caption(ui), UI_RIGHT, dim,
                 arena_format(view->arena, "%lld", (long long)knob->values[knob->count - 1]));
    }
    return ui_slider(ui, id, row, index, 0, knob->count - 1);
}

struct panel_action card_knobs(struct view *view, struct rect box, const struct knobs_view *knobs)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_card(ui, box);
    box = rect_inset(box, 18 * u, 10 * u);
    int rows = knobs->count + (knobs->variant_count > 1);
    if (box.h >= 26 * u + (float)rows * 40 * u)
        view_card_title(view, &box, _("KNOBS · [ ] turn the marked one"));
    float height = fminf(row_height(view), box.h / (float)(rows ? rows : 1));
    float value_w = fminf(value_width(view, knobs), box.w * 0.36f);
    struct panel_action action = NOTHING_DONE;
    if (knobs->variant_count > 1) {
        struct rect row = rect_cut_top(&box, height);
        row = rect_inset(row, 0, fmaxf(2 * u, (height - 36 * u) / 2));
        action = choose_variant(view, row, knobs);
    }
    for (int k = 0; k < knobs->count; k++) {
        struct rect row = rect_cut_top(&box, height);
        if (k == knobs->current) /* the keys [ and ] turn this one */
            draw_fill(&ui->draw, (struct rect){row.x - 12 * u, row.y + 9 * u, 4 * u, row.h - 18 * u}, 2 * u,
                      ui_color(ui, COLOR_ACCESS));
        int at = knobs->knobs[k].at;
        if (one_knob(view, row, &knobs->knobs[k], ui_id_child(ui_id_text("knob"), (uint32_t)k), value_w, &at))
            action = (struct panel_action){.kind = WANT_TURN, .index = k, .value = at};
    }
    return action;
}
