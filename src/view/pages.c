#include "view/view.h"

int view_turn(struct view *view, struct rect foot, size_t page, size_t pages)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    int turn = 0;
    struct rect const more = rect_cut_right(&foot, 60 * u);
    rect_cut_right(&foot, 8 * u);
    struct rect const back = rect_cut_right(&foot, 60 * u);
    rect_cut_right(&foot, 12 * u);
    bool const on = ui->input.wheel < 0 || ui->input.read_on > 0, before = ui->input.wheel > 0 || ui->input.read_on < 0;
    if (page + 1 < pages && (ui_button(ui, ui_id_text("more rows"), more, "↓", true) || on))
        turn = 1;
    if (page > 0 && (ui_button(ui, ui_id_text("rows before"), back, "↑", false) || before))
        turn = -1;
    ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(view->arena, "%zu / %zu", page + 1, pages));
    return turn;
}

struct action view_turn_page(struct view *view, struct rect foot, size_t page, size_t pages, size_t per_page,
                             enum action_kind wish)
{
    int const turn = view_turn(view, foot, page, pages);
    return turn ? (struct action){.kind = wish, .value = ((int)page + turn) * (int)per_page} : NO_ACTION;
}
