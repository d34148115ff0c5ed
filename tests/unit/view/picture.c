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

static uint32_t chosen; /* the pixel that is followed, counted from 1 */

static void draw(struct stand *stand, const struct launch_picture *shown, struct point mouse)
{
    stand_up(stand, room);
    stand->trace = sample_trace(SAMPLE_BUFFER, 0, true);
    stand->trace->buffers[0].shape = (struct launch_shape){ROWS, COLUMNS, COLUMNS * 4};
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
    stand->scene.chosen = chosen;
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
    chosen = 1;
    draw(&stand, &picture, (struct point){area.x + pixel / 2, area.y + pixel / 2});
    struct rect const corner = window_frame(&stand);
    assert_non_null(stand.ui.tooltip);
    assert_non_null(strstr(stand.ui.tooltip, "row 0, column 0"));
    assert_true(shows(&stand, "window of row 0, column 0: pixels: 4, bytes: 16, in sectors: 2"));
    assert_true(shows(&stand, "shared with the next pixel: 4"));
    tear_down(&stand);
    chosen = COLUMNS + 2;
    draw(&stand, &picture, (struct point){area.x + 1.5f * pixel, area.y + 1.5f * pixel});
    struct rect const middle = window_frame(&stand);
    assert_true(shows(&stand, "window of row 1, column 1: pixels: 9, bytes: 36, in sectors: 3"));
    assert_true(shows(&stand, "shared with the next pixel: 6"));
    tear_down(&stand);
    chosen = 0;
    assert_true(fabsf(middle.w - corner.w - pixel) < 0.5f);
    assert_true(fabsf(middle.h - corner.h - pixel) < 0.5f);
}

/* The mouse goes down in one pixel and moves, held, to another one and out of the picture. */
static void the_mouse_drags_the_window(void **state)
{
    (void)state;
    struct stand stand;
    draw(&stand, &picture, (struct point){0, 0});
    struct rect area = {0, 0, 0, 0};
    for (size_t i = 0; i < stand.ui.draw.count && area.w <= 0; i++)
        if (stand.ui.draw.items[i].kind == DRAW_FILL)
            area = stand.ui.draw.items[i].rect;
    float const pixel = area.w / COLUMNS;
    static const struct {
        float right, down;
        bool pressed;
        int reached; /* -1: nothing is asked for */
    } moves[] = {{2, 1, false, -1}, {2, 1, true, COLUMNS + 2}, {5, 3, false, 3 * COLUMNS + 5}, {20, 1, false, 15}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        ui_end(&stand.ui);
        stand.ui.input = (struct ui_input){
            .mouse = {area.x + (moves[i].right + 0.5f) * pixel, area.y + (moves[i].down + 0.5f) * pixel},
            .mouse_inside = true,
            .down = i > 0,
            .pressed = moves[i].pressed};
        stand.ui.input.from = stand.ui.input.mouse;
        ui_begin(&stand.ui, &stand.arena, stand.ui.screen);
        struct action const wish = picture_panel()->draw(&stand.view, room);
        assert_int_equal(wish.kind, moves[i].reached < 0 ? ACTION_NONE : ACTION_CHOOSE_ELEMENT);
        assert_true(moves[i].reached < 0 || wish.value == moves[i].reached);
    }
    tear_down(&stand);
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
        cmocka_unit_test(the_mouse_drags_the_window),
        cmocka_unit_test(a_run_without_a_picture_has_no_panel),
    };
    return cmocka_run_group_tests(tests, set_up_numbers, NULL);
}
