/* Contention of an atomic: a bar for each address, of the lanes that change it, in the order in which they are served.
 * A lane of a later pass is hatched: it waits, for a lane on its address or for another word of its bank. A bar is
 * one cell wide, so that heights compare. */
#include "view/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float const caption_height = 30, legend_height = 26, label_height = 24, mark_height = 22, cell_height = 30;

/* The arrangement of the bars. */
struct chart {
    struct rect box; /* of the cells */
    float cell_w, cell_h, gap;
    uint32_t label_step; /* a label stands below every so manyth bar */
};

/* Returns whether the kernel has an atomic that this panel can show. */
static bool has_atomics(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->site_count; i++)
        if (atomic_is(&trace->sites[i]))
            return true;
    return false;
}

bool panel_atomics_in_file(const struct scene *scene)
{
    return scene->event && scene->event->kind == TRACE_ACCESS && scene->site && atomic_is(scene->site);
}

struct panel_size panel_atomics_size(const struct view *view)
{
    if (view->stage->fault || (view->stage->race && !(view->stage->focus & STAGE_ATOMICS)) ||
        !has_atomics(view->scene->trace))
        return NOT_SHOWN;
    enum { ROWS = 5, LEAST_ROWS = 3 };
    float const lines = caption_height + legend_height + 2 * label_height + mark_height;
    struct panel_size size = panel_access_size(view, (lines + ROWS * cell_height) * view->ui->unit);
    size.least = fminf(size.best, lines + LEAST_ROWS * 16);
    return size;
}

static struct chart arrange(const struct view *view, struct rect box)
{
    const struct atomic_passes *atomics = &view->scene->atomics;
    float const u = view->ui->unit;
    struct chart chart = {.box = box, .gap = 0.4f * view->columns.pitch};
    chart.cell_h = fminf(cell_height * u * 1.5f, box.h / (float)(atomics->most > 3 ? atomics->most : 3));
    float const room = box.w - chart.gap * (float)(atomics->place_count - 1);
    chart.cell_w = fminf(view->columns.pitch, room / (float)atomics->place_count);
    return chart;
}

static struct rect bar_of(const struct chart *chart, uint32_t place)
{
    return (struct rect){chart->box.x + (float)place * (chart->cell_w + chart->gap), chart->box.y, chart->cell_w,
                         chart->box.h};
}

/* Returns the cell of a bar's n-th lane: the bar grows upwards. */
static struct rect cell_of(const struct chart *chart, uint32_t place, uint32_t n)
{
    struct rect const bar = bar_of(chart, place);
    float const gap = chart->cell_h > 12 && chart->cell_w > 12 ? 2 : 0.75f;
    return (struct rect){bar.x, bar.y + bar.h - chart->cell_h * (float)(n + 1), chart->cell_w - gap,
                         chart->cell_h - gap};
}

/* Reads the whole number that an instruction adds. Returns false where it is not known before the run. */
static bool read_addend(const struct trace_site *site, int64_t *addend)
{
    const char *comma = strrchr(site->text, ',');
    char *end;
    if (!comma || !strstr(site->text, ".add.") || site->type == PTX_F32 || site->type == PTX_F64)
        return false;
    *addend = strtoll(comma + 1, &end, 10);
    return end != comma + 1 && *end == '\0';
}

/* Returns the number that a lane left behind; NULL: not known. */
static const char *left_behind(struct view *view, uint32_t lane)
{
    const struct scene *scene = view->scene;
    const uint64_t *values = trace_values(scene->trace, scene->event);
    int64_t addend;
    if (!values || scene->site->operation != TRACE_ATOMIC || !read_addend(scene->site, &addend))
        return NULL;
    return scene_number(view->arena, scene->site->type, values[lane] + (uint64_t)addend);
}

static const char *name_of(struct view *view, uint64_t address)
{
    const struct scene *scene = view->scene;
    if (scene->kind != SCENE_SHARED)
        return scene_name_address(scene, view->arena, address);
    return arena_format(view->arena, _("%s, bank %u"), scene_name_byte(scene, view->arena, address),
                        (unsigned)(address / BANK_BYTES % BANKS));
}

static void cell_tip(struct view *view, struct rect cell, const struct atomic_place *place, uint32_t lane)
{
    const struct scene *scene = view->scene;
    const char *name = name_of(view, place->address);
    const char *value = scene_values(scene, view->arena, (int)lane), *left = left_behind(view, lane);
    unsigned const pass = scene->atomics.pass[lane] + 1u;
    if (value && left)
        ui_tip(view->ui, cell, _("lane %u: %s, pass %u, before: %s, after: %s"), lane, name, pass, value, left);
    else if (value && scene->site->operation == TRACE_ATOMIC)
        ui_tip(view->ui, cell, _("lane %u: %s, pass %u, before: %s"), lane, name, pass, value);
    else if (value)
        ui_tip(view->ui, cell, _("lane %u: %s, pass %u, brought: %s"), lane, name, pass, value);
    else
        ui_tip(view->ui, cell, _("lane %u: %s, pass %u"), lane, name, pass);
}

static void draw_cell(struct view *view, struct rect cell, uint32_t lane)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    bool const late = scene->atomics.pass[lane] >= scene->atomics.passes_ideal;
    bool const pending = scene->pass >= 0 && scene->atomics.pass[lane] > scene->pass;
    enum color_role const role = late ? COLOR_CONFLICT : COLOR_ACCESS;
    const char *number = cell.h >= 11 * ui->unit ? arena_format(view->arena, "%u", lane) : NULL;
    if (view->hot >> lane & 1) {
        draw_fill(&ui->draw, cell, 2, ui_color(ui, COLOR_CURSOR));
        draw_outline(&ui->draw, cell, 2, fmaxf(1, 2 * ui->unit), ui_color(ui, COLOR_CURSOR_RING));
        if (number)
            ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_BOLD, view_chip_text(ui, cell),
                          ui_color(ui, COLOR_ON_CURSOR), number);
        return;
    }
    if (pending) {
        draw_fill(&ui->draw, cell, 2, view_color(view, late ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
        draw_outline_dashed(&ui->draw, cell, 2, hairline(ui), 3 * ui->unit, view_color(view, role));
        if (number)
            ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_BOLD, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT),
                          number);
        return;
    }
    draw_fill(&ui->draw, cell, 2, view_color(view, role));
    if (late && cell.h > 4)
        draw_hatch(&ui->draw, rect_inset(cell, 1, 1), 7 * ui->unit, hairline(ui),
                   color_fade(view_text_on(view, role), 0.30f));
    if (number)
        ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_BOLD, view_chip_text(ui, cell), view_text_on(view, role),
                      number);
}

/* Returns the short name of an address below its bar: the index of an element, or an offset in bytes. */
static const char *label_of(struct view *view, uint64_t address)
{
    const struct scene *scene = view->scene;
    uint64_t element;
    if (scene->kind == SCENE_SHARED)
        return arena_format(view->arena, "%llu", (unsigned long long)scene_shared_offset(scene->trace, address));
    if (trace_find_buffer(scene->trace, address, &element))
        return arena_format(view->arena, "%llu", (unsigned long long)element);
    return arena_format(view->arena, "…%03llx", (unsigned long long)(address & 0xfff));
}

/* Returns below every how many bars a label has room. */
static uint32_t label_step(struct view *view, const struct chart *chart)
{
    const struct atomic_passes *atomics = &view->scene->atomics;
    float widest = 0;
    for (uint32_t i = 0; i < atomics->place_count; i++)
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui),
                                             label_of(view, atomics->places[i].address)));
    return (uint32_t)ceilf((0.72f * widest + 4 * view->ui->unit) / (chart->cell_w + chart->gap)); /* they may shrink */
}

static void draw_bar(struct view *view, const struct chart *chart, uint32_t index, float labels)
{
    struct ui *ui = view->ui;
    const struct atomic_place *place = &view->scene->atomics.places[index];
    struct rect const bar = bar_of(chart, index);
    for (uint32_t n = 0; n < place->count; n++) {
        struct rect const cell = cell_of(chart, index, n);
        draw_cell(view, cell, place->order[n]);
        cell_tip(view, cell, place, place->order[n]);
        view_heat(view, cell, UINT32_C(1) << place->order[n]);
    }
    struct rect const top = cell_of(chart, index, place->count - 1);
    struct rect const above = {bar.x - chart->gap / 2, top.y - mark_height * ui->unit, bar.w + chart->gap,
                               mark_height * ui->unit};
    if (place->count > 1)
        ui_chip_label(ui, above, FONT_BOLD, text_caption(ui), ui_color(ui, COLOR_TEXT),
                      arena_format(view->arena, "×%u", place->count));
    struct rect const below = {bar.x - chart->gap / 2, labels, bar.w + chart->gap, label_height * ui->unit};
    if (index % chart->label_step == 0) {
        float const more = (float)(chart->label_step - 1) * below.w / 2, apart = 2 * ui->unit;
        ui_chip_label(ui, rect_inset(below, apart - more, 0), FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT),
                      label_of(view, place->address));
    }
    ui_tip(ui, below, _("%s: lanes: %u"), name_of(view, place->address), place->count);
    view_heat(view, below, place->lanes);
}

/* Draws the banks of shared memory below their words, with "×n" where words share one. */
static void draw_banks(struct view *view, const struct chart *chart, float y)
{
    struct ui *ui = view->ui;
    const struct atomic_passes *atomics = &view->scene->atomics;
    for (uint32_t first = 0, last; first < atomics->place_count; first = last + 1) {
        unsigned const bank = (unsigned)(atomics->places[first].address / BANK_BYTES % BANKS);
        for (last = first;
             last + 1 < atomics->place_count && atomics->places[last + 1].address / BANK_BYTES % BANKS == bank;)
            last++;
        struct rect const from = bar_of(chart, first), to = bar_of(chart, last);
        struct rect box = {from.x, y, to.x + to.w - from.x, label_height * ui->unit};
        bool const shared = last > first;
        struct color const color = ui_color(ui, shared ? COLOR_CONFLICT : COLOR_TEXT_DIM);
        draw_line(&ui->draw, (struct point){box.x, y}, (struct point){box.x + box.w, y},
                  shared ? fmaxf(2, 2 * ui->unit) : hairline(ui), color);
        ui_tip(ui, box, _("bank %u: words that this access changes: %u"), bank, last - first + 1);
        box = rect_inset(box, -chart->gap / 2, 0);
        ui_chip_label(ui, box, shared ? FONT_BOLD : FONT_TEXT, text_caption(ui), color,
                      arena_format(view->arena, "%u", bank));
    }
}

/* Returns the rule behind the passes: docs/model.md says how each was found. */
static const char *rule_words(const struct view *view)
{
    const struct trace_site *site = view->scene->site;
    if (view->scene->kind != SCENE_SHARED)
        return _("Lanes on one address take turns");
    if (site->counts)
        return _("Adding 1: a word's lanes share a pass (POPC.INC)");
    if (site->compares)
        return _("A bank serves one lane in a pass, of two wavefronts");
    return _("A bank serves one lane in a pass");
}

/* Draws what a filled and a hatched cell mean, and the rule behind the passes. */
static void draw_legend(struct view *view, struct rect line)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, side = 14 * u;
    const char *const words[] = {_("first pass"), _("later pass: waits")};
    bool const waits = view->scene->atomics.passes > view->scene->atomics.passes_ideal;
    for (int late = 0; late < 1 + waits; late++) {
        float const wide = ui_text_width(ui, FONT_TEXT, text_caption(ui), words[late]);
        if (line.w < side + wide + 28 * u)
            return;
        struct rect box = rect_cut_left(&line, side + wide + 28 * u);
        struct rect const mark = {box.x, box.y + (box.h - side) / 2, side, side};
        enum color_role const role = late ? COLOR_CONFLICT : COLOR_ACCESS;
        draw_fill(&ui->draw, mark, 2, view_color(view, role));
        if (late)
            draw_hatch(&ui->draw, rect_inset(mark, 1, 1), 7 * u, hairline(ui),
                       color_fade(view_text_on(view, role), 0.30f));
        rect_cut_left(&box, side + 6 * u);
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words[late]);
    }
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), rule_words(view)) <= line.w) /* else the tip has it */
        ui_label(ui, line, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), rule_words(view));
    if (view->scene->kind == SCENE_SHARED)
        ui_tip(ui, line, "%s", rule_words(view));
    else
        ui_tip(ui, line, _("Lanes on one address take turns. Sectors sent: %u"), view->scene->atomics.sectors);
}

struct action panel_atomics(struct view *view, struct rect box)
{
    const struct scene *scene = view->scene;
    const struct atomic_passes *atomics = &scene->atomics;
    float const u = view->ui->unit;
    struct rect inner = view_columns(view, box);
    struct rect const caption = rect_cut_top(&inner, caption_height * u);
    if (!atomics->place_count) {
        view_caption(view, caption, _("This step is not an atomic."));
        return NO_ACTION;
    }
    const char *words = arena_format(view->arena, _("Lanes: %d, addresses: %u, most lanes on one address: %u."),
                                     __builtin_popcount(scene->event->mask), atomics->place_count, atomics->most);
    const char *both = arena_format(view->arena, _("%s Passes: %u"), words, atomics->passes);
    bool const fits = ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), both) <= caption.w;
    if (!view->stage->question && fits) /* an open question may ask for the passes */
        words = both;
    view_caption(view, caption, words);
    draw_legend(view, rect_cut_bottom(&inner, legend_height * u));
    bool const shared = scene->kind == SCENE_SHARED;
    struct rect const banks = rect_cut_bottom(&inner, shared ? label_height * u : 0);
    struct rect const labels = rect_cut_bottom(&inner, label_height * u);
    rect_cut_top(&inner, mark_height * u);
    struct chart chart = arrange(view, inner);
    chart.label_step = label_step(view, &chart);
    uint64_t element;
    const struct trace_buffer *buffer =
        shared ? NULL : trace_find_buffer(scene->trace, atomics->places[0].address, &element);
    view_gutter(view, labels.y, labels.h, shared ? _("byte") : buffer ? buffer->name : _("address"), false);
    if (shared) {
        view_gutter(view, banks.y, banks.h, _("bank"), false);
        draw_banks(view, &chart, banks.y);
    }
    for (uint32_t place = 0; place < atomics->place_count; place++)
        draw_bar(view, &chart, place, labels.y);
    return NO_ACTION;
}
