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

/* The variables and latencies of a made-up kernel. */
static const struct ptx_placed stand_variables[] = {
    {.name = "in", .space = PTX_SPACE_PARAM, .bytes = 8},
    {.name = "n", .space = PTX_SPACE_PARAM, .bytes = 4},
    {.name = "in", .pointed_to = true, .space = PTX_SPACE_GLOBAL, .bytes = 16384},
    {.name = "weights", .space = PTX_SPACE_CONST, .bytes = 128},
    {.name = "tile", .space = PTX_SPACE_SHARED, .bytes = 2048},
    {.name = "__local_depot0", .by_compiler = true, .space = PTX_SPACE_LOCAL, .bytes = 48},
    {.name = "t", .space = PTX_SPACE_LOCAL, .bytes = 16},
    {.name = "i", .space = PTX_SPACE_REGISTER, .bytes = 4},
    {.name = "sum", .space = PTX_SPACE_REGISTER, .bytes = 4}};
enum { STAND_VARIABLES = sizeof stand_variables / sizeof *stand_variables };
static const struct clock_figures stand_latencies = {
    .gpu = "a GPU", .measured = true, .shared = 23, .l1 = 32, .l2 = 281, .dram = 657};

static inline void stand_with_variables(struct stand *stand)
{
    stand->scene.variables = stand_variables;
    stand->scene.variable_count = STAND_VARIABLES;
    stand->scene.latencies = &stand_latencies;
}

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
