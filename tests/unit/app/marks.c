/* Predictions on pictures of the lessons: a frame of pixels by keys and by a drag, the sectors that are new to the
 * block, the elements of a product that share one of a factor. The run says what is right. */
#include "app/app.h"
#include "base/words.h"
#include "ui/keys.h"
#include "ui/panels.h"
#include "view/view.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"

enum { MATMUL_SHARERS = 2, STENCIL_WINDOW = 2, STENCIL_FRESH = 3, STENCIL_COPY = 5, SCAN_ADDERS = 3 };
enum {
    AROUND = 8,
    TILE_WIDE = 32,
    TILE_HIGH = 8,
    WINDOW = 7
}; /* pixels: offered around the tile; the lesson's setting */

static struct app *open_step(const char *lesson, int beat)
{
    struct app_options const options = app_options_of(lesson, beat);
    return app_opened(&options, NULL);
}

static void press_times(struct app *app, int key, int times)
{
    for (int i = 0; i < times; i++)
        press(app, key, 0);
}

/* Moves the cursor of the keys from one cell to another. The first arrow of all chooses cell 0. */
static void go(struct app *app, int from_x, int from_y, int to_x, int to_y)
{
    press_times(app, to_x > from_x ? KEY_RIGHT : KEY_LEFT, abs(to_x - from_x));
    press_times(app, to_y > from_y ? KEY_DOWN : KEY_UP, abs(to_y - from_y));
}

/* Marks a frame by its corners and checks it. */
static void mark_frame(struct app *app, int left, int top, int right, int bottom)
{
    press(app, KEY_RIGHT, 0);
    go(app, 0, 0, left, top);
    press(app, KEY_SPACE, 0);
    go(app, left, top, right, bottom);
    press(app, KEY_SPACE, 0);
    press(app, KEY_ENTER, 0);
}

static void expect_counts(struct app *app, int right, int missing, int extra)
{
    char words[96];
    snprintf(words, sizeof words, "%d right, %d missing, %d too many.", right, missing, extra);
    if (!shows(app, words))
        fail_msg("nothing says \"%s\"\n%s", words, picture(app));
}

static void the_window_of_a_thread_is_a_frame_around_its_pixel(void **state)
{
    (void)state;
    int const first = AROUND - WINDOW / 2, last = AROUND + WINDOW / 2;
    struct app *app = open_step("stencil", STENCIL_WINDOW);
    mark_frame(app, first, first, last, last);
    expect_counts(app, WINDOW * WINDOW, 0, 0);
    app_free(app);
    app = open_step("stencil", STENCIL_WINDOW); /* one row of it */
    mark_frame(app, first, AROUND, last, AROUND);
    expect_counts(app, WINDOW, WINDOW * WINDOW - WINDOW, 0);
    app_free(app);
}

static void the_copy_of_a_block_has_a_halo_on_each_side(void **state)
{
    (void)state;
    int const halo = WINDOW / 2, all = (TILE_WIDE + 2 * halo) * (TILE_HIGH + 2 * halo);
    struct app *app = open_step("stencil", STENCIL_COPY);
    mark_frame(app, AROUND - halo, AROUND - halo, AROUND + TILE_WIDE - 1 + halo, AROUND + TILE_HIGH - 1 + halo);
    expect_counts(app, all, 0, 0);
    app_free(app);
    app = open_step("stencil", STENCIL_COPY); /* the tile alone */
    mark_frame(app, AROUND, AROUND, AROUND + TILE_WIDE - 1, AROUND + TILE_HIGH - 1);
    expect_counts(app, TILE_WIDE * TILE_HIGH, all - TILE_WIDE * TILE_HIGH, 0);
    app_free(app);
}

static void drag(struct app *app, struct point from, struct point to)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = from.x, .y = from.y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = from.x, .y = from.y});
    app_frame(app, 0.01);
    for (int step = 1; step <= 4; step++) {
        float const part = (float)step / 4;
        app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE,
                                           .x = from.x + part * (to.x - from.x),
                                           .y = from.y + part * (to.y - from.y)});
        app_frame(app, 0.01);
    }
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = to.x, .y = to.y});
    app_frame(app, 0.01);
}

/* The drags begin and end at the middle of cells: those of the frame of the tile lie in the corners of the picture. */
static void a_drag_marks_a_frame_and_a_second_one_another(void **state)
{
    (void)state;
    struct app *app = open_step("stencil", STENCIL_COPY);
    app_frame(app, 1e6);
    struct rect const box = app_panels(app)[STAGE_AT_picture].box;
    struct point const low = {box.x + box.w / 2, box.y + box.h / 2}, high = {low.x + 60, low.y + 40};
    drag(app, low, (struct point){low.x + 300, low.y + 40});
    drag(app, high, low); /* from the lower right corner, too */
    press(app, KEY_ENTER, 0);
    char *text = picture(app);
    const char *at = strstr(text, " right, ");
    assert_non_null(at);
    while (at > text && (at[-1] >= '0' && at[-1] <= '9'))
        at--;
    unsigned right = 0, missing = 0, extra = 0;
    assert_int_equal(sscanf(at, "%u right, %u missing, %u too many.", &right, &missing, &extra), 3);
    assert_in_range(right + extra, 2, 40); /* of the second frame alone */
    free(text);
    app_free(app);
}

static void a_read_one_column_on_needs_one_new_sector(void **state)
{
    (void)state;
    struct app *app = open_step("stencil", STENCIL_FRESH);
    app_frame(app, 1e6);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_SPACE, 0); /* a sector that this read does not touch */
    press(app, KEY_ENTER, 0);
    expect_counts(app, 0, 1, 1);
    assert_true(says(app, "1 new sector of 5"));
    app_free(app);
}

static void a_row_of_c_shares_an_element_of_a(void **state)
{
    (void)state;
    enum { TILE = 16, LANE = 20 };
    struct app *app = open_step("matmul", MATMUL_SHARERS);
    press(app, KEY_RIGHT, 0);
    go(app, 0, 0, 0, LANE / TILE);
    for (int column = 0; column < TILE; column++) {
        press(app, KEY_SPACE, 0);
        if (column + 1 < TILE)
            press(app, KEY_RIGHT, 0);
    }
    press(app, KEY_ENTER, 0);
    expect_counts(app, TILE, 0, 0);
    app_free(app);
}

/* The lanes alone would leave most of the stage empty, and the code is what the answer is read from. */
static void the_kernel_stands_below_lanes_that_are_asked_for(void **state)
{
    (void)state;
    struct app *app = open_step("scan", SCAN_ADDERS);
    assert_true(says(app, "The kernel is on the stage."));
    assert_true(says(app, "sum += part[now][t - offset];"));
    press(app, KEY_RIGHT, 0);
    press(app, KEY_SPACE, 0);
    press(app, KEY_ENTER, 0);
    assert_false(says(app, "The kernel is on the stage."));
    app_free(app);
    app = open_step("matmul", MATMUL_SHARERS); /* its matrices take the stage */
    assert_false(says(app, "The kernel is on the stage."));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_of_a_thread_is_a_frame_around_its_pixel),
        cmocka_unit_test(the_copy_of_a_block_has_a_halo_on_each_side),
        cmocka_unit_test(a_drag_marks_a_frame_and_a_second_one_another),
        cmocka_unit_test(a_read_one_column_on_needs_one_new_sector),
        cmocka_unit_test(a_row_of_c_shares_an_element_of_a),
        cmocka_unit_test(the_kernel_stands_below_lanes_that_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
