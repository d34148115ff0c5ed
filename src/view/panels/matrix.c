/* The array of this access as rows and columns, if its launch says a shape. A large array is cut to the part in play;
 * a small map shows where that part lies. */
#include "view/panels/arrays.h"
#include <math.h>

enum { MARGIN = 2, STEP = 8, WINDOW_MAX = 256 };

/* The elements shown along one axis: from `first`, `count` of `all`. */
struct cut {
    uint64_t first, count, all;
};

struct matrix {
    const struct trace_buffer *buffer;
    uint64_t size; /* bytes of an element */
    struct cut rows;
    struct cut columns; /* with the padding */
    struct rect area;   /* of the cells */
    float cell_w, cell_h;
    bool now;         /* this event accesses the array */
    uint32_t *lanes;  /* of each cell shown: the lanes that access it now */
    uint8_t *touched; /* 1: the block has accessed it so far */
};

static bool is_cut(const struct cut *cut)
{
    return cut->count < cut->all;
}

/* Returns the buffer that the first active lane of an access to global memory accesses, or NULL. */
static const struct trace_buffer *buffer_of(const struct playback *playback, size_t position)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    if (!event || !site || event->kind != TRACE_ACCESS || !event->mask || trace_space(site, event) != PTX_SPACE_GLOBAL)
        return NULL;
    const uint64_t *addresses = trace_addresses(playback->trace, event);
    return trace_find_buffer(playback->trace, addresses[__builtin_ctz(event->mask)], NULL);
}

/* Finds the array of this access. At an event without one, it is that of the access before or else of the next. */
static bool find_matrix(const struct view *view, struct matrix *matrix)
{
    const struct scene *scene = view->scene;
    const struct playback *playback = scene->playback;
    *matrix = (struct matrix){0};
    if (!scene->event)
        return false;
    for (size_t at = scene->position + 1; at-- > 0 && !matrix->buffer;)
        matrix->buffer = buffer_of(playback, at);
    for (size_t at = scene->position + 1; at < playback->count && !matrix->buffer; at++)
        matrix->buffer = buffer_of(playback, at);
    if (!matrix->buffer || !matrix->buffer->shape.pitch)
        return false;
    matrix->now = buffer_of(playback, scene->position) == matrix->buffer;
    matrix->size = ptx_type_size(matrix->buffer->type);
    matrix->rows.all = matrix->buffer->shape.rows;
    matrix->columns.all = matrix->buffer->shape.pitch / matrix->size;
    return true;
}

/* Sets row and column of a byte of the buffer. Returns false for a byte outside the array. */
static bool locate(const struct matrix *matrix, uint64_t address, uint64_t *row, uint64_t *column)
{
    if (address < matrix->buffer->address)
        return false;
    uint64_t const offset = address - matrix->buffer->address;
    *row = offset / matrix->buffer->shape.pitch;
    *column = offset % matrix->buffer->shape.pitch / matrix->size;
    return *row < matrix->rows.all;
}

/* Chooses the part of an axis: all of it if it has at most `whole` cells, else the part from low to high with a margin,
 * of at least `fit` and at most `most` cells. It begins at a multiple of 8, so that it rests while the access walks on.
 */
static void cut_axis(struct cut *cut, uint64_t low, uint64_t high, uint64_t whole, uint64_t fit, uint64_t most)
{
    cut->first = 0;
    cut->count = cut->all;
    if (cut->all <= whole)
        return;
    uint64_t const from = low > MARGIN ? low - MARGIN : 0,
                   to = high + MARGIN + 1 < cut->all ? high + MARGIN + 1 : cut->all;
    uint64_t const needed = to - from > fit ? to - from : fit;
    cut->count = needed <= most ? needed : fit; /* a part of it, and larger cells */
    cut->count = cut->count < cut->all ? cut->count : cut->all;
    uint64_t const rest = from / STEP * STEP;
    cut->first = rest + cut->count >= to ? rest : from;
    if (cut->first + cut->count > cut->all)
        cut->first = cut->all - cut->count;
}

/* Returns how many cells a length holds. */
static uint64_t cells_in(float length, float cell)
{
    return (uint64_t)fminf(WINDOW_MAX, fmaxf(1, length / cell));
}

/* Finds the rows and columns of this access, then the part to show and its cells. */
static void arrange(const struct view *view, struct matrix *matrix, struct rect box, float cell_most)
{
    const struct scene *scene = view->scene;
    float const u = view->ui->unit;
    uint64_t low_row = UINT64_MAX, high_row = 0, low_column = UINT64_MAX, high_column = 0, row, column;
    for (int lane = 0; matrix->now && lane < WARP_LANES; lane++) {
        if (!(scene->event->mask >> lane & 1) || !locate(matrix, scene->addresses[lane], &row, &column))
            continue;
        low_row = row < low_row ? row : low_row;
        high_row = row > high_row ? row : high_row;
        low_column = column < low_column ? column : low_column;
        high_column = column > high_column ? column : high_column;
    }
    if (low_row == UINT64_MAX)
        low_row = high_row = low_column = high_column = 0;
    float const map = 96 * u, header = 24 * u, footer = 4 * u;
    struct rect area = {box.x, box.y + header, box.w, fmaxf(1, box.h - header - footer)};
    bool const padded = matrix->buffer->shape.columns < matrix->columns.all;
    bool const class = view->stage->compact; /* its numbers are read from afar */
    cut_axis(&matrix->rows, low_row, high_row, cells_in(area.h, (class ? 20 : 12) * u),
             cells_in(area.h, (class ? 22 : 20) * u), cells_in(area.h, 2 * u));
    bool const marked = marks_of(view, CELLS_ELEMENTS) != NULL; /* all of it: a part would give the answer away */
    if (marked) {
        matrix->rows = (struct cut){0, matrix->rows.all, matrix->rows.all};
        matrix->columns = (struct cut){0, matrix->columns.all, matrix->columns.all};
        matrix->cell_w = fminf(view->columns.pitch, area.w / (float)matrix->columns.count);
    }
    for (int turn = 0; turn < 2 && !marked; turn++) { /* the padding behind a row is worth small cells */
        cut_axis(&matrix->columns, low_column, high_column,
                 cells_in(area.w, (padded  ? 2.2f
                                   : class ? 22
                                           : 14) *
                                      u),
                 cells_in(area.w, (class ? 27 : 23) * u), cells_in(area.w, 4 * u));
        matrix->cell_w = fminf(view->columns.pitch, area.w / (float)matrix->columns.count);
        bool const room = box.w - matrix->cell_w * (float)matrix->columns.count >= map;
        if (turn || room || !(is_cut(&matrix->rows) || is_cut(&matrix->columns)))
            break;
        area.w -= map; /* for the map of the whole */
    }
    matrix->cell_h = fminf(cell_most, area.h / (float)matrix->rows.count);
    matrix->area = (struct rect){area.x, area.y, matrix->cell_w * (float)matrix->columns.count,
                                 matrix->cell_h * (float)matrix->rows.count};
}

struct panel_size panel_matrix_size(const struct view *view)
{
    struct matrix matrix;
    float const u = view->ui->unit;
    if (view->stage->fault || (view->stage->race && !(view->stage->focus & STAGE_MATRIX)))
        return NOT_SHOWN;
    struct arrays_view const arrays = arrays_find(view);
    if (arrays.kind != ARRAYS_ALONE)
        return arrays_size(view, &arrays);
    if (!find_matrix(view, &matrix))
        return NOT_SHOWN;
    arrange(view, &matrix, view_columns(view, (struct rect){0, 0, 0, 300 * u}), 26 * u);
    struct panel_size size = panel_access_size(view, 66 * u + matrix.area.h);
    size.low = view->stage->covered ? 0 : 110;
    if (view->stage->compact && marks_of(view, CELLS_ELEMENTS)) /* cells that the mouse can hit */
        size.least = fminf(360, fmaxf(size.least, 66 + 9 * (float)matrix.rows.count)),
        size.best = fmaxf(size.best, 360);
    return size;
}

/* Returns the index of an element among the cells shown, or SIZE_MAX. */
static size_t cell_index(const struct matrix *matrix, uint64_t row, uint64_t column)
{
    if (row < matrix->rows.first || row - matrix->rows.first >= matrix->rows.count || column < matrix->columns.first ||
        column - matrix->columns.first >= matrix->columns.count)
        return SIZE_MAX;
    return (size_t)((row - matrix->rows.first) * matrix->columns.count + (column - matrix->columns.first));
}

/* Notes the elements that the block has accessed so far, and the lanes that access them now. */
static void count_cells(const struct scene *scene, struct arena *arena, struct matrix *matrix)
{
    const struct playback *playback = scene->playback;
    size_t const cells = (size_t)(matrix->rows.count * matrix->columns.count);
    matrix->lanes = arena_array(arena, uint32_t, cells);
    matrix->touched = arena_array(arena, uint8_t, cells);
    for (size_t at = 0; at <= scene->position && at < playback->count; at++) {
        const struct trace_event *event = playback_event(playback, at);
        const struct trace_site *site = playback_site(playback, at);
        if (event->kind != TRACE_ACCESS || !site || trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        const uint64_t *addresses = trace_addresses(playback->trace, event);
        for (int lane = 0; lane < WARP_LANES; lane++)
            for (uint64_t byte = 0; (event->mask >> lane & 1) && byte < site->bytes; byte += matrix->size) {
                uint64_t row, column;
                if (!locate(matrix, addresses[lane] + byte, &row, &column))
                    break;
                size_t const cell = cell_index(matrix, row, column);
                if (cell == SIZE_MAX)
                    continue;
                matrix->touched[cell] = 1;
                if (at == scene->position)
                    matrix->lanes[cell] |= 1u << lane;
            }
    }
}

static struct rect cell_box(const struct matrix *matrix, uint64_t row, uint64_t column)
{
    return (struct rect){matrix->area.x + matrix->cell_w * (float)column, matrix->area.y + matrix->cell_h * (float)row,
                         matrix->cell_w, matrix->cell_h};
}

/* Draws the ground: the array, its grid, its padding, and the elements accessed before. */
static void draw_ground(struct view *view, const struct matrix *matrix)
{
    struct ui *ui = view->ui;
    struct draw_list *draw = &ui->draw;
    struct rect const area = matrix->area;
    uint64_t const rows = matrix->rows.count, columns = matrix->columns.count;
    uint64_t const data = matrix->buffer->shape.columns;
    struct color const background = ui_color(ui, COLOR_BACKGROUND);
    draw_fill(draw, area, 0, view_color(view, COLOR_PANEL));
    struct color const before = color_mix(view_color(view, COLOR_ACCESS), background, 0.72f);
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t from = 0, to; from < columns; from = to + 1) {
            for (to = from; to < columns && matrix->touched[row * columns + to]; to++)
                ;
            struct rect run = cell_box(matrix, row, from);
            run.w *= (float)(to - from);
            if (to > from)
                draw_fill(draw, run, 0, before);
        }
    uint64_t const padding = data > matrix->columns.first ? data - matrix->columns.first : 0;
    if (padding < columns) {
        struct rect empty = cell_box(matrix, 0, padding);
        empty.w *= (float)(columns - padding);
        empty.h = area.h;
        draw_hatch(draw, empty, 8 * ui->unit, 1.2f * ui->unit, view_color(view, COLOR_IDLE));
        draw_outline(draw, empty, 0, hairline(ui), view_color(view, COLOR_IDLE));
    }
    struct color const grid = color_mix(view_color(view, COLOR_EDGE), background, 0.3f);
    float const right = area.x + area.w, bottom = area.y + area.h;
    for (uint64_t row = 0; row <= rows && matrix->cell_h >= 5; row++) {
        float const y = area.y + matrix->cell_h * (float)row;
        draw_line(draw, (struct point){area.x, y}, (struct point){right, y}, 1, grid);
    }
    for (uint64_t column = 0; column <= columns && matrix->cell_w >= 5; column++) {
        float const x = area.x + matrix->cell_w * (float)column;
        draw_line(draw, (struct point){x, area.y}, (struct point){x, bottom}, 1, grid);
    }
}

/* Draws the borders of the 128-byte chunks: one line if all rows have them in the same columns. */
static void draw_chunks(struct view *view, const struct matrix *matrix)
{
    struct ui *ui = view->ui;
    struct color const color = view_color(view, COLOR_TEXT_DIM);
    const struct trace_buffer *buffer = matrix->buffer;
    bool const alike = buffer->shape.pitch % CHUNK_BYTES == 0;
    if (matrix->cell_w * (float)CHUNK_BYTES / (float)matrix->size < 8 || (!alike && matrix->cell_h < 3))
        return;
    for (uint64_t row = 0; row < (alike ? 1 : matrix->rows.count); row++)
        for (uint64_t column = 0; column < matrix->columns.count; column++) {
            uint64_t const address = buffer->address + (matrix->rows.first + row) * buffer->shape.pitch +
                                     (matrix->columns.first + column) * matrix->size;
            if (address % CHUNK_BYTES >= matrix->size)
                continue;
            struct rect const cell = cell_box(matrix, row, column);
            float const bottom = alike ? matrix->area.y + matrix->area.h : cell.y + cell.h;
            struct point const from = {cell.x, cell.y}, to = {cell.x, bottom};
            float const width = fmaxf(2, 2 * ui->unit);
            draw_line(&ui->draw, from, to, 2 * width,
                      ui_color(ui, COLOR_BACKGROUND)); /* it also crosses filled cells */
            draw_line(&ui->draw, from, to, width, color);
        }
}

/* Draws an element that this access touches: with the lane's number, or "×n" if n lanes share it. */
static void own_cell(struct view *view, const struct matrix *matrix, struct rect cell, uint32_t lanes, bool padding)
{
    struct ui *ui = view->ui;
    bool const shared = lanes & (lanes - 1), hot = view->hot & lanes;
    enum color_role const role = hot       ? COLOR_CURSOR
                                 : padding ? COLOR_CONFLICT
                                 : shared  ? COLOR_BROADCAST
                                           : COLOR_ACCESS;
    bool const numbered = cell.h >= 0.9f * text_caption(ui) && cell.w >= text_caption(ui);
    float const gap = fminf(matrix->cell_w, matrix->cell_h) > 8 ? 1 : 0;
    struct rect const inner = {cell.x + gap, cell.y + gap, cell.w - 2 * gap, cell.h - 2 * gap};
    draw_fill(&ui->draw, inner, 0, hot ? ui_color(ui, role) : view_color(view, role));
    if (hot)
        draw_outline(&ui->draw, inner, 0, fmaxf(1, 2 * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
    if (numbered)
        ui_chip_label(ui, rect_inset(inner, 1, 0), FONT_BOLD, fminf(view_chip_text(ui, cell), 0.8f * inner.h),
                      hot || (role == COLOR_BROADCAST && !view->dim) ? ui_color(ui, COLOR_ON_CURSOR)
                                                                     : view_text_on(view, role),
                      arena_format(view->arena, shared ? "×%d" : "%d",
                                   shared ? __builtin_popcount(lanes) : __builtin_ctz(lanes)));
}

/* Returns every how many rows or columns a label stands, so that each has `room` pixels. */
static uint64_t label_step(float cell, float room)
{
    uint64_t step = 1;
    while (cell * (float)step < room && step < WINDOW_MAX)
        step *= 2;
    return step;
}

static void draw_labels(struct view *view, const struct matrix *matrix)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, line = 22 * u;
    struct rect const area = matrix->area;
    struct color const color = ui_color(ui, COLOR_TEXT_DIM);
    const char *widest = arena_format(view->arena, "%llu", (unsigned long long)matrix->columns.all);
    float const room = ui_text_width(ui, FONT_TEXT, text_caption(ui), widest) + 8 * u;
    uint64_t step = label_step(matrix->cell_w, room);
    for (uint64_t column = 0; column < matrix->columns.count; column++) {
        uint64_t const number = matrix->columns.first + column;
        struct rect const cell = cell_box(matrix, 0, column);
        float const width = fmaxf(matrix->cell_w, room);
        if (number % step || number >= matrix->buffer->shape.columns ||
            cell.x + width > area.x + fmaxf(area.w, room) + 1)
            continue;
        ui_label(ui, (struct rect){cell.x, area.y - line, width, line}, FONT_TEXT, text_caption(ui),
                 matrix->cell_w >= room ? UI_CENTER : UI_LEFT, color,
                 arena_format(view->arena, "%llu", (unsigned long long)number));
    }
    step = label_step(matrix->cell_h, line);
    for (uint64_t row = 0; row < matrix->rows.count; row++) {
        uint64_t const number = matrix->rows.first + row;
        float const height = fmaxf(matrix->cell_h, line);
        float const y = area.y + matrix->cell_h * ((float)row + 0.5f) - height / 2;
        if (number % step == 0)
            view_gutter(view, y, height, arena_format(view->arena, "%llu", (unsigned long long)number), false);
    }
}

/* Finds the rows and columns that the block accesses between the same two barriers as this access: the tile of a phase.
 * Returns false if that is all of the array, or no more than this access. */
static bool find_tile(const struct scene *scene, struct arena *arena, const struct matrix *matrix, struct cut *rows,
                      struct cut *columns)
{
    const struct playback *playback = scene->playback;
    uint32_t *barriers = arena_array(arena, uint32_t, scene->warp_count + 1);
    uint32_t phase = 0;
    uint64_t low_row = UINT64_MAX, high_row = 0, low_column = UINT64_MAX, high_column = 0;
    for (size_t at = 0; at < scene->position && matrix->now; at++) {
        const struct trace_event *event = playback_event(playback, at);
        phase += event->kind == TRACE_BARRIER_ARRIVE && event->warp == scene->event->warp;
    }
    for (size_t at = 0; at < playback->count && matrix->now; at++) {
        const struct trace_event *event = playback_event(playback, at);
        if (event->warp >= scene->warp_count)
            continue;
        barriers[event->warp] += event->kind == TRACE_BARRIER_ARRIVE;
        if (barriers[event->warp] != phase || buffer_of(playback, at) != matrix->buffer)
            continue;
        const uint64_t *addresses = trace_addresses(playback->trace, event);
        for (uint32_t left = event->mask; left; left &= left - 1) {
            uint64_t row, column;
            if (!locate(matrix, addresses[__builtin_ctz(left)], &row, &column))
                continue;
            low_row = row < low_row ? row : low_row;
            high_row = row > high_row ? row : high_row;
            low_column = column < low_column ? column : low_column;
            high_column = column > high_column ? column : high_column;
        }
    }
    if (low_row == UINT64_MAX)
        return false;
    *rows = (struct cut){low_row, high_row - low_row + 1, matrix->rows.all};
    *columns = (struct cut){low_column, high_column - low_column + 1, matrix->columns.all};
    return is_cut(rows) || is_cut(columns);
}

/* Draws a frame around the tile, as far as it lies in the part shown. Its lower and right edges are left out where it
 * goes on. */
static void draw_tile(struct view *view, const struct matrix *matrix)
{
    struct ui *ui = view->ui;
    struct cut rows, columns;
    if (!find_tile(view->scene, view->arena, matrix, &rows, &columns))
        return;
    float const width = fmaxf(2, 3 * ui->unit);
    float const left = matrix->cell_w * ((float)columns.first - (float)matrix->columns.first),
                top = matrix->cell_h * ((float)rows.first - (float)matrix->rows.first);
    struct rect const area = matrix->area, tile = {area.x + left - width / 2, area.y + top - width / 2,
                                                   matrix->cell_w * (float)columns.count + width,
                                                   matrix->cell_h * (float)rows.count + width};
    draw_clip(&ui->draw, rect_inset(area, -width, -width));
    draw_outline(&ui->draw, tile, 0, width, view_color(view, COLOR_TEXT));
    draw_clip_none(&ui->draw);
}

/* Draws a dashed line along each edge at which the array goes on, and the map of the whole at the right. */
static void draw_cuts(struct view *view, const struct matrix *matrix, struct rect box)
{
    struct ui *ui = view->ui;
    struct draw_list *draw = &ui->draw;
    float const u = ui->unit, line = fmaxf(1, 1.5f * u);
    struct rect const area = matrix->area;
    const struct cut *rows = &matrix->rows, *columns = &matrix->columns;
    struct color const color = ui_color(ui, COLOR_TEXT_DIM);
    float const right = area.x + area.w, bottom = area.y + area.h;
    struct {
        bool cut;
        struct point points[2];
    } const edges[] = {
        {rows->first > 0, {{area.x, area.y - line}, {right, area.y - line}}},
        {rows->first + rows->count < rows->all, {{area.x, bottom + line}, {right, bottom + line}}},
        {columns->first > 0, {{area.x - line, area.y}, {area.x - line, bottom}}},
        {columns->first + columns->count < columns->all, {{right + line, area.y}, {right + line, bottom}}},
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (edges[i].cut) {
            struct point *points = arena_array(view->arena, struct point, 2);
            points[0] = edges[i].points[0];
            points[1] = edges[i].points[1];
            draw_polyline(draw, points, 2, line, 4 * u, color);
        }
    if ((!is_cut(rows) && !is_cut(columns)) || box.x + box.w - right < 60 * u)
        return;
    float const most = fminf(80 * u, area.h);
    float const scale = most / (float)(rows->all > columns->all ? rows->all : columns->all);
    struct rect const map = {box.x + box.w - most - 2, area.y, fmaxf(6 * u, scale * (float)columns->all),
                             fmaxf(6 * u, scale * (float)rows->all)};
    float const across = map.w / (float)columns->all, down = map.h / (float)rows->all;
    struct rect part = {map.x + across * (float)columns->first, map.y + down * (float)rows->first,
                        fmaxf(3 * u, across * (float)columns->count), fmaxf(3 * u, down * (float)rows->count)};
    part.x = fminf(part.x, map.x + map.w - part.w);
    part.y = fminf(part.y, map.y + map.h - part.h);
    draw_fill(draw, map, 0, view_color(view, COLOR_PANEL));
    draw_outline(draw, map, 0, hairline(ui), view_color(view, COLOR_IDLE));
    draw_fill(draw, part, 0, view_color(view, COLOR_ACCESS));
    ui_tip(ui, map, _("The whole array; filled: the part shown"));
}

/* Returns how many lanes of this access touch no element of the part shown. */
static int lanes_outside(const struct scene *scene, const struct matrix *matrix)
{
    uint32_t inside = 0;
    for (uint64_t cell = 0; cell < matrix->rows.count * matrix->columns.count; cell++)
        inside |= matrix->lanes[cell];
    return __builtin_popcount(scene->event->mask & ~inside);
}

static const char *caption_text(struct view *view, const struct matrix *matrix, float width)
{
    const struct trace_buffer *buffer = matrix->buffer;
    struct arena *arena = view->arena;
    const char *text = arena_format(arena, _("%s: %s × %s (rows × columns)"), buffer->name,
                                    words_count(arena, buffer->shape.rows), words_count(arena, buffer->shape.columns));
    const char *more[5] = {NULL, NULL, NULL, NULL, NULL};
    struct cut rows, columns;
    if (buffer->shape.pitch > buffer->shape.columns * matrix->size)
        more[1] = arena_format(arena, _("pitch %s B"), words_count(arena, buffer->shape.pitch));
    if (is_cut(&matrix->rows) || is_cut(&matrix->columns))
        more[0] =
            arena_format(arena, _("⋮ shown: rows %llu–%llu, columns %llu–%llu"), (unsigned long long)matrix->rows.first,
                         (unsigned long long)(matrix->rows.first + matrix->rows.count - 1),
                         (unsigned long long)matrix->columns.first,
                         (unsigned long long)(matrix->columns.first + matrix->columns.count - 1));
    if (matrix->now && lanes_outside(view->scene, matrix))
        more[2] = arena_format(arena, _("lanes elsewhere: %d"), lanes_outside(view->scene, matrix));
    if (find_tile(view->scene, arena, matrix, &rows, &columns))
        more[3] = _("frame: the part of this block");
    more[4] = _("thick lines: 128-byte chunks");
    for (int i = 0; i < 5; i++) {
        const char *longer = more[i] ? arena_format(arena, "%s; %s", text, more[i]) : text;
        if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), longer) <= width)
            text = longer;
    }
    return text;
}

/* Names the element under the mouse, and the lanes that access it. */
static void draw_tip(struct view *view, const struct matrix *matrix)
{
    struct ui *ui = view->ui;
    struct arena *arena = view->arena;
    if (!ui_hovered(ui, matrix->area))
        return;
    uint64_t const right = (uint64_t)fmaxf(0, (ui->input.mouse.x - matrix->area.x) / matrix->cell_w);
    uint64_t const down = (uint64_t)fmaxf(0, (ui->input.mouse.y - matrix->area.y) / matrix->cell_h);
    if (right >= matrix->columns.count || down >= matrix->rows.count)
        return;
    uint64_t const row = matrix->rows.first + down, column = matrix->columns.first + right;
    uint64_t const offset = row * matrix->buffer->shape.pitch + column * matrix->size;
    uint32_t const lanes = matrix->lanes[down * matrix->columns.count + right];
    struct rect const cell = cell_box(matrix, down, right);
    const char *name =
        arena_format(arena, "%s[%llu]", matrix->buffer->name, (unsigned long long)(offset / matrix->size));
    if (lanes) {
        int const lane = __builtin_ctz(lanes);
        name = scene_name_value(view->scene, arena, name,
                                scene_value_at(view->scene, arena, lane, matrix->buffer->address + offset));
        view_heat(view, cell, lanes);
    }
    if (column >= matrix->buffer->shape.columns)
        name = arena_format(arena, _("%s: padding"), name);
    const char *place =
        arena_format(arena, _("row %llu, column %llu: %s"), (unsigned long long)row, (unsigned long long)column, name);
    if (lanes & (lanes - 1))
        ui_tip(ui, cell, _("%s, %d lanes"), place, __builtin_popcount(lanes));
    else if (lanes)
        ui_tip(ui, cell, _("%s, lane %d"), place, __builtin_ctz(lanes));
    else
        ui_tip(ui, cell, "%s", place);
}

/* Draws the elements as cells to mark, with the answer once they are checked. */
static struct action marked_elements(struct view *view, const struct matrix *matrix)
{
    const struct marks *marks = marks_of(view, CELLS_ELEMENTS);
    struct action action = NO_ACTION;
    for (uint32_t i = 0; i < marks->count; i++) {
        uint64_t const row = i / marks->across, column = i % marks->across;
        struct rect const place = cell_box(matrix, row, column);
        float const gap = fminf(place.w, place.h) > 8 ? 1 : 0;
        struct action const touch = marks_touch(view, place, marks, i);
        enum mark_state const state = marks_state(marks, i, 0);
        const char *sign = state == MARK_RIGHT ? "✓" : state == MARK_MISSING ? "!" : state == MARK_EXTRA ? "×" : NULL;
        bool const fits = place.w >= text_caption(view->ui) && place.h >= text_caption(view->ui);
        marks_draw(view, rect_inset(place, gap, gap), state, fits ? sign : NULL, marks->cursor == (int)i);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    return action;
}

struct action panel_matrix(struct view *view, struct rect box)
{
    struct matrix matrix;
    float const u = view->ui->unit;
    struct arrays_view arrays = arrays_find(view);
    if (arrays.kind != ARRAYS_ALONE)
        return arrays_draw(view, &arrays, box);
    if (!find_matrix(view, &matrix))
        return NO_ACTION;
    box = view_columns(view, box);
    box.h -= 8 * u;
    struct rect const caption = rect_cut_top(&box, 30 * u);
    arrange(view, &matrix, box, 40 * u);
    if (marks_of(view, CELLS_ELEMENTS)) {
        struct action const action = marked_elements(view, &matrix);
        draw_labels(view, &matrix);
        draw_chunks(view, &matrix);
        return action;
    }
    count_cells(view->scene, view->arena, &matrix);
    view_note_part(view, (uint32_t)matrix.columns.count, (uint32_t)matrix.buffer->shape.columns);
    view_note_part(view, (uint32_t)matrix.rows.count, (uint32_t)matrix.rows.all);
    view_caption(view, caption, caption_text(view, &matrix, caption.w));
    draw_labels(view, &matrix);
    draw_ground(view, &matrix);
    for (uint64_t row = 0; row < matrix.rows.count; row++)
        for (uint64_t column = 0; column < matrix.columns.count; column++) {
            uint32_t const lanes = matrix.lanes[row * matrix.columns.count + column];
            if (lanes)
                own_cell(view, &matrix, cell_box(&matrix, row, column), lanes,
                         matrix.columns.first + column >= matrix.buffer->shape.columns);
        }
    draw_chunks(view, &matrix);
    draw_tile(view, &matrix);
    draw_cuts(view, &matrix, box);
    draw_tip(view, &matrix);
    return NO_ACTION;
}
