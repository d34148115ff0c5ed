/* The rows of 16 bytes of ldmatrix and its relatives, matrix by matrix: the lane that gave the row's address, the lanes
 * that the row goes to, and the banks that it lies in, beside those of a swizzled tile. */
#include "model/banks.h"
#include "view/panels/fragments.h"
#include <math.h>

enum {
    CAPTION = 26,
    HEAD = 44,
    ROW_BEST = 21,
    ROW_CLASS = 17,
    ROW_LOW = 8,
    ROW_LEAST = 12,
    ROW_BYTES = 16,
    GROUPS = BANKS * BANK_BYTES / ROW_BYTES,
    APART = 26, /* between two matrices; heads reach into it */
    GAP = 16    /* between the parts of one */
};

/* One matrix of 8 rows on screen. */
struct block {
    unsigned tile;       /* its number in the registers */
    unsigned first_lane; /* of the 8 that give its rows */
    struct rect lanes, cells, grids[2], head;
    const char *other; /* what the second grid shows; NULL: there is none */
    float row;
};

static unsigned block_count(const struct fragment_view *shown)
{
    return shown->site->form.step_tiles;
}

static unsigned blocks_high(const struct fragment_view *shown)
{
    return block_count(shown) > 2 ? 2 : 1;
}

struct panel_size fragment_rows_size(const struct fragment_view *shown, bool class)
{
    float const high = (float)blocks_high(shown), least = class ? ROW_CLASS : ROW_LEAST,
                low = class ? ROW_LEAST : ROW_LOW;
    return (struct panel_size){.least = CAPTION + high * (HEAD + least * PTX_TILE_ROWS),
                               .best = CAPTION + high * (HEAD + ROW_BEST * PTX_TILE_ROWS),
                               .low = CAPTION + high * (HEAD + low * PTX_TILE_ROWS)};
}

/* The swizzle: the place of 16 bytes in their line of 128 bytes changes with the line. */
static uint64_t swizzle(uint64_t address)
{
    return address ^ (address / (BANKS * BANK_BYTES) % GROUPS * ROW_BYTES);
}

static const uint64_t *addresses_of(const struct view *view, const struct fragment_view *shown)
{
    const struct trace *trace = view->scene->trace;
    size_t at = shown->start;
    for (unsigned k = 0; k < shown->step;) {
        at++;
        const struct trace_event *event = playback_event(view->scene->playback, at);
        k += event->warp == view->scene->warp;
    }
    return trace_addresses(trace, playback_event(view->scene->playback, at));
}

/* Returns how often rows before this one ask for other bytes of the same banks. */
static unsigned rank_of(const uint64_t rows[PTX_TILE_ROWS], unsigned row)
{
    unsigned rank = 0;
    for (unsigned before = 0; before < row; before++) {
        bool repeated = rows[before] == rows[row];
        for (unsigned k = 0; k < before; k++)
            repeated |= rows[k] == rows[before];
        rank += !repeated && rows[before] / ROW_BYTES % GROUPS == rows[row] / ROW_BYTES % GROUPS;
    }
    return rank;
}

static unsigned passes_of(const uint64_t rows[PTX_TILE_ROWS])
{
    unsigned most = 0;
    for (unsigned row = 0; row < PTX_TILE_ROWS; row++)
        most = rank_of(rows, row) > most ? rank_of(rows, row) : most;
    return most + 1;
}

static void rows_of(const uint64_t *addresses, unsigned first_lane, bool swizzled, uint64_t rows[PTX_TILE_ROWS])
{
    for (unsigned row = 0; row < PTX_TILE_ROWS; row++)
        rows[row] = swizzled ? swizzle(addresses[first_lane + row]) : addresses[first_lane + row];
}

/* Returns whether each row follows the one before at the same distance. */
static bool is_regular(const uint64_t rows[PTX_TILE_ROWS])
{
    for (unsigned row = 2; row < PTX_TILE_ROWS; row++)
        if (rows[row] - rows[row - 1] != rows[1] - rows[0])
            return false;
    return true;
}

/* Returns the name of the tile that a swizzle makes of the rows, for comparison: where conflicts are, a swizzled one;
 * of rows in a swizzle, which it undoes, the row-major one. NULL: no tile worth a look. */
static const char *other_tile(const uint64_t *addresses, unsigned blocks)
{
    const char *name = NULL;
    for (unsigned i = 0; i < blocks; i++) {
        uint64_t here[PTX_TILE_ROWS], there[PTX_TILE_ROWS];
        rows_of(addresses, i * PTX_TILE_ROWS, false, here);
        rows_of(addresses, i * PTX_TILE_ROWS, true, there);
        if (passes_of(there) < passes_of(here))
            return _("swizzled");
        if (!is_regular(here) && is_regular(there))
            name = _("row-major");
    }
    return name;
}

static const char *passes_text(const struct view *view, unsigned passes)
{
    return arena_format(view->arena, passes == 1 ? _("%u pass") : _("%u passes"), passes);
}

/* The head of the lanes that give the rows: two lines or, without room for them, one. */
enum { GIVE_LINES = 2 };
static const char *const give_words[GIVE_LINES] = {N_("address"), N_("by lane")};

static float give_width(const struct view *view)
{
    float width = 0;
    for (int i = 0; i < GIVE_LINES; i++)
        width = fmaxf(width, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), _(give_words[i])));
    return width + 12 * view->ui->unit;
}

/* Returns the width of the lanes that give the rows, in a block of this width. */
static float lanes_width(const struct view *view, float block)
{
    float const width = give_width(view), least = 40 * view->ui->unit;
    return width <= block * 0.18f ? fmaxf(width, least) : least;
}

static void place(const struct view *view, const struct fragment_view *shown, struct rect box, unsigned index,
                  const char *other, struct block *block)
{
    float const u = view->ui->unit, apart = APART * u;
    unsigned const high = blocks_high(shown), wide = block_count(shown) > 1 ? 2 : 1;
    /* matrices are numbered as registers are: pairs stand side by side */
    unsigned const column = index % wide, row = index / wide;
    struct rect area = {box.x + (box.w + apart) / 2 * (float)column, box.y + box.h / (float)high * (float)row,
                        (box.w - apart) / 2, box.h / (float)high};
    *block = (struct block){.tile = shown->step * shown->site->form.step_tiles + index,
                            .first_lane = index * PTX_TILE_ROWS,
                            .other = other};
    block->head = rect_cut_top(&area, HEAD * u);
    block->row = fminf(area.h / PTX_TILE_ROWS, 26 * u);
    block->lanes = rect_cut_left(&area, lanes_width(view, area.w));
    float const gap = GAP * u, free = area.w - 2 * gap;
    block->cells = rect_cut_left(&area, free * 0.46f);
    /* Without room for the heads of both, the banks of the rows as they are have it alone. */
    float const passes = ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), passes_text(view, PTX_TILE_ROWS));
    float const name = other ? ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), other) : 0;
    bool const both = passes <= free * 0.27f && name <= free * 0.27f + apart / 2;
    for (unsigned k = 0; k < (both ? 2 : 1); k++) {
        rect_cut_left(&area, gap);
        block->grids[k] = rect_cut_left(&area, both ? free * 0.27f : area.w);
    }
}

static void head_line(struct view *view, const struct block *block, const struct rect *column, unsigned line,
                      bool strong, const char *text)
{
    struct ui *ui = view->ui;
    float const high = block->head.h / 2;
    ui_label(ui, (struct rect){column->x, block->head.y + high * (float)line, column->w + APART * ui->unit / 2, high},
             strong ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_LEFT,
             ui_color(ui, strong ? COLOR_TEXT : COLOR_TEXT_DIM), text);
}

/* Draws the banks of the rows: eight columns of four banks each. */
static void draw_grid(struct view *view, const struct block *block, const uint64_t *addresses, bool swizzled)
{
    struct ui *ui = view->ui;
    const struct rect *grid = &block->grids[swizzled];
    uint64_t rows[PTX_TILE_ROWS];
    rows_of(addresses, block->first_lane, swizzled, rows);
    unsigned const passes = passes_of(rows);
    head_line(view, block, grid, 0, false, swizzled ? block->other : _("banks"));
    head_line(view, block, grid, 1, true, passes_text(view, passes));
    for (unsigned row = 0; row < PTX_TILE_ROWS; row++)
        for (unsigned group = 0; group < GROUPS; group++) {
            struct rect const cell = {grid->x + grid->w / GROUPS * (float)group, grid->y + block->row * (float)row,
                                      grid->w / GROUPS, block->row};
            struct rect const inner = rect_inset(cell, 1, 1);
            unsigned const first = group * ROW_BYTES / BANK_BYTES, last = first + ROW_BYTES / BANK_BYTES - 1;
            if (rows[row] / ROW_BYTES % GROUPS != group) {
                view_hollow(view, inner, false);
                continue;
            }
            unsigned const pass = rank_of(rows, row), lane = block->first_lane + row;
            enum color_role const role = pass ? COLOR_CONFLICT : COLOR_ACCESS;
            draw_fill(&ui->draw, inner, 2 * ui->unit, view_color(view, role));
            if (pass)
                draw_hatch(&ui->draw, inner, 6 * ui->unit, hairline(ui), color_fade(view_text_on(view, role), 0.30f));
            ui_tip(ui, cell, _("%s: row of lane %u in banks %u to %u, pass %u of %u, byte %llu"),
                   swizzled ? block->other : _("banks"), lane, first, last, pass + 1, passes,
                   (unsigned long long)scene_shared_offset(view->scene->trace, rows[row]));
            view_heat(view, cell, 1u << lane);
        }
}

/* Draws the lanes that give the rows, and the lanes whose registers take them. */
static void draw_block(struct view *view, const struct fragment_view *shown, const struct block *block,
                       const uint64_t *addresses)
{
    struct ui *ui = view->ui;
    const struct ptx_matrix *form = &shown->site->form;
    char const which = form->which ? form->which : 'a';
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, which);
    unsigned const packed = ptx_fragment_packed(&fragment), each = fragment.tiles.per / packed;
    unsigned const across = PTX_TILE_LANES * (unsigned)fragment.tiles.per;
    bool const store = form->action == PTX_MATRIX_STORE;
    const char *row_of = store ? _("row from lanes") : _("row to lanes");
    head_line(view, block, &block->cells, 0, false,
              ui_text_width(ui, FONT_TEXT, text_caption(ui), row_of) <= block->cells.w ? row_of
              : store                                                                  ? _("from lanes")
                                                                                       : _("to lanes"));
    head_line(view, block, &block->cells, 1, true,
              fragment_tile_name(view, &fragment, form->whole ? which : 'r', block->tile));
    bool const whole = block->lanes.w >= give_width(view);
    for (unsigned i = 0; i < GIVE_LINES && whole; i++)
        head_line(view, block, &block->lanes, i, false, _(give_words[i]));
    if (!whole)
        head_line(view, block, &block->lanes, 0, false, _("lane"));
    for (unsigned row = 0; row < PTX_TILE_ROWS; row++) {
        unsigned const lane = block->first_lane + row;
        struct rect const cell = {block->lanes.x, block->lanes.y + block->row * (float)row,
                                  block->lanes.w - 6 * ui->unit, block->row};
        struct rect const inner = rect_inset(cell, 1, 1);
        bool const lit = shown->lit >> lane & 1;
        draw_fill(&ui->draw, inner, 2 * ui->unit, lit ? ui_color(ui, COLOR_CURSOR) : view_color(view, COLOR_ACCESS));
        if (lit)
            draw_outline(&ui->draw, inner, 2 * ui->unit, fmaxf(1, 1.5f * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
        if (cell.h >= 12 * ui->unit)
            ui_chip_label(ui, cell, FONT_BOLD, fminf(0.83f * cell.h, text_caption(ui)),
                          lit ? ui_color(ui, COLOR_ON_CURSOR) : view_text_on(view, COLOR_ACCESS),
                          arena_format(view->arena, "%u", lane));
        ui_tip(ui, cell, _("lane %u gives the address of this row: byte %llu"), lane,
               (unsigned long long)scene_shared_offset(view->scene->trace, addresses[lane]));
        view_heat(view, cell, 1u << lane);
    }
    for (unsigned number = block->tile * each; number < (block->tile + 1) * each; number++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            unsigned outer, inner;
            ptx_fragment_place(&fragment, lane, number, 0, &outer, &inner);
            outer %= PTX_TILE_ROWS, inner %= across;
            unsigned const row = form->together ? outer : inner, column = form->together ? inner : outer;
            float const w = block->cells.w / (float)(form->together ? across : (unsigned)PTX_TILE_ROWS), h = block->row;
            struct rect const box = {block->cells.x + w * (float)column, block->cells.y + h * (float)row,
                                     w * (float)(form->together ? packed : 1),
                                     h * (float)(form->together ? 1 : packed)};
            fragment_draw_cell(view, shown, &(struct fragment_cell){which, {lane, number, 0}, box, 1}, !form->together);
        }
    draw_grid(view, block, addresses, false);
    if (block->other && block->grids[1].w > 0)
        draw_grid(view, block, addresses, true);
}

void fragment_draw_rows(struct view *view, const struct fragment_view *shown, struct rect box)
{
    const uint64_t *addresses = addresses_of(view, shown);
    unsigned passes[2] = {0};
    const char *other = other_tile(addresses, block_count(shown));
    struct rect const line = rect_cut_top(&box, CAPTION * view->ui->unit);
    for (unsigned i = 0; i < block_count(shown); i++) {
        struct block block;
        uint64_t rows[PTX_TILE_ROWS];
        place(view, shown, box, i, other, &block);
        draw_block(view, shown, &block, addresses);
        for (unsigned k = 0; k < 2; k++) {
            rows_of(addresses, block.first_lane, k, rows);
            passes[k] += passes_of(rows);
        }
    }
    const char *what = arena_format(view->arena, _("%s · 8 rows of 16 bytes a matrix"), shown->site->name);
    if (!view->stage->question) /* a question about the picture: the sums would answer it */
        what = arena_format(view->arena, "%s · %s", what, passes_text(view, passes[0]));
    if (!view->stage->question && other)
        what = arena_format(view->arena, _("%s, %s: %s"), what, other, passes_text(view, passes[1]));
    view_caption(view, line, what);
}
