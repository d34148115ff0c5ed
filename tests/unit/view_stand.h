/* A panel's environment in a test: a ui with a fixed-width font, and room for a trace and its scene. Include before
 * cmocka.h. */
#ifndef LANESCOPE_TESTS_VIEW_STAND_H
#define LANESCOPE_TESTS_VIEW_STAND_H
#include "../fake_metrics.h"
#include "trace_samples.h"
#include "view/stage.h"
#include <string.h>

struct stand {
    struct arena arena;
    struct ui ui;
    struct trace *trace; /* NULL: none yet */
    struct scene scene;
    struct view view;
    struct stage_view stage; /* empty until a test fills it */
};

static inline void stand_up(struct stand *stand, struct rect screen)
{
    memset(stand, 0, sizeof *stand);
    stand->ui.metrics = fake_metrics();
    stand->ui.theme = &theme_light;
    stand->ui.unit = 1;
    ui_begin(&stand->ui, &stand->arena, screen);
    stand->view = (struct view){.ui = &stand->ui,
                                .arena = &stand->arena,
                                .scene = &stand->scene,
                                .columns = columns_in(&stand->ui, screen),
                                .stage = &stand->stage};
}
#endif
