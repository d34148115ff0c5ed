/* The registry: each row of ui/panels.def with its functions. */
#include "view/panel.h"
#include "view/stage.h"
#include <math.h>

_Static_assert(STAGE_NAMED <= 31, "a step of a lesson keeps the panels that it names as bits of an int");
_Static_assert(STAGE_PANELS <= 64, "stage_kept returns a bit for each panel");

#define PANEL(panel, FLAG, ...)                                                                                        \
    {.name = #panel, .flag = STAGE_##FLAG, .size = panel_##panel##_size, .draw = panel_##panel, __VA_ARGS__},
#define FIXTURE(panel, ...) {.size = panel_##panel##_size, .draw = panel_##panel, __VA_ARGS__},
const struct panel stage_panels[STAGE_PANELS] = {
#include "ui/panels.def"
};
#undef FIXTURE
#undef PANEL

struct panel_size panel_access_size(const struct view *view, float height)
{
    const struct stage_view *stage = view->stage;
    if (!stage->covered)
        return (struct panel_size){.least = fminf(height / view->ui->unit, 150), .best = height / view->ui->unit};
    int const panels = (stage->access != SCENE_EMPTY) + !!(stage->shown & STAGE_THREADS) +
                       !!(stage->shown & STAGE_MATRIX) + !!(stage->shown & STAGE_FRAGMENTS);
    float const words = question_least(view) / view->ui->unit / (float)(panels > 0 ? panels : 1);
    return (struct panel_size){.least = fmaxf(words, 150), .best = fmaxf(words, 320)};
}
