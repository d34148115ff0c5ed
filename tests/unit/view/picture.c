/* The panel with the pictures of a run: its input, its result, and the pixels that are wrong. */
#include "view/panel.h"
#include "view_golden.h"
#include <math.h>
#include <string.h>

enum { ROWS = 4, COLUMNS = 8 };
static double input[ROWS * COLUMNS], output[ROWS * COLUMNS], expected[ROWS * COLUMNS];

static struct launch_picture picture = {.rows = ROWS,
                                        .columns = COLUMNS,
                                        .input_name = "buffer",
                                        .output_name = "buffer",
                                        .input = input,
                                        .output = output,
                                        .expected = expected,
                                        .window = 3};

static struct rect const room = {0, 0, 900, 300};

static const struct panel *picture_panel(void)
{
    return &stage_panels[STAGE_AT_picture];
}

static void draw(struct stand *stand, const struct launch_picture *shown, struct point mouse)
{
    stand_up(stand, room);
    stand->trace = sample_trace(SAMPLE_BUFFER, 0, true);
    picture.input_name = picture.output_name = stand->trace->buffers[0].name;
    const struct playback *playback = playback_new(&stand->arena, stand->trace, 0);
    struct stage_view const offered = {.shown = STAGE_PICTURE};
    stand->ui.input.mouse = mouse;
    stand->ui.input.mouse_inside = mouse.x > 0;
    ui_begin(&stand->ui, &stand->arena, stand->ui.screen);
    scene_build(&stand->scene, playback, 0, NULL, &stand->arena);
    stand->scene.picture = shown;
    stand->stage = stage_chosen(&stand->view, &offered);
    assert_true((picture_panel()->size(&stand->view).best > 0) == (shown != NULL));
    picture_panel()->draw(&stand->view, room);
}

static void tear_down(struct stand *stand)
{
    ui_end(&stand->ui);
    trace_free(stand->trace);
    arena_free(&stand->arena);
}

static int set_up_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        input[i] = i;
        output[i] = expected[i] = 31 - i;
    }
    output[9] = 5; /* row 1, column 1 */
    return 0;
}

static bool shows(const struct stand *stand, const char *text)
{
    for (size_t i = 0; i < stand->ui.draw.count; i++)
        if (stand->ui.draw.items[i].kind == DRAW_TEXT && strstr(stand->ui.draw.items[i].text, text))
            return true;
    return false;
}

static void input_result_and_wrong_pixels_are_drawn(void **state)
{
    (void)state;
    struct stand stand;
    draw(&stand, &picture, (struct point){0, 0});
    assert_true(shows(&stand, "wrong: 1"));
    compare_with_golden(&stand, "panel_picture");
}

static void without_a_result_the_input_stands_alone(void **state)
{
    (void)state;
    struct stand stand;
    struct launch_picture alone = picture;
    alone.output = alone.expected = NULL;
    alone.input_name = alone.output_name = "in";
    draw(&stand, &alone, (struct point){0, 0});
    assert_false(shows(&stand, "wrong"));
    tear_down(&stand);
}

/* Returns the outline of the window, which has the colour of the cursor. */
static struct rect window_frame(const struct stand *stand)
{
    struct color const yellow = ui_color(&stand->ui, COLOR_CURSOR);
    for (size_t i = 0; i < stand->ui.draw.count; i++) {
        const struct draw_command *command = &stand->ui.draw.items[i];
        if (command->kind == DRAW_OUTLINE && memcmp(&command->color, &yellow, sizeof yellow) == 0)
            return command->rect;
    }
    return (struct rect){0, 0, 0, 0};
}

/* A pixel in the corner has a window of 2 x 2 inside the picture, one in the middle 3 x 3. */
static void the_window_of_a_pixel_ends_at_the_edge(void **state)
{
    (void)state;
    struct stand stand;
    draw(&stand, &picture, (struct point){0, 0});
    struct rect area = {0, 0, 0, 0};
    for (size_t i = 0; i < stand.ui.draw.count && area.w <= 0; i++)
        if (stand.ui.draw.items[i].kind == DRAW_FILL)
            area = stand.ui.draw.items[i].rect;
    float const pixel = area.w / COLUMNS;
    tear_down(&stand);
    draw(&stand, &picture, (struct point){area.x + pixel / 2, area.y + pixel / 2});
    struct rect const corner = window_frame(&stand);
    assert_non_null(stand.ui.tooltip);
    assert_non_null(strstr(stand.ui.tooltip, "row 0, column 0"));
    tear_down(&stand);
    draw(&stand, &picture, (struct point){area.x + 1.5f * pixel, area.y + 1.5f * pixel});
    struct rect const middle = window_frame(&stand);
    assert_non_null(strstr(stand.ui.tooltip, "expected 22"));
    tear_down(&stand);
    assert_true(fabsf(middle.w - corner.w - pixel) < 0.5f);
    assert_true(fabsf(middle.h - corner.h - pixel) < 0.5f);
}

static void a_run_without_a_picture_has_no_panel(void **state)
{
    (void)state;
    struct stand stand;
    draw(&stand, NULL, (struct point){0, 0});
    tear_down(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_result_and_wrong_pixels_are_drawn),
        cmocka_unit_test(without_a_result_the_input_stands_alone),
        cmocka_unit_test(the_window_of_a_pixel_ends_at_the_edge),
        cmocka_unit_test(a_run_without_a_picture_has_no_panel),
    };
    return cmocka_run_group_tests(tests, set_up_numbers, NULL);
}
