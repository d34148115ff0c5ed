/* The strip of a program: a column for each call, with the memory in use above. Columns are of equal width, because
 * times of calls differ by a factor of thousands. */
#include "view/cards/program.h"
#include <math.h>

static void arrow(struct view *view, struct rect box, bool down, struct color color)
{
    struct ui *ui = view->ui;
    float const x = box.x + box.w / 2, half = box.h * 0.36f, middle = box.y + box.h / 2, way = down ? 1.0f : -1.0f;
    float const head = half * 0.8f;
    struct point const tip[3] = {
        {x, middle + way * half}, {x - head, middle + way * (half - head)}, {x + head, middle + way * (half - head)}};
    draw_line(&ui->draw, (struct point){x, middle - way * half}, (struct point){x, middle + way * (half - head)},
              2.5f * ui->unit, color);
    draw_polygon(&ui->draw, tip, 3, color);
}

/* An arrow down leads to the device, up to the host; within one of them it is a bar. */
static void copy_sign(struct view *view, struct rect box, const struct program_item *item, struct color color)
{
    float const u = view->ui->unit;
    if (item->direction == PROGRAM_TO_DEVICE || item->direction == PROGRAM_FROM_DEVICE)
        arrow(view, box, item->direction == PROGRAM_TO_DEVICE, color);
    else
        draw_line(&view->ui->draw, (struct point){box.x + box.w / 2 - 8 * u, box.y + box.h / 2},
                  (struct point){box.x + box.w / 2 + 8 * u, box.y + box.h / 2}, 2.5f * u, color);
}

static void draw_sign(struct view *view, struct rect box, const struct program_item *item)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, x = box.x + box.w / 2, y = box.y + box.h / 2, s = fminf(8 * u, box.w * 0.3f);
    struct color const text = ui_color(ui, COLOR_TEXT), dim = ui_color(ui, COLOR_TEXT_DIM);
    switch (item->kind) {
    case PROGRAM_LAUNCH: {
        struct rect const block = rect_inset(box, fminf(4 * u, box.w * 0.15f), 3 * u);
        draw_fill(&ui->draw, block, 3 * u, ui_color(ui, item->opens ? COLOR_ACCESS : COLOR_EDGE));
        break;
    }
    case PROGRAM_COPY:
        copy_sign(view, box, item, text);
        break;
    case PROGRAM_ALLOCATION:
        draw_line(&ui->draw, (struct point){x, y - s}, (struct point){x, y + s}, 2 * u, text);
        draw_line(&ui->draw, (struct point){x - s, y}, (struct point){x + s, y}, 2 * u, text);
        break;
    case PROGRAM_FREE:
        draw_line(&ui->draw, (struct point){x - s, y}, (struct point){x + s, y}, 2 * u, text);
        break;
    case PROGRAM_FILL:
        draw_hatch(&ui->draw, (struct rect){x - s, y - s, 2 * s, 2 * s}, 4 * u, u, text);
        break;
    case PROGRAM_WAIT:
        draw_line(&ui->draw, (struct point){x - 2.5f * u, box.y + 4 * u},
                  (struct point){x - 2.5f * u, box.y + box.h - 4 * u}, 2 * u, dim);
        draw_line(&ui->draw, (struct point){x + 2.5f * u, box.y + 4 * u},
                  (struct point){x + 2.5f * u, box.y + box.h - 4 * u}, 2 * u, dim);
        break;
    case PROGRAM_LIBRARY:
        draw_outline(&ui->draw, rect_inset(box, fminf(4 * u, box.w * 0.15f), 3 * u), 3 * u, 2 * u, text);
        break;
    case PROGRAM_HOST:
    case PROGRAM_CRASH:
        break; /* only the mark of what is wrong */
    case PROGRAM_OTHER:
    case PROGRAM_END:
        draw_fill(&ui->draw, (struct rect){x - 2.5f * u, y - 2.5f * u, 5 * u, 5 * u}, 2.5f * u, dim);
        break;
    }
}

/* A triangle at the corner, as on the cards of findings. */
static void draw_bad(struct view *view, struct rect box)
{
    float const s = 6 * view->ui->unit, x = box.x + box.w - 2.2f * s, y = box.y + s + view->ui->unit;
    struct point const points[3] = {{x, y - s}, {x + s, y + s * 0.8f}, {x - s, y + s * 0.8f}};
    draw_polygon(&view->ui->draw, points, 3, ui_color(view->ui, COLOR_CONFLICT));
}

static void draw_memory(struct view *view, struct rect box, const struct program_item *item, uint64_t most)
{
    struct ui *ui = view->ui;
    float const part = most ? (float)((double)item->in_use / (double)most) : 0;
    struct rect bar = {box.x, box.y + box.h * (1 - part), box.w, box.h * part};
    if (bar.h <= 0)
        return;
    draw_fill(&ui->draw, bar, 0, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_line(&ui->draw, (struct point){bar.x, bar.y}, (struct point){bar.x + bar.w, bar.y}, 2 * ui->unit,
              ui_color(ui, COLOR_ACCESS));
}

/* A label of a column, if there is room for it. */
static void draw_name(struct view *view, struct rect box, const struct program_item *item)
{
    struct ui *ui = view->ui;
    const char *name = item->name;
    if (name[0] == 'c' && name[1] == 'u' && name[2] == 'd' && name[3] == 'a' && name[4])
        name += 4;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), name) <= box.w - 6 * ui->unit)
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_CENTER,
                 ui_color(ui, item->kind == PROGRAM_LAUNCH ? COLOR_TEXT : COLOR_TEXT_DIM), name);
}

static bool draw_column(struct view *view, struct rect box, const struct program_view *program, size_t index,
                        float name_h)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const struct program_item *item = &program->items[index];
    ui_id const id = ui_id_child(ui_id_text("program strip"), (uint32_t)index);
    bool const chosen = index == program->chosen;
    if (chosen || ui_hovered(ui, box))
        draw_fill(&ui->draw, box, 4 * u, ui_color(ui, COLOR_CURSOR_SOFT));
    struct rect const whole = box;
    ui_tip(ui, box, "%s", program_item_tip(view->arena, item));
    struct rect const name = rect_cut_bottom(&box, name_h);
    struct rect const sign = rect_cut_bottom(&box, fminf(26 * u, box.h * 0.5f));
    draw_memory(view, (struct rect){box.x, box.y + 2 * u, box.w, box.h - 4 * u}, item, program->most_in_use);
    draw_sign(view, sign, item);
    if (program_item_bad(item))
        draw_bad(view, sign);
    if (name_h > 0)
        draw_name(view, name, item);
    if (chosen)
        draw_outline(&ui->draw, whole, 4 * u, fmaxf(1, 2 * u), ui_color(ui, COLOR_CURSOR_RING));
    return ui_area(ui, id, whole);
}

static const char *memory_words(struct view *view, const struct program_view *program)
{
    uint64_t const most = program->most_in_use;
    const char *size = most >= UINT64_C(10) << 20 ? arena_format(view->arena, "%.1f MiB", (double)most / 1048576)
                                                  : arena_format(view->arena, "%s B", words_count(view->arena, most));
    return arena_format(view->arena, _("memory in use, at most %s"), size);
}

/* Draws the way back to the list, and cuts it off the row. */
static bool back_button(struct view *view, struct rect *row)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const char *back = _("‹ All calls");
    struct rect button = rect_cut_left(row, ui_text_width(ui, FONT_TEXT, text_caption(ui), back) + 28 * u);
    rect_cut_left(row, 16 * u);
    button = rect_inset(button, 0, fmaxf(0, (button.h - 30 * u) / 2));
    ui_tip(ui, button, "%s", _("the list of the program's calls (Esc)"));
    return ui_button(ui, ui_id_text("all calls"), button, back, false);
}

/* Draws the row above the columns: the way back, the most memory in use, which calls are shown. */
static bool draw_strip_head(struct view *view, struct rect head, const struct program_view *program, size_t first,
                            size_t fits)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const char *calls = fits < program->count ? arena_format(view->arena, _("calls %zu to %zu of %zu"), first + 1,
                                                             first + fits, program->count)
                                              : arena_format(view->arena, _("calls: %zu"), program->count);
    struct rect const right = rect_cut_right(&head, ui_text_width(ui, FONT_TEXT, size, calls) + 4 * u);
    ui_label(ui, right, FONT_TEXT, size, UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), calls);
    rect_cut_right(&head, 12 * u);
    bool const back = program->back && back_button(view, &head);
    const char *memory = memory_words(view, program);
    if (ui_text_width(ui, FONT_BOLD, size, memory) <= head.w)
        ui_label(ui, head, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), memory);
    return back;
}

struct action card_program_strip(struct view *view, struct rect box, const struct program_view *program)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, least = 26 * u;
    bool const low = box.h < 70 * u; /* one row: the way back and the columns */
    bool back = false;
    struct action action = NO_ACTION;
    ui_card(ui, box);
    box = rect_inset(box, 12 * u, low ? 4 * u : 6 * u);
    if (!program->count)
        return action;
    struct rect const head = low ? (struct rect){0} : rect_cut_top(&box, 28 * u);
    if (low && program->back)
        back = back_button(view, &box);
    size_t fits = (size_t)fmaxf(1, floorf(box.w / least));
    fits = fits < program->count ? fits : program->count;
    size_t first = program->chosen > fits / 2 ? program->chosen - fits / 2 : 0;
    first = first + fits > program->count ? program->count - fits : first;
    float const width = fminf(132 * u, box.w / (float)fits);
    if (!low)
        back = draw_strip_head(view, head, program, first, fits);
    if (back)
        action = (struct action){.kind = ACTION_GO_CALL, .value = -1, .other = true};
    float const name_h = box.h >= 62 * u && width >= 56 * u ? 22 * u : 0;
    for (size_t i = first; i < first + fits; i++)
        if (draw_column(view, rect_cut_left(&box, width), program, i, name_h))
            action = (struct action){.kind = ACTION_GO_CALL, .value = (int)i, .other = true};
    return action;
}
