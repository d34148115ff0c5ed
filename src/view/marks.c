/* Cells that a student marks: how each is drawn and touched. */
#include "view/marks.h"
#include "view/stage.h"
#include <math.h>

const struct marks *marks_of(const struct view *view, enum mark_cells cells)
{
    const struct marks *marks = view->stage ? view->stage->marks : NULL;
    return marks && marks->cells == cells ? marks : NULL;
}

enum mark_state marks_state(const struct marks *marks, uint32_t cell, int level)
{
    bool const marked = marks->marked[cell] > level;
    if (!marks->right)
        return marked ? MARK_SET : MARK_EMPTY;
    bool const right = marks->right[cell] > level;
    return marked ? (right ? MARK_RIGHT : MARK_EXTRA) : right ? MARK_MISSING : MARK_EMPTY;
}

void marks_draw(struct view *view, struct rect box, enum mark_state state, const char *label, bool cursor)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, radius = fminf(4 * u, box.w * 0.2f);
    float const size = view_chip_text(ui, box);
    struct rect const inner = rect_inset(box, 1, 0);
    struct color ink = ui_color(ui, COLOR_TEXT);
    enum font_role role = FONT_BOLD;
    switch (state) {
    case MARK_EMPTY:
        draw_outline(&ui->draw, box, radius, hairline(ui), ui_color(ui, COLOR_IDLE));
        ink = ui_color(ui, COLOR_TEXT_DIM);
        role = FONT_TEXT;
        break;
    case MARK_SET:
        draw_fill(&ui->draw, box, radius, ui_color(ui, COLOR_ACCESS));
        ink = view_text_on(view, COLOR_ACCESS);
        break;
    case MARK_RIGHT:
        draw_fill(&ui->draw, box, radius,
                  color_mix(ui_color(ui, COLOR_BROADCAST), ui_color(ui, COLOR_BACKGROUND), 0.70f));
        draw_outline(&ui->draw, box, radius, fmaxf(2, 2 * u), ui_color(ui, COLOR_BROADCAST));
        break;
    case MARK_MISSING:
        draw_fill(&ui->draw, box, radius, ui_color(ui, COLOR_CONFLICT_SOFT));
        draw_outline_dashed(&ui->draw, box, radius, fmaxf(2, 2 * u), 5 * u, ui_color(ui, COLOR_CONFLICT));
        break;
    case MARK_EXTRA:
        draw_hatch(&ui->draw, rect_inset(box, 1, 1), 7 * u, fmaxf(1, 1.5f * u),
                   color_mix(ui_color(ui, COLOR_CONFLICT), ui_color(ui, COLOR_BACKGROUND), 0.55f));
        draw_outline(&ui->draw, box, radius, fmaxf(2, 2 * u), ui_color(ui, COLOR_CONFLICT));
        if (label) { /* on a clear ground: text on hatching is hard to read */
            float const width = fminf(inner.w, ui_text_width(ui, FONT_BOLD, size, label) + 10 * u);
            float const height = fminf(inner.h - 4 * u, size * 1.4f);
            draw_fill(&ui->draw,
                      (struct rect){box.x + (box.w - width) / 2, box.y + (box.h - height) / 2, width, height}, 3 * u,
                      ui_color(ui, COLOR_BACKGROUND));
        }
        break;
    }
    if (label && box.h >= 12 * u)
        ui_chip_label(ui, inner, role, size, ink, label);
    if (cursor)
        view_cursor_ring(view, box);
}

struct action marks_touch(struct view *view, struct rect box, const struct marks *marks, uint32_t cell)
{
    struct ui *ui = view->ui;
    ui_id const all = ui_id_text("marked cells");
    bool const stacks = marks->cells == CELLS_BANKS;
    int const now = marks->marked[cell];
    if (marks->right)
        return NO_ACTION;
    if (ui_hovered(ui, box) && ui->input.second)
        return (struct action){.kind = ACTION_MARK_CELL, .value = (int)cell, .other = now > 0 ? now - 1 : 0};
    if (ui_pressed(ui, all, box))
        return (struct action){
            .kind = ACTION_MARK_CELL, .value = (int)cell, .other = stacks ? now + 1 : !now, .position = true};
    if (ui->active != all)
        return NO_ACTION;
    if (!ui->input.pressed && !stacks && now != marks->paint && ui_crossed(ui, box))
        action_ask(marks->stroke, (struct action){.kind = ACTION_MARK_CELL, .value = (int)cell, .other = marks->paint});
    return NO_ACTION;
}
