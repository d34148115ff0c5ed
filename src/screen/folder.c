/* The list of a folder. */
#include "screen/folder.h"
#include "screen/layout.h"
#include "screen/screen.h"
#include <math.h>

static void draw_entry(struct drawing *drawing, const struct folder *folder, size_t index, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct folder_entry *entry = &folder->entries[index];
    ui_id const id = ui_id_child(ui_id_text("folder"), (uint32_t)index);
    ui_card(ui, box);
    if (index == folder->chosen || ui_hovered(ui, box))
        draw_outline(&ui->draw, box, 6 * u, fmaxf(2, 3 * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, box, 6 * u);
    if (ui_area(ui, id, box))
        drawing_ask(drawing, ACTION_OPEN_CARD, (int)index);
    const char *name = index == 0      ? _("‹ the folder above")
                       : entry->folder ? arena_format(drawing->arena, "%s /", entry->name)
                                       : entry->name;
    ui_tip(ui, box, "%s", name);
    ui_label(ui, rect_inset(box, 14 * u, 0), entry->folder ? FONT_TEXT : FONT_BOLD, text_body(ui), UI_LEFT,
             ui_color(ui, COLOR_TEXT), name);
}

void screen_folder(struct drawing *drawing, const struct folder *folder)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = 8 * u, height = 40 * u, turn = 48 * u;
    struct layout const layout = layout_of(drawing);
    draw_top_bar(drawing, layout.top);
    if (*layout.notice_text)
        draw_notice(drawing, layout.notice, layout.notice_text, layout.notice_bad);
    float const margin = (ui->screen.w < 700 * u ? 12 : 24) * u, top = layout.top.h + layout.notice.h + 10 * u;
    struct rect all = {margin, top, ui->screen.w - 2 * margin, ui->screen.h - top - 10 * u};
    struct rect title = rect_cut_top(&all, 36 * u);
    struct rect const back =
        rect_cut_right(&title, ui_text_width(ui, FONT_TEXT, text_caption(ui), _("‹ Back")) + 40 * u);
    if (ui_button(ui, ui_id_text("leave the folder"), rect_inset(back, 0, 2 * u), _("‹ Back"), false))
        drawing_ask(drawing, ACTION_LEAVE, 0);
    const char *typed = folder->typed[0] ? arena_format(drawing->arena, "%s%s%s_", folder->path,
                                                        folder->path[1] ? "/" : "", folder->typed)
                                         : folder->path;
    ui_label(ui, title, FONT_BOLD, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), typed);
    ui_tip(ui, title, "%s", folder->path);
    struct rect const hint = rect_cut_bottom(&all, 30 * u);
    ui_label(ui, hint, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             folder->count > 1 ? _("only folders and .cu, .ptx and .trace files are listed; type a name, or use the "
                                   "arrows, then Enter; Esc goes back")
                               : _("this folder has no .cu, .ptx or .trace file and no folder; Esc goes back"));
    int const across = all.w > 1100 * u ? 3 : all.w > 640 * u ? 2 : 1, count = (int)folder->count;
    int const rows = (int)fmaxf(1, floorf((all.h - turn + gap) / (height + gap)));
    int const per_page = rows * across, pages = (count + per_page - 1) / per_page,
              page = (int)folder->chosen / per_page;
    struct rect const foot = rect_cut_bottom(&all, 40 * u);
    size_t *firsts = arena_array(drawing->arena, size_t, (size_t)pages);
    for (int i = 0; i < pages; i++)
        firsts[i] = (size_t)i * (size_t)per_page;
    if (pages > 1)
        draw_page_turn(drawing, foot, page, pages, firsts);
    for (int i = page * per_page; i < count && i < (page + 1) * per_page; i += across) {
        struct rect const row = rect_cut_top(&all, height);
        rect_cut_top(&all, gap);
        for (int k = i; k < i + across && k < count; k++)
            draw_entry(drawing, folder, (size_t)k, rect_column(row, k - i, across, gap));
    }
}
