/* The caches by the model: the L1 of this multiprocessor as its sets of lines, with the lines of this block inside, and
 * the L2 as a bar. What this access hits, brings in and throws out is marked, and its sets are drawn large below. */
#include "view/stage.h"
#include <math.h>

enum { SLICE_SETS = L1_SETS / L1_SLICES, SLICE_LINES = SLICE_SETS * L1_WAYS };
/* The sets of a slice stand in 8 rows of 16 or, where the panel is low, in 4 rows of 32. */
enum { DOWN = 8, DOWN_LOW = 4 };
static float const line_height = 26, row_height = 30, set_height = 14, set_height_low = 15; /* units */

/* What the panel draws of one position. */
struct picture {
    const struct origins *origins;
    struct origins_l1 *l1;
    struct set_row { /* the sets that the access changes, in the order of its chunks */
        uint16_t set;
        uint32_t lanes; /* that it serves */
    } * rows;
    uint32_t row_count;
};

bool panel_caches_in_file(const struct scene *scene)
{
    return scene->caches && !scene->playback->caches_unknown && playback_origins(scene->playback);
}

struct panel_size panel_caches_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    const struct playback *playback = view->scene->playback;
    if (stage->fault || stage->race || !view->scene->event || playback->caches_unknown || !playback_origins(playback))
        return NOT_SHOWN;
    float const lines = 3 * line_height; /* the words, the room of the slices, the L2 */
    return (struct panel_size){.least = lines + DOWN * 14 + row_height,
                               .best = lines + DOWN * 22 + 3 * row_height,
                               .low = stage->of_lesson ? lines + DOWN * 10
                                                       : lines - line_height + DOWN_LOW * set_height_low};
}

static uint32_t lanes_of(const struct view *view, const struct l1_change *change)
{
    return change->lanes ? change->lanes : view->scene->chunks.chunks[change->chunk].lanes;
}

static void find_rows(const struct view *view, struct picture *picture)
{
    const struct origins_l1 *l1 = picture->l1;
    picture->rows = arena_array(view->arena, struct set_row, l1->change_count + 1);
    for (uint32_t i = 0; i < l1->change_count; i++) {
        const struct l1_change *change = &l1->changes[i];
        uint32_t at = 0;
        while (at < picture->row_count && picture->rows[at].set != change->set)
            at++;
        picture->row_count += at == picture->row_count;
        picture->rows[at].set = change->set;
        picture->rows[at].lanes |= change->kind == L1_THROWN ? 0 : lanes_of(view, change);
    }
}

static struct picture picture_of(const struct view *view)
{
    const struct scene *scene = view->scene;
    struct picture picture = {.origins = playback_origins(scene->playback)};
    picture.l1 = arena_new(view->arena, struct origins_l1);
    origins_l1_at(picture.origins, scene->position, picture.l1);
    find_rows(view, &picture);
    return picture;
}

/* Returns the last change of this kind at a place; NULL: none. */
static const struct l1_change *change_at(const struct picture *picture, unsigned set, unsigned way,
                                         enum l1_change_kind kind)
{
    for (uint32_t i = picture->l1->change_count; i-- > 0;) {
        const struct l1_change *change = &picture->l1->changes[i];
        if (change->set == set && change->way == way && change->kind == kind)
            return change;
    }
    return NULL;
}

/* Returns what the access did to the line that is at a place now; NULL: nothing. */
static const struct l1_change *change_of_line(const struct picture *picture, unsigned set, unsigned way)
{
    static const enum l1_change_kind kinds[] = {L1_BROUGHT, L1_HIT, L1_TAKEN};
    const struct l1_line *line = &picture->l1->l1.lines[set][way];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct l1_change *change = change_at(picture, set, way, kinds[i]);
        if (change && change->line + 1 == line->name)
            return change;
    }
    return NULL;
}

/* Signs: a hit is full, what comes in has a gap, what leaves is crossed out, any other line inside is pale. */
static void hit_sign(struct view *view, struct rect box)
{
    draw_fill(&view->ui->draw, box, 1, view_color(view, COLOR_BROADCAST));
}

static void brought_sign(struct view *view, struct rect box)
{
    float const third = floorf(box.w / 3);
    draw_fill(&view->ui->draw, rect_cut_left(&box, third), 0, view_color(view, COLOR_ACCESS));
    draw_fill(&view->ui->draw, rect_cut_right(&box, third), 0, view_color(view, COLOR_ACCESS));
}

static void thrown_sign(struct view *view, struct rect box)
{
    struct color const color = view_color(view, COLOR_TEXT);
    float const line = hairline(view->ui), y = box.y + box.h / 2;
    draw_outline(&view->ui->draw, box, 0, line, color);
    if (box.h < 8 * view->ui->unit) {
        draw_line(&view->ui->draw, (struct point){box.x, y}, (struct point){box.x + box.w, y}, line, color);
        return;
    }
    draw_line(&view->ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y + box.h}, line, color);
    draw_line(&view->ui->draw, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y}, line, color);
}

static struct color inside_color(const struct view *view)
{
    return color_mix(view_color(view, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND), 0.45f);
}

static void inside_sign(struct view *view, struct rect box)
{
    draw_fill(&view->ui->draw, box, 1, inside_color(view));
}

/* The same in a legend, smaller. */
static struct rect legend_box(const struct view *view, struct rect box)
{
    float const side = 12 * view->ui->unit;
    return (struct rect){box.x, box.y + (box.h - side) / 2, side, side};
}

static void legend_inside(struct view *view, struct rect box)
{
    inside_sign(view, legend_box(view, box));
}

static void change_sign(struct view *view, struct rect box, enum l1_change_kind kind)
{
    if (kind == L1_HIT)
        hit_sign(view, box);
    else if (kind == L1_BROUGHT)
        brought_sign(view, box);
    else
        thrown_sign(view, box);
}

/* Returns the same with fewer letters: "a[0]". */
static const char *short_line_name(const struct view *view, uint64_t line)
{
    uint32_t warp, place;
    return origins_line_is_local(line, &warp, &place)
               ? arena_format(view->arena, _("word %u"), place)
               : scene_name_address(view->scene, view->arena, line * CHUNK_BYTES);
}

/* Returns the bytes of a line by their names: "a[0..31]". Of local memory it has a word of each lane. */
static const char *line_name(const struct view *view, uint64_t line)
{
    uint64_t const begin = line * CHUNK_BYTES, end = begin + CHUNK_BYTES;
    uint64_t first;
    uint32_t warp, place;
    if (origins_line_is_local(line, &warp, &place))
        return arena_format(view->arena, _("local word %u of warp %u"), place, warp);
    const struct trace_buffer *buffer = trace_find_buffer(view->scene->trace, begin, &first);
    if (!buffer)
        return scene_name_address(view->scene, view->arena, begin);
    uint64_t const size = ptx_type_size(buffer->type), all = buffer->address + buffer->count * size;
    uint64_t const last = ((end < all ? end : all) - buffer->address - 1) / size;
    return arena_format(view->arena, "%s[%llu..%llu]", buffer->name, (unsigned long long)first,
                        (unsigned long long)last);
}

static const char *lane_words(const struct view *view, uint32_t lanes)
{
    int const first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes), count = __builtin_popcount(lanes);
    if (count == 1)
        return arena_format(view->arena, _("lane %d"), first);
    return count == last - first + 1 ? arena_format(view->arena, _("lanes %d to %d"), first, last)
                                     : arena_format(view->arena, _("%d {lane|lanes}"), count);
}

/* Returns the sectors of a line: "0, 1, 3". */
static const char *sector_words(const struct view *view, uint8_t sectors)
{
    const char *words = "";
    for (unsigned sector = 0; sector < CHUNK_SECTORS; sector++)
        if (sectors >> sector & 1)
            words = arena_format(view->arena, *words ? "%s, %u" : "%s%u", words, sector);
    return *words ? words : _("none");
}

static const char *words_of(const struct picture *picture, enum l1_change_kind kind)
{
    switch (kind) {
    case L1_HIT:
        return _("hit");
    case L1_BROUGHT:
        return picture->l1->way == L1_STORES ? _("put in") : _("brought in");
    case L1_THROWN:
        return _("thrown out");
    default:
        return _("taken out");
    }
}

/* Returns what a place in a set holds, and what became of it. */
static const char *place_words(const struct view *view, const struct picture *picture, unsigned set, unsigned way)
{
    const struct l1_line *line = &picture->l1->l1.lines[set][way];
    const struct l1_change *change = change_of_line(picture, set, way),
                           *thrown = change_at(picture, set, way, L1_THROWN);
    const char *words = line->name ? arena_format(view->arena, _("%s, sectors inside: %s"),
                                                  line_name(view, line->name - 1), sector_words(view, line->sectors))
                                   : _("empty");
    if (change)
        words = arena_format(view->arena, "%s, %s", words, words_of(picture, change->kind));
    if (thrown)
        words = arena_format(view->arena, _("%s; thrown out: %s"), words, line_name(view, thrown->line));
    return arena_format(view->arena, _("set %u, line %u: %s"), set, way, words);
}

/* Draws a line of a set in the grid: a part for each sector inside. */
static void grid_line(struct view *view, struct rect box, const struct picture *picture, unsigned set, unsigned way)
{
    const struct l1_line *line = &picture->l1->l1.lines[set][way];
    const struct l1_change *change = change_of_line(picture, set, way);
    if (change_at(picture, set, way, L1_THROWN)) { /* the line that came in its place is drawn beside it */
        struct rect left = box;
        if (line->name)
            left = rect_cut_right(&box, floorf(box.w / 2));
        thrown_sign(view, left);
    }
    if (change && line->name) {
        change_sign(view, box, change->kind);
        return;
    }
    for (unsigned sector = 0, end; line->name && sector < CHUNK_SECTORS; sector = end + 1) {
        for (end = sector; end < CHUNK_SECTORS && (line->sectors >> end & 1); end++)
            ;
        if (end > sector)
            draw_fill(&view->ui->draw,
                      (struct rect){box.x + box.w * (float)sector / CHUNK_SECTORS, box.y,
                                    box.w * (float)(end - sector) / CHUNK_SECTORS, box.h},
                      0, inside_color(view));
    }
}

static const struct set_row *row_of(const struct picture *picture, unsigned set)
{
    for (uint32_t i = 0; i < picture->row_count; i++)
        if (picture->rows[i].set == set)
            return &picture->rows[i];
    return NULL;
}

static struct rect slice_box(const struct view *view, struct rect box, unsigned slice)
{
    float const width = view->columns.pitch * WARP_LANES / L1_SLICES;
    return (struct rect){box.x + width * (float)slice, box.y, floorf(width - 10 * view->ui->unit), box.h};
}

/* Where the sets of a slice stand. */
struct grid {
    struct rect box;
    unsigned across;
    float high, gap, below; /* of a row of sets, and between them */
};

static struct grid grid_in(const struct view *view, struct rect box)
{
    unsigned const down = box.h >= DOWN * set_height * view->ui->unit ? DOWN : DOWN_LOW;
    float const high = floorf(box.h / (float)down), wide = box.w * (float)down / SLICE_SETS;
    return (struct grid){.box = box,
                         .across = SLICE_SETS / down,
                         .high = high,
                         .gap = fmaxf(1, floorf(wide * 0.14f)),
                         .below = fmaxf(2, floorf(high * 0.18f))};
}

/* Returns the left edge of a column of sets. */
static float grid_x(const struct grid *grid, unsigned column)
{
    return roundf(grid->box.x + (grid->box.w + grid->gap) * (float)column / (float)grid->across);
}

static void grid_empty(struct view *view, const struct grid *grid)
{
    struct ui *ui = view->ui;
    struct color const empty = color_mix(ui_color(ui, COLOR_EDGE), ui_color(ui, COLOR_BACKGROUND), 0.5f);
    unsigned const down = SLICE_SETS / grid->across;
    for (unsigned row = 0; row < down; row++)
        draw_fill(
            &ui->draw,
            (struct rect){grid->box.x, grid->box.y + grid->high * (float)row, grid->box.w, grid->high - grid->below}, 0,
            empty);
    for (unsigned column = 1; column < grid->across; column++)
        draw_fill(&ui->draw,
                  (struct rect){grid_x(grid, column) - grid->gap, grid->box.y, grid->gap, grid->high * (float)down}, 0,
                  ui_color(ui, COLOR_BACKGROUND));
}

/* Returns the ring of a set. It ends in the middle of the gap to the rows above and below, and to a neighbour in its
 * row that has one too. */
static struct rect ring_of(const struct grid *grid, struct rect cell, float apart, bool left, bool right)
{
    float const before = left ? fminf(apart, floorf(grid->gap / 2)) : apart,
                after = right ? fminf(apart, floorf(grid->gap / 2)) : apart,
                down = fminf(apart, floorf(grid->below / 2));
    return (struct rect){cell.x - before, cell.y - down, cell.w + before + after, cell.h + 2 * down};
}

/* Draws the sets of a slice: four lines in each, the first one lowest. */
static void grid_slice(struct view *view, struct rect box, const struct picture *picture, unsigned slice)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct grid const grid = grid_in(view, box);
    float const line = (grid.high - grid.below) / L1_WAYS, apart = line >= 5 ? 1 : 0;
    grid_empty(view, &grid);
    for (unsigned i = 0; i < SLICE_SETS; i++) {
        unsigned const set = i * L1_SLICES + slice, column = i % grid.across, row_above = i / grid.across;
        struct rect const cell = {grid_x(&grid, column), box.y + grid.high * (float)row_above,
                                  grid_x(&grid, column + 1) - grid.gap - grid_x(&grid, column), grid.high - grid.below};
        const struct set_row *row = row_of(picture, set);
        for (unsigned way = 0; way < L1_WAYS; way++) {
            struct rect const place = {cell.x, cell.y + cell.h - line * (float)(way + 1), cell.w, line - apart};
            grid_line(view, place, picture, set, way);
            if (row || ui_hovered(ui, place))
                ui_tip(ui, place, "%s", place_words(view, picture, set, way));
        }
        if (!row)
            continue;
        bool const left = column > 0 && row_of(picture, set - L1_SLICES),
                   right = column + 1 < grid.across && row_of(picture, set + L1_SLICES);
        draw_outline(&ui->draw, ring_of(&grid, cell, 2 * u, left, right), 2, fmaxf(1, 1.5f * u),
                     ui_color(ui, COLOR_TEXT));
        view_heat(view, cell, row->lanes);
        if (row->lanes & view->hot)
            view_cursor_ring(view, cell);
    }
}

/* Draws how many of a slice's lines hold data, and how many cannot, because shared memory has their room, or because
 * the array of the GPU is smaller. */
static void slice_room(struct view *view, struct rect box, const struct picture *picture, unsigned slice)
{
    struct ui *ui = view->ui;
    const struct l1 *l1 = &picture->l1->l1;
    float const u = ui->unit, height = 10 * u;
    uint32_t const share = l1->most - L1_SPARE; /* of the room; the others are beyond it */
    const char *words = arena_format(view->arena, _("%u of %u + %d"), l1->inside[slice], share, L1_SPARE);
    struct rect const all = box;
    struct rect text = rect_cut_right(&box, ui_text_width(ui, FONT_TEXT, text_caption(ui), words) + 8 * u);
    struct rect bar = {box.x, box.y + (box.h - height) / 2, box.w, height};
    ui_label(ui, text, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), words);
    const struct gpu_caches *gpu = &picture->origins->gpu;
    ui_tip(ui, all,
           gpu->measured
               ? _("slice %u of the L1, a quarter of its sets: lines with data: %u, lines that can have data: %u, "
                   "its quarter of %u KB, and %d more; shared memory and the system have the room of the others (%u)")
               : _("slice %u of the L1, a quarter of its sets: lines with data: %u, lines that can have data: %u, "
                   "its quarter of %u KB, and %d more; the others (%u) have no room beside shared memory and the "
                   "system, or in the "
                   "array of this GPU (%llu KB)"),
           slice, l1->inside[slice], share, picture->origins->l1_room >> 10, L1_SPARE, SLICE_LINES - l1->most,
           (unsigned long long)(gpu->limits->l1_bytes >> 10));
    struct rect const edge = bar;
    struct rect const taken = rect_cut_right(&bar, bar.w * (float)(SLICE_LINES - l1->most) / SLICE_LINES);
    draw_hatch(&ui->draw, taken, 6 * u, hairline(ui), ui_color(ui, COLOR_IDLE));
    draw_fill(&ui->draw, (struct rect){edge.x, edge.y, edge.w * (float)l1->inside[slice] / SLICE_LINES, edge.h}, 0,
              inside_color(view));
    draw_outline(&ui->draw, edge, 0, hairline(ui), ui_color(ui, COLOR_EDGE));
}

static const char *bytes_words(const struct view *view, uint64_t bytes)
{
    bool const large = bytes >= 10 << 20;
    return arena_format(view->arena, large ? "%llu MB" : "%llu KB", (unsigned long long)(bytes >> (large ? 20 : 10)));
}

/* Returns what the access asks of the L2. */
static const char *l2_words(const struct view *view, const struct picture *picture)
{
    const struct origins_l1 *l1 = picture->l1;
    uint32_t const asked = l1->levels[ORIGIN_L2] + l1->levels[ORIGIN_DRAM];
    if (l1->way == L1_STORES)
        return arena_format(view->arena, _("gets %u {sector|sectors}; the DRAM gets them later"), l1->stored);
    if (l1->way == L1_ATOMICS)
        return arena_format(view->arena, _("changes %u {sector|sectors}"), asked);
    if (l1->way == L1_LOADS || l1->way == L1_PASSED)
        return !asked ? _("not asked: the L1 has all")
                      : arena_format(view->arena, _("asked for %u {sector|sectors}: %u hit, %u from the DRAM"), asked,
                                     l1->levels[ORIGIN_L2], l1->levels[ORIGIN_DRAM]);
    return "";
}

static void draw_l2(struct view *view, struct rect box, const struct picture *picture)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, height = 10 * u;
    uint64_t const held = (uint64_t)picture->origins->l2_sectors[view->scene->position] * SECTOR_BYTES;
    float const part = (float)((double)held / (double)picture->origins->l2_bytes);
    struct rect const place = slice_box(view, box, 0);
    struct rect const bar = {place.x, box.y + (box.h - height) / 2, place.w, height};
    draw_fill(&ui->draw, (struct rect){bar.x, bar.y, held ? fmaxf(2 * u, bar.w * fminf(1, part)) : 0, bar.h}, 0,
              inside_color(view));
    draw_outline(&ui->draw, bar, 0, hairline(ui), ui_color(ui, COLOR_EDGE));
    rect_cut_left(&box, slice_box(view, box, 1).x - box.x);
    const char *asked = l2_words(view, picture),
               *all = view_joined(view->arena, asked,
                                  arena_format(view->arena, _("%s of %s hold data"), bytes_words(view, held + 1023),
                                               bytes_words(view, picture->origins->l2_bytes)));
    const char *const words[] = {all, asked, ""}; /* the most that has room; the tip has all */
    unsigned shown = 0;
    while (shown < 2 && ui_text_width(ui, FONT_TEXT, text_caption(ui), words[shown]) > box.w - 2 * u)
        shown++;
    view_caption(view, box, words[shown]);
    ui_tip(ui, box, "%s", all);
}

/* Draws a place of a set, large: what is there, and what left it. */
static void large_place(struct view *view, struct rect box, const struct picture *picture, const struct set_row *row,
                        unsigned way)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, side = 14 * u;
    const struct l1_line *line = &picture->l1->l1.lines[row->set][way];
    const struct l1_change *change = change_of_line(picture, row->set, way),
                           *thrown = change_at(picture, row->set, way, L1_THROWN);
    if (change)
        draw_fill(&ui->draw, box, 3 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_outline(&ui->draw, box, 3 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    ui_tip(ui, box, "%s", place_words(view, picture, row->set, way));
    view_heat(view, box, change ? lanes_of(view, change) : 0);
    if (change && (lanes_of(view, change) & view->hot))
        view_cursor_ring(view, box);
    struct rect inner = rect_inset(box, 6 * u, 2 * u);
    if (thrown) {
        const char *name = line_name(view, thrown->line);
        float width = ui_text_width(ui, FONT_CODE, text_caption(ui), name) + side + 8 * u;
        if (width > inner.w) {
            name = short_line_name(view, thrown->line);
            width = inner.w;
        }
        struct rect out = rect_cut_right(&inner, line->name && width > inner.w / 2 ? side + 4 * u : width);
        struct rect const sign = rect_cut_left(&out, side);
        thrown_sign(view, (struct rect){sign.x, sign.y + (sign.h - side) / 2, side, side});
        rect_cut_left(&out, 4 * u);
        if (out.w > side)
            ui_label(ui, out, FONT_CODE, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), name);
    }
    if (!line->name)
        return;
    struct rect sign = rect_cut_left(&inner, side + 6 * u);
    sign = (struct rect){sign.x, sign.y + (sign.h - side) / 2, side, side};
    if (change)
        change_sign(view, sign, change->kind);
    else
        inside_sign(view, sign);
    const char *name = line_name(view, line->name - 1);
    const char *both =
        change ? arena_format(view->arena, "%s  %s", name, lane_words(view, lanes_of(view, change))) : name;
    const char *const names[] = {both, name, short_line_name(view, line->name - 1)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) /* the longest that fits; the tip has all */
        if (ui_text_width(ui, FONT_CODE, text_caption(ui), names[i]) <= inner.w) {
            ui_label(ui, inner, FONT_CODE, text_caption(ui), UI_LEFT,
                     ui_color(ui, change ? COLOR_TEXT : COLOR_TEXT_DIM), names[i]);
            return;
        }
}

/* Draws the sets of the access, one below the other, as many as fit. */
static void large_sets(struct view *view, struct rect box, const struct picture *picture)
{
    float const u = view->ui->unit, height = row_height * u;
    uint32_t const fit = (uint32_t)fmaxf(0, floorf(box.h / height));
    for (uint32_t i = 0; i < picture->row_count && i < fit; i++) {
        const struct set_row *row = &picture->rows[i];
        struct rect const line = rect_cut_top(&box, height);
        view_gutter(view, line.y, line.h - 4 * u, arena_format(view->arena, _("set %u"), row->set), false);
        for (unsigned way = 0; way < L1_WAYS; way++) {
            struct rect place = slice_box(view, line, way);
            place.h -= 4 * u;
            large_place(view, place, picture, row, way);
        }
    }
}

/* Returns what the line of words begins with, and whether counts of lines follow: "4 lines:". */
static const char *access_words(const struct view *view, const struct picture *picture, bool *counts)
{
    const struct origins_l1 *l1 = picture->l1;
    uint32_t const lines = l1->lines;
    *counts = l1->way == L1_LOADS || l1->way == L1_STORES;
    switch (l1->way) {
    case L1_LOADS:
        return arena_format(view->arena, l1->local ? _("%u {line|lines} of local memory:") : _("%u {line|lines}:"),
                            lines);
    case L1_STORES:
        return arena_format(view->arena,
                            l1->local ? _("%u {line|lines} of local memory written:") : _("%u {line|lines} written:"),
                            lines);
    case L1_ATOMICS:
        return arena_format(view->arena, _("an atomic works in the L2; lines whose sectors leave the L1: %u"),
                            l1->counts[L1_TAKEN]);
    case L1_PASSED:
        return _("these loads go past the L1");
    case L1_UNUSED:
        break;
    }
    return _("no access to global or local memory");
}

/* Draws words in the line and cuts them off its left. sign NULL: none stands before them. */
static void word(struct view *view, struct rect *line, void (*sign)(struct view *view, struct rect box),
                 const char *words)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, width = ui_text_width(ui, FONT_TEXT, text_caption(ui), words) + 1;
    if (sign)
        sign(view, legend_box(view, rect_inset(rect_cut_left(line, 18 * u), 1 * u, 0)));
    ui_label(ui, rect_cut_left(line, width), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
    rect_cut_left(line, 10 * u);
}

/* Draws the line of words, whose signs are the legend: "4 lines: 3 hit, 1 brought in, 0 thrown out". */
static void draw_words(struct view *view, struct rect line, const struct picture *picture, uint32_t fit)
{
    bool const stores = picture->l1->way == L1_STORES;
    const uint32_t *count = picture->l1->counts;
    struct view_sign const inside = {legend_inside, _("inside")};
    bool counts;
    view_unmeasured_word(view, &line);
    word(view, &line, NULL, access_words(view, picture, &counts));
    if (counts) {
        word(view, &line, hit_sign, arena_format(view->arena, _("%u hit"), count[L1_HIT]));
        word(view, &line, brought_sign,
             arena_format(view->arena, stores ? _("%u put in") : _("%u brought in"), count[L1_BROUGHT]));
        word(view, &line, thrown_sign, arena_format(view->arena, _("%u thrown out"), count[L1_THROWN]));
    }
    if (fit && fit < picture->row_count) { /* without any, their rings in the grid show all of them */
        const char *long_words = arena_format(view->arena, _("⋮ %u of %u sets below"), fit, picture->row_count);
        bool const fits = ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), long_words) + 1 <= line.w;
        view_note_part(view, fit, picture->row_count);
        word(view, &line, NULL,
             fits ? long_words : arena_format(view->arena, _("⋮ %u of %u"), fit, picture->row_count));
    }
    view_legend(view, &line, &inside, 1);
    const char *const model[] = {_("model: this block alone"), _("this block alone"), ""};
    unsigned shown = 0;
    while (shown < 2 && ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), model[shown]) > line.w)
        shown++;
    view_caption(view, line, model[shown]);
}

/* Shares out the height: the words, the sets, the L2; then a set of the access, the room of the slices, more sets. */
struct parts {
    struct rect words, sets, rooms, l2, rows;
};

static struct parts parts_of(const struct view *view, struct rect box, const struct picture *picture)
{
    float const u = view->ui->unit, line = line_height * u, row = row_height * u, low = DOWN_LOW * set_height_low * u;
    struct parts parts = {.words = rect_cut_top(&box, line)};
    bool const rooms = box.h >= 2 * line + low;
    float const room = box.h - (rooms ? 2 : 1) * line;
    float const rows = row * fminf((float)picture->row_count, fmaxf(0, floorf((room - low) / row)));
    float const most = DOWN * 40 * u, few = room - fminf(rows, 3 * row);
    float const sets = floorf(fminf(most, few >= DOWN * set_height * u ? few : fmaxf(room - rows, low)) / DOWN) * DOWN;
    parts.sets = rect_cut_top(&box, sets);
    parts.rooms = rect_cut_top(&box, rooms ? line : 0);
    parts.l2 = rect_cut_top(&box, line);
    parts.rows = box;
    return parts;
}

struct action panel_caches(struct view *view, struct rect box)
{
    float const u = view->ui->unit;
    struct picture const picture = picture_of(view);
    struct parts const parts = parts_of(view, view_columns(view, box), &picture);
    draw_words(view, parts.words, &picture, (uint32_t)fmaxf(0, floorf(parts.rows.h / (row_height * u))));
    view_gutter(view, parts.sets.y, line_height * u, _("sets"), false);
    if (parts.rooms.h > 0)
        view_gutter(view, parts.rooms.y, parts.rooms.h, _("lines"), false);
    view_gutter(view, parts.l2.y, parts.l2.h, _("L2"), false);
    for (unsigned slice = 0; slice < L1_SLICES; slice++)
        grid_slice(view, slice_box(view, parts.sets, slice), &picture, slice);
    for (unsigned slice = 0; parts.rooms.h > 0 && slice < L1_SLICES; slice++)
        slice_room(view, slice_box(view, parts.rooms, slice), &picture, slice);
    draw_l2(view, parts.l2, &picture);
    large_sets(view, parts.rows, &picture);
    return NO_ACTION;
}
