/* The row of 32 lanes. Active lanes are filled and masked lanes hollow. Lanes that wait for their path of a branch are
 * dotted, lanes of the else-path have its colour and an E below, and lanes that have ended carry a slash. */
#include "view/stage.h"
#include <math.h>

static const char *lane_words(enum lane_state state, bool second)
{
    switch (state) {
    case LANE_ACTIVE:
        return second ? _("active on the else-path") : _("active");
    case LANE_MASKED:
        return _("masked");
    case LANE_ELSE:
        return second ? _("waits for the else-path") : _("waits for the other path");
    case LANE_EXITED:
        return _("ended");
    case LANE_ABSENT:
        break;
    }
    return _("no thread");
}

static void lane_tip(struct view *view, struct rect box, int lane)
{
    const struct scene *scene = view->scene;
    enum lane_state state = scene->lanes[lane];
    if (view->stage->secrets & SECRET_LANES) {
        ui_tip(view->ui, box, _("lane %d"), lane);
        return;
    }
    if (view->stage->covered || !scene->addresses || !(scene->event->mask >> lane & 1)) {
        ui_tip(view->ui, box, _("lane %d: %s"), lane, lane_words(state, scene->else_lanes >> lane & 1));
        return;
    }
    uint64_t address = scene->addresses[lane];
    const char *said = scene_name_lane(scene, view->arena, lane);
    if (scene->kind == SCENE_SHARED && !view->stage->plain)
        said =
            arena_format(view->arena, _("lane %d: %s, bank %u"), lane, said, (unsigned)(address / BANK_BYTES % BANKS));
    else if (scene->kind == SCENE_CONSTANT || view->stage->plain)
        said = arena_format(view->arena, _("lane %d: %s"), lane, said);
    else
        said = arena_format(view->arena, _("lane %d: %s, byte %u of its chunk"), lane, said,
                            (unsigned)(address % CHUNK_BYTES));
    bool const way = view->way && view->hot == 1u << (unsigned)lane;
    ui_tip(view->ui, box, "%s%s%s", said, way ? "\n" : "", way ? view->way : "");
}

/* Draws the dots of a path at the foot of a cell, clear of its number. */
static void three_dots(struct view *view, struct rect cell, struct color color)
{
    struct ui *ui = view->ui;
    for (int dot = 0; dot < 3; dot++)
        draw_fill(&ui->draw,
                  (struct rect){cell.x + cell.w * (0.25f + 0.25f * (float)dot) - 1.5f * ui->unit,
                                cell.y + cell.h - 8 * ui->unit, 3 * ui->unit, 3 * ui->unit},
                  2 * ui->unit, color);
}

static void one_lane(struct view *view, struct rect cell, int lane, bool hot)
{
    struct ui *ui = view->ui;
    const char *number = arena_format(view->arena, "%d", lane);
    struct rect inner = rect_inset(cell, 1, 0);
    float radius = fminf(4 * ui->unit, cell.w * 0.2f);
    enum lane_state state = view->scene->lanes[lane];
    if (view->fault >> lane & 1) {
        view_chip(view, cell, COLOR_CONFLICT, number);
        view_cursor_ring(view, cell);
        return;
    }
    if (hot) {
        draw_fill(&ui->draw, cell, radius, ui_color(ui, COLOR_CURSOR));
        draw_outline(&ui->draw, cell, radius, fmaxf(2, 2 * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
        ui_chip_label(ui, inner, FONT_BOLD, view_chip_text(ui, cell), ui_color(ui, COLOR_ON_CURSOR), number);
        return;
    }
    bool const other = state == LANE_ELSE, second = view->scene->else_lanes >> lane & 1;
    enum color_role const path = second ? COLOR_ELSE : COLOR_ACCESS;
    if (state == LANE_ACTIVE) {
        view_chip(view, cell, path, number);
        if (second)
            three_dots(view, cell, ui_color(ui, COLOR_BACKGROUND));
        return;
    }
    if (state != LANE_ABSENT)
        draw_outline(&ui->draw, cell, radius, fmaxf(hairline(ui), other ? 2 * ui->unit : 0),
                     ui_color(ui, other ? path : COLOR_IDLE));
    else
        view_hollow(view, cell, true);
    if (other)
        three_dots(view, cell, ui_color(ui, path));
    if (state == LANE_EXITED)
        draw_line(&ui->draw, (struct point){cell.x + cell.w * 0.34f, cell.y + cell.h - 2 * ui->unit},
                  (struct point){cell.x + cell.w * 0.66f, cell.y + cell.h - 7 * ui->unit}, 2 * ui->unit,
                  ui_color(ui, COLOR_IDLE)); /* keeps clear of the number */
    if (state != LANE_ABSENT)
        ui_chip_label(ui, inner, FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, other ? COLOR_TEXT : COLOR_TEXT_DIM),
                      number);
}

uint32_t lanes_lit(const struct view *view)
{
    uint32_t const asked = view->stage->shown & STAGE_THREADS && view->scene->lane ? 1u << view->scene->lane : 0;
    return view->hot ? view->hot : asked;
}

/* Returns the lanes to mark: those of the pass on screen or, without one, those that are lit. */
static uint32_t hot_lanes(const struct view *view)
{
    uint32_t const lanes = scene_pass_lanes(view->scene);
    return lanes ? lanes : lanes_lit(view);
}

bool lanes_letter(const struct scene *scene, int lane)
{
    return (scene->else_lanes >> lane & 1) && (scene->lanes[lane] == LANE_ELSE || scene->lanes[lane] == LANE_ACTIVE);
}

static float const below_marks = 8; /* units, between cells to mark and what stands below them */

struct panel_size panel_lanes_size(const struct view *view)
{
    const struct marks *marks = marks_of(view, CELLS_LANES);
    if (marks && !marks->right)
        return (struct panel_size){.least = 36 + below_marks, .best = 72 + below_marks};
    return (struct panel_size){.least = 36, .best = 44};
}

/* Draws the lanes as cells to mark, with the answer once they are checked. */
static struct action marked_lanes(struct view *view, struct rect box)
{
    const struct marks *marks = marks_of(view, CELLS_LANES);
    struct action action = NO_ACTION;
    box.h -= marks->right ? 0 : below_marks * view->ui->unit;
    for (uint32_t lane = 0; lane < marks->count; lane++) {
        struct rect const cell = column_cell(&view->columns, (int)lane, box.y, box.h);
        struct action const touch = marks_touch(view, cell, marks, lane);
        marks_draw(view, cell, marks_state(marks, lane, 0), arena_format(view->arena, "%u", lane),
                   marks->cursor == (int)lane);
        if (marks->right)
            lane_tip(view, cell, (int)lane);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    return action;
}

/* Draws the lanes under the same sheet as the rest of the run: which of them are active is the question. */
static void covered_lanes(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct rect const cell = column_cell(&view->columns, lane, box.y, box.h);
        float const radius = fminf(4 * ui->unit, cell.w * 0.2f);
        draw_fill(&ui->draw, cell, radius, ui_color(ui, COLOR_BAR));
        draw_outline_dashed(&ui->draw, cell, radius, hairline(ui), 4 * ui->unit, ui_color(ui, COLOR_IDLE));
        ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT_DIM),
                      arena_format(view->arena, "%d", lane));
        lane_tip(view, cell, lane);
    }
}

struct action panel_lanes(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    uint32_t hot = hot_lanes(view);
    struct action action = NO_ACTION;
    if (marks_of(view, CELLS_LANES))
        return marked_lanes(view, box);
    if (view->stage->secrets & SECRET_LANES) {
        covered_lanes(view, box);
        return NO_ACTION;
    }
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct rect cell = column_cell(columns, lane, box.y, box.h);
        one_lane(view, cell, lane, hot >> lane & 1);
        lane_tip(view, cell, lane);
        view_heat(view, cell, 1u << lane);
        if (view->pinned >> lane & 1)
            view_cursor_ring(view, cell);
        if (ui_area(ui, ui_id_child(ui_id_text("lane"), (uint32_t)lane), cell))
            action = (struct action){ACTION_PIN_LANE, .value = lane};
        if (!view->stage->crowded && lanes_letter(view->scene, lane)) {
            struct rect mark = {cell.x, box.y + box.h + 2 * ui->unit, cell.w, 20 * ui->unit};
            ui_chip_label(ui, mark, FONT_BOLD, text_caption(ui), ui_color(ui, COLOR_ELSE), "E");
        }
    }
    return action;
}
