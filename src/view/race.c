/* A race: two accesses to one address, one of them a write, that no barrier orders. Both source lines, and "either". */
#include "view/panels.h"
#include <math.h>

float panel_race_height(const struct view *view)
{
    return 132 * view->ui->unit;
}

static void one_side(struct view *view, struct rect box, const struct run *run, uint32_t site_index,
                     const uint32_t thread[3])
{
    struct ui *ui = view->ui;
    const struct trace_site *site = site_index < run->trace->site_count ? &run->trace->sites[site_index] : NULL;
    draw_outline(&ui->draw, box, 4 * ui->unit, fmaxf(1, 1.5f * ui->unit), ui_color(ui, COLOR_CONFLICT));
    struct rect inner = rect_inset(box, 10 * ui->unit, 4 * ui->unit);
    bool load = site && site->operation == TRACE_LOAD;
    ui_label(ui, rect_cut_top(&inner, inner.h / 2), FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             arena_format(view->arena, load ? _("thread %u reads") : _("thread %u writes"), thread[0]));
    ui_label(ui, inner, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(view->arena, _("line %u"), site ? site->line : 0));
}

void panel_race(struct view *view, const struct run *run, struct rect box)
{
    if (!run->hazard_count)
        return;
    struct ui *ui = view->ui;
    const struct emulator_hazard *hazard = &run->hazards[0];
    ui_card(ui, box);
    draw_hatch(&ui->draw, (struct rect){box.x, box.y, 8 * ui->unit, box.h}, 7 * ui->unit, 2 * ui->unit,
               ui_color(ui, COLOR_CONFLICT));
    box = rect_inset(box, 18 * ui->unit, 8 * ui->unit);
    ui_label(ui, rect_cut_top(&box, 28 * ui->unit), FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_CONFLICT),
             arena_format(view->arena, _("race at byte %llu of block %llu (%u in all)"),
                          (unsigned long long)(hazard->space == PTX_SPACE_SHARED
                                                   ? scene_shared_offset(run->trace, hazard->address)
                                                   : hazard->address),
                          (unsigned long long)hazard->block, run->hazard_count));
    struct rect sides = rect_cut_top(&box, 56 * ui->unit);
    one_side(view, rect_column(sides, 0, 2, 12 * ui->unit), run, hazard->first_site, hazard->first_thread);
    one_side(view, rect_column(sides, 1, 2, 12 * ui->unit), run, hazard->second_site, hazard->second_thread);
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             _("order: either. A barrier between them would fix it."));
}
