/* The ways on from a step: buttons side by side, in rows, with captions. */
#include "view/cards/cards.h"
#include <math.h>

static float label_size(const struct view *view)
{
    return text_caption(view->ui);
}

/* Draws a button, wrapped where its row is narrower than its label, or only measures it. Returns its height. */
static float one_way(struct view *view, struct rect box, const struct way *way, int index, bool *clicked)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct rect inner = rect_inset(box, 14 * u, 7 * u);
    struct ui_span const span = {way->label, FONT_BOLD, way->primary ? COLOR_ON_ACCENT : COLOR_TEXT};
    float const height = ui_paragraph_height(ui, inner.w, label_size(view), &span, 1) + 14 * u;
    if (!clicked)
        return height;
    box.h = height;
    inner.h = height - 14 * u;
    if (!ui_shown(ui, box))
        return height;
    bool const hot = ui_hovered(ui, box);
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, way->primary ? COLOR_ACCESS : hot ? COLOR_ACCESS_SOFT : COLOR_PANEL));
    draw_outline(&ui->draw, box, 6 * u, fmaxf(1.5f, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    ui_id const id = ui_id_child(ui_id_text("way"), (uint32_t)index);
    ui_focusable(ui, id, box, 6 * u);
    *clicked = ui_area(ui, id, box);
    ui_paragraph(ui, inner, label_size(view), &span, 1, false);
    if (way->tip)
        ui_tip(ui, box, "%s", way->tip);
    return height;
}

/* Draws all of them, or only measures. Returns their height. */
static float all_ways(struct view *view, struct rect box, const struct ways_view *ways, struct action *action)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, gap = 8 * u;
    float x = 0, y = 0, row = 0;
    for (int i = 0; i < ways->count; i++) {
        const struct way *way = &ways->ways[i];
        float const width = fminf(box.w, ui_text_width(ui, FONT_BOLD, label_size(view), way->label) + 30 * u);
        if (way->caption || x + width > box.w) {
            y += row > 0 ? row + gap : 0;
            x = row = 0;
        }
        if (way->caption) {
            struct ui_span const span = {way->caption, FONT_BOLD, COLOR_TEXT_DIM};
            struct rect line = {box.x, box.y + y, box.w, 0};
            line.h = ui_paragraph_height(ui, box.w, text_caption(ui), &span, 1);
            if (action)
                ui_paragraph(ui, line, text_caption(ui), &span, 1, false);
            y += line.h + 5 * u;
        }
        bool clicked = false;
        struct rect const button = {box.x + x, box.y + y, width, 0};
        row = fmaxf(row, one_way(view, button, way, i, action ? &clicked : NULL));
        if (clicked)
            *action = way->action;
        x += width + gap;
    }
    return y + row + gap;
}

float card_ways_height(const struct view *view, float width, const struct ways_view *ways)
{
    struct view copy = *view;
    return all_ways(&copy, (struct rect){0, 0, width, 0}, ways, NULL);
}

struct action card_ways(struct view *view, struct rect box, const struct ways_view *ways)
{
    struct action action = NO_ACTION;
    all_ways(view, box, ways, &action);
    return action;
}
