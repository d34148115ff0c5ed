/* The size of a unit in pixels: see screen/layout.c. */
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
    app->ui.minimum_text = app_minimum_text(app); /* larger labels shrink before they are cut */
}

float app_minimum_text(const struct app *app)
{
    float scale = app->scale > 0 ? app->scale : 1;
    return app->preferences.presenting ? (float)app->height / 50 : 16 * scale;
}
