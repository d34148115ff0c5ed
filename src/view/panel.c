/* The registry: each row of ui/panels.def with its functions. */
#include "view/panel.h"
#include "view/stage.h"

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
