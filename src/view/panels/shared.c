/* Shared memory as words, 128 bytes a row, so that a word stands under its bank. The panel shows the rows of this
 * access and, if they fit, the rows between them. Spare room shows the rows that follow. */
#include "view/stage.h"
#include <inttypes.h>
#include <math.h>

enum { ROW_BYTES = 128, ROWS_MAX = 64, ROWS_AROUND = 8 };

struct word_rows {
    uint64_t rows[ROWS_MAX]; /* row numbers, ascending */
    uint32_t count;
    bool gaps; /* the rows are not consecutive */
};

/* Returns the first row from `from` on that the access touches, UINT64_MAX if there is none. */
static uint64_t next_row(const struct scene *scene, uint64_t from)
{
    uint64_t next = UINT64_MAX;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t const first = scene_shared_offset(scene->trace, scene->addresses[lane]);
        uint64_t const low = first / ROW_BYTES, high = (first + scene->site->bytes - 1) / ROW_BYTES;
        uint64_t const row = low > from ? low : from;
        if ((scene->event->mask >> lane & 1) && row <= high && row < next)
            next = row;
    }
    return next;
}

/* Returns the scene of the shared access whose rows are shown: this one, else the last one before it, else the first
 * one after it, so that the panel keeps its place at other events. Its kind is another one if there is none. */
static struct scene words_scene(const struct scene *scene)
{
    const struct playback *playback = scene->playback;
    struct scene words = *scene;
    for (int direction = -1; words.kind != SCENE_SHARED && direction <= 1; direction += 2)
        for (size_t at = scene->position, next; words.kind != SCENE_SHARED; at = next) {
            next = playback_find(playback, at, direction, EVENT_ACCESS, 0);
            const struct trace_event *event = playback_event(playback, next);
            const struct trace_site *site = playback_site(playback, next);
            if (next == at)
                break;
            if (event->kind != TRACE_ACCESS || trace_space(site, event) != PTX_SPACE_SHARED)
                continue;
            words.kind = SCENE_SHARED;
            words.event = event;
            words.site = site;
            words.addresses = trace_addresses(playback->trace, event);
        }
    return words;
}

static struct word_rows choose_rows(const struct scene *scene)
{
    struct word_rows chosen = {.count = 0};
    if (scene->kind != SCENE_SHARED || !scene->event->mask)
        return (struct word_rows){.count = 1};
    uint64_t low = UINT64_MAX, high = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(scene->event->mask >> lane & 1))
            continue;
        uint64_t first = scene_shared_offset(scene->trace, scene->addresses[lane]);
        low = first / ROW_BYTES < low ? first / ROW_BYTES : low;
        high =
            (first + scene->site->bytes - 1) / ROW_BYTES > high ? (first + scene->site->bytes - 1) / ROW_BYTES : high;
    }
    chosen.gaps = high - low + 1 > ROWS_MAX / 2;
    for (uint64_t row = low; row <= high && chosen.count < ROWS_MAX; row++) {
        row = chosen.gaps ? next_row(scene, row) : row;
        if (row > high)
            break;
        chosen.rows[chosen.count++] = row;
    }
    chosen.count = chosen.count ? chosen.count : 1; /* an access around the origin of shared addresses has no row */
    return chosen;
}

/* Adds the rows that follow, up to `fit` rows or to the end of the block's shared memory. */
static void add_rows_after(const struct scene *scene, struct word_rows *rows, uint32_t fit)
{
    if (scene->kind != SCENE_SHARED || rows->gaps)
        return;
    while (rows->count < fit && (rows->rows[rows->count - 1] + 1) * ROW_BYTES < scene->trace->shared_bytes) {
        rows->rows[rows->count] = rows->rows[rows->count - 1] + 1;
        rows->count++;
    }
}

struct panel_size panel_shared_size(const struct view *view)
{
    if (view->stage->second != SCENE_SHARED || view->stage->covered)
        return NOT_SHOWN;
    struct scene const words = words_scene(view->scene);
    struct word_rows rows = choose_rows(&words);
    struct panel_size size = {.best = 26 * (float)rows.count + 4};
    size.least = fminf(size.best, 60);
    add_rows_after(&words, &rows, ROWS_AROUND);
    size.more = (rows.count > ROWS_AROUND ? 30 : 38) * (float)rows.count - size.best;
    return size;
}

/* Returns the chosen kind of numbers; a trace without values shows lanes in place of them. */
static enum cell_number cell_number(const struct view *view)
{
    enum cell_number const cells = view->stage->cells;
    return cells == CELL_VALUE && !view->scene->trace->values.count ? CELL_LANE : cells;
}

const char *view_cell_number(const struct view *view, int lane, const char *value, uint64_t word)
{
    switch (cell_number(view)) {
    case CELL_VALUE:
        return value ? value : "·";
    case CELL_WORD:
        return arena_format(view->arena, "%" PRIu64, word);
    default:
        return arena_format(view->arena, "%d", lane);
    }
}

struct action panel_shared_title(struct view *view, struct rect line)
{
    static const char *const names[] = {[CELL_LANE] = N_("in the cells: lanes"),
                                        [CELL_VALUE] = N_("in the cells: values"),
                                        [CELL_WORD] = N_("in the cells: words by number")};
    struct rect const all = line;
    int const pressed =
        view_stepper(view, &line, ui_id_text("cells"), FONT_TEXT, COLOR_TEXT, _(names[cell_number(view)]));
    view_caption(view, line, _("shared memory, 128 bytes a row"));
    ui_tip(view->ui, all, "%s",
           _("Each cell is a word of 4 bytes below its bank. Filled: this access uses it. V: lanes, "
             "values or numbers of words in the cells."));
    return pressed ? (struct action){.kind = ACTION_CELLS, .value = pressed < 0 ? -1 : 1} : NO_ACTION;
}

/* Returns the mask of the lanes that access a word. */
static uint32_t word_lanes(const struct scene *scene, uint64_t byte)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t first = scene_shared_offset(scene->trace, scene->addresses[lane]);
        if ((scene->event->mask >> lane & 1) && byte + BANK_BYTES > first && byte < first + scene->site->bytes)
            lanes |= 1u << lane;
    }
    return lanes;
}

static void one_word(struct view *view, struct rect cell, uint64_t byte, uint32_t now)
{
    const struct scene *scene = view->scene;
    uint32_t lanes = word_lanes(scene, byte);
    int const lane = lanes ? __builtin_ctz(lanes) : 0;
    uint64_t const address = byte + scene->trace->shared_base;
    const char *value = lanes ? scene_value_at(scene, view->arena, lane, address) : NULL;
    const char *said = scene_name_value(scene, view->arena, scene_name_byte(scene, view->arena, address), value);
    ui_tip(view->ui, cell, lanes ? _("%s, bank %u, lane %d") : _("%s, bank %u"), said,
           (unsigned)(byte / BANK_BYTES % BANKS), lane);
    view_heat(view, cell, lanes);
    if (!lanes) {
        if (cell.h > 5)
            view_hollow(view, cell, false);
        return;
    }
    bool broadcast = __builtin_popcount(lanes) > 1 && scene->site->operation == TRACE_LOAD;
    enum color_role role = lanes & now && scene->banks.conflicts ? COLOR_CONFLICT
                           : broadcast                           ? COLOR_BROADCAST
                                                                 : COLOR_ACCESS;
    bool const light = role == COLOR_BROADCAST && !view->dim; /* too light for the text of other fills */
    const char *number = view_cell_number(view, lane, value, byte / BANK_BYTES);
    view_chip(view, cell, role, light ? NULL : number);
    if (light)
        ui_chip_label(view->ui, rect_inset(cell, 1, 0), FONT_BOLD, view_chip_text(view->ui, cell),
                      ui_color(view->ui, COLOR_ON_CURSOR), number);
    if (lanes & view->hot)
        view_cursor_ring(view, cell);
}

struct action panel_shared(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    struct scene const words = words_scene(scene);
    struct word_rows rows = choose_rows(&words);
    uint32_t const fit = (uint32_t)fmaxf(1, floorf(box.h / (32 * ui->unit)));
    add_rows_after(&words, &rows, fit < ROWS_AROUND ? fit : ROWS_AROUND);
    float height = fminf(40 * ui->unit, box.h / (float)rows.count);
    float gap = height > 16 * ui->unit ? 3 * ui->unit : height > 6 ? 1 : 0;
    int every = (int)ceilf(21 * ui->unit / height);
    uint32_t now = scene->kind == SCENE_SHARED ? scene_pass_lanes(scene) : 0;
    for (uint32_t r = 0; r < rows.count; r++) {
        float y = box.y + (float)r * height;
        for (int column = 0; column < BANKS; column++) {
            struct rect cell = column_cell(columns, column, y, height - gap);
            if (scene->kind == SCENE_SHARED)
                one_word(view, cell, rows.rows[r] * ROW_BYTES + (uint64_t)column * BANK_BYTES, now);
            else
                view_hollow(view, cell, false);
        }
        if (words.kind != SCENE_SHARED || (int)r % every || (r && y + 19 * ui->unit > box.y + box.h + 4))
            continue;
        float label_h = fmaxf(height, 20 * ui->unit);
        ui_label(ui, (struct rect){columns->label_x, y - (label_h - height) / 2 - gap / 2, columns->label_w, label_h},
                 FONT_CODE, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, "%" PRIu64, rows.rows[r] * ROW_BYTES));
    }
    return NO_ACTION;
}
