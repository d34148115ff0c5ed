/* The layout of a screen. The design is 1080 units high; a unit is one pixel there, and more on larger screens and with
 * larger text. A presentation is 800 units high, so that the smallest text (16 units) is 1/50 of the height. A window
 * that is too small for the right column has none. */
#include "app/screen/layout.h"
#include "app/screen/screen.h"
#include "app/state.h"
#include <math.h>

void app_update_unit(struct app *app)
{
    float scale = app->scale > 0 ? app->scale : 1;
    float text = 1 + 0.1f * (float)app->preferences.text_step;
    float width = (float)app->width, height = (float)app->height;
    float unit;
    if (app->preferences.presenting)
        unit = fmaxf(height / 798, scale * 0.8f);
    else
        unit = fmaxf(scale, fminf(width / 1920, height / 1080));
    app->ui.unit = unit * text;
    app->ui.minimum_text = 16 * app->ui.unit;
}

float app_minimum_text(const struct app *app)
{
    float scale = app->scale > 0 ? app->scale : 1;
    return app->preferences.presenting ? (float)app->height / 50 : 16 * scale;
}

struct layout layout_of(const struct drawing *drawing)
{
    float u = drawing->ui->unit;
    struct rect all = drawing->ui->screen;
    struct layout layout = {0};
    bool low = all.h < 600 * u;
    layout.compact = drawing->preferences->presenting || all.w < 1180 * u || low;
    layout.top = rect_cut_top(&all, (low ? 44 : 56) * u);
    layout.timeline = rect_cut_bottom(&all, (low ? 66 : 92) * u);
    if (drawing->notice->text[0])
        layout.notice = rect_cut_top(&all, notice_height(drawing));
    float margin = 24 * u;
    all = rect_inset(all, margin, all.h < 760 * u ? 10 * u : 18 * u);
    if (!layout.compact) {
        bool file = drawing->document->kind == DOCUMENT_FILE; /* wider, for a source of any width and its report */
        float side = fminf((file ? 660 : 540) * u, fmaxf(412 * u, all.w * (file ? 0.35f : 0.29f)));
        layout.side = rect_cut_right(&all, side);
        rect_cut_right(&all, 28 * u);
    }
    layout.stage = all;
    return layout;
}
