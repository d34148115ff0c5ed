/* The threads of the block in their places: x to the right, y down, the layers of z side by side. The tint and a number
 * say which threads share a warp. The warp of this access is outlined, and its active lanes carry their numbers. */
#include "view/stage.h"
#include <math.h>

/* The arrangement of the cells. A long row of threads is folded into several lines. */
struct grid {
    uint32_t x, y, z, count, warps;
    uint32_t fold;            /* cells of a line */
    uint32_t lines;           /* of a layer */
    uint32_t across;          /* layers side by side */
    struct point origin;      /* of the first cell of the first layer */
    float slot_w, slot_h;     /* from one layer to the next */
    float cell_w, cell_h;     /* with the gap */
    float layer_label, below; /* heights: above each layer, of the lanes without a thread */
};

enum { CELL_BEST = 32, CELL_MOST = 120 }; /* heights */

static bool find_grid(const struct view *view, struct grid *grid)
{
    const uint32_t *block = view->scene->trace->block;
    *grid = (struct grid){.x = block[0], .y = block[1], .z = block[2]};
    if (!launch_count(block) || launch_count(block) > LAUNCH_THREADS_MAX)
        return false;
    grid->count = grid->x * grid->y * grid->z;
    grid->warps = (grid->count + WARP_LANES - 1) / WARP_LANES;
    return true;
}

/* Chooses the fold and the layers side by side that give the largest cells in a box. */
static void arrange(const struct view *view, struct grid *grid, struct rect box, float most)
{
    float const u = view->ui->unit;
    uint32_t const folds[] = {grid->x, 2 * WARP_LANES, WARP_LANES};
    float best = 0;
    grid->layer_label = grid->z > 1 ? 22 * u : 0;
    grid->below = grid->count % WARP_LANES ? 32 * u : 0;
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        if (folds[i] > grid->x || (i == 0 && grid->x > 2 * WARP_LANES))
            continue;
        uint32_t const lines = grid->y * ((grid->x + folds[i] - 1) / folds[i]);
        for (uint32_t across = grid->z; across > 0; across--) {
            uint32_t const down = (grid->z + across - 1) / across;
            float const slot_w = box.w / (float)across, slot_h = (box.h - grid->below) / (float)down;
            float const gap = across > 1 ? fminf(12 * u, slot_w * 0.1f) : 0;
            float const w = fminf(view->columns.pitch, (slot_w - gap) / (float)folds[i]);
            float const h = fminf(most, (slot_h - grid->layer_label - (down > 1 ? 4 * u : 0)) / (float)lines);
            if (fminf(w, h) <= best * 1.05f)
                continue;
            best = fminf(w, h);
            grid->fold = folds[i];
            grid->lines = lines;
            grid->across = across;
            grid->slot_w = slot_w;
            grid->cell_w = w;
            grid->cell_h = h;
            grid->slot_h = grid->layer_label + h * (float)lines + (down > 1 ? 4 * u : 0);
        }
    }
    grid->origin = (struct point){box.x, box.y + grid->layer_label};
}

/* Returns how many rows of layers there are. */
static uint32_t layers_down(const struct grid *grid)
{
    return grid->across ? (grid->z + grid->across - 1) / grid->across : 1;
}

static float height_of(const struct grid *grid)
{
    return grid->slot_h * (float)layers_down(grid) + grid->below;
}

struct panel_size panel_threads_size(const struct view *view)
{
    struct grid grid;
    float const u = view->ui->unit;
    if (view->stage->fault || (view->stage->race && !(view->stage->focus & STAGE_THREADS)) || !find_grid(view, &grid))
        return NOT_SHOWN;
    arrange(view, &grid, view_columns(view, (struct rect){0, 0, 0, 280 * u}), CELL_BEST * u);
    if (!grid.fold)
        return NOT_SHOWN;
    struct panel_size size = panel_access_size(view, 38 * u + height_of(&grid));
    size.more =
        (CELL_MOST - CELL_BEST) * (float)(grid.lines * layers_down(&grid)); /* where nothing else needs the room */
    return size;
}

/* Returns the number of a thread in its block. */
static uint32_t thread_at(const struct grid *grid, uint32_t layer, uint32_t line, uint32_t column)
{
    uint32_t const folded = (grid->x + grid->fold - 1) / grid->fold;
    uint32_t const x = line % folded * grid->fold + column;
    return x < grid->x ? (layer * grid->y + line / folded) * grid->x + x : UINT32_MAX;
}

/* Returns the cell of a line and column with its gap. */
static struct rect place_of(const struct grid *grid, uint32_t layer, uint32_t line, uint32_t column)
{
    uint32_t const down = layer / grid->across;
    return (struct rect){grid->origin.x + grid->slot_w * (float)(layer % grid->across) + grid->cell_w * (float)column,
                         grid->origin.y + grid->slot_h * (float)down + grid->cell_h * (float)line, grid->cell_w,
                         grid->cell_h};
}

static struct rect without_gap(const struct grid *grid, struct rect place)
{
    float const gap = fminf(grid->cell_w, grid->cell_h) > 12 ? 2 : grid->cell_h > 4 && grid->cell_w > 4 ? 1 : 0;
    return (struct rect){place.x, place.y, place.w - gap, place.h - gap};
}

/* Returns a pale tint for a warp, another one than its neighbours have. */
static struct color tint_of(const struct view *view, uint32_t warp)
{
    struct ui *ui = view->ui;
    struct color const background = ui_color(ui, COLOR_BACKGROUND);
    struct color const edge = view_color(view, COLOR_EDGE);
    return color_mix(edge, background, warp % 2 ? 0.25f : 0.72f);
}

static bool numbers_fit(const struct view *view, const struct grid *grid)
{
    return grid->cell_h >= text_caption(view->ui) && grid->cell_w >= 1.3f * text_caption(view->ui);
}

/* Draws a thread of the warp that accesses memory now. */
static void own_thread(struct view *view, const struct grid *grid, struct rect cell, int lane)
{
    struct ui *ui = view->ui;
    bool const numbered = numbers_fit(view, grid);
    const char *number = numbered ? arena_format(view->arena, "%d", lane) : NULL;
    struct rect const inner = rect_inset(cell, 1, 0);
    enum lane_state const state = view->scene->lanes[lane];
    if (lanes_lit(view) >> lane & 1) {
        draw_fill(&ui->draw, cell, 0, ui_color(ui, COLOR_CURSOR));
        draw_outline(&ui->draw, cell, 0, fmaxf(1, 2 * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
        if (number)
            ui_chip_label(ui, inner, FONT_BOLD, view_chip_text(ui, cell), ui_color(ui, COLOR_ON_CURSOR), number);
        return;
    }
    if (state == LANE_ACTIVE) {
        draw_fill(&ui->draw, cell, 0, view_color(view, COLOR_ACCESS));
        if (number)
            ui_chip_label(ui, inner, FONT_BOLD, view_chip_text(ui, cell), view_text_on(view, COLOR_ACCESS), number);
        return;
    }
    draw_outline(&ui->draw, cell, 0, hairline(ui), view_color(view, COLOR_IDLE));
    if (number)
        ui_chip_label(ui, inner, FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT_DIM), number);
}

/* Draws the edges of a cell that separate this warp from others. */
static void own_edges(struct view *view, const struct grid *grid, struct rect cell, uint32_t layer, uint32_t line,
                      uint32_t column)
{
    struct ui *ui = view->ui;
    uint32_t const warp = view->scene->warp;
    float const width = fmaxf(2, 2.4f * ui->unit), right = cell.x + cell.w, bottom = cell.y + cell.h;
    struct color const color = ui_color(ui, COLOR_TEXT);
    struct {
        bool inside;
        uint32_t line, column;
        struct point from, to;
    } const sides[] = {
        {line > 0, line - 1, column, {cell.x, cell.y}, {right, cell.y}},
        {line + 1 < grid->lines, line + 1, column, {cell.x, bottom}, {right, bottom}},
        {column > 0, line, column - 1, {cell.x, cell.y}, {cell.x, bottom}},
        {column + 1 < grid->fold, line, column + 1, {right, cell.y}, {right, bottom}},
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        uint32_t const beside = sides[i].inside ? thread_at(grid, layer, sides[i].line, sides[i].column) : UINT32_MAX;
        if (beside == UINT32_MAX || beside / WARP_LANES != warp)
            draw_line(&ui->draw, sides[i].from, sides[i].to, width, color);
    }
}

/* Writes the number of a warp over the cells of its first line in this layer. */
static void name_warp(struct view *view, const struct grid *grid, uint32_t layer, uint32_t line, uint32_t column)
{
    struct ui *ui = view->ui;
    uint32_t const first = thread_at(grid, layer, line, column), warp = first / WARP_LANES;
    uint32_t cells = 1, lines = 1;
    while (column + cells < grid->fold && thread_at(grid, layer, line, column + cells) / WARP_LANES == warp)
        cells++;
    while (line + lines < grid->lines && thread_at(grid, layer, line + lines, column) / WARP_LANES == warp)
        lines++;
    struct rect box = place_of(grid, layer, line, column);
    box.w *= (float)cells;
    if (box.h < text_caption(ui))
        box.h *= (float)lines;
    const char *number = arena_format(view->arena, "%u", warp);
    const char *name = arena_format(view->arena, _("warp %s"), number);
    box = rect_inset(box, fminf(5 * ui->unit, box.w * 0.05f), 0);
    if (box.h >= 1.2f * text_caption(ui) && ui_text_width(ui, FONT_BOLD, text_caption(ui), name) <= box.w)
        ui_label(ui, box, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), name);
    else
        ui_chip_label(ui, box, FONT_BOLD, fminf(text_caption(ui), box.h * 0.8f), ui_color(ui, COLOR_TEXT), number);
}

/* Draws a cell and returns true when it was clicked. */
static bool one_thread(struct view *view, const struct grid *grid, uint32_t layer, uint32_t line, uint32_t column)
{
    struct ui *ui = view->ui;
    uint32_t const thread = thread_at(grid, layer, line, column);
    if (thread == UINT32_MAX)
        return false;
    uint32_t const warp = thread / WARP_LANES, lane = thread % WARP_LANES;
    struct rect const place = place_of(grid, layer, line, column), cell = without_gap(grid, place);
    ui_tip(ui, place, _("thread (%u, %u, %u): warp %u, lane %u"), thread % grid->x, thread / grid->x % grid->y, layer,
           warp, lane);
    if (view->scene->event && warp == view->scene->warp) {
        own_thread(view, grid, cell, (int)lane);
        view_heat(view, place, 1u << lane);
    } else
        draw_fill(&ui->draw, cell, 0, tint_of(view, warp));
    return ui_area(ui, ui_id_child(ui_id_text("threads"), thread), place);
}

/* Draws the lanes of the last warp that have no thread, each in its lane's column. */
static void no_threads(struct view *view, const struct grid *grid, float y)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, height = grid->below - 6 * u;
    const char *words = _("no thread");
    if (grid->below <= 0)
        return;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), words) <= view->columns.label_w)
        view_gutter(view, y, height, words, false);
    for (uint32_t lane = grid->count % WARP_LANES; lane < WARP_LANES; lane++) {
        struct rect const cell = column_cell(&view->columns, (int)lane, y, height);
        view_hollow(view, cell, true);
        ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT_DIM),
                      arena_format(view->arena, "%u", lane));
        ui_tip(ui, cell, _("warp %u, lane %u: no thread"), grid->warps - 1, lane);
        if (view->scene->event && view->scene->warp == grid->warps - 1)
            view_heat(view, cell, 1u << lane);
    }
}

/* Labels the lines of the first layers in the gutter, and each layer with its z. */
static void label_lines(struct view *view, const struct grid *grid)
{
    struct ui *ui = view->ui;
    uint32_t const folded = grid->lines / grid->y;
    for (uint32_t layer = 0; layer < grid->z; layer++) {
        struct rect const first = place_of(grid, layer, 0, 0);
        struct rect const above = {first.x, first.y - grid->layer_label, grid->slot_w - 4 * ui->unit,
                                   grid->layer_label};
        const char *name = arena_format(view->arena, "z = %u", layer);
        if (ui_text_width(ui, FONT_TEXT, text_caption(ui), name) > above.w)
            name = arena_format(view->arena, "%u", layer);
        if (grid->z > 1 && ui_text_width(ui, FONT_TEXT, text_caption(ui), name) <= above.w)
            ui_label(ui, above, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), name);
        if (layer % grid->across || grid->cell_h < 1.15f * text_caption(ui))
            continue;
        for (uint32_t line = 0; line < grid->lines; line++) {
            uint32_t const thread = thread_at(grid, layer, line, 0);
            const char *label = grid->y > 1 ? arena_format(view->arena, "y = %u", thread / grid->x % grid->y)
                                            : arena_format(view->arena, "x = %u", thread % grid->x);
            if (line % folded == 0 || grid->y == 1)
                view_gutter(view, place_of(grid, layer, line, 0).y, grid->cell_h, label, false);
        }
    }
}

static const char *caption_text(struct view *view, const struct grid *grid, float width)
{
    const char *all = arena_format(view->arena, _("Threads: %s; warps: %u; outlined: warp %u. x to the right, y down"),
                                   words_count(view->arena, grid->count), grid->warps, view->scene->warp);
    if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), all) <= width)
        return all;
    return arena_format(view->arena, _("Threads: %s; warps: %u; outlined: warp %u"),
                        words_count(view->arena, grid->count), grid->warps, view->scene->warp);
}

/* Draws the threads as cells to mark, without a warp's tint, with the answer once they are checked. */
static struct action marked_threads(struct view *view, const struct grid *grid)
{
    const struct marks *marks = marks_of(view, CELLS_THREADS);
    struct action action = NO_ACTION;
    for (uint32_t layer = 0; layer < grid->z; layer++)
        for (uint32_t line = 0; line < grid->lines; line++)
            for (uint32_t column = 0; column < grid->fold; column++) {
                uint32_t const thread = thread_at(grid, layer, line, column);
                if (thread == UINT32_MAX)
                    continue;
                struct rect const place = place_of(grid, layer, line, column);
                struct action const touch = marks_touch(view, place, marks, thread);
                enum mark_state const state = marks_state(marks, thread, 0);
                bool const fits = numbers_fit(view, grid);
                marks_draw(view, without_gap(grid, place), state,
                           !fits                   ? NULL
                           : state == MARK_RIGHT   ? "✓"
                           : state == MARK_MISSING ? "!"
                           : state == MARK_EXTRA   ? "×"
                                                   : NULL,
                           marks->cursor == (int)thread);
                ui_tip(view->ui, place, _("thread (%u, %u, %u)"), thread % grid->x, thread / grid->x % grid->y, layer);
                if (touch.kind != ACTION_NONE)
                    action = touch;
            }
    return action;
}

struct action panel_threads(struct view *view, struct rect box)
{
    struct action action = NO_ACTION;
    struct grid grid;
    float const u = view->ui->unit;
    if (!find_grid(view, &grid))
        return action;
    box = view_columns(view, box);
    box.h -= 8 * u;
    struct rect const caption = rect_cut_top(&box, 30 * u);
    arrange(view, &grid, box, CELL_MOST * u);
    if (!grid.fold)
        return action;
    if (marks_of(view, CELLS_THREADS)) {
        label_lines(view, &grid);
        return marked_threads(view, &grid);
    }
    view_caption(view, caption, caption_text(view, &grid, caption.w));
    label_lines(view, &grid);
    for (uint32_t layer = 0; layer < grid.z; layer++)
        for (uint32_t line = 0; line < grid.lines; line++)
            for (uint32_t column = 0; column < grid.fold; column++)
                if (one_thread(view, &grid, layer, line, column))
                    action = (struct action){.kind = ACTION_GO_WARP,
                                             .value = (int)(thread_at(&grid, layer, line, column) / WARP_LANES)};
    bool const own = view->scene->event;
    for (uint32_t layer = 0; layer < grid.z; layer++)
        for (uint32_t line = 0; line < grid.lines; line++)
            for (uint32_t column = 0; column < grid.fold; column++) {
                uint32_t const thread = thread_at(&grid, layer, line, column);
                if (thread == UINT32_MAX)
                    continue;
                if (own && thread / WARP_LANES == view->scene->warp)
                    own_edges(view, &grid, place_of(&grid, layer, line, column), layer, line, column);
                else if (thread % WARP_LANES == 0)
                    name_warp(view, &grid, layer, line, column);
            }
    no_threads(view, &grid, grid.origin.y - grid.layer_label + height_of(&grid) - grid.below + 3 * u);
    return action;
}
