/* The one number this step is about, and the sentence that says what it counts. */
#include "view/panels.h"
#include <math.h>

/* Words too long to stand beside the number at its size go above the sentence. */
static float draw_number(struct view *view, struct rect *box, const struct tally *tally, float size, bool *words_left)
{
    struct ui *ui = view->ui;
    bool hangul = tally->words && (unsigned char)*tally->words >= 0xea && (unsigned char)*tally->words <= 0xed;
    const char *number = tally->number;
    *words_left = false;
    if (tally->words && *tally->words) /* a Korean counter stands close to its number */
        number = arena_format(view->arena, hangul ? "%s%s" : "%s %s", tally->number, tally->words);
    float fitted = size, room = box->w * 0.46f, least = 50 * ui->unit;
    while (fitted > least && ui_text_width(ui, FONT_BOLD, fitted, number) > room)
        fitted *= 0.92f;
    if (ui_text_width(ui, FONT_BOLD, fitted, number) <= room)
        size = fitted;
    else {
        number = tally->number;
        *words_left = tally->words && *tally->words;
    }
    float width = ui_text_width(ui, FONT_BOLD, size, number);
    ui_label(ui, rect_cut_left(box, width + 2), FONT_BOLD, size, UI_LEFT,
             ui_color(ui, tally->bad ? COLOR_CONFLICT : COLOR_ACCESS), number);
    rect_cut_left(box, 26 * ui->unit);
    return width;
}

void panel_tally(struct view *view, struct rect box, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    bool words_left = false;
    if (tally->number && *tally->number)
        draw_number(view, &box, tally, fminf(size, box.h * 0.73f), &words_left);
    const char *sentence = tally->sentence ? tally->sentence : "";
    struct ui_span spans[2] = {
        {words_left ? arena_format(view->arena, "%s\n", tally->words) : "", FONT_BOLD, COLOR_TEXT},
        {sentence, FONT_TEXT, COLOR_TEXT}};
    const float sizes[] = {fminf(26 * ui->unit, size * 0.36f), 21 * ui->unit, text_body(ui), text_caption(ui)};
    float text = 0, height = 0;
    for (int i = 0; i < 4; i++) { /* the largest that fits */
        text = fmaxf(sizes[i], text_caption(ui));
        height = ui_paragraph_height(ui, box.w, text, spans, 2);
        if (height <= box.h)
            break;
    }
    box.y += fmaxf(0, (box.h - height) / 2);
    ui_paragraph(ui, box, text, spans, 2, false);
}
