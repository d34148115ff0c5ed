/* The array of this access, word by word, with the number of times that the block has accessed each word so far. A
 * cache exists for repeated reads of one element; this panel counts them. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

/* The chunks of one buffer from the first to the last that the block accesses, with the counts of their words. */
struct touched {
    const struct trace_buffer *buffer;
    bool load;
    uint64_t first_chunk;
    uint32_t rows;
    uint32_t *counts; /* 32 words a row, up to and including this event */
    uint8_t *now;     /* 1: this event accesses the word */
};
enum { ROWS_MAX = 4096 };

static bool is_load(const struct trace_site *site)
{
    return site->operation == TRACE_LOAD;
}

/* Returns whether a lane of the event accesses the buffer. */
static bool touches(const struct playback *playback, size_t position, const struct touched *touched,
                    const struct trace_site **site, const uint64_t **addresses)
{
    const struct trace_event *event = playback_event(playback, position);
    *site = playback_site(playback, position);
    if (event->kind != TRACE_ACCESS || is_load(*site) != touched->load || trace_space(*site, event) != PTX_SPACE_GLOBAL)
        return false;
    *addresses = trace_addresses(playback->trace, event);
    return true;
}

static bool inside(const struct trace_buffer *buffer, uint64_t address)
{
    return address >= buffer->address && address < buffer->address + buffer->count * ptx_type_size(buffer->type);
}

static void find_rows(const struct scene *scene, struct touched *touched)
{
    uint64_t low = UINT64_MAX, high = 0;
    const struct trace_site *site;
    const uint64_t *addresses;
    for (size_t i = 0; i < scene->playback->count; i++) {
        if (!touches(scene->playback, i, touched, &site, &addresses))
            continue;
        uint32_t const mask = playback_event(scene->playback, i)->mask;
        for (int lane = 0; lane < WARP_LANES; lane++)
            if ((mask >> lane & 1) && inside(touched->buffer, addresses[lane])) {
                low = addresses[lane] < low ? addresses[lane] : low;
                high = addresses[lane] + site->bytes > high ? addresses[lane] + site->bytes : high;
            }
    }
    if (high <= low)
        return;
    touched->first_chunk = low / CHUNK_BYTES;
    uint64_t const rows = (high - 1) / CHUNK_BYTES - touched->first_chunk + 1;
    touched->rows = rows <= ROWS_MAX ? (uint32_t)rows : 0; /* too many rows for one picture */
}

static void count_words(const struct scene *scene, struct touched *touched)
{
    const struct trace_site *site;
    const uint64_t *addresses;
    for (size_t i = 0; i <= scene->position && i < scene->playback->count; i++) {
        if (!touches(scene->playback, i, touched, &site, &addresses))
            continue;
        uint32_t const mask = playback_event(scene->playback, i)->mask;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            if (!(mask >> lane & 1) || !inside(touched->buffer, addresses[lane]))
                continue;
            uint64_t const from = addresses[lane] / 4, to = (addresses[lane] + site->bytes + 3) / 4;
            for (uint64_t word = from; word < to; word++) {
                uint64_t const at = word - touched->first_chunk * WARP_LANES;
                if (at >= (uint64_t)touched->rows * WARP_LANES)
                    continue;
                touched->counts[at]++;
                touched->now[at] |= i == scene->position;
            }
        }
    }
}

/* Finds the array of this access, or of the last access before it. */
static bool find_touched(const struct view *view, struct touched *touched)
{
    const struct scene *scene = view->scene;
    size_t at = scene->position + 1;
    *touched = (struct touched){0};
    while (at-- > 0 && !touched->buffer) {
        const struct trace_event *event = playback_event(scene->playback, at);
        const struct trace_site *site = playback_site(scene->playback, at);
        if (event->kind != TRACE_ACCESS || trace_space(site, event) != PTX_SPACE_GLOBAL || !event->mask)
            continue;
        touched->load = is_load(site);
        touched->buffer =
            trace_find_buffer(scene->trace, trace_addresses(scene->trace, event)[__builtin_ctz(event->mask)], NULL);
    }
    if (!touched->buffer)
        return false;
    find_rows(scene, touched);
    return touched->rows > 0;
}

struct panel_size panel_touched_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    struct touched touched;
    if (stage->covered || stage->fault || stage->race || stage->second != SCENE_EMPTY || !view->scene->event ||
        !find_touched(view, &touched))
        return NOT_SHOWN;
    float const best = 30 + 32 * (float)(touched.rows < 8 ? touched.rows : 8);
    return (struct panel_size){.least = fminf(best, 94), .best = best + 8};
}

/* Returns the counts in a sentence, or in a few words where that has no room. */
static const char *caption_text(struct view *view, const struct touched *touched, float width)
{
    uint64_t once = 0, often = 0;
    for (uint32_t i = 0; i < touched->rows * WARP_LANES; i++) {
        once += touched->counts[i] == 1;
        often += touched->counts[i] > 1;
    }
    const char *const forms[2] = {
        touched->load ? _("%s, how often this block has read each word so far: %s once, %s more than once")
                      : _("%s, how often this block has written each word so far: %s once, %s more than once"),
        touched->load ? _("%s, words read so far: %s once, %s more often")
                      : _("%s, words written so far: %s once, %s more often")};
    const char *words = "";
    for (int i = 0; i < 2; i++) {
        words = arena_format(view->arena, forms[i], touched->buffer->name, words_count(view->arena, once),
                             words_count(view->arena, often));
        if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), words) <= width)
            break;
    }
    return words;
}

static void one_word(struct view *view, struct rect cell, const struct touched *touched, uint32_t at)
{
    struct ui *ui = view->ui;
    uint32_t const count = touched->counts[at];
    uint64_t const address = touched->first_chunk * CHUNK_BYTES + 4 * (uint64_t)at;
    if (!inside(touched->buffer, address))
        return;
    ui_tip(ui, cell, touched->load ? _("%s: reads so far: %u") : _("%s: writes so far: %u"),
           scene_name_address(view->scene, view->arena, address), count);
    if (count > 1)
        view_chip(view, cell, COLOR_ACCESS, arena_format(view->arena, "%u", count));
    else if (count == 1) {
        draw_fill(&ui->draw, cell, 3 * ui->unit, ui_color(ui, COLOR_ACCESS_SOFT));
        ui_chip_label(ui, cell, FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT), "1");
    }
    if (touched->now[at])
        draw_outline(&ui->draw, cell, 3 * ui->unit, fmaxf(2, 2 * ui->unit),
                     ui_color(ui, count > 1 ? COLOR_CURSOR : COLOR_ACCESS));
    else if (count < 2)
        view_hollow(view, cell, false);
}

/* Returns the first of the rows that fit, so that those of this event are among them. */
static uint32_t first_shown(const struct touched *touched, uint32_t fit)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < touched->rows * WARP_LANES; i++)
        if (touched->now[i])
            row = i / WARP_LANES;
    if (touched->rows <= fit || row < fit / 2)
        return 0;
    return row - fit / 2 + fit > touched->rows ? touched->rows - fit : row - fit / 2;
}

struct action panel_touched(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct touched touched;
    if (!view->scene->event || !find_touched(view, &touched))
        return NO_ACTION;
    touched.counts = arena_array(view->arena, uint32_t, (size_t)touched.rows * WARP_LANES);
    touched.now = arena_array(view->arena, uint8_t, (size_t)touched.rows * WARP_LANES);
    count_words(view->scene, &touched);
    struct rect caption = rect_cut_top(&box, 30 * u);
    caption.x = columns->x;
    caption.w = columns->pitch * WARP_LANES;
    uint32_t fit = (uint32_t)fmaxf(1, floorf(box.h / (26 * u)));
    fit = fit < touched.rows ? fit : touched.rows;
    float height = fminf(46 * u, box.h / (float)fit);
    uint32_t const first = first_shown(&touched, fit);
    const char *shown = view_rows_shown(view, first, fit, touched.rows);
    float const before = ui_text_width(ui, FONT_TEXT, text_caption(ui), view_joined(view->arena, shown, " "));
    view_caption(view, caption, view_joined(view->arena, shown, caption_text(view, &touched, caption.w - before)));
    for (uint32_t r = 0; r < fit; r++) {
        float y = box.y + height * (float)r;
        uint64_t element = 0;
        uint64_t const chunk = (touched.first_chunk + first + r) * CHUNK_BYTES;
        trace_find_buffer(view->scene->trace, chunk < touched.buffer->address ? touched.buffer->address : chunk,
                          &element);
        const char *name = arena_format(view->arena, "%s[%llu]", touched.buffer->name, (unsigned long long)element);
        if (ui_text_width(ui, FONT_CODE, text_caption(ui), name) > columns->label_w)
            name = arena_format(view->arena, "[%llu]", (unsigned long long)element);
        ui_label(ui, (struct rect){columns->label_x, y, columns->label_w, height - 3 * u}, FONT_CODE, text_caption(ui),
                 UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), name);
        for (int word = 0; word < WARP_LANES; word++)
            one_word(view, column_cell(columns, word, y, height - 3 * u), &touched,
                     (first + r) * WARP_LANES + (uint32_t)word);
    }
    return NO_ACTION;
}
