/* A product of matrices: a at the left, b above, c = a * b in the corner, so that the row of a and the column of b meet
 * at their element of c. Shades count how often the block has loaded each element so far. */
#include "view/panels/arrays.h"
#include <math.h>

enum { A, B, C, SHADES = 6 };

/* Returns the size of cells in a room of so many of them: whole pixels, unless they are very small. */
static float cell_size(float room, uint32_t cells)
{
    float const size = room / (float)cells;
    return size >= 8 ? floorf(size) : fmaxf(1, floorf(size * 4) / 4);
}

void product_arrange(const struct view *view, struct arrays_view *arrays, struct rect box)
{
    struct grid *a = &arrays->grids[A], *b = &arrays->grids[B], *c = &arrays->grids[C];
    float const line = grid_line(view), gap = grid_gap(view, b), u = view->ui->unit;
    float const high = cell_size(box.h - 2 * line - 4 * u, b->rows + a->rows);
    float const wide = fminf(2 * high, cell_size(box.w - gap - 4 * u, a->columns + b->columns));
    for (int i = 0; i < ARRAYS_MOST; i++) {
        arrays->grids[i].cell_w = wide;
        arrays->grids[i].cell_h = high;
    }
    a->area = (struct rect){roundf(box.x), 0, wide * (float)a->columns, high * (float)a->rows};
    b->area = (struct rect){roundf(a->area.x + a->area.w + gap), roundf(box.y + line), wide * (float)b->columns,
                            high * (float)b->rows};
    a->area.y = roundf(b->area.y + b->area.h + line);
    c->area = (struct rect){b->area.x, a->area.y, b->area.w, a->area.h};
}

static struct color shade(struct view *view, uint32_t loads)
{
    int level = 0;
    while (level + 1 < SHADES && loads >> (level + 1))
        level++;
    return color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND),
                     0.84f - 0.11f * (float)level);
}

static bool loads_color(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    const struct element_use *use = elements_use(grid->array, cell, view->scene->position);
    if (!use)
        return false;
    *color = use->loads ? shade(view, use->loads)
                        : color_mix(view_color(view, COLOR_BROADCAST), ui_color(view->ui, COLOR_BACKGROUND), 0.45f);
    return true;
}

/* Writes the counts into cells that have room for them. */
static void draw_counts(struct view *view, const struct grid *grid)
{
    struct ui *ui = view->ui;
    if (grid->cell_h < 0.9f * text_caption(ui) || grid->cell_w < 1.2f * text_caption(ui))
        return;
    for (uint32_t cell = 0; cell < grid->rows * grid->columns; cell++) {
        const struct element_use *use = elements_use(grid->array, cell, view->scene->position);
        if (use && use->loads && !grid->now[cell])
            ui_chip_label(ui, grid_cell(grid, cell / grid->columns, cell % grid->columns), FONT_TEXT,
                          fminf(text_caption(ui), 0.8f * grid->cell_h), ui_color(ui, COLOR_TEXT),
                          arena_format(view->arena, "%u", use->loads));
    }
}

/* Returns the cells that the warp on screen computes. */
static bool own_color(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    const struct scene *scene = view->scene;
    *color = color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND), 0.8f);
    for (uint32_t i = grid->array->first[cell]; i < grid->array->first[cell + 1]; i++)
        if (grid->array->uses[i].store &&
            playback_event(scene->playback, grid->array->uses[i].position)->warp == scene->warp)
            return true;
    return false;
}

/* Returns whether cells of the array are asked for. */
static bool is_asked(const struct view *view, const struct grid *grid)
{
    const struct marks *marks = grid_marks(view, grid);
    return marks && !marks->right;
}

/* Draws the row of a, the column of b, and both on to the element of c where they meet. */
static void draw_bands(struct view *view, const struct arrays_view *arrays, bool outline)
{
    struct draw_list *draw = &view->ui->draw;
    const struct grid *a = &arrays->grids[A], *b = &arrays->grids[B], *c = &arrays->grids[C];
    uint32_t const element = arrays->followed.element;
    if (element == UINT32_MAX)
        return;
    uint32_t const row = element / c->columns, column = element % c->columns;
    struct rect const across = grid_cells(a, row, 0, 1, a->columns), down = grid_cells(b, 0, column, b->rows, 1),
                      meet = grid_cell(c, row, column);
    bool const asked = is_asked(view, c); /* which threads belong to the row or column */
    bool const shown[] = {!grid_marks(view, a) && !asked, !grid_marks(view, b) && !asked};
    if (!outline) {
        struct color const pale =
            color_mix(ui_color(view->ui, COLOR_CURSOR), ui_color(view->ui, COLOR_BACKGROUND), 0.55f);
        struct rect const right = {across.x, meet.y, meet.x - across.x, meet.h},
                          below = {meet.x, down.y, meet.w, meet.y - down.y};
        if (shown[A])
            draw_fill(draw, right, 0, pale);
        if (shown[B])
            draw_fill(draw, below, 0, pale);
        return;
    }
    for (int i = A; i <= B; i++) {
        struct rect const band = rect_inset(i == A ? across : down, -1, -1);
        if (shown[i])
            draw_outline(draw, band, 0, 1, ui_color(view->ui, COLOR_CURSOR_RING));
    }
    draw_fill(draw, meet, 0, ui_color(view->ui, COLOR_CURSOR));
    view_cursor_ring(view, meet);
}

/* Draws the frame of the part that the block loads between two barriers: the last one up to now. */
static void draw_frame(struct view *view, const struct arrays_view *arrays, const struct grid *grid)
{
    uint32_t phase = arrays->elements->phases[view->scene->position];
    while (phase > 0 && grid->array->parts[phase].rows[0] > grid->array->parts[phase].rows[1])
        phase--;
    grid_frame(view, grid, &grid->array->parts[phase]);
}

/* Draws the frame of what the block stores in c, at any time. */
static void draw_result_frame(struct view *view, const struct arrays_view *arrays, const struct grid *grid)
{
    struct element_part all = {{UINT32_MAX, 0}, {UINT32_MAX, 0}};
    for (uint32_t i = 0; i < arrays->elements->phase_count; i++) {
        const struct element_part *part = &grid->array->parts[i];
        if (part->rows[0] > part->rows[1])
            continue;
        for (int end = 0; end < 2; end++) {
            all.rows[end] =
                (end ? part->rows[1] > all.rows[1] : part->rows[0] < all.rows[0]) ? part->rows[end] : all.rows[end];
            all.columns[end] = (end ? part->columns[1] > all.columns[1] : part->columns[0] < all.columns[0])
                                   ? part->columns[end]
                                   : all.columns[end];
        }
    }
    grid_frame(view, grid, &all);
}

/* Draws the element of a or b that the followed lane uses in this event, also when it reads it from shared memory. */
static void draw_sweep(struct view *view, const struct arrays_view *arrays, const struct grid *grid)
{
    if (is_asked(view, grid))
        return; /* the step asks for it */
    for (uint32_t cell = 0; cell < grid->rows * grid->columns; cell++) {
        struct rect const box = grid_cell(grid, cell / grid->columns, cell % grid->columns);
        bool const own = grid->from[cell] >> arrays->followed.lane & 1;
        if (grid->from[cell] && !grid->now[cell])
            draw_fill(&view->ui->draw, box, 0, view_color(view, COLOR_ACCESS));
        if (own)
            view_cursor_ring(view, box);
    }
}

static uint32_t cell_of_lane(const struct grid *grid, uint32_t lane)
{
    for (uint32_t cell = 0; cell < grid->rows * grid->columns; cell++)
        if ((grid->from[cell] | grid->now[cell]) >> lane & 1)
            return cell;
    return UINT32_MAX;
}

/* Returns what the followed lane does in this event: "loads a[0][0], as 16 lanes do", or NULL. */
static const char *event_words(const struct view *view, const struct arrays_view *arrays)
{
    struct arena *arena = view->arena;
    const struct scene *scene = view->scene;
    for (int i = A; i <= C && scene->site; i++) {
        const struct grid *grid = &arrays->grids[i];
        uint32_t const cell = cell_of_lane(grid, arrays->followed.lane);
        if (cell == UINT32_MAX || grid_marks(view, grid))
            continue;
        const char *name = grid_name(arena, grid, cell);
        uint32_t const lanes = grid->from[cell] | grid->now[cell];
        const struct element_use *use = elements_use(grid->array, cell, scene->position);
        if (scene->kind == SCENE_SHARED)
            return scene->site->operation == TRACE_LOAD ? arena_format(arena, _("reads %s from shared memory"), name)
                                                        : arena_format(arena, _("keeps %s in shared memory"), name);
        if (i == C)
            return arena_format(arena, _("stores %s"), name);
        return arena_format(arena, _("loads %s, as do lanes: %d; loads by this block so far: %u"), name,
                            __builtin_popcount(lanes), use ? use->loads : 0);
    }
    return NULL;
}

/* Draws what the shades mean, in one line of the box. Returns its width. */
static void draw_shades(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, side = box.h * 0.62f;
    static const char *const names[SHADES] = {"1", "2", "4", "8", "16", "32+"};
    const char *words = _("loads:");
    float x =
        box.x + ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words) + 8 * u;
    for (int i = 0; i < SHADES; i++) {
        struct rect const sign = {x, box.y + (box.h - side) / 2, side, side};
        float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), names[i]) + 2;
        if (x + side + 4 * u + width > box.x + box.w)
            return;
        draw_fill(&ui->draw, sign, 0, shade(view, 1u << i));
        draw_outline(&ui->draw, sign, 0, 1, view_color(view, COLOR_IDLE));
        ui_label(ui, (struct rect){x + side + 4 * u, box.y, width, box.h}, FONT_TEXT, text_caption(ui), UI_LEFT,
                 ui_color(ui, COLOR_TEXT_DIM), names[i]);
        x += side + width + 14 * u;
    }
}

/* Writes into the free corner above a: what the followed element needs, what happens now, and the signs. */
static void draw_words(struct view *view, const struct arrays_view *arrays, struct rect box)
{
    struct ui *ui = view->ui;
    struct arena *arena = view->arena;
    const struct grid *a = &arrays->grids[A], *b = &arrays->grids[B], *c = &arrays->grids[C];
    uint32_t const element = arrays->followed.element;
    float const bottom = box.y + box.h - text_caption(ui) * 1.6f, gap = 8 * ui->unit;
    const char *texts[3] = {NULL, NULL, NULL};
    if (element != UINT32_MAX) {
        const char *needs =
            arena_format(arena, _("%s = row %u of %s × column %u of %s"), grid_name(arena, c, element),
                         element / c->columns, a->array->buffer->name, element % c->columns, b->array->buffer->name);
        texts[0] = view->scene->chosen ? needs : arena_format(arena, _("lane %u: %s"), arrays->followed.lane, needs);
    }
    texts[1] = view->scene->chosen || is_asked(view, c) ? NULL : event_words(view, arrays);
    texts[2] = _("frame: the part of this block");
    for (int i = 0; i < 3; i++) {
        if (!texts[i])
            continue;
        struct ui_span const span = {texts[i], i ? FONT_TEXT : FONT_BOLD, i ? COLOR_TEXT_DIM : COLOR_TEXT};
        float const height = ui_paragraph_height(ui, box.w, text_caption(ui), &span, 1);
        if (box.y + height > bottom)
            break;
        box.y += ui_paragraph(ui, box, text_caption(ui), &span, 1, false) + gap;
    }
    draw_shades(view, (struct rect){box.x, bottom, box.w, text_caption(ui) * 1.5f});
}

static void draw_name(struct view *view, const struct grid *grid, bool gutter)
{
    float const line = grid_line(view), gap = grid_gap(view, grid), u = view->ui->unit;
    struct rect const box = {grid->area.x - gap, grid->area.y - line, gap - 6 * u, line};
    if (gutter)
        view_gutter(view, box.y, line, grid->array->buffer->name, true);
    else
        ui_label(view->ui, box, FONT_BOLD, text_body(view->ui), UI_RIGHT, ui_color(view->ui, COLOR_TEXT),
                 grid->array->buffer->name);
}

struct action product_draw(struct view *view, struct arrays_view *arrays, struct rect box)
{
    struct action action = NO_ACTION;
    struct grid *a = &arrays->grids[A], *b = &arrays->grids[B], *c = &arrays->grids[C];
    for (int i = A; i <= C; i++)
        grid_ground(view, &arrays->grids[i]);
    draw_bands(view, arrays, false);
    if (!is_asked(view, c))
        grid_fill(view, c, own_color);
    for (int i = A; i <= C; i++) {
        const struct grid *grid = &arrays->grids[i];
        const struct marks *marks = grid_marks(view, grid);
        if (!is_asked(view, c) && (!marks || marks->right))
            grid_fill(view, grid, loads_color);
        grid_lines(view, grid, 8);
        if (marks) {
            struct action const touch = grid_marked(view, grid, marks);
            action = touch.kind ? touch : action;
            continue;
        }
        grid_now(view, grid);
        if (is_asked(view, c)) /* what the block loads tells which threads share it */
            continue;
        draw_counts(view, grid);
        if (i < C)
            draw_frame(view, arrays, grid);
    }
    draw_result_frame(view, arrays, c);
    draw_bands(view, arrays, true);
    draw_sweep(view, arrays, a);
    draw_sweep(view, arrays, b);
    draw_name(view, a, true);
    draw_name(view, b, false);
    draw_name(view, c, false);
    grid_labels(view, a, true, true, true, NULL);
    grid_labels(view, b, false, true, true, NULL);
    draw_words(view, arrays, (struct rect){box.x, b->area.y - grid_line(view), a->area.w, b->area.h + grid_line(view)});
    for (int i = A; i <= C; i++)
        grid_tip(view, &arrays->grids[i]);
    uint32_t const cell = grid_hovered(view, c);
    if (cell != UINT32_MAX && !is_asked(view, c) && ui_pressed(view->ui, ui_id_text("product element"), c->area))
        return (struct action){.kind = ACTION_CHOOSE_ELEMENT, .value = (int)cell};
    return action;
}
