/* Global memory as the L1 cache requests it: a row for each 128-byte chunk, four trays of 32 bytes (sectors) in a row.
 * Bytes that a lane uses are filled. Bytes that were fetched and not used are hatched. Sectors that were not fetched
 * stay hollow. In a plain step, chunks, sectors and caches have no names. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

enum { TRAY_WORDS = SECTOR_BYTES / 4 };
/* In units: a tray that is lower has no band of its own, and the height of one below all rows. */
static float const band_least = 12, column_band_height = 11;

static uint32_t row_count(const struct scene *scene)
{
    return scene->kind == SCENE_GLOBAL && scene->chunks.chunk_count ? scene->chunks.chunk_count : 1;
}

/* Returns the marks of sectors; NULL: the panel is drawn as usual. */
static const struct marks *marks_here(const struct view *view)
{
    const struct marks *marks = marks_of(view, CELLS_SECTORS);
    return marks ? marks : marks_of(view, CELLS_FRESH);
}

struct panel_size panel_chunks_size(const struct view *view)
{
    if (view->stage->access != SCENE_GLOBAL)
        return NOT_SHOWN;
    const struct marks *marks = marks_here(view);
    if (marks) {
        uint32_t const rows = marks->count / CHUNK_SECTORS;
        float const best = 44 * (float)rows + 26;
        return (struct panel_size){.least = fminf(best, 110), .best = best};
    }
    struct panel_size size =
        panel_access_size(view, 44 * view->ui->unit * (float)row_count(view->scene) + 26 * view->ui->unit);
    size.low = view->stage->covered ? 0 : 80;
    return size;
}

static int bytes_used(const struct chunk *chunk, int first, int count)
{
    int used = 0;
    for (int byte = first; byte < first + count; byte++)
        used += (int)(chunk->used[byte / 64] >> (byte % 64) & 1);
    return used;
}

static uint32_t lanes_at(const struct scene *scene, uint64_t address, uint32_t size)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if ((scene->event->mask >> lane & 1) && address + size > scene->addresses[lane] &&
            address < scene->addresses[lane] + scene->site->bytes)
            lanes |= 1u << lane;
    return lanes;
}

static void one_word(struct view *view, struct rect cell, const struct chunk *chunk, int word, bool fetched)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    int used = bytes_used(chunk, word * 4, 4);
    uint64_t address = chunk->address + (uint64_t)word * 4;
    uint32_t lanes = lanes_at(scene, address, 4);
    int const lane = lanes ? __builtin_ctz(lanes) : 0;
    uint64_t const begin = lanes && scene->addresses[lane] > address ? scene->addresses[lane] : address;
    const char *name = scene_name_address(scene, view->arena, begin);
    const char *value = lanes ? scene_value_at(scene, view->arena, lane, begin) : NULL;
    if (lanes)
        ui_tip(ui, cell, _("%s: lane %d"), scene_name_value(scene, view->arena, name, value), lane);
    else
        ui_tip(ui, cell, fetched ? _("%s: fetched, no lane uses it") : _("%s: not fetched"), name);
    view_heat(view, cell, lanes);
    if (!used)
        return;
    struct rect part = cell;
    if (used < 4) { /* a byte is a quarter of a word's cell */
        int first = 0;
        while (!(chunk->used[word * 4 / 64] >> ((word * 4 + first) % 64) & 1))
            first++;
        part.x += cell.w * (float)first / 4;
        part.w = cell.w * (float)used / 4;
    }
    bool many = __builtin_popcount(lanes) > 1 && scene->site->bytes >= 4 && scene->site->operation == TRACE_LOAD;
    const char *label = view_cell_number(view, lane, value, address % CHUNK_BYTES / 4);
    view_chip(view, part, many ? COLOR_BROADCAST : COLOR_ACCESS, many ? NULL : label);
    if (many && part.h >= 12 * ui->unit)
        ui_chip_label(ui, rect_inset(part, 1, 0), FONT_BOLD, view_chip_text(ui, part),
                      ui_color(ui, view->dim ? COLOR_TEXT : COLOR_ON_CURSOR), label);
    if (lanes & view->hot)
        view_cursor_ring(view, part);
}

/* Returns the sectors of the chunks before this one. */
static uint32_t sectors_before(const struct scene *scene, const struct chunk *chunk)
{
    uint32_t count = 0;
    for (const struct chunk *before = scene->chunks.chunks; before < chunk; before++)
        count += (uint32_t)__builtin_popcount(before->sectors);
    return count;
}

/* Returns whether the sector has arrived: while an access moves, they arrive one by one. */
static bool has_arrived(const struct view *view, const struct chunk *chunk, int sector)
{
    const struct scene *scene = view->scene;
    uint32_t const before = (uint32_t)__builtin_popcount(chunk->sectors & ((1u << sector) - 1));
    return sectors_before(scene, chunk) + before < scene_arrived(scene).sectors;
}

/* Draws where a sector came from: full for the L1, a line of half the height for the L2, hollow for the DRAM. Hatching
 * is for bytes that are not used. */
static void origin_band(struct view *view, struct rect band, enum origin_level level)
{
    struct ui *ui = view->ui;
    struct color const color = view_color(view, COLOR_TEXT);
    if (level == ORIGIN_DRAM)
        draw_outline(&ui->draw, band, 1, fmaxf(1, ui->unit), color);
    else
        draw_fill(&ui->draw, level == ORIGIN_L1 ? band : rect_inset(band, 0, band.h / 4), 1, color);
}

/* Returns the place of the band below a tray: nearer to it than to the next row. */
static struct rect band_below(const struct view *view, struct rect tray)
{
    float const u = view->ui->unit;
    return (struct rect){tray.x + 2 * u, tray.y + tray.h + 0.5f * u, tray.w - 4 * u, 5 * u};
}

static const char *const origin_words[ORIGIN_LEVELS] = {N_("from the L1: %u"), N_("from the L2: %u"),
                                                        N_("from the DRAM: %u")};
static const char *const origin_short[ORIGIN_LEVELS] = {"L1", "L2", "DRAM"};

static float origin_mark(const struct view *view)
{
    return 26 * view->ui->unit;
}

static float origin_width(const struct view *view, const char *words)
{
    return origin_mark(view) + 10 * view->ui->unit + ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), words);
}

/* Names the bands in the line, in place of the sectors' names: each in a third of it if all fit there, else one close
 * behind the other, with short words if need be. */
static void origin_names(struct view *view, struct rect line, const uint32_t counts[ORIGIN_LEVELS])
{
    float const u = view->ui->unit, mark = origin_mark(view);
    const char *words[ORIGIN_LEVELS];
    float all = 0, widest = 0;
    for (int level = 0; level < ORIGIN_LEVELS; level++) {
        words[level] = arena_format(view->arena, _(origin_words[level]), counts[level]);
        all += origin_width(view, words[level]);
        widest = fmaxf(widest, origin_width(view, words[level]));
    }
    for (int level = 0; level < ORIGIN_LEVELS && all > line.w; level++)
        words[level] = arena_format(view->arena, "%s: %u", origin_short[level], counts[level]);
    float const third = line.w / ORIGIN_LEVELS, apart = all > line.w ? 8 * u : fminf(8 * u, (line.w - all) / 3);
    for (int level = 0; level < ORIGIN_LEVELS; level++) {
        float const width = widest <= third ? third : fminf(line.w, origin_width(view, words[level]) + apart);
        struct rect text = rect_cut_left(&line, width);
        origin_band(view, (struct rect){text.x + 2 * u, line.y + 7.5f * u, mark - 4 * u, 9 * u},
                    (enum origin_level)level);
        rect_cut_left(&text, mark + 4 * u);
        ui_label(view->ui, text, FONT_TEXT, text_caption(view->ui), UI_LEFT, ui_color(view->ui, COLOR_TEXT_DIM),
                 words[level]);
    }
}

/* Returns the width that the words of the line below the chunks need. counts: of the origins; NULL: sectors' names. */
static float names_width(const struct view *view, const uint32_t *counts)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    float all = 0;
    for (int level = 0; counts && level < ORIGIN_LEVELS; level++)
        all += origin_width(view, arena_format(view->arena, _(origin_words[level]), counts[level]));
    if (counts)
        return all;
    const char *last = arena_format(view->arena, _("sector %d"), CHUNK_SECTORS - 1);
    return view->columns.pitch * TRAY_WORDS * (CHUNK_SECTORS - 1) + ui_text_width(ui, FONT_TEXT, size, last) + 10 * u;
}

/* Cuts the switch of the caches off the right end of the line below the chunks, where the words leave it room. */
static struct action caches_switch(struct view *view, struct rect *line, float words)
{
    struct ui *ui = view->ui;
    const struct stage_view *stage = view->stage;
    const struct scene *scene = view->scene;
    const char *unknown = scene->playback->caches_unknown;
    bool const always = stage->of_lesson && (stage->shown & STAGE_CACHES);
    bool const later = stage->no_caches && !scene->caches;
    const char *unmeasured = scene->caches ? view_unmeasured_caches(view->arena, scene->playback) : NULL;
    const char *text = unknown         ? _("caches: not known")
                       : unmeasured    ? _("caches: model, not measured")
                       : scene->caches ? _("caches: model")
                                       : _("caches: off");
    const char *const shorter[] = {_("caches: not measured"), _("caches: model")}; /* what is below says the rest */
    for (int i = 0; i < 2 && unmeasured; i++)
        if (words + ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 4 * ui->unit > line->w)
            text = shorter[i];
    float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 4 * ui->unit;
    if (ui->paper || stage->half || stage->question || always || later || words + width > line->w)
        return NO_ACTION;
    struct rect const box = rect_cut_right(line, width);
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, unknown ? COLOR_TEXT_DIM : COLOR_ACCESS),
             text);
    if (unknown)
        ui_tip(ui, box, "%s", _(unknown));
    else
        ui_tip(ui, box, "%s%s%s", unmeasured ? unmeasured : "", unmeasured ? " " : "",
               _("where each sector came from, by the model of the caches (C)"));
    return ui_area(ui, ui_id_text("caches"), box) ? (struct action){.kind = ACTION_CACHES} : NO_ACTION;
}

static void one_tray(struct view *view, const struct columns *columns, float y, float height, const struct chunk *chunk,
                     int sector, const struct origin *origin)
{
    struct ui *ui = view->ui;
    struct rect first = column_cell(columns, sector * TRAY_WORDS, y, height);
    struct rect last = column_cell(columns, sector * TRAY_WORDS + TRAY_WORDS - 1, y, height);
    struct rect tray = {first.x, y, last.x + last.w - first.x, height};
    bool fetched = chunk && (chunk->sectors >> sector & 1) && has_arrived(view, chunk, sector);
    float pad = height > 16 * ui->unit ? 3 * ui->unit : height > 8 ? 1 : 0;
    if (!fetched) {
        if (height > 5)
            view_hollow(view, tray, false);
        return;
    }
    int used = bytes_used(chunk, sector * SECTOR_BYTES, SECTOR_BYTES);
    if (used < SECTOR_BYTES)
        draw_hatch(&ui->draw, tray, 7 * ui->unit, hairline(ui),
                   color_mix(view_color(view, COLOR_IDLE), ui_color(ui, COLOR_BACKGROUND), 0.25f));
    for (int word = sector * TRAY_WORDS; word < (sector + 1) * TRAY_WORDS; word++)
        one_word(view, rect_inset(column_cell(columns, word, y, height), 0, pad), chunk, word, true);
    if (height > 6)
        draw_outline(&ui->draw, tray, 3 * ui->unit, fmaxf(1, 1.5f * ui->unit),
                     view_color(view, used == SECTOR_BYTES ? COLOR_BROADCAST : COLOR_ACCESS));
    if (origin)
        origin_band(view, band_below(view, tray), origin_of(origin, (unsigned)sector));
}

/* Returns where a sector came from, or ORIGIN_LEVELS: it was not fetched, or has not arrived. */
static enum origin_level level_of(const struct view *view, const struct origin *origins, uint32_t row, int sector)
{
    const struct chunk *chunk = &view->scene->chunks.chunks[row];
    bool const fetched = (chunk->sectors >> sector & 1) && has_arrived(view, chunk, sector);
    return fetched ? origin_of(&origins[row], (unsigned)sector) : ORIGIN_LEVELS;
}

/* Draws below rows that are too low for bands of their own one band for each column of sectors: its parts, from left to
 * right, stand for the rows, from top to bottom. */
static void column_bands(struct view *view, float y, const struct origin *origins)
{
    float const u = view->ui->unit;
    uint32_t const rows = row_count(view->scene);
    for (int sector = 0; sector < CHUNK_SECTORS; sector++) {
        struct rect column = column_cell(&view->columns, sector * TRAY_WORDS, y, column_band_height * u);
        column.w += view->columns.pitch * (TRAY_WORDS - 1);
        ui_tip(view->ui, column, "%s",
               _("where the sectors above came from: the parts from left to right are the rows from top to bottom"));
        for (uint32_t first = 0, end; first < rows; first = end) {
            enum origin_level const level = level_of(view, origins, first, sector);
            for (end = first + 1; end < rows && level_of(view, origins, end, sector) == level; end++)
                ;
            float const left = column.w * (float)first / (float)rows, right = column.w * (float)end / (float)rows;
            if (level < ORIGIN_LEVELS)
                origin_band(view, (struct rect){column.x + left, y + 2 * u, right - left, column.h - 2 * u}, level);
        }
    }
}

static const char *row_label(struct view *view, const struct chunk *chunk, float width)
{
    const char *name = scene_name_address(view->scene, view->arena, chunk->address);
    if (ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), name) <= width)
        return name;
    const char *index = strchr(name, '[');
    if (index && ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), index) <= width)
        return index;
    uint64_t element = 0;
    const struct trace_buffer *buffer = trace_find_buffer(view->scene->trace, chunk->address, &element);
    if (buffer) /* the index alone: the caption names the buffer */
        return arena_format(view->arena, "[%llu]", (unsigned long long)element);
    return arena_format(view->arena, "…%05llx", (unsigned long long)(chunk->address & 0xfffff));
}

/* Draws the names of the sectors under the last row, in the line. */
static void sector_names(struct view *view, struct rect line)
{
    const struct columns *columns = &view->columns;
    for (int sector = 0; sector < CHUNK_SECTORS; sector++) {
        float const x = columns->x + (float)(sector * TRAY_WORDS) * columns->pitch;
        struct rect const text = {x, line.y, fminf(columns->pitch * TRAY_WORDS - 4, line.x + line.w - x), line.h};
        ui_label(view->ui, text, FONT_TEXT, text_caption(view->ui), UI_LEFT, ui_color(view->ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, _("sector %d"), sector));
    }
}

static const char *tray_words(enum mark_state state)
{
    switch (state) {
    case MARK_SET:
        return _("marked");
    case MARK_RIGHT:
        return _("✓ right");
    case MARK_MISSING:
        return _("missing");
    case MARK_EXTRA:
        return _("too many");
    case MARK_EMPTY:
        break;
    }
    return NULL;
}

static bool is_touched(const struct scene *scene, uint64_t address)
{
    for (uint32_t i = 0; i < scene->chunks.chunk_count; i++)
        if (address - scene->chunks.chunks[i].address < CHUNK_BYTES)
            return scene->chunks.chunks[i].sectors >> (address % CHUNK_BYTES / SECTOR_BYTES) & 1;
    return false;
}

/* Draws the band of a sector of the access, by its address. */
static void marked_band(struct view *view, struct rect tray, const struct origin *origins, uint64_t address)
{
    const struct coalescing *chunks = &view->scene->chunks;
    for (uint32_t i = 0; i < chunks->chunk_count; i++) {
        unsigned const sector = (unsigned)(address % CHUNK_BYTES / SECTOR_BYTES);
        if (address - chunks->chunks[i].address < CHUNK_BYTES && (chunks->chunks[i].sectors >> sector & 1))
            origin_band(view, band_below(view, tray), origin_of(&origins[i], sector));
    }
}

/* Draws every chunk around the access as trays to mark, with the answer once they are checked. */
static struct action marked_chunks(struct view *view, struct rect box)
{
    const struct marks *marks = marks_here(view);
    const struct columns *columns = &view->columns;
    struct action action = NO_ACTION;
    uint32_t rows;
    uint64_t const first = marks_chunks(view->scene, &rows);
    float const u = view->ui->unit, height = fminf(74 * u, (box.h - 26 * u) / (float)rows);
    float const gap = height > 20 * u ? 8 * u : 2;
    uint32_t const every = (uint32_t)ceilf(22 * u / height);
    const struct origin *origins = marks->right ? scene_origins(view->scene) : NULL; /* they would give it away */
    if (!marks->right)
        view_gutter(view, box.y - 32 * u, 26 * u, _("Chunks"), true);
    for (uint32_t i = 0; i < marks->count; i++) {
        uint32_t const row = i / CHUNK_SECTORS, sector = i % CHUNK_SECTORS;
        float const y = box.y + (float)row * height, label_h = fmaxf(height - gap, 20 * u);
        struct rect tray = column_cell(columns, (int)(sector * TRAY_WORDS), y, height - gap);
        tray.w += columns->pitch * (TRAY_WORDS - 1);
        struct action const touch = marks_touch(view, tray, marks, i);
        enum mark_state const state = marks_state(marks, i, 0);
        if (marks->cells == CELLS_FRESH && is_touched(view->scene, first + (uint64_t)i * SECTOR_BYTES))
            draw_fill(&view->ui->draw, tray, 4 * u, ui_color(view->ui, COLOR_ACCESS_SOFT));
        marks_draw(view, tray, state, tray_words(state), marks->cursor == (int)i);
        if (origins && tray.h > band_least * u)
            marked_band(view, tray, origins, first + (uint64_t)i * SECTOR_BYTES);
        struct chunk const chunk = {.address = first + (uint64_t)row * CHUNK_BYTES};
        ui_tip(view->ui, tray, _("sector %d of the chunk at %s"), (int)sector,
               scene_name_address(view->scene, view->arena, chunk.address));
        if (sector == 0 && row % every == 0)
            ui_label(view->ui,
                     (struct rect){columns->label_x, y + (height - gap - label_h) / 2, columns->label_w, label_h},
                     FONT_CODE, text_caption(view->ui), UI_RIGHT, ui_color(view->ui, COLOR_TEXT_DIM),
                     row_label(view, &chunk, columns->label_w));
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    struct rect line = view_columns(view, box);
    line.y += height * (float)rows - (rows == 1 ? gap / 2 : 0);
    line.h = 24 * u;
    uint32_t counts[ORIGIN_LEVELS];
    if (!origins) {
        sector_names(view, line);
        return action;
    }
    origins_count(origins, &view->scene->chunks, counts);
    origin_names(view, line, counts);
    return action;
}

/* How high a row of trays is, the gap below it, and the room for bands below all rows; 0: each row has its own. */
struct trays {
    float height, gap, bands;
};

static struct trays trays_in(const struct view *view, struct rect box, bool origins)
{
    float const u = view->ui->unit, rows = (float)row_count(view->scene);
    struct trays trays = {.height = fminf(74 * u, (box.h - 26 * u) / rows)};
    trays.gap = trays.height > 20 * u ? 8 * u : trays.height > 6 ? 2 : 0;
    if (!origins || trays.height - trays.gap > band_least * u)
        return trays;
    trays.bands = column_band_height * u;
    trays.height = (box.h - 26 * u - trays.bands) / rows;
    trays.gap = trays.height > 6 ? 2 : 0;
    return trays;
}

struct action panel_chunks(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    if (marks_here(view))
        return marked_chunks(view, box);
    const struct origin *origins = scene_origins(scene);
    struct trays const trays = trays_in(view, box, origins != NULL);
    uint32_t const rows = row_count(scene);
    float const height = trays.height, gap = trays.gap;
    int every = (int)ceilf(22 * ui->unit / height);
    for (uint32_t r = 0; r < rows; r++) {
        const struct chunk *chunk =
            scene->kind == SCENE_GLOBAL && scene->chunks.chunk_count ? &scene->chunks.chunks[r] : NULL;
        float y = box.y + (float)r * height;
        for (int sector = 0; sector < CHUNK_SECTORS; sector++)
            one_tray(view, columns, y, height - gap, chunk, sector,
                     chunk && origins && trays.bands <= 0 ? &origins[r] : NULL);
        if (!chunk || (int)r % every)
            continue;
        float label_h = fmaxf(height - gap, 20 * ui->unit);
        ui_label(ui, (struct rect){columns->label_x, y + (height - gap - label_h) / 2, columns->label_w, label_h},
                 FONT_CODE, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
                 row_label(view, chunk, columns->label_w));
    }
    uint32_t counts[ORIGIN_LEVELS];
    struct rect line = view_columns(view, box);
    line.y += height * (float)rows - (rows == 1 ? gap / 2 : 0);
    if (trays.bands > 0)
        column_bands(view, line.y, origins);
    line.y += trays.bands;
    line.h = 24 * ui->unit;
    if (view->stage->plain)
        return NO_ACTION;
    if (origins)
        origins_count(origins, &scene->chunks, counts);
    struct action const action = caches_switch(view, &line, names_width(view, origins ? counts : NULL));
    if (origins)
        origin_names(view, line, counts);
    else
        sector_names(view, line);
    return action;
}
