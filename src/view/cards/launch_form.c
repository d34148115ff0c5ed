#include "view/cards/launch_form.h"
#include <math.h>

static float row_height(const struct view *view)
{
    return 34 * view->ui->unit;
}

static float words_height(const struct view *view, float width, const struct launch_form_view *form)
{
    struct ui_span const span = {form->words, FONT_TEXT, COLOR_TEXT};
    return *form->words ? ui_paragraph_height(view->ui, width - 36 * view->ui->unit, text_caption(view->ui), &span, 1) +
                              6 * view->ui->unit
                        : 0;
}

float card_launch_form_height(const struct view *view, float width, const struct launch_form_view *form, int rows)
{
    return 52 * view->ui->unit + row_height(view) * (float)(form->count < rows ? form->count : rows) +
           words_height(view, width, form);
}

/* Draws a field; the current one has an arrow at each side. Returns ACTION_CHOOSE_FIELD when one is pressed. */
static struct action draw_cell(struct view *view, struct rect box, const struct form_cell *cell, bool current)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), arrow = 20 * u;
    struct action action = NO_ACTION;
    ui_id const id = ui_id_child(ui_id_text("launch field"), (uint32_t)cell->index);
    struct color const ink = ui_color(ui, cell->fixed ? COLOR_TEXT_DIM : COLOR_TEXT);
    box = rect_inset(box, 2 * u, 3 * u);
    if (cell->tip)
        ui_tip(ui, box, "%s", cell->tip);
    if (cell->fixed) {
        ui_label(ui, box, FONT_CODE, size, UI_LEFT, ink, cell->text);
        return action;
    }
    if (current || ui_hovered(ui, box))
        draw_fill(&ui->draw, box, 4 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_outline(&ui->draw, box, 4 * u, current ? 2 * hairline(ui) : hairline(ui),
                 ui_color(ui, current ? COLOR_ACCESS : COLOR_EDGE));
    struct rect text = box;
    if (current) {
        struct rect const less = rect_cut_left(&text, arrow), more = rect_cut_right(&text, arrow);
        ui_label(ui, less, FONT_BOLD, size, UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
        ui_label(ui, more, FONT_BOLD, size, UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
        if (ui_area(ui, ui_id_child(id, 1), less))
            action = (struct action){.kind = ACTION_CHOOSE_FIELD, .value = cell->index, .other = -1};
        if (ui_area(ui, ui_id_child(id, 2), more))
            action = (struct action){.kind = ACTION_CHOOSE_FIELD, .value = cell->index, .other = 1};
    }
    ui_label(ui, rect_inset(text, 3 * u, 0), cell->edited ? FONT_BOLD : FONT_TEXT, size, UI_CENTER, ink, cell->text);
    ui_focusable(ui, id, box, 4 * u);
    if (ui_area(ui, id, text))
        action = (struct action){.kind = ACTION_CHOOSE_FIELD, .value = cell->index};
    return action;
}

static struct action draw_row(struct view *view, struct rect row, const struct form_row *form_row, float name_w,
                              int current)
{
    struct ui *ui = view->ui;
    struct action action = NO_ACTION;
    ui_label(ui, rect_cut_left(&row, name_w), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             form_row->label);
    int const columns = form_row->count > 3 ? form_row->count : 3;
    for (int i = 0; i < form_row->count; i++) {
        const struct form_cell *cell = &form_row->cells[i];
        struct rect const box = cell->fixed && form_row->count == 1 ? row : rect_column(row, i, columns, 4 * ui->unit);
        struct action const asked = draw_cell(view, box, cell, cell->index == current);
        action = asked.kind != ACTION_NONE ? asked : action;
    }
    return action;
}

static int row_of(const struct launch_form_view *form)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->rows[i].count; k++)
            if (form->rows[i].cells[k].index == form->current)
                return i;
    return 0;
}

/* Draws the buttons that lead to the rows above and below those in sight. */
static struct action row_buttons(struct view *view, struct rect *row, const struct launch_form_view *form)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct action action = NO_ACTION;
    int const here = row_of(form);
    for (int step = 1; step >= -1; step -= 2) {
        int const to = here + step;
        struct rect const box = rect_inset(rect_cut_right(row, 30 * u), 1 * u, 1 * u);
        if (ui_button(ui, ui_id_child(ui_id_text("launch row"), step > 0), box, step > 0 ? "↓" : "↑", false) &&
            to >= 0 && to < form->count)
            action = (struct action){.kind = ACTION_CHOOSE_FIELD, .value = form->rows[to].cells[0].index};
        ui_tip(ui, box, "%s", step > 0 ? _("the row below") : _("the row above"));
    }
    rect_cut_right(row, 8 * u);
    return action;
}

/* Draws the title with the way back at its right. */
static struct action title_row(struct view *view, struct rect row, const struct launch_form_view *form, int shown)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    struct action action = shown < form->count ? row_buttons(view, &row, form) : NO_ACTION;
    if (form->changed) {
        const char *label = _("The file's values");
        struct rect const at = rect_cut_right(&row, ui_text_width(ui, FONT_BOLD, size, label) + 28 * u);
        rect_cut_right(&row, 8 * u);
        if (ui_button(ui, ui_id_text("own launch"), at, label, true))
            action = (struct action){.kind = ACTION_OWN_VALUES};
        ui_tip(ui, at, "%s", _("run the kernel with the launch of the file"));
    }
    const char *whole = arena_format(view->arena, "%s%s", form->title, _(" · ] [ or digits change the marked field"));
    bool const fits = ui_text_width(ui, FONT_BOLD, size, whole) <= row.w;
    ui_label(ui, row, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), fits ? whole : form->title);
    return action;
}

struct action card_launch_form(struct view *view, struct rect box, const struct launch_form_view *form)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, height = row_height(view), words = words_height(view, box.w, form);
    float name_w = 60 * u;
    ui_card(ui, box);
    box = rect_inset(box, 18 * u, 8 * u);
    struct rect const title = rect_cut_top(&box, 34 * u);
    if (words > 0 && box.h >= words) {
        struct ui_span const span = {form->words, FONT_TEXT, COLOR_TEXT};
        ui_paragraph(ui, rect_cut_top(&box, words), text_caption(ui), &span, 1, false);
    }
    int const fit = (int)fmaxf(0, floorf(box.h / height + 0.02f)), shown = fit < form->count ? fit : form->count;
    struct action action = title_row(view, title, form, shown);
    int first = row_of(form) - shown / 2;
    first = first + shown > form->count ? form->count - shown : first;
    first = first < 0 ? 0 : first;
    for (int i = 0; i < form->count; i++)
        name_w = fmaxf(name_w, ui_text_width(ui, FONT_TEXT, text_caption(ui), form->rows[i].label) + 10 * u);
    name_w = fminf(name_w, box.w * 0.36f);
    for (int i = first; i < first + shown; i++) {
        struct action const asked = draw_row(view, rect_cut_top(&box, height), &form->rows[i], name_w, form->current);
        action = asked.kind != ACTION_NONE ? asked : action;
    }
    return action;
}
