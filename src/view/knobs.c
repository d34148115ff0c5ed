/* The knobs of a lesson: at most three, and a switch between its variants. */
#include "view/panels.h"
#include <math.h>

static float row_height(const struct view *view)
{
    return 52 * view->ui->unit;
}

float panel_knobs_height(const struct view *view, const struct lesson *lesson)
{
    int rows = lesson->knob_count + (lesson->variant_count > 1);
    return 50 * view->ui->unit + row_height(view) * (float)rows;
}

static const char *value_text(struct view *view, const struct lesson_knob *knob, int index)
{
    long long value = (long long)knob->values[index];
    if (!knob->unit || !*knob->unit) /* gettext("") would be the catalogue's own header */
        return arena_format(view->arena, "%lld", value);
    return arena_format(view->arena, "%lld %s", value, _(knob->unit));
}

/* Few values side by side; many on a slider with its ends named below. */
static bool one_knob(struct view *view, struct rect row, const struct lesson_knob *knob, enum language language,
                     ui_id id, int *index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct color ink = ui_color(ui, COLOR_TEXT), dim = ui_color(ui, COLOR_TEXT_DIM);
    struct rect name = rect_cut_left(&row, row.w * 0.28f);
    ui_label(ui, name, FONT_TEXT, text_body(ui), UI_LEFT, ink, knob->label[language]);
    rect_cut_left(&row, 8 * u);
    if (knob->value_count <= 5) {
        const char **labels = arena_array(view->arena, const char *, (size_t)knob->value_count);
        for (int v = 0; v < knob->value_count; v++)
            labels[v] = arena_format(view->arena, "%lld", (long long)knob->values[v]);
        struct rect value = rect_cut_right(&row, row.w * 0.27f);
        bool changed =
            ui_choice(ui, id, rect_inset(row, 0, fmaxf(0, (row.h - 34 * u) / 2)), labels, knob->value_count, index);
        rect_cut_left(&value, 14 * u);
        ui_label(ui, value, FONT_BOLD, text_body(ui), UI_LEFT, ink, value_text(view, knob, *index));
        return changed;
    }
    struct rect value = rect_cut_right(&row, row.w * 0.27f);
    rect_cut_left(&value, 14 * u);
    rect_cut_left(&row, 8 * u);
    ui_label(ui, value, FONT_BOLD, text_body(ui), UI_LEFT, ink, value_text(view, knob, *index));
    if (row.h >= 46 * u) {
        struct rect ends = rect_cut_bottom(&row, 21 * u);
        ui_label(ui, rect_cut_left(&ends, ends.w / 2), FONT_TEXT, text_caption(ui), UI_LEFT, dim,
                 arena_format(view->arena, "%lld", (long long)knob->values[0]));
        ui_label(ui, ends, FONT_TEXT, text_caption(ui), UI_RIGHT, dim,
                 arena_format(view->arena, "%lld", (long long)knob->values[knob->value_count - 1]));
    }
    return ui_slider(ui, id, row, index, 0, knob->value_count - 1);
}

bool panel_knobs(struct view *view, struct rect box, const struct lesson *lesson, enum language language,
                 struct lesson_setting *setting, int current)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_card(ui, box);
    box = rect_inset(box, 18 * u, 10 * u);
    int rows = lesson->knob_count + (lesson->variant_count > 1);
    if (box.h >= 26 * u + (float)rows * 40 * u)
        view_card_title(view, &box, _("KNOBS · [ ] turn the marked one"));
    float height = fminf(row_height(view), box.h / (float)(rows ? rows : 1));
    bool changed = false;
    if (lesson->variant_count > 1) {
        const char **labels = arena_array(view->arena, const char *, (size_t)lesson->variant_count);
        for (int v = 0; v < lesson->variant_count; v++)
            labels[v] = lesson->variants[v].label[language];
        struct rect row = rect_cut_top(&box, height);
        row = rect_inset(row, 0, fmaxf(2 * u, (height - 36 * u) / 2));
        changed |= ui_choice(ui, ui_id_text("variant"), row, labels, lesson->variant_count, &setting->variant);
    }
    for (int k = 0; k < lesson->knob_count; k++) {
        struct rect row = rect_cut_top(&box, height);
        if (k == current) /* the one that [ and ] turn */
            draw_fill(&ui->draw, (struct rect){row.x - 12 * u, row.y + 9 * u, 4 * u, row.h - 18 * u}, 2 * u,
                      ui_color(ui, COLOR_ACCESS));
        changed |= one_knob(view, row, &lesson->knobs[k], language, ui_id_child(ui_id_text("knob"), (uint32_t)k),
                            &setting->value[k]);
    }
    return changed;
}
