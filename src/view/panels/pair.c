/* Two arrays side by side, and the block's tile in shared memory between them, with the way of one element from the
 * first array to the second. The colour of a cell is that of the warp that accessed it last. */
#include "view/panels/arrays.h"
#include <math.h>

enum { IN, OUT, TILE_COLUMNS = 34, SECTOR = 32 };

/* The array in shared memory, if the source declares one with rows. */
struct tile {
    const struct ptx_placed *variable; /* NULL: there is none */
    uint32_t rows, columns;
    struct rect slot, area;
    float cell;
};

static float caption_height(const struct view *view)
{
    return 28 * view->ui->unit;
}

/* Returns the room between the arrays: for the tile and for the arrows at both of its sides. */
static float slot_gap(const struct view *view)
{
    return 26 * view->ui->unit;
}

void pair_arrange(const struct view *view, struct arrays_view *arrays, struct rect box)
{
    struct grid *in = &arrays->grids[IN], *out = &arrays->grids[OUT];
    float const top = box.y + caption_height(view) + grid_line(view), gaps = 2 * slot_gap(view) + grid_gap(view, out);
    uint32_t const rows = in->rows > out->rows ? in->rows : out->rows;
    float const high = fmaxf(1, (box.y + box.h - top - 2) / (float)rows);
    float const wide = (box.w - gaps - 4) / (float)(in->columns + out->columns + TILE_COLUMNS);
    float w = fminf(wide, 2 * high), h = fminf(1.5f * w, high);
    w = w >= 4 ? floorf(w * 2) / 2 : w;
    for (int i = IN; i <= OUT; i++) {
        struct grid *grid = &arrays->grids[i];
        grid->cell_w = w;
        grid->cell_h = h;
        grid->area = (struct rect){roundf(box.x), roundf(top), w * (float)grid->columns, h * (float)grid->rows};
    }
    out->area.x = roundf(in->area.x + in->area.w + gaps + w * TILE_COLUMNS);
}

static struct tile find_tile(const struct view *view, const struct arrays_view *arrays)
{
    const struct grid *in = &arrays->grids[IN], *out = &arrays->grids[OUT];
    const struct scene *scene = view->scene;
    struct tile tile = {.slot = {in->area.x + in->area.w, in->area.y, 0, fmaxf(in->area.h, out->area.h)}};
    tile.slot.w = out->area.x - grid_gap(view, out) - tile.slot.x;
    for (uint32_t i = 0; i < scene->variable_count && !tile.variable; i++) {
        const struct ptx_placed *variable = &scene->variables[i];
        const struct ptx_layout *layout = variable->layout;
        if (variable->space != PTX_SPACE_SHARED || !layout || !layout->array || !layout->columns || !variable->bytes)
            continue;
        tile.variable = variable;
        tile.columns = (uint32_t)layout->columns;
        tile.rows = (uint32_t)(variable->bytes / layout->element / layout->columns);
    }
    if (!tile.variable || !tile.rows)
        return tile;
    float const room = tile.slot.w - 2 * slot_gap(view);
    tile.cell = fminf(24 * view->ui->unit, fminf(room / (float)tile.columns, tile.slot.h / (float)tile.rows));
    tile.area.w = tile.cell * (float)tile.columns;
    tile.area.h = tile.cell * (float)tile.rows;
    tile.area.x = roundf(tile.slot.x + (tile.slot.w - tile.area.w) / 2);
    tile.area.y = tile.slot.y;
    return tile;
}

/* Returns the word of the tile at an address, or UINT32_MAX. */
static uint32_t word_of(const struct view *view, const struct tile *tile, uint64_t address)
{
    uint64_t const offset = scene_shared_offset(view->scene->trace, address);
    if (!tile->variable || offset < tile->variable->offset)
        return UINT32_MAX;
    uint64_t const word = (offset - tile->variable->offset) / tile->variable->layout->element;
    return word < (uint64_t)tile->rows * tile->columns ? (uint32_t)word : UINT32_MAX;
}

static struct rect word_box(const struct tile *tile, uint32_t word)
{
    struct grid const grid = {.area = tile->area, .cell_w = tile->cell, .cell_h = tile->cell};
    return grid_cell(&grid, word / tile->columns, word % tile->columns);
}

static struct color warp_color(struct view *view, uint32_t warp)
{
    uint32_t const count = view->scene->warp_count > 1 ? view->scene->warp_count - 1 : 1;
    return color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND),
                     0.86f - 0.56f * (float)warp / (float)count);
}

/* The elements whose values this event moves between other places: in the array that they come from. */
static bool moved_color(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    *color = color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND), 0.15f);
    return grid->from[cell] && !grid->now[cell];
}

/* The elements that the warp has loaded so far: they do not tell which lanes store them. */
static bool held_color(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    const struct element_use *use = elements_use(grid->array, cell, view->scene->position);
    *color = color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND), 0.15f);
    return use && !use->store && playback_event(view->scene->playback, use->position)->warp == view->scene->warp;
}

static bool used_color(struct view *view, const struct grid *grid, uint32_t cell, struct color *color)
{
    const struct element_use *use = elements_use(grid->array, cell, view->scene->position);
    if (!use)
        return false;
    *color = warp_color(view, playback_event(view->scene->playback, use->position)->warp);
    return true;
}

/* Hatches what this event fetches or touches beside the elements that it needs: the rest of their sectors. */
static void draw_sectors(struct view *view, const struct grid *grid)
{
    const struct trace_buffer *buffer = grid->array->buffer;
    uint32_t const across = SECTOR / grid->array->bytes;
    struct draw_list *draw = &view->ui->draw;
    uint64_t last = UINT64_MAX;
    for (uint32_t cell = 0; cell < grid->rows * grid->columns; cell++) {
        uint32_t const row = cell / grid->columns, column = cell % grid->columns;
        uint64_t const address = buffer->address + row * buffer->shape.pitch + (uint64_t)column * grid->array->bytes;
        if (!grid->now[cell] || address / SECTOR == last || !across)
            continue;
        last = address / SECTOR;
        uint32_t const before = (uint32_t)(address % SECTOR) / grid->array->bytes,
                       first = before < column ? column - before : 0;
        uint32_t const count = first + across < grid->columns ? across : grid->columns - first;
        struct rect const box = grid_cells(grid, row, first, 1, count);
        draw_hatch(draw, box, 5 * view->ui->unit, 1, view_color(view, COLOR_IDLE));
        draw_outline(draw, box, 0, 1, view_color(view, COLOR_IDLE));
    }
}

/* Draws the tile: the words that hold something, in the colour of the warp that stored it, and those of this event. */
static void draw_tile(struct view *view, const struct tile *tile)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    struct grid const grid = {
        .area = tile->area, .cell_w = tile->cell, .cell_h = tile->cell, .rows = tile->rows, .columns = tile->columns};
    float const line = grid_line(view);
    struct rect const name = {tile->slot.x + 4 * ui->unit, tile->area.y - line, tile->slot.w - 8 * ui->unit, line};
    ui_label(ui, name, FONT_BOLD, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT),
             arena_format(view->arena, "%s[%u][%u]", tile->variable->name, tile->rows, tile->columns));
    grid_ground(view, &grid);
    uint32_t *holder = arena_array(view->arena, uint32_t, (size_t)tile->rows * tile->columns); /* a warp, from 1 */
    for (size_t at = 0; at <= scene->position && at < scene->playback->count; at++) {
        const struct trace_event *event = playback_event(scene->playback, at);
        const struct trace_site *site = playback_site(scene->playback, at);
        if (!site || event->kind != TRACE_ACCESS || trace_space(site, event) != PTX_SPACE_SHARED)
            continue;
        bool const now = at == scene->position, load = site->operation == TRACE_LOAD;
        for (uint32_t left = event->mask; left && (now || !load); left &= left - 1) {
            uint32_t const word = word_of(view, tile, trace_addresses(scene->trace, event)[__builtin_ctz(left)]);
            if (word != UINT32_MAX)
                holder[word] = now ? UINT32_MAX : event->warp + 1;
        }
    }
    for (uint32_t word = 0; word < tile->rows * tile->columns; word++)
        if (holder[word])
            draw_fill(&ui->draw, word_box(tile, word), 0,
                      holder[word] == UINT32_MAX ? view_color(view, COLOR_ACCESS) : warp_color(view, holder[word] - 1));
    grid_lines(view, &grid, 8);
}

static struct point middle(struct rect box)
{
    return (struct point){box.x + box.w / 2, box.y + box.h / 2};
}

/* Draws an arrow from cell to cell, dashed if that step has yet to come. */
static void draw_arrow(struct view *view, struct rect from, struct rect to, bool done)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, width = fmaxf(1.5f, 2 * u), head = 9 * u;
    struct point a = middle(from), b = middle(to);
    a.x = from.x + from.w + 3 * u;
    b.x = to.x - 4 * u;
    struct color const color = ui_color(ui, COLOR_TEXT);
    float const bend = fmaxf(10 * u, (b.x - a.x) * 0.4f);
    struct point const points[] = {a, {a.x + bend, a.y}, {b.x - bend, b.y}, {b.x - head * 0.6f, b.y}};
    if (done) {
        draw_curve(&ui->draw, points, width + 2, ui_color(ui, COLOR_BACKGROUND));
        draw_curve(&ui->draw, points, width, color);
    } else {
        struct point *line = arena_array(view->arena, struct point, 2);
        line[0] = a;
        line[1] = points[3];
        draw_polyline(&ui->draw, line, 2, width, 5 * u, color);
    }
    struct point *tip = arena_array(view->arena, struct point, 3);
    tip[0] = b;
    tip[1] = (struct point){b.x - head, b.y - head / 2};
    tip[2] = (struct point){b.x - head, b.y + head / 2};
    draw_polygon(&ui->draw, tip, 3, color);
}

/* Draws the element that is followed, where it comes from, where it lies in the tile and where it goes. hidden: the
 * step asks for the last place. */
static void draw_way(struct view *view, const struct arrays_view *arrays, const struct tile *tile,
                     const struct element_way *way, bool hidden)
{
    const struct grid *in = &arrays->grids[IN], *out = &arrays->grids[OUT];
    uint32_t const element = arrays->followed.element;
    size_t const position = view->scene->position;
    struct rect const from = grid_cell(in, element / in->columns, element % in->columns);
    uint32_t const word = way->kept != SIZE_MAX ? word_of(view, tile, way->word) : UINT32_MAX;
    struct rect last = from;
    struct color const cursor = ui_color(view->ui, COLOR_CURSOR);
    draw_fill(&view->ui->draw, from, 0, cursor);
    view_cursor_ring(view, from);
    if (word != UINT32_MAX) {
        struct rect const box = word_box(tile, word);
        draw_fill(&view->ui->draw, box, 0, cursor);
        view_cursor_ring(view, box);
        draw_arrow(view, from, box, way->kept <= position);
        last = box;
    }
    if (way->to == UINT32_MAX || hidden)
        return;
    struct rect const to = grid_cell(out, way->to / out->columns, way->to % out->columns);
    draw_fill(&view->ui->draw, to, 0, cursor);
    view_cursor_ring(view, to);
    draw_arrow(view, last, to, way->stored <= position);
}

/* Returns the way in words: "lane 1 of warp 0 · in[0][1] → tile[0][1] → out[1][0]". */
static const char *way_words(const struct view *view, const struct arrays_view *arrays, const struct tile *tile,
                             const struct element_way *way, bool hidden)
{
    struct arena *arena = view->arena;
    const struct scene *scene = view->scene;
    const char *words = grid_name(arena, &arrays->grids[IN], arrays->followed.element);
    uint32_t const word = way->kept != SIZE_MAX ? word_of(view, tile, way->word) : UINT32_MAX;
    if (word != UINT32_MAX)
        words = arena_format(arena, "%s → %s[%u][%u]", words, tile->variable->name, word / tile->columns,
                             word % tile->columns);
    if (hidden)
        words = arena_format(arena, "%s → %s[?][?]", words, arrays->grids[OUT].array->buffer->name);
    else if (way->to != UINT32_MAX)
        words = arena_format(arena, "%s → %s", words, grid_name(arena, &arrays->grids[OUT], way->to));
    if (way->loaded != SIZE_MAX && way->stored != SIZE_MAX) {
        uint32_t const reader = playback_event(scene->playback, way->loaded)->warp,
                       writer = playback_event(scene->playback, way->stored)->warp;
        words = reader == writer && way->lane == way->reader
                    ? arena_format(arena, _("%s · warp %u, lane %u"), words, reader, way->lane)
                    : arena_format(arena, _("%s · read by warp %u, lane %u, written by warp %u, lane %u"), words,
                                   reader, way->lane, writer, way->reader);
    }
    return arena_format(arena, _("%s · the deeper the blue, the later the warp · hatched: the rest of the sectors"),
                        words);
}

/* Returns the element of the first array whose way ends at an element of the second one, or UINT32_MAX. */
static uint32_t source_of(const struct arrays_view *arrays, uint32_t cell)
{
    const struct element_array *out = arrays->grids[OUT].array;
    for (uint32_t i = out->first[cell]; i < out->first[cell + 1]; i++)
        if (out->uses[i].store)
            return elements_at(arrays->grids[IN].array, elements_origin(arrays->elements, out->uses[i].position,
                                                                        __builtin_ctz(out->uses[i].lanes)));
    return UINT32_MAX;
}

/* Returns the wish to follow an element that is pressed, of either array. */
static struct action chosen(struct view *view, const struct arrays_view *arrays)
{
    for (int i = IN; i <= OUT; i++) {
        const struct grid *grid = &arrays->grids[i];
        uint32_t const cell = grid_hovered(view, grid);
        if (cell == UINT32_MAX || !ui_pressed(view->ui, ui_id_text("pair element"), grid->area))
            continue;
        uint32_t const element = i == IN ? cell : source_of(arrays, cell);
        if (element != UINT32_MAX)
            return (struct action){.kind = ACTION_CHOOSE_ELEMENT, .value = (int)element};
    }
    return NO_ACTION;
}

struct action pair_draw(struct view *view, struct arrays_view *arrays, struct rect box)
{
    struct ui *ui = view->ui;
    struct action action = NO_ACTION;
    const struct grid *in = &arrays->grids[IN], *out = &arrays->grids[OUT];
    struct tile const tile = find_tile(view, arrays);
    const struct marks *marks = grid_marks(view, out);
    bool const hidden = marks && !marks->right;
    bool const follows = arrays->followed.element != UINT32_MAX;
    struct element_way const way = follows ? scene_way(view->scene, in->array, arrays->followed.element, out->array)
                                           : (struct element_way){.to = UINT32_MAX};
    bool const arrives = way.to != UINT32_MAX && !hidden;
    struct rect const last = arrives ? grid_cell(out, way.to / out->columns, way.to % out->columns) : (struct rect){0};
    for (int i = IN; i <= OUT; i++) {
        const struct grid *grid = &arrays->grids[i];
        grid_ground(view, grid);
        if (!hidden || i == IN)
            grid_fill(view, grid, used_color);
        if (!marks || i == IN) {
            draw_sectors(view, grid);
            grid_now(view, grid);
            grid_fill(view, grid, hidden ? held_color : moved_color);
        }
        grid_lines(view, grid, SECTOR / grid->array->bytes);
        grid_labels(view, grid, i == IN, true, true, i == OUT && arrives ? &last : NULL);
        float const gap = grid_gap(view, grid), line = grid_line(view);
        if (i == IN)
            view_gutter(view, grid->area.y - line, line, grid->array->buffer->name, true);
        else
            ui_label(ui, (struct rect){grid->area.x - gap, grid->area.y - line, gap - 6 * ui->unit, line}, FONT_BOLD,
                     text_body(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT), grid->array->buffer->name);
    }
    if (tile.variable)
        draw_tile(view, &tile);
    if (marks)
        action = grid_marked(view, out, marks);
    if (follows) {
        draw_way(view, arrays, &tile, &way, hidden);
        view_caption(view, (struct rect){box.x, box.y, box.w, caption_height(view)},
                     way_words(view, arrays, &tile, &way, hidden));
    }
    grid_tip(view, in);
    grid_tip(view, out);
    struct action const choice = marks ? NO_ACTION : chosen(view, arrays);
    return action.kind ? action : choice;
}
