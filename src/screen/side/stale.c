#include "screen/side/stale.h"

void draw_stale_words(struct drawing *drawing, struct rect *box)
{
    struct ui *ui = drawing->ui;
    struct newer_source newer;
    if (document_newer_source(drawing->document, &newer) && !(drawing->notice->bad && drawing->notice->text[0]))
        ui_label(ui, rect_cut_top(box, 34 * ui->unit), FONT_BOLD, text_caption(ui), UI_LEFT,
                 ui_color(ui, COLOR_CONFLICT), _("greyed: the run before this version, which has an error"));
}

void draw_stale_veil(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    struct newer_source newer;
    if (!document_newer_source(drawing->document, &newer))
        return;
    struct color veil = ui_color(ui, COLOR_BACKGROUND);
    veil.a = 120;
    draw_fill(&ui->draw, box, 0, veil);
}
