/* The matrices of a matrix instruction, each with the lane and the register that hold its elements. The pictures of a
 * product stand side by side: A, B, and C, whose registers D takes over. The lane under the mouse is lit in all of
 * them. */
#include "view/panels/fragments.h"
#include <math.h>

enum {
    CAPTION = 26,
    TITLE = 24,
    NUMBERS = 19, /* of the columns */
    STRIP = 21,
    CELL_BEST = 21,
    CELL_CLASS = 18,
    CELL_LEAST = 13,
    SHEETS = 3
};

struct sheet {
    char which;
    struct ptx_fragment fragment;
    unsigned rows, columns; /* of elements, as the matrix has them */
    unsigned tile_rows, tile_columns;
    bool turned;      /* a tile's rows are the matrix's columns */
    struct rect area; /* of the cells, with the strips and the numbers of the columns */
    float cell_w, cell_h, gap, strip, numbers;
};

/* Finds the matrix instruction to show: that of the event, else the last one before it in its warp, else the next. */
static bool find_shown(const struct view *view, struct fragment_view *shown)
{
    const struct scene *scene = view->scene;
    const struct fragments *fragments = playback_fragments(scene->playback);
    size_t found = SIZE_MAX;
    if (!fragments || !scene->event)
        return false;
    for (size_t at = scene->position + 1; at-- > 0 && found == SIZE_MAX;)
        if (fragments_at(fragments, at) && playback_event(scene->playback, at)->warp == scene->warp)
            found = at;
    for (size_t at = scene->position + 1; at < scene->playback->count && found == SIZE_MAX; at++)
        if (fragments_at(fragments, at) && playback_event(scene->playback, at)->warp == scene->warp)
            found = at;
    if (found == SIZE_MAX)
        return false;
    *shown = (struct fragment_view){.fragments = fragments, .site = fragments_at(fragments, found)};
    shown->start = fragments_start(fragments, found, &shown->step);
    shown->lit = view->hot ? view->hot : 1u << scene->lane % WARP_LANES;
    return true;
}

static bool has_rows(const struct fragment_view *shown)
{
    return shown->site->form.action != PTX_MATRIX_MULTIPLY && shown->site->form.way == PTX_MATRIX_ROWS;
}

static bool is_turned(const struct ptx_matrix *form, char which, const struct ptx_fragment *fragment)
{
    return which == 'b' || (form->whole && fragment->tiles.turned);
}

static struct sheet sheet_of(const struct ptx_matrix *form, char which)
{
    struct sheet sheet = {.which = which, .fragment = ptx_matrix_fragment(form, which)};
    unsigned const outer = sheet.fragment.tiles.outer * (unsigned)PTX_TILE_ROWS;
    unsigned const wide = PTX_TILE_LANES * (unsigned)sheet.fragment.tiles.per;
    unsigned const inner = sheet.fragment.tiles.inner * wide;
    sheet.turned = is_turned(form, which, &sheet.fragment);
    sheet.rows = sheet.turned ? inner : outer;
    sheet.columns = sheet.turned ? outer : inner;
    sheet.tile_rows = sheet.turned ? wide : PTX_TILE_ROWS;
    sheet.tile_columns = sheet.turned ? PTX_TILE_ROWS : wide;
    return sheet;
}

/* Fills in the matrices to draw and returns how many there are. */
static unsigned find_sheets(const struct fragment_view *shown, struct sheet sheets[SHEETS])
{
    const struct ptx_matrix *form = &shown->site->form;
    if (form->action != PTX_MATRIX_MULTIPLY) {
        sheets[0] = sheet_of(form, form->which ? form->which : 'a');
        return 1;
    }
    for (unsigned i = 0; i < SHEETS; i++)
        sheets[i] = sheet_of(form, "abd"[i]);
    return SHEETS;
}

/* Return how many tiles of a sheet lie below and beside one another. */
static unsigned tiles_high(const struct sheet *sheet)
{
    return sheet->rows / sheet->tile_rows;
}

static unsigned tiles_wide(const struct sheet *sheet)
{
    return sheet->columns / sheet->tile_columns;
}

static float units_high(const struct sheet *sheets, unsigned count, float cell)
{
    float most = 0;
    for (unsigned i = 0; i < count; i++)
        most = fmaxf(most, STRIP * (float)tiles_high(&sheets[i]) + cell * (float)sheets[i].rows);
    return CAPTION + TITLE + NUMBERS + most;
}

bool panel_fragments_in_file(const struct scene *scene)
{
    const struct fragments *fragments = playback_fragments(scene->playback);
    return fragments && fragments_at(fragments, scene->position);
}

struct panel_size panel_fragments_size(const struct view *view)
{
    struct fragment_view shown;
    struct sheet sheets[SHEETS];
    if (view->stage->fault || (view->stage->race && !(view->stage->focus & STAGE_FRAGMENTS)) ||
        !find_shown(view, &shown))
        return NOT_SHOWN;
    bool const class = view->stage->compact; /* a class has no other page in sight, and sits far away */
    struct panel_size size = fragment_rows_size(&shown, class);
    if (!has_rows(&shown)) {
        unsigned const count = find_sheets(&shown, sheets);
        size = (struct panel_size){.least = units_high(sheets, count, class ? CELL_CLASS : CELL_LEAST),
                                   .best = units_high(sheets, count, CELL_BEST)};
    }
    size.stays = class;
    if (view->stage->covered)
        return panel_access_size(view, size.best * view->ui->unit);
    return size;
}

/* Places the matrices side by side. Their cells are of one size, or wider in a turned sheet: a box of it is one column
 * wide, and needs room for two digits too. */
static void arrange(const struct view *view, struct sheet *sheets, unsigned count, struct rect box)
{
    float const u = view->ui->unit, left = 28 * u, apart = 20 * u, gap = 3 * u;
    float columns = 0, turned = 0, fixed = 0, rows = 0, strips = 0;
    for (unsigned i = 0; i < count; i++) {
        *(sheets[i].turned ? &turned : &columns) += (float)sheets[i].columns;
        fixed += left + gap * (float)(tiles_wide(&sheets[i]) - 1) + (i ? apart : 0);
        rows = fmaxf(rows, (float)sheets[i].rows);
        strips = fmaxf(strips, (float)tiles_high(&sheets[i]));
    }
    float const same = (box.w - fixed) / (columns + turned), digits = 1.6f * text_caption(view->ui);
    float const wider = fminf(1.6f, fmaxf(1, digits / same));
    float const numbers = NUMBERS * u, strip = STRIP * u,
                w = fminf((box.w - fixed) / (columns + wider * turned), 46 * u);
    float const h = fminf((box.h - TITLE * u - numbers - strips * strip) / rows, 30 * u);
    float x = box.x;
    for (unsigned i = 0; i < count; i++) {
        struct sheet *sheet = &sheets[i];
        float const tiles = (float)(tiles_wide(sheet) - 1);
        sheet->cell_w = w * (sheet->turned ? wider : 1), sheet->cell_h = h, sheet->gap = gap, sheet->strip = strip,
        sheet->numbers = numbers;
        sheet->area = (struct rect){x + left, box.y + TITLE * u, sheet->cell_w * (float)sheet->columns + gap * tiles,
                                    h * (float)sheet->rows + strip * (float)tiles_high(sheet) + numbers};
        x += left + sheet->area.w + apart;
    }
}

/* Returns the box of elements from a row and a column on. */
static struct rect elements_box(const struct sheet *sheet, unsigned row, unsigned column, unsigned high, unsigned wide)
{
    unsigned const gaps = column / sheet->tile_columns, strips = row / sheet->tile_rows + 1;
    return (struct rect){sheet->area.x + sheet->cell_w * (float)column + sheet->gap * (float)gaps,
                         sheet->area.y + sheet->cell_h * (float)row + sheet->strip * (float)strips + sheet->numbers,
                         sheet->cell_w * (float)wide, sheet->cell_h * (float)high};
}

const char *fragment_tile_name(const struct view *view, const struct ptx_fragment *fragment, char which, unsigned tile)
{
    unsigned const each = fragment->tiles.per / ptx_fragment_packed(fragment);
    const char *text = "";
    for (unsigned k = 0; k < each; k++)
        text = arena_format(view->arena, "%s%s%c%u", text, k ? " " : "", which, tile * each + k);
    return text;
}

static const char *part_words(const struct view *view, unsigned packed, unsigned index)
{
    if (packed == 2)
        return index ? _("upper half") : _("lower half");
    return packed > 1 ? arena_format(view->arena, _("part %u of %u"), index + 1, packed) : NULL;
}

static enum ptx_type type_of(const struct fragment_view *shown, char which)
{
    static const enum ptx_type types[PTX_NUMBER_COUNT] = {
        [PTX_NUMBER_F16] = PTX_F16, [PTX_NUMBER_BF16] = PTX_BF16, [PTX_NUMBER_TF32] = PTX_F32,
        [PTX_NUMBER_F32] = PTX_F32, [PTX_NUMBER_F64] = PTX_F64,   [PTX_NUMBER_S8] = PTX_S8,
        [PTX_NUMBER_U8] = PTX_U8,   [PTX_NUMBER_S32] = PTX_S32};
    struct ptx_fragment const fragment = ptx_matrix_fragment(&shown->site->form, which);
    enum ptx_number const number = fragment.format == PTX_NUMBER_B16 ? shown->fragments->halves : fragment.format;
    return types[number];
}

/* Returns where the memory of an element lies: "shared memory, byte 272, in the row of lane 1". */
static const char *origin_words(const struct view *view, const struct fragment_view *shown, char which,
                                struct fragment_element element)
{
    struct fragment_origin origin;
    const struct trace *trace = view->scene->trace;
    if (!fragment_origin(shown->fragments, shown->start, which, element, &origin))
        return NULL;
    if (origin.space == PTX_SPACE_SHARED)
        return arena_format(view->arena, _("shared memory, byte %llu, row of lane %u"),
                            (unsigned long long)scene_shared_offset(trace, origin.address), origin.lane);
    uint64_t index = 0;
    const struct trace_buffer *buffer = trace_find_buffer(trace, origin.address, &index);
    return buffer ? arena_format(view->arena, "%s[%llu]", buffer->name, (unsigned long long)index) : NULL;
}

static void element_tip(struct view *view, const struct fragment_view *shown, const struct fragment_cell *cell,
                        struct rect box)
{
    const struct ptx_matrix *form = &shown->site->form;
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, cell->which);
    struct arena *arena = view->arena;
    unsigned row, column;
    uint64_t bits;
    if (!ui_hovered(view->ui, box))
        return;
    fragment_locate(form, cell->which, cell->element, &row, &column);
    bool const named = form->action == PTX_MATRIX_MULTIPLY || form->whole;
    const char *text = named ? arena_format(arena, "%c[%u][%u]: ", cell->which - 'a' + 'A', row, column) : "";
    text = arena_format(arena, _("%slane %u, register %c%u"), text, cell->element.lane, named ? cell->which : 'r',
                        cell->element.number);
    const char *part = part_words(view, ptx_fragment_packed(&fragment), cell->element.index);
    if (part)
        text = arena_format(arena, "%s, %s", text, part);
    if (fragment_value(shown->fragments, shown->start, cell->which, cell->element, &bits))
        text = arena_format(arena, _("%s, value %s"), text, scene_number(arena, type_of(shown, cell->which), bits));
    const char *origin = origin_words(view, shown, cell->which, cell->element);
    if (origin)
        text = arena_format(arena, "%s · %s", text, origin);
    ui_tip(view->ui, box, "%s", text);
}

/* Says what each element of a register holds. */
static void element_tips(struct view *view, const struct fragment_view *shown, const struct fragment_cell *cell,
                         bool tall)
{
    struct ptx_fragment const fragment = ptx_matrix_fragment(&shown->site->form, cell->which);
    unsigned const packed = ptx_fragment_packed(&fragment);
    for (unsigned k = 0; k < packed; k++) {
        struct rect box = cell->box;
        struct fragment_cell one = *cell;
        float const part = 1.0f / (float)packed;
        if (tall)
            box.y += box.h * part * (float)k, box.h *= part;
        else
            box.x += box.w * part * (float)k, box.w *= part;
        one.element.index = k;
        element_tip(view, shown, &one, box);
    }
}

void fragment_draw_cell(struct view *view, const struct fragment_view *shown, const struct fragment_cell *cell,
                        bool tall)
{
    struct ui *ui = view->ui;
    bool const lit = shown->lit >> cell->element.lane & 1;
    bool const product = shown->site->form.action == PTX_MATRIX_MULTIPLY || shown->site->form.whole;
    struct rect inner = rect_inset(cell->box, 0.75f, 0.75f);
    inner.w += cell->box.w * (cell->group > 1 ? (float)(cell->group - 1) : 0);
    enum color_role const fill = lit ? COLOR_CURSOR : COLOR_ACCESS_SOFT;
    if (cell->group)
        draw_fill(&ui->draw, inner, 2 * ui->unit, lit ? ui_color(ui, fill) : view_color(view, fill));
    if (lit && cell->group)
        draw_outline(&ui->draw, inner, 2 * ui->unit, fmaxf(1, 1.5f * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
    if (inner.h >= 11 * ui->unit && cell->group) {
        char const name = product ? cell->which : 'r';
        const char *widest = arena_format(view->arena, "%d %c%u", WARP_LANES - 1, name, cell->element.number);
        float size = fminf(0.83f * cell->box.h, text_caption(ui)); /* letters use all of the cell's height */
        struct rect const label_box = {inner.x, cell->box.y, inner.w, cell->box.h};
        bool const fits =
            cell->group == 1 && ui_text_width(ui, FONT_BOLD, text_caption(ui), widest) < inner.w - 4 * ui->unit;
        const char *label = fits ? arena_format(view->arena, "%u %c%u", cell->element.lane, name, cell->element.number)
                                 : arena_format(view->arena, "%u", cell->element.lane);
        float const two = ui_text_width(ui, FONT_BOLD, size, "00"); /* one size for all lanes, with room between them */
        size *= fminf(1, (inner.w - 3 * ui->unit) / two);
        ui_chip_label(ui, label_box, lit ? FONT_BOLD : FONT_TEXT, size,
                      lit ? ui_color(ui, COLOR_ON_CURSOR) : ui_color(ui, COLOR_TEXT), label);
    }
    element_tips(view, shown, cell, tall);
    view_heat(view, cell->box, 1u << cell->element.lane);
}

static void draw_strips(struct view *view, const struct sheet *sheet)
{
    struct ui *ui = view->ui;
    unsigned const tiles = sheet->fragment.tiles.outer * (unsigned)sheet->fragment.tiles.inner;
    for (unsigned tile = 0; tile < tiles; tile++) {
        unsigned outer, inner;
        ptx_tile_place(&sheet->fragment.tiles, tile, &outer, &inner);
        unsigned const row = (sheet->turned ? inner : outer) * sheet->tile_rows;
        unsigned const column = (sheet->turned ? outer : inner) * sheet->tile_columns;
        struct rect line = elements_box(sheet, row, column, 0, sheet->tile_columns);
        line.y -= sheet->strip + (row ? 0 : sheet->numbers), line.h = sheet->strip;
        ui_label(ui, line, FONT_TEXT, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM),
                 fragment_tile_name(view, &sheet->fragment, sheet->which, tile));
    }
}

static void draw_row_numbers(struct view *view, const struct sheet *sheet)
{
    struct ui *ui = view->ui;
    float const line = 20 * ui->unit, every = sheet->cell_h >= 0.85f * line ? 1 : sheet->cell_h >= 0.43f * line ? 2 : 4;
    for (unsigned row = 0; row < sheet->rows; row += (unsigned)every) {
        struct rect const cell = elements_box(sheet, row, 0, 1, 1);
        struct rect const box = {cell.x - 30 * ui->unit, cell.y + (cell.h - line) / 2, 25 * ui->unit, line};
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, "%u", row));
    }
}

/* Draws the numbers of the columns above the first row, of every second or fourth where they have no room. */
static void draw_column_numbers(struct view *view, const struct sheet *sheet)
{
    struct ui *ui = view->ui;
    const char *widest = arena_format(view->arena, "%u", sheet->columns - 1);
    float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), widest) + 5 * ui->unit;
    float const line = 20 * ui->unit;
    unsigned every = 1;
    while (every < sheet->tile_columns && (float)every * sheet->cell_w < width)
        every *= 2;
    for (unsigned column = 0; column < sheet->columns; column += every) {
        struct rect const cell = elements_box(sheet, 0, column, 1, 1);
        struct rect const box = {cell.x + (cell.w - width) / 2, cell.y - line, width, line};
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, "%u", column));
    }
}

static void draw_sheet(struct view *view, const struct fragment_view *shown, const struct sheet *sheet)
{
    unsigned const packed = ptx_fragment_packed(&sheet->fragment), each = sheet->fragment.tiles.per / packed;
    bool const narrow = !sheet->turned && sheet->cell_w * (float)packed < 1.6f * text_caption(view->ui);
    draw_strips(view, sheet);
    draw_row_numbers(view, sheet);
    draw_column_numbers(view, sheet);
    for (unsigned number = sheet->fragment.registers; number-- > 0;) /* the first of a group is drawn last */
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            struct fragment_element const element = {lane, number, 0};
            unsigned const group = !narrow ? 1 : number % each ? 0 : each;
            unsigned outer, inner;
            ptx_fragment_place(&sheet->fragment, lane, number, 0, &outer, &inner);
            struct rect const box = elements_box(sheet, sheet->turned ? inner : outer, sheet->turned ? outer : inner,
                                                 sheet->turned ? packed : 1, sheet->turned ? 1 : packed);
            fragment_draw_cell(view, shown, &(struct fragment_cell){sheet->which, element, box, group}, sheet->turned);
        }
}

static const char *number_name(enum ptx_number number)
{
    static const char *const names[PTX_NUMBER_COUNT] = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2",
                                                        "s8",  "u8",   "s4",   "u4",  "b1",  "s32",  "b16"};
    return names[number];
}

static void draw_title(struct view *view, const struct fragment_view *shown, const struct sheet *sheet)
{
    struct ui *ui = view->ui;
    bool const sum = sheet->which == 'd' && shown->site->form.action == PTX_MATRIX_MULTIPLY;
    struct rect const line = {sheet->area.x, sheet->area.y - TITLE * ui->unit, sheet->area.w, TITLE * ui->unit};
    const char *name = sum ? _("C and D") : arena_format(view->arena, "%c", sheet->which - 'a' + 'A');
    const char *full = arena_format(view->arena, "%s · %u × %u · %s", name, sheet->rows, sheet->columns,
                                    number_name(sheet->fragment.format));
    bool const fits = ui_text_width(ui, FONT_BOLD, text_caption(ui), full) <= line.w;
    ui_label(ui, line, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), fits ? full : name);
}

/* Marks the row of A and the column of B that make the element of the sum under the mouse. */
static void draw_sources(struct view *view, const struct sheet sheets[SHEETS])
{
    struct ui *ui = view->ui;
    const struct sheet *sum = &sheets[2];
    for (unsigned row = 0; row < sum->rows; row++)
        for (unsigned column = 0; column < sum->columns; column++) {
            if (!ui_hovered(ui, elements_box(sum, row, column, 1, 1)))
                continue;
            struct rect across = elements_box(&sheets[0], row, 0, 1, sheets[0].columns);
            struct rect down = elements_box(&sheets[1], 0, column, sheets[1].rows, 1);
            across.w = sheets[0].area.w;
            down.h = sheets[1].area.y + sheets[1].area.h - down.y;
            draw_outline(&ui->draw, across, 2 * ui->unit, fmaxf(2, 2.5f * ui->unit), ui_color(ui, COLOR_CONFLICT));
            draw_outline(&ui->draw, down, 2 * ui->unit, fmaxf(2, 2.5f * ui->unit), ui_color(ui, COLOR_CONFLICT));
        }
}

/* Returns the lane in focus with the number of elements that it holds of each matrix. */
static const char *caption_text(const struct view *view, const struct fragment_view *shown, const struct sheet *sheets,
                                unsigned count)
{
    struct arena *arena = view->arena;
    const char *held = "";
    for (unsigned i = 0; i < count; i++)
        held = arena_format(arena, "%s%s%c: %u", held, i ? ", " : "", sheets[i].which - 'a' + 'A',
                            sheets[i].fragment.registers * ptx_fragment_packed(&sheets[i].fragment));
    const char *whose = shown->lit & (shown->lit - 1)
                            ? arena_format(arena, _("each number is a lane · elements of each lane: %s"), held)
                            : arena_format(arena, _("each number is a lane · elements of lane %d: %s"),
                                           __builtin_ctz(shown->lit), held);
    return arena_format(arena, "%s · %s", shown->site->name, whose);
}

struct action panel_fragments(struct view *view, struct rect box)
{
    struct fragment_view shown;
    struct sheet sheets[SHEETS];
    float const u = view->ui->unit;
    if (!find_shown(view, &shown))
        return NO_ACTION;
    if (has_rows(&shown)) {
        fragment_draw_rows(view, &shown, view_columns(view, box));
        return NO_ACTION;
    }
    unsigned const count = find_sheets(&shown, sheets);
    struct rect area = view_columns(view, box);
    struct rect const line = rect_cut_top(&area, CAPTION * u);
    arrange(view, sheets, count, area);
    view_caption(view, line, caption_text(view, &shown, sheets, count));
    for (unsigned i = 0; i < count; i++) {
        draw_title(view, &shown, &sheets[i]);
        draw_sheet(view, &shown, &sheets[i]);
    }
    if (count == SHEETS)
        draw_sources(view, sheets);
    return NO_ACTION;
}
