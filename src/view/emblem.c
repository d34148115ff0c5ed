/* Emblems for the cards of the list of lessons. */
#include "view/stage.h"
#include <math.h>

/* Draws lanes that meet on one bank, or lanes that read the words of a chunk side by side. The picture is a sign for
 * the subject of a lesson and comes from no run. */
static void emblem(struct ui *ui, struct rect box, bool banks)
{
    enum { LANES = 16, MEET = 4 };
    float const gap = 3 * ui->unit, cell = box.h * 0.2f, below = box.y + box.h - cell;
    float const line = fmaxf(1, 1.5f * ui->unit);
    for (int lane = 0; lane < LANES; lane++) {
        struct rect const from = rect_column(box, lane, LANES, gap);
        int const to = banks ? lane / MEET * MEET : (lane + 1) % LANES;
        struct rect const at = rect_column(box, to, LANES, gap);
        bool const meets = banks && lane % MEET;
        struct color const color = ui_color(ui, meets ? COLOR_CONFLICT : COLOR_ACCESS);
        float const x0 = from.x + from.w / 2, x1 = at.x + at.w / 2, y0 = box.y + cell + 2 * ui->unit,
                    y1 = below - 2 * ui->unit;
        struct point const curve[4] = {{x0, y0}, {x0, (y0 + y1) / 2}, {x1, (y0 + y1) / 2}, {x1, y1}};
        if (banks || to)
            draw_curve(&ui->draw, curve, line, color_fade(color, 0.55f));
        draw_fill(&ui->draw, (struct rect){from.x, box.y, from.w, cell}, 3 * ui->unit, ui_color(ui, COLOR_ACCESS));
        struct rect const word = rect_column(box, lane, LANES, gap);
        struct rect const place = {word.x, below, word.w, cell};
        if (banks ? lane % MEET == 0 : lane > 0)
            draw_fill(&ui->draw, place, 3 * ui->unit, ui_color(ui, banks ? COLOR_CONFLICT : COLOR_ACCESS));
        else
            draw_outline(&ui->draw, place, 3 * ui->unit, hairline(ui), ui_color(ui, COLOR_EDGE));
        if (banks && lane % MEET == 0)
            draw_hatch(&ui->draw, rect_inset(place, 1, 1), 7 * ui->unit, hairline(ui),
                       color_fade(ui_color(ui, COLOR_ON_ACCENT), 0.3f));
    }
}

void emblem_banks(struct ui *ui, struct rect box)
{
    emblem(ui, box, true);
}

void emblem_chunks(struct ui *ui, struct rect box)
{
    emblem(ui, box, false);
}
