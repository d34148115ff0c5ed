/* The one number this step is about, and the sentence that says what it counts. */
#include "view/panels.h"
#include <math.h>

void panel_tally(struct view *view, struct rect box, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    const char *number =
        tally->words && *tally->words ? arena_format(view->arena, "%s %s", tally->number, tally->words) : tally->number;
    struct color color = ui_color(ui, tally->bad ? COLOR_CONFLICT : COLOR_ACCESS);
    if (number && *number) {
        size = fminf(size, box.h * 0.86f);
        float width = ui_text_width(ui, FONT_BOLD, size, number);
        if (width > box.w * 0.5f) {
            size *= box.w * 0.5f / width;
            width = ui_text_width(ui, FONT_BOLD, size, number);
        }
        ui_label(ui, rect_cut_left(&box, width + 2), FONT_BOLD, size, UI_LEFT, color, number);
        rect_cut_left(&box, 28 * ui->unit);
    }
    if (!tally->sentence || !*tally->sentence)
        return;
    struct ui_span span = {tally->sentence, FONT_TEXT, COLOR_TEXT};
    float text = text_body(ui);
    float height = ui_paragraph_height(ui, box.w, text, &span, 1);
    if (height > box.h) {
        text = text_caption(ui);
        height = ui_paragraph_height(ui, box.w, text, &span, 1);
    }
    box.y += fmaxf(0, (box.h - height) / 2);
    ui_paragraph(ui, box, text, &span, 1, false);
}
