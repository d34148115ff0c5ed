/* The one number this step is about, and the sentence that says what it counts. */
#include "view/panels.h"
#include <math.h>
#include <string.h>

/* Draws the number with as much of its words as fits at its size: all, or the first ("35 loads", "35번": a counter is
 * never torn off its number). The rest, which goes above the sentence, is returned. */
static const char *draw_number(struct view *view, struct rect *box, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    const char *words = tally->words ? tally->words : "";
    bool hangul = (unsigned char)*words >= 0xea && (unsigned char)*words <= 0xed;
    const char *between = hangul || !*words ? "" : " "; /* a Korean counter stands close to its number */
    const char *rest = words + strcspn(words, " ");
    const char *shown = arena_format(view->arena, "%s%s%s", tally->number, between, words);
    float fitted = size, room = box->w * 0.46f, least = 50 * ui->unit;
    while (fitted > least && ui_text_width(ui, FONT_BOLD, fitted, shown) > room)
        fitted *= 0.92f;
    if (ui_text_width(ui, FONT_BOLD, fitted, shown) <= room) {
        size = fitted;
        rest = "";
    } else {
        static const char of[] = "의"; /* "35번의 읽기", but set apart "35번" and "읽기" */
        size_t taken = (size_t)(rest - words), tail = sizeof of - 1;
        taken -= hangul && taken > tail && memcmp(rest - tail, of, tail) == 0 ? tail : 0;
        shown = arena_format(view->arena, "%s%s%.*s", tally->number, between, (int)taken, words);
        while (size > least && ui_text_width(ui, FONT_BOLD, size, shown) > room)
            size *= 0.92f;
    }
    float width = ui_text_width(ui, FONT_BOLD, size, shown);
    ui_label(ui, rect_cut_left(box, width + 2), FONT_BOLD, size, UI_LEFT,
             ui_color(ui, tally->bad ? COLOR_CONFLICT : COLOR_ACCESS), shown);
    rect_cut_left(box, 26 * ui->unit);
    return rest + strspn(rest, " ");
}

void panel_tally(struct view *view, struct rect box, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    const char *words = "";
    if (tally->number && *tally->number)
        words = draw_number(view, &box, tally, fminf(size, box.h * 0.73f));
    const char *sentence = tally->sentence ? tally->sentence : "";
    struct ui_span spans[2] = {{*words ? arena_format(view->arena, "%s\n", words) : "", FONT_BOLD, COLOR_TEXT},
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
