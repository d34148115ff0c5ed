/* The steps of a warp: however long the run, the current step is on screen, and equal steps share a row before any is
 * left out. */
#include "trace_samples.h"
#include "view_stand.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Returns a trace of one warp in which the mask changes after every `same` steps. */
static struct trace *long_run(unsigned steps, unsigned same)
{
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    for (unsigned i = 0; i < steps; i++) {
        uint32_t const mask = i / same % 2 ? 0xff : UINT32_MAX;
        sample_access(trace, 0, 0, SITE_LOAD, mask, SAMPLE_BUFFER, 4, false);
    }
    return trace;
}

static bool same_color(struct color a, struct color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

struct drawn {
    int rings, rows;
    struct rect ring;
};

/* Draws the panel at a position, 300 pixels high, and counts the rings and the rows with an active lane 0. */
static struct drawn draw_at(struct stand *stand, const struct playback *playback, size_t position)
{
    struct drawn drawn = {0};
    struct rect const box = {0, 0, 900, 300};
    struct stage_view const offered = {.shown = STAGE_DIVERGENCE};
    ui_begin(&stand->ui, &stand->arena, stand->ui.screen);
    scene_build(&stand->scene, playback, position, NULL, &stand->arena);
    stand->stage = stage_chosen(&stand->view, &offered);
    assert_true(panel_divergence_size(&stand->view).best > 0);
    assert_int_equal(panel_divergence(&stand->view, box).kind, ACTION_NONE);
    ui_end(&stand->ui);
    for (size_t i = 0; i < stand->ui.draw.count; i++) {
        const struct draw_command *command = &stand->ui.draw.items[i];
        struct rect const first = column_cell(&stand->view.columns, 0, 0, 1);
        drawn.rows += command->kind == DRAW_FILL && fabsf(command->rect.x - first.x) < 1;
        if (command->kind != DRAW_OUTLINE || !same_color(command->color, ui_color(&stand->ui, COLOR_CURSOR)))
            continue;
        drawn.rings++;
        drawn.ring = command->rect;
    }
    assert_int_equal(drawn.rings, 1);
    assert_true(drawn.ring.y >= box.y && drawn.ring.y + drawn.ring.h <= box.y + box.h + 1);
    return drawn;
}

static void the_current_step_of_a_long_run_is_in_sight(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 300});
    stand.trace = long_run(500, 1);
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    float last = -1;
    for (size_t position = 0; position < 500; position += position < 20 || position > 480 ? 1 : 40) {
        struct drawn const drawn = draw_at(&stand, playback, position);
        assert_in_range(drawn.rows, 8, 30);
        if (position < 5) { /* at the start of the run the cursor goes down */
            assert_true(drawn.ring.y > last);
            last = drawn.ring.y;
        }
    }
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

static void equal_steps_share_a_row_only_when_the_rows_do_not_fit_and_differ(void **state)
{
    (void)state;
    struct stand stand;
    static const struct {
        unsigned steps, same;
        int rows;
    } cases[] = {{10, 5, 10}, {60, 10, 6}, {60, 60, 11}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stand_up(&stand, (struct rect){0, 0, 900, 300});
        stand.trace = long_run(cases[i].steps, cases[i].same);
        const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
        assert_int_equal(draw_at(&stand, playback, cases[i].steps / 2).rows, cases[i].rows);
        trace_free(stand.trace);
        arena_free(&stand.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_current_step_of_a_long_run_is_in_sight),
        cmocka_unit_test(equal_steps_share_a_row_only_when_the_rows_do_not_fit_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
