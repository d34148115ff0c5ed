/* One multiprocessor, filled with blocks of the kernel until a resource is used up: warps, registers, shared memory and
 * the number of blocks. Each bar is the whole resource; a segment is the share of one block. The bar of the limit that
 * binds is outlined, and the next block is drawn where it no longer fits. */
#include "view/stage.h"
#include <math.h>

/* One resource: the share of a block, and how many blocks it has room for. */
struct resource {
    enum occupancy_limit limit;
    const char *name, *unit;
    double all, block;
};
enum { RESOURCES = 4 };
static float const bar_height = 34, line_height = 24, gap = 12, caption_height = 30;

static void find_resources(const struct occupancy_case *of, struct resource resources[RESOURCES])
{
    uint32_t const warps = (of->needs.threads + WARP_LANES - 1) / WARP_LANES;
    resources[0] = (struct resource){OCCUPANCY_THREADS, _("Warps"), _("warps"), of->got.warps_max, warps};
    resources[1] = (struct resource){OCCUPANCY_REGISTERS, _("Registers"), _("registers"), (double)of->limits->registers,
                                     (double)of->got.block_registers};
    resources[2] = (struct resource){OCCUPANCY_SHARED, _("Shared"), _("bytes"), (double)of->limits->shared,
                                     (double)of->got.block_shared};
    resources[3] = (struct resource){OCCUPANCY_BLOCKS, _("Blocks"), _("blocks"), (double)of->limits->blocks, 1};
}

struct panel_size panel_occupancy_size(const struct view *view)
{
    if (!view->stage->occupancy || view->stage->fault)
        return NOT_SHOWN;
    float const best = caption_height + RESOURCES * (bar_height + line_height + gap);
    struct panel_size size = panel_access_size(view, best * view->ui->unit);
    size.least = fminf(size.best, caption_height + RESOURCES * (22 + 4));
    return size;
}

static const char *limit_words(enum occupancy_limit limit)
{
    switch (limit) {
    case OCCUPANCY_BLOCKS:
        return _("blocks");
    case OCCUPANCY_THREADS:
        return _("warps");
    case OCCUPANCY_REGISTERS:
        return _("registers");
    case OCCUPANCY_SHARED:
        return _("shared memory");
    default:
        return _("barriers");
    }
}

static const char *caption_text(const struct view *view, const struct occupancy_case *of, float width)
{
    const char *limit = limit_words(of->got.limit);
    if (!of->got.blocks)
        return arena_format(view->arena, _("Compute capability %s: no block fits. Limit: %s"), of->limits->capability,
                            limit);
    const char *now = arena_format(view->arena, _("%u of %u warps, blocks: %u. Limit: %s"), of->got.warps,
                                   of->got.warps_max, of->got.blocks, limit);
    const char *whole = arena_format(view->arena, _("Compute capability %s: %s"), of->limits->capability, now);
    return ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), whole) <= width ? whole : now;
}

/* Returns whether the numbers of this many blocks can be read in segments as wide as this. If not, none has a number.
 */
static bool has_numbers(const struct view *view, float width, uint32_t blocks)
{
    const char *last = arena_format(view->arena, "%u", blocks);
    float const least = text_caption(view->ui) / 2;
    return ui_text_width(view->ui, FONT_BOLD, least, last) <= width - 4;
}

/* Draws the share of one block. */
static void one_block(struct view *view, struct rect box, uint32_t index, bool numbered, bool binds)
{
    struct ui *ui = view->ui;
    struct color const background = ui_color(ui, COLOR_BACKGROUND);
    struct color const full = view_color(view, COLOR_ACCESS);
    float const pale = binds ? 0.45f : 0.62f;
    float const space = box.w > 6 ? 1.5f : box.w > 3 ? 0.75f : 0;
    box.w -= space;
    draw_fill(&ui->draw, box, 0, color_mix(full, background, index % 2 ? pale : pale + 0.12f));
    if (numbered)
        ui_chip_label(ui, rect_inset(box, 2, 0), FONT_BOLD, view_chip_text(ui, box), ui_color(ui, COLOR_TEXT),
                      arena_format(view->arena, "%u", index + 1));
}

/* Draws the place of the block after the last: dashed, and crossed out where it would pass the end of the bar. */
static void next_block(struct view *view, struct rect bar, float from, float width)
{
    struct ui *ui = view->ui;
    float const left = bar.x + bar.w - from;
    if (left < 1)
        return;
    struct rect rest = {from, bar.y, left, bar.h};
    draw_hatch(&ui->draw, rect_inset(rest, 1, 1), 8 * ui->unit, hairline(ui), view_color(view, COLOR_IDLE));
    draw_outline_dashed(&ui->draw, rest, 0, hairline(ui), 5 * ui->unit, view_color(view, COLOR_IDLE));
    ui_tip(ui, rest, width > left ? _("too little for another block") : _("unused: another limit binds"));
}

static const char *resource_words(const struct view *view, const struct occupancy_case *of,
                                  const struct resource *resource)
{
    const char *all = words_count(view->arena, (uint64_t)resource->all);
    const char *used = words_count(view->arena, (uint64_t)resource->block * of->got.blocks);
    if (resource->limit == OCCUPANCY_BLOCKS)
        return arena_format(view->arena, _("%s of %s"), used, all);
    return arena_format(view->arena, _("%s of %s %s; a block takes %s: room for %u"), used, all, resource->unit,
                        words_count(view->arena, (uint64_t)resource->block), of->got.by[resource->limit]);
}

/* Returns what a block takes. */
static const char *share_words(const struct view *view, uint32_t block, const struct resource *resource)
{
    const char *share = words_count(view->arena, (uint64_t)resource->block);
    if (resource->limit == OCCUPANCY_BLOCKS)
        return arena_format(view->arena, _("block %u of this multiprocessor"), block);
    if (resource->limit == OCCUPANCY_THREADS)
        return arena_format(view->arena, _("block %u of this multiprocessor: %s {warp|warps}"), block, share);
    return arena_format(view->arena, _("block %u of this multiprocessor: %s %s"), block, share, resource->unit);
}

static void one_resource(struct view *view, struct rect box, const struct occupancy_case *of,
                         const struct resource *resource)
{
    struct ui *ui = view->ui;
    bool const binds = of->got.limit == resource->limit;
    bool const told = box.h >= (20 + line_height) * ui->unit; /* room for the words */
    struct rect const words = rect_cut_bottom(&box, told ? line_height * ui->unit : 0);
    float const label = fmaxf(box.h, 30 * ui->unit);
    view_gutter(view, box.y + (box.h - label) / 2, label, resource->name, binds);
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    if (resource->limit == OCCUPANCY_REGISTERS && !of->needs.registers) {
        draw_outline_dashed(&ui->draw, box, 0, hairline(ui), 5 * ui->unit, view_color(view, COLOR_IDLE));
        ui_label(ui, told ? words : rect_inset(box, 8 * ui->unit, 0), FONT_TEXT, text_caption(ui), UI_LEFT,
                 ui_color(ui, COLOR_TEXT_DIM), _("registers of this kernel: not known without a GPU or a recording"));
        return;
    }
    float const width = box.w * (float)(resource->block / resource->all);
    bool const numbered = has_numbers(view, width, of->got.blocks);
    for (uint32_t i = 0; i < of->got.blocks; i++) {
        struct rect const share = {box.x + width * (float)i, box.y, width, box.h};
        one_block(view, share, i, numbered, binds);
        ui_tip(ui, share, "%s", share_words(view, i + 1, resource));
    }
    next_block(view, box, box.x + width * (float)of->got.blocks, width);
    if (binds)
        draw_outline(&ui->draw, box, 0, fmaxf(2, 2.4f * ui->unit), view_color(view, COLOR_TEXT));
    if (told)
        ui_label(ui, words, binds ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_LEFT,
                 ui_color(ui, binds ? COLOR_TEXT : COLOR_TEXT_DIM), resource_words(view, of, resource));
}

struct action panel_occupancy(struct view *view, struct rect box)
{
    const struct occupancy_case *of = view->stage->occupancy;
    struct resource resources[RESOURCES];
    float const u = view->ui->unit;
    box = view_columns(view, box);
    struct rect const caption = rect_cut_top(&box, caption_height * u);
    view_caption(view, caption, caption_text(view, of, caption.w));
    find_resources(of, resources);
    float const slot = box.h / RESOURCES,
                between = slot > (bar_height + line_height + gap) * u * 0.9f ? gap * u : 4 * u;
    for (int i = 0; i < RESOURCES; i++) {
        struct rect row = rect_cut_top(&box, slot);
        row.h -= between;
        one_resource(view, row, of, &resources[i]);
    }
    return NO_ACTION;
}
