/* DRAM banks as shelves: the open row on top, and below it the rows that the block requests. A row-buffer hit needs RD
 * only; a conflict needs PRE, ACT and RD. This is always a model, because the mapping of addresses is not published. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

/* Of a shelf whose rows are marked, in units: the height above its rows, the least height of a row, and how many rows
 * may stand side by side. */
enum { MARKED_HEAD = 92, MARKED_LEAST = 22, MARKED_ACROSS = 4 };
/* The height of the line of commands, in units. */
enum { COMMANDS_LINE = 34 };

static float row_step(const struct view *view)
{
    return 30 * view->ui->unit;
}

static uint32_t most_rows(const struct scene_dram *dram)
{
    uint32_t rows = 1;
    for (uint32_t i = 0; i < dram->shelf_count; i++)
        rows = dram->shelves[i].row_count > rows ? dram->shelves[i].row_count : rows;
    return rows;
}

struct panel_size panel_dram_size(const struct view *view)
{
    if (view->stage->second != SCENE_GLOBAL || (view->stage->covered && !marks_of(view, CELLS_ROWS)))
        return NOT_SHOWN;
    const struct marks *marks = marks_of(view, CELLS_ROWS);
    if (marks) {
        float const lines = (float)marks->count / (float)marks->across;
        return (struct panel_size){.least = MARKED_HEAD + MARKED_LEAST * ceilf(lines / MARKED_ACROSS),
                                   .best = MARKED_HEAD + 30 * fminf(lines, 24),
                                   .stays = true};
    }
    if (!view->scene->dram.shelf_count) /* nothing misses: a line says so */
        return (struct panel_size){.least = COMMANDS_LINE, .best = COMMANDS_LINE};
    uint32_t const rows = most_rows(&view->scene->dram);
    float const best = 146 + 30 * (float)(rows > 7 ? 7 : rows);
    return (struct panel_size){.least = fminf(best, 190), .best = best, .low = 120};
}

static const char *outcome_word(enum dram_outcome outcome)
{
    return outcome == DRAM_HIT ? _("hit") : outcome == DRAM_MISS ? _("miss") : _("conflict");
}

static unsigned long long row_name(const struct view *view, uint64_t row)
{
    return (unsigned long long)(row - view->scene->dram.first_row);
}

static void open_row(struct view *view, struct rect box, const struct scene_shelf *shelf)
{
    struct ui *ui = view->ui;
    bool bad = shelf->now && shelf->outcome == DRAM_CONFLICT;
    draw_fill(&ui->draw, box, 4 * ui->unit, ui_color(ui, bad ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
    draw_outline(&ui->draw, box, 4 * ui->unit, fmaxf(1, 1.5f * ui->unit),
                 ui_color(ui, bad           ? COLOR_CONFLICT
                              : shelf->open ? COLOR_ACCESS
                                            : COLOR_EDGE));
    const char *row = !shelf->open ? _("closed")
                      : bad        ? arena_format(view->arena, "%llu → %llu", row_name(view, shelf->closed_row),
                                                  row_name(view, shelf->open_row))
                                   : arena_format(view->arena, "%llu", row_name(view, shelf->open_row));
    struct rect line = rect_inset(box, 4 * ui->unit, 2 * ui->unit);
    if (box.h >= 44 * ui->unit) {
        ui_label(ui, rect_cut_top(&line, line.h / 2), FONT_TEXT, text_caption(ui), UI_CENTER,
                 ui_color(ui, COLOR_TEXT_DIM), _("open row"));
    }
    ui_label(ui, line, FONT_CODE, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT), row);
}

/* Returns the first of the rows that fit, so that the row of this access is among them. */
static uint32_t first_row(const struct scene_shelf *shelf, uint32_t fit)
{
    uint32_t now = 0;
    for (uint32_t i = 0; i < shelf->row_count; i++)
        if (shelf->row_state[i])
            now = i;
    if (shelf->row_count <= fit || now < fit / 2)
        return 0;
    uint32_t first = now - fit / 2;
    return first + fit > shelf->row_count ? shelf->row_count - fit : first;
}

/* Returns what lies in a row, "b[0..255]"; NULL: nothing of an array, or pieces, because channels take turns. */
static const char *row_holds(const struct view *view, const struct scene_shelf *shelf, uint32_t at)
{
    const struct dram_preset *preset = view->scene->dram.preset;
    bool const in_pieces = preset->mapping == DRAM_RO_BA_RA_CO_CH && preset->channels * preset->pseudo_channels > 1;
    uint64_t element;
    const struct trace_buffer *buffer = trace_find_buffer(view->scene->trace, shelf->row_sector[at], &element);
    if (in_pieces || !buffer)
        return NULL;
    uint64_t const size = ptx_type_size(buffer->type),
                   begin = shelf->row_sector[at] - shelf->row_sector[at] % preset->row_bytes,
                   end = begin + preset->row_bytes, all = buffer->address + buffer->count * size;
    uint64_t const first = begin > buffer->address ? (begin - buffer->address) / size : 0,
                   last = ((end < all ? end : all) - buffer->address) / size - 1;
    return arena_format(view->arena, "%s[%llu..%llu]", buffer->name, (unsigned long long)first,
                        (unsigned long long)last);
}

/* Returns the name of a row and what lies in it, as much as fits in a cell. */
static const char *row_label(const struct view *view, float width, const struct scene_shelf *shelf, uint32_t at)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui) * 0.8f;
    const char *name = arena_format(view->arena, _("row %llu"), row_name(view, shelf->rows[at]));
    const char *holds = row_holds(view, shelf, at);
    const char *both = holds ? arena_format(view->arena, "%s: %s", name, holds) : name;
    if (ui_text_width(ui, FONT_BOLD, size, both) + 4 <= width)
        return both;
    return ui_text_width(ui, FONT_BOLD, size, name) + 4 <= width
               ? name
               : arena_format(view->arena, "%llu", row_name(view, shelf->rows[at]));
}

/* Draws the rows to mark, one below the other and, where there is too little room for their names, in columns. */
static struct action marked_rows(struct view *view, struct rect inner, uint32_t index)
{
    const struct marks *marks = marks_of(view, CELLS_ROWS);
    const struct scene_shelf *shelf = &view->scene->dram.shelves[index];
    struct action action = NO_ACTION;
    float const u = view->ui->unit;
    int const rows = (int)(marks->count / marks->across);
    int columns = 1;
    while (columns < MARKED_ACROSS && inner.h / ceilf((float)rows / (float)columns) < MARKED_LEAST * u)
        columns++;
    int const lines = (rows + columns - 1) / columns;
    float const step = fminf(row_step(view), inner.h / (float)lines);
    for (int i = 0; i < (int)shelf->offered_count; i++) {
        uint32_t const cell = (uint32_t)i * marks->across + index;
        struct rect row = rect_column(inner, i / lines, columns, 4 * u);
        row.y += (float)(i % lines) * step;
        row.h = step - (step > 20 * u ? 4 * u : 1);
        enum mark_state const state = marks_state(marks, cell, 0);
        struct action const touch = marks_touch(view, row, marks, cell);
        const char *name = row_label(view, row.w, shelf, marks_row(shelf, (uint32_t)i));
        marks_draw(view, row, state, name, marks->cursor == (int)cell);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    return action;
}

/* Draws a shelf with its rows to mark: as it stands before the access and, once they are checked, after it. */
static struct action marked_shelf(struct view *view, struct rect box, uint32_t index)
{
    struct ui *ui = view->ui;
    const struct scene_shelf *shelf = &view->scene->dram.shelves[index];
    struct scene_shelf const before = {.open = shelf->before_open, .open_row = shelf->before_row};
    float const u = ui->unit;
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, COLOR_BAR));
    draw_outline(&ui->draw, box, 6 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    struct rect inner = rect_inset(box, 8 * u, 6 * u);
    ui_label(ui, rect_cut_top(&inner, 24 * u), FONT_BOLD, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT),
             arena_format(view->arena, _("bank %u"), shelf->bank));
    open_row(view, rect_cut_top(&inner, 48 * u), marks_of(view, CELLS_ROWS)->right ? shelf : &before);
    rect_cut_top(&inner, 8 * u);
    return marked_rows(view, inner, index);
}

static struct action marked_shelves(struct view *view, struct rect box)
{
    uint32_t const count = view->scene->dram.shelf_count;
    struct action action = NO_ACTION;
    for (uint32_t i = 0; i < count; i++) {
        struct rect const shelf = rect_column(box, (int)i, (int)(count > 4 ? count : 4), 8 * view->ui->unit);
        struct action const touch = marked_shelf(view, shelf, i);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    return action;
}

/* Returns what a cell of a shelf stands for. */
static const char *row_words(struct view *view, const struct scene_shelf *shelf, uint32_t at, const char *name)
{
    const char *words = shelf->row_state[at] == 0   ? _("a later access needs it")
                        : shelf->row_state[at] == 1 ? _("needed before this access")
                        : shelf->row_opened[at]     ? _("this access opens it")
                                                    : _("this access finds it open: a row hit");
    return arena_format(view->arena, _("bank %u, %s: %s"), shelf->bank, name, words);
}

static void one_shelf(struct view *view, struct rect box, const struct scene_shelf *shelf)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, COLOR_BAR));
    draw_outline(&ui->draw, box, 6 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    struct rect inner = rect_inset(box, 8 * u, 6 * u);
    if (shelf->now)
        ui_tip(ui, box, _("bank %u: %s"), shelf->bank, outcome_word(shelf->outcome));
    ui_label(ui, rect_cut_top(&inner, 24 * u), FONT_BOLD, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT),
             arena_format(view->arena, _("bank %u"), shelf->bank));
    open_row(view, rect_cut_top(&inner, box.h < 150 * u ? 26 * u : 48 * u), shelf);
    rect_cut_top(&inner, 8 * u);
    uint32_t fit = (uint32_t)fmaxf(0, floorf(inner.h / row_step(view)));
    if (fit < shelf->row_count) { /* a line says so */
        struct rect const line = rect_cut_bottom(&inner, fminf(inner.h, 20 * u));
        fit = (uint32_t)fmaxf(0, floorf(inner.h / row_step(view)));
        view_note_part(view, fit, shelf->row_count);
        ui_chip_label(ui, line, FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT_DIM),
                      fit ? arena_format(view->arena, _("⋮ %u of %u rows"), fit, shelf->row_count)
                          : arena_format(view->arena, _("⋮ %u rows"), shelf->row_count));
    }
    uint32_t first = first_row(shelf, fit);
    for (uint32_t i = first; i < shelf->row_count && i < first + fit; i++) {
        struct rect row = rect_cut_top(&inner, row_step(view));
        row.h -= 5 * u;
        bool bad = shelf->row_state[i] == 2 && shelf->outcome == DRAM_CONFLICT && shelf->rows[i] == shelf->open_row;
        enum color_role role = bad ? COLOR_CONFLICT : COLOR_ACCESS;
        const char *name = row_label(view, row.w, shelf, i);
        ui_tip(ui, row, "%s", row_words(view, shelf, i, name));
        if (shelf->row_state[i]) {
            view_chip(view, row, role, NULL);
            if (bad)
                draw_hatch(&ui->draw, rect_inset(row, 1, 1), 7 * u, hairline(ui),
                           color_fade(view_text_on(view, role), 0.3f));
            ui_chip_label(ui, row, FONT_BOLD, text_caption(ui), view_text_on(view, role), name);
        } else {
            view_hollow(view, row, false);
            ui_chip_label(ui, row, FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT_DIM), name);
        }
    }
}

/* Draws the commands that this access needs: PRE, ACT, RD. A row that is opened for the first time is not waste. */
static void commands_line(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    const struct scene_dram *dram = &view->scene->dram;
    const char *so_far =
        arena_format(view->arena, _("row hits %s · misses %s · conflicts %s"), words_count(view->arena, dram->hits),
                     words_count(view->arena, dram->misses), words_count(view->arena, dram->conflicts));
    float width = ui_text_width(ui, FONT_BOLD, text_caption(ui), so_far) + 8 * ui->unit;
    ui_label(ui, rect_cut_right(&box, width), FONT_BOLD, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT), so_far);
    const char *words[3][2] = {{"PRE", _("close the row")}, {"ACT", _("open a row")}, {"RD", _("read a burst")}};
    if (view->scene->site && view->scene->site->operation == TRACE_STORE) {
        words[2][0] = "WR";
        words[2][1] = _("write a burst");
    }
    bool const any = dram->now_hits + dram->now_misses + dram->now_conflicts > 0;
    bool needed[3] = {dram->now_conflicts > 0, dram->now_conflicts + dram->now_misses > 0, any || !dram->missed};
    if (dram->missed && !any) {
        bool const stores = view->scene->site && view->scene->site->operation == TRACE_STORE;
        view_caption(view, box,
                     stores ? _("nothing now: the L2 writes it back later") : _("nothing: the caches have all"));
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (!needed[i])
            continue;
        float name_w = ui_text_width(ui, FONT_BOLD, text_body(ui), words[i][0]) + 10 * ui->unit;
        float word_w = ui_text_width(ui, FONT_TEXT, text_caption(ui), words[i][1]) + 26 * ui->unit;
        if (box.w < name_w)
            return;
        ui_label(ui, rect_cut_left(&box, name_w), FONT_BOLD, text_body(ui), UI_LEFT,
                 ui_color(ui, i < 2 && dram->now_conflicts ? COLOR_CONFLICT : COLOR_ACCESS), words[i][0]);
        if (box.w < word_w)
            continue;
        ui_label(ui, rect_cut_left(&box, word_w), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
                 words[i][1]);
    }
}

/* Chooses the shelves to draw, in the order of their banks. Those of this access have priority. */
static uint32_t choose_shelves(const struct scene_dram *dram, uint32_t fit, const struct scene_shelf **chosen)
{
    uint32_t now = 0, count = 0;
    for (uint32_t i = 0; i < dram->shelf_count; i++)
        now += dram->shelves[i].now;
    uint32_t others = now < fit ? fit - now : 0;
    for (uint32_t i = 0; i < dram->shelf_count && count < fit; i++)
        if (dram->shelves[i].now || others) {
            others -= !dram->shelves[i].now;
            chosen[count++] = &dram->shelves[i];
        }
    return count;
}

/* Returns how many shelves fit side by side without cutting their words. */
static uint32_t banks_that_fit(const struct view *view)
{
    float const u = view->ui->unit, width = view->columns.pitch * WARP_LANES;
    return (uint32_t)fmaxf(1, fminf(SCENE_SHELVES, floorf((width + 8 * u) / (116 * u))));
}

struct action panel_dram(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    const struct scene_dram *dram = &view->scene->dram;
    float u = view->ui->unit;
    box.x = columns->x;
    box.w = columns->pitch * WARP_LANES;
    if (!dram->preset || (!dram->shelf_count && !dram->missed))
        return NO_ACTION;
    if (marks_of(view, CELLS_ROWS))
        return marked_shelves(view, box);
    /* beside shelves, also room for a row on each */
    bool const room = !dram->shelf_count || box.h > (most_rows(dram) > 1 ? 186 : 150) * u;
    if (room && view->scene->kind == SCENE_GLOBAL)
        commands_line(view, rect_cut_bottom(&box, fminf(box.h, COMMANDS_LINE * u)));
    if (!dram->shelf_count || box.h < 60 * u)
        return NO_ACTION;
    rect_cut_bottom(&box, 6 * u);
    const struct scene_shelf *chosen[SCENE_SHELVES];
    uint32_t const count = choose_shelves(dram, banks_that_fit(view), chosen);
    for (uint32_t i = 0; i < count; i++)
        one_shelf(view, rect_column(box, (int)i, (int)(count > 4 ? count : 4), 8 * u), chosen[i]);
    return NO_ACTION;
}

/* Returns the caption: that this is a model and, where there is room, how many of the requested banks are drawn. */
static const char *caption_text(const struct view *view, float room)
{
    const struct ui *ui = view->ui;
    uint32_t const asked = view->scene->dram.banks_asked;
    uint32_t const drawn = banks_that_fit(view);
    const char *model = _("model: the real address mapping is not published");
    const char *both = arena_format(view->arena, _("⋯ %u of %u banks used · %s"), drawn, asked, model);
    const char *brief = _("model: not the real mapping");
    const char *brief_both = arena_format(view->arena, _("⋯ %u of %u banks · %s"), drawn, asked, brief);
    if (asked > drawn) {
        view_note_part(view, drawn, asked);
        return ui_text_width(view->ui, FONT_TEXT, text_caption(ui), both) <= room ? both : brief_both;
    }
    return ui_text_width(view->ui, FONT_TEXT, text_caption(ui), model) <= room ? model : brief;
}

/* Cuts off the right end of the line, while the caches are shown, which sectors reach the DRAM: a switch. */
static struct action feed_switch(struct view *view, struct rect *line)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    const char *words = scene->dram.missed ? _("sectors that miss") : _("without caches");
    float const width = ui_text_width(ui, FONT_BOLD, text_caption(ui), words) + 4 * ui->unit;
    if (!scene->caches || scene->playback->caches_unknown || !playback_origins(scene->playback) || width > line->w)
        return NO_ACTION;
    struct rect const box = rect_cut_right(line, width);
    rect_cut_right(line, 12 * ui->unit);
    ui_label(ui, box, FONT_BOLD, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_ACCESS), words);
    ui_tip(ui, box, "%s",
           scene->dram.missed ? _("what reaches the DRAM: the sectors of loads and atomics that were in no cache; what "
                                  "is stored leaves the L2 later. All sectors: a click, or Alt + D")
                              : _("all sectors, as if there were no caches. Those that miss: a click, or Alt + D"));
    return ui_area(ui, ui_id_text("dram feed"), box) ? (struct action){.kind = ACTION_DRAM, .value = 2} : NO_ACTION;
}

/* Draws the caption with a switch and two steppers: the DRAM chip of the model and its address mapping. */
struct action panel_dram_title(struct view *view, struct rect line)
{
    const struct dram_preset *preset = view->scene->dram.preset;
    struct action action = NO_ACTION;
    if (preset) {
        struct action const feed = feed_switch(view, &line);
        const char *chip = arena_text_n(view->arena, preset->name, strcspn(preset->name, ":"));
        bool const channel = preset->mapping == DRAM_CH_RA_BA_RO_CO;
        const char *mapping = channel ? _("channel bits first") : _("row bits first");
        struct ui *ui = view->ui;
        float const words = ui_text_width(ui, FONT_TEXT, text_caption(ui), _("model: not the real mapping")),
                    steppers = ui_text_width(ui, FONT_TEXT, text_caption(ui), mapping) +
                               ui_text_width(ui, FONT_BOLD, text_caption(ui), chip) + 200 * ui->unit;
        bool const both = words + steppers <= line.w; /* a key turns the mapping, too */
        struct rect const steps = line;
        int const by = both ? view_stepper(view, &line, ui_id_text("dram mapping"), FONT_TEXT, COLOR_TEXT, mapping) : 0;
        int const which = view_stepper(view, &line, ui_id_text("dram preset"), FONT_BOLD, COLOR_TEXT, chip);
        if (both)
            ui_tip(ui, (struct rect){line.x + line.w, steps.y, steps.w - line.w, steps.h}, "%s",
                   channel
                       ? _("the DRAM of the model, and the bits of an address from the highest: channel, rank, bank, "
                           "row, column (ChRaBaRoCo)")
                       : _("the DRAM of the model, and the bits of an address from the highest: row, bank, rank, "
                           "column, channel (RoBaRaCoCh)"));
        if (by)
            action = (struct action){.kind = ACTION_DRAM}; /* the mapping */
        else if (which)
            action = (struct action){.kind = ACTION_DRAM, .value = which == 2 ? 1 : which};
        else
            action = feed;
    }
    view_caption(view, line, caption_text(view, line.w));
    return action;
}
