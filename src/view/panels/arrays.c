/* Arrays as grids of cells, and what the pictures of several arrays have in common. */
#include "view/panels/arrays.h"
#include <math.h>
#include <string.h>

enum { LABEL_STEPS = 1024, CLASS_LEAST = 380 /* units */ };

static bool fits(const struct arrays_view *arrays)
{
    const struct grid *a = &arrays->grids[0], *b = &arrays->grids[1], *c = &arrays->grids[2];
    if (arrays->kind == ARRAYS_PRODUCT)
        return a->rows == c->rows && a->columns == b->rows && b->columns == c->columns;
    return true;
}

struct arrays_view arrays_find(const struct view *view)
{
    struct arrays_view arrays = {.arena = view->arena};
    const struct arrays *named = view->scene->arrays;
    if (!named || named->kind == ARRAYS_ALONE || !view->scene->event)
        return arrays;
    arrays.elements = playback_elements(view->scene->playback);
    if (!arrays.elements)
        return arrays;
    for (int i = 0; i < ARRAYS_MOST && named->names[i]; i++) {
        struct grid *grid = &arrays.grids[i];
        grid->array = elements_array(arrays.elements, named->names[i]);
        if (!grid->array)
            return arrays;
        grid->rows = grid->array->rows;
        grid->columns = grid->array->columns;
    }
    arrays.kind = named->kind;
    if (!fits(&arrays))
        arrays.kind = ARRAYS_ALONE;
    arrays.followed = scene_follow(view->scene, view->hot ? view->hot : view->pinned);
    return arrays;
}

struct panel_size arrays_size(const struct view *view, const struct arrays_view *arrays)
{
    bool const product = arrays->kind == ARRAYS_PRODUCT;
    uint32_t const rows = arrays->grids[0].rows + (product ? arrays->grids[1].rows : 0);
    float const lines = product ? 64 : 96;
    struct panel_size size = panel_access_size(view, (lines + 8 * (float)rows) * view->ui->unit);
    size.least = fminf(size.best, lines + fmaxf(200, fminf(260, 3 * (float)rows)));
    size.best = fmaxf(size.least, fminf(size.best, 640));
    if (view->stage->compact) /* a class sits far away: the lines of code go before the picture is small */
        size.least = fminf(size.best, fmaxf(size.least, CLASS_LEAST));
    size.low = lines + 110;
    if (marks_of(view, CELLS_ELEMENTS) || marks_of(view, CELLS_SHARERS)) { /* cells that the mouse can hit */
        size.least = fminf(size.best, 360);
        size.low = 0;
    }
    return size;
}

struct action arrays_draw(struct view *view, struct arrays_view *arrays, struct rect box)
{
    bool const product = arrays->kind == ARRAYS_PRODUCT;
    box = view_columns(view, box);
    box.h -= 8 * view->ui->unit;
    (product ? product_arrange : pair_arrange)(view, arrays, box);
    for (int i = 0; i < ARRAYS_MOST && arrays->grids[i].array; i++)
        grid_note(view, &arrays->grids[i]);
    return (product ? product_draw : pair_draw)(view, arrays, box);
}

float grid_line(const struct view *view)
{
    return 22 * view->ui->unit;
}

float grid_gap(const struct view *view, const struct grid *grid)
{
    const char *widest = arena_format(view->arena, "%u", grid->rows > 10 ? grid->rows : 10);
    return ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), widest) + 16 * view->ui->unit;
}

struct rect grid_cells(const struct grid *grid, uint32_t row, uint32_t column, uint32_t rows, uint32_t columns)
{
    float const left = roundf(grid->area.x + grid->cell_w * (float)column),
                top = roundf(grid->area.y + grid->cell_h * (float)row),
                right = roundf(grid->area.x + grid->cell_w * (float)(column + columns)),
                bottom = roundf(grid->area.y + grid->cell_h * (float)(row + rows));
    return (struct rect){left, top, right - left, bottom - top};
}

struct rect grid_cell(const struct grid *grid, uint32_t row, uint32_t column)
{
    return grid_cells(grid, row, column, 1, 1);
}

static bool same(struct color a, struct color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

void grid_fill(struct view *view, const struct grid *grid,
               bool (*color)(struct view *view, const struct grid *grid, uint32_t cell, struct color *color))
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t from = 0, to; from < grid->columns; from = to) {
            struct color fill = {0}, next = {0};
            bool const filled = color(view, grid, row * grid->columns + from, &fill);
            for (to = from + 1; to < grid->columns; to++) {
                bool const more = color(view, grid, row * grid->columns + to, &next);
                if (more != filled || (filled && !same(fill, next)))
                    break;
            }
            if (filled)
                draw_fill(&view->ui->draw, grid_cells(grid, row, from, 1, to - from), 0, fill);
        }
}

void grid_ground(struct view *view, const struct grid *grid)
{
    struct ui *ui = view->ui;
    struct color const soft = color_mix(view_color(view, COLOR_EDGE), ui_color(ui, COLOR_BACKGROUND), 0.4f);
    struct rect const all = grid_cells(grid, 0, 0, grid->rows, grid->columns);
    draw_fill(&ui->draw, all, 0, view_color(view, COLOR_PANEL));
    for (uint32_t row = 1; row < grid->rows && grid->cell_h >= 4; row++)
        draw_fill(&ui->draw, (struct rect){all.x, grid_cell(grid, row, 0).y, all.w, 1}, 0, soft);
    for (uint32_t column = 1; column < grid->columns && grid->cell_w >= 4; column++)
        draw_fill(&ui->draw, (struct rect){grid_cell(grid, 0, column).x, all.y, 1, all.h}, 0, soft);
}

void grid_lines(struct view *view, const struct grid *grid, uint32_t every)
{
    struct ui *ui = view->ui;
    struct color const edge = view_color(view, COLOR_EDGE);
    struct rect const all = grid_cells(grid, 0, 0, grid->rows, grid->columns);
    for (uint32_t row = every; row < grid->rows; row += every)
        draw_fill(&ui->draw, (struct rect){all.x, grid_cell(grid, row, 0).y, all.w, 1}, 0, edge);
    for (uint32_t column = every; column < grid->columns; column += every)
        draw_fill(&ui->draw, (struct rect){grid_cell(grid, 0, column).x, all.y, 1, all.h}, 0, edge);
    draw_outline(&ui->draw, rect_inset(all, -1, -1), 0, hairline(ui), view_color(view, COLOR_IDLE));
}

/* Returns every how many cells a label stands, so that each has `room` pixels: a power of two. */
static uint32_t label_step(float cell, float room)
{
    uint32_t step = 1;
    while (cell * (float)step < room && step < LABEL_STEPS)
        step *= 2;
    return step;
}

void grid_labels(struct view *view, const struct grid *grid, bool gutter, bool rows, bool columns,
                 const struct rect *free)
{
    struct ui *ui = view->ui;
    float const line = grid_line(view), gap = grid_gap(view, grid);
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM);
    uint32_t step = label_step(grid->cell_w, gap);
    for (uint32_t column = 0; columns && column < grid->array->buffer->shape.columns; column += step) {
        struct rect const cell = grid_cell(grid, 0, column);
        struct rect const box = {cell.x, grid->area.y - line, fmaxf(cell.w, gap), line};
        if (box.x + box.w <= grid->area.x + fmaxf(grid->area.w, gap) + 1)
            ui_label(ui, box, FONT_TEXT, text_caption(ui), cell.w >= gap ? UI_CENTER : UI_LEFT, dim,
                     arena_format(view->arena, "%u", column));
    }
    step = label_step(grid->cell_h, line);
    uint32_t const first = grid->cell_h < line ? step : 0; /* above a low row 0 stands the name of the array */
    for (uint32_t row = first; rows && row < grid->rows; row += step) {
        struct rect const cell = grid_cell(grid, row, 0);
        struct rect const box = {grid->area.x - gap, cell.y + (cell.h - line) / 2, gap - 6 * ui->unit, line};
        if (free && box.y < free->y + free->h && free->y < box.y + box.h)
            continue;
        if (gutter)
            view_gutter(view, box.y, box.h, arena_format(view->arena, "%u", row), false);
        else
            ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_RIGHT, dim, arena_format(view->arena, "%u", row));
    }
}

static bool of_global(const struct scene *scene)
{
    return scene->event->kind == TRACE_ACCESS && scene->site && scene->kind == SCENE_GLOBAL;
}

void grid_note(const struct view *view, struct grid *grid)
{
    const struct scene *scene = view->scene;
    const struct elements *elements = playback_elements(scene->playback);
    grid->now = arena_array(view->arena, uint32_t, (size_t)grid->rows * grid->columns);
    grid->from = arena_array(view->arena, uint32_t, (size_t)grid->rows * grid->columns);
    for (uint32_t left = scene->event->mask; left; left &= left - 1) {
        int const lane = __builtin_ctz(left);
        uint32_t cell = elements_at(grid->array, elements_origin(elements, scene->position, lane));
        if (cell != UINT32_MAX)
            grid->from[cell] |= 1u << lane;
        for (uint64_t byte = 0; of_global(scene) && byte < scene->site->bytes; byte += grid->array->bytes)
            if ((cell = elements_at(grid->array, scene->addresses[lane] + byte)) != UINT32_MAX)
                grid->now[cell] |= 1u << lane;
    }
}

static bool is_now(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    *color = view_color(view, COLOR_ACCESS);
    return grid->now[cell] != 0;
}

void grid_now(struct view *view, const struct grid *grid)
{
    struct ui *ui = view->ui;
    grid_fill(view, grid, is_now);
    for (uint32_t cell = 0; cell < grid->rows * grid->columns; cell++) {
        if (!grid->now[cell])
            continue;
        struct rect const box = grid_cell(grid, cell / grid->columns, cell % grid->columns);
        bool const hot = view->hot & grid->now[cell];
        view_heat(view, box, grid->now[cell]);
        if (hot)
            draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_CURSOR));
        if (box.h >= 0.9f * text_caption(ui) && box.w >= 1.2f * text_caption(ui))
            ui_chip_label(ui, rect_inset(box, 1, 0), FONT_BOLD, fminf(view_chip_text(ui, box), 0.8f * box.h),
                          hot ? ui_color(ui, COLOR_ON_CURSOR) : view_text_on(view, COLOR_ACCESS),
                          arena_format(view->arena, grid->now[cell] & (grid->now[cell] - 1) ? "×%d" : "%d",
                                       grid->now[cell] & (grid->now[cell] - 1) ? __builtin_popcount(grid->now[cell])
                                                                               : __builtin_ctz(grid->now[cell])));
    }
}

void grid_frame(struct view *view, const struct grid *grid, const struct element_part *part)
{
    if (part->rows[0] > part->rows[1])
        return;
    float const width = fmaxf(2, 2.5f * view->ui->unit);
    struct rect const box = grid_cells(grid, part->rows[0], part->columns[0], part->rows[1] - part->rows[0] + 1,
                                       part->columns[1] - part->columns[0] + 1);
    draw_outline(&view->ui->draw, rect_inset(box, -width / 2, -width / 2), 0, width, view_color(view, COLOR_TEXT));
}

const struct marks *grid_marks(const struct view *view, const struct grid *grid)
{
    const struct marks *marks = marks_of(view, CELLS_ELEMENTS), *sharers = marks_of(view, CELLS_SHARERS);
    const struct scene *scene = view->scene;
    if (sharers) /* of the last array */
        return strcmp(grid->array->buffer->name, scene->arrays->names[ARRAYS_MOST - 1]) == 0 ? sharers : NULL;
    if (!marks || !of_global(scene) || !scene->event->mask || marks->count != grid->rows * grid->columns)
        return NULL;
    uint64_t const address = scene->addresses[__builtin_ctz(scene->event->mask)];
    return trace_find_buffer(scene->trace, address, NULL) == grid->array->buffer ? marks : NULL;
}

struct action grid_marked(struct view *view, const struct grid *grid, const struct marks *marks)
{
    struct action action = NO_ACTION;
    for (uint32_t cell = 0; cell < marks->count; cell++) {
        struct rect const box = grid_cell(grid, cell / grid->columns, cell % grid->columns);
        enum mark_state const state = marks_state(marks, cell, 0);
        struct action const touch = marks_touch(view, box, marks, cell);
        if (state != MARK_EMPTY || marks->cursor == (int)cell)
            marks_draw(view, box, state, NULL, marks->cursor == (int)cell);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    return action;
}

uint32_t grid_hovered(const struct view *view, const struct grid *grid)
{
    const struct ui *ui = view->ui;
    if (!ui_hovered(ui, grid->area))
        return UINT32_MAX;
    float const right = (ui->input.mouse.x - grid->area.x) / grid->cell_w,
                down = (ui->input.mouse.y - grid->area.y) / grid->cell_h;
    bool const inside = right >= 0 && down >= 0 && right < (float)grid->columns && down < (float)grid->rows;
    return inside ? (uint32_t)down * grid->columns + (uint32_t)right : UINT32_MAX;
}

const char *grid_name(struct arena *arena, const struct grid *grid, uint32_t cell)
{
    return arena_format(arena, "%s[%u][%u]", grid->array->buffer->name, cell / grid->columns, cell % grid->columns);
}

void grid_tip(struct view *view, const struct grid *grid)
{
    uint32_t const cell = grid_hovered(view, grid);
    if (cell == UINT32_MAX)
        return;
    const struct element_use *use = elements_use(grid->array, cell, view->scene->position);
    uint32_t const column = cell % grid->columns, loads = use ? use->loads : 0;
    const char *text = arena_format(view->arena, _("row %u, column %u: %s"), cell / grid->columns, column,
                                    grid_name(view->arena, grid, cell));
    if (column >= grid->array->buffer->shape.columns)
        text = arena_format(view->arena, _("%s: padding"), text);
    else if (loads && !grid_marks(view, grid))
        text = arena_format(view->arena, _("%s, loads by this block so far: %u"), text, loads);
    ui_tip(view->ui, grid_cell(grid, cell / grid->columns, column), "%s", text);
}
