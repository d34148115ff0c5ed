/* The card of the code: the launch of the run, definitions and the way back, in every kind of window. */
#include "app/app.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../app_helper.h"

enum { STEP_STORE = 3 };
static const char launch[] = "transpose_naive<<<dim3(2, 2),";

static struct app *open_transpose(enum executor on, bool present)
{
    struct app_options options = app_options_of("transpose", STEP_STORE);
    options.on = on;
    options.height = 1400; /* the code has many lines */
    options.present = present;
    return app_opened(&options, NULL);
}

/* Points at, or clicks on, the letter with this number of the first text that begins so. */
static void touch(struct app *app, const char *words, float letter, bool click)
{
    app_frame(app, 1e6);
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || strncmp(command->text, words, strlen(words)) != 0)
            continue;
        float const wide = command->extent / (float)strlen(command->text);
        struct app_event event = {.kind = APP_MOUSE_MOVE,
                                  .x = command->at.x + wide * (letter + 0.5f),
                                  .y = command->at.y - command->size * 0.3f};
        app_event(app, &event);
        if (!click)
            return;
        event.kind = APP_MOUSE_DOWN;
        app_event(app, &event);
        app_frame(app, 0.01);
        event.kind = APP_MOUSE_UP;
        app_event(app, &event);
        app_frame(app, 0.01);
        app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
        return;
    }
    fail_msg("\"%s\" is not on screen", words);
}

static void the_launch_of_every_kind_of_run_is_shown(void **state)
{
    (void)state;
    struct app *app = open_transpose(EXECUTOR_EMULATOR, false);
    assert_true(shows(app, launch));
    app_free(app);
    app = open_transpose(EXECUTOR_RECORDING, false); /* its trace does not hold the arguments, but the lesson does */
    assert_true(shows(app, launch));
    assert_true(shows(app, "in, 64)"));
    app_free(app);
    app = open_transpose(EXECUTOR_EMULATOR, true);
    assert_false(shows(app, launch)); /* the picture has the lines of the code alone */
    press(app, KEY_J, 0);
    assert_true(shows(app, launch)); /* the page of the code */
    app_free(app);
}

static void a_name_says_what_it_is_in_this_run(void **state)
{
    (void)state;
    struct app *app = open_transpose(EXECUTOR_EMULATOR, false);
    touch(app, "float value = in[row", 14, false);
    assert_true(shows(app, "in: f32[64 x 64], 16,384 bytes at 0x"));
    touch(app, "out[column * n", 13, false);
    assert_true(shows(app, "n = 64"));
    touch(app, "int column = block", 27, false); /* TILE */
    assert_true(shows(app, "defined in line 3: click"));
    app_free(app);
}

static void a_definition_is_reached_and_left_again(void **state)
{
    (void)state;
    struct app *app = open_transpose(EXECUTOR_EMULATOR, false);
    assert_false(shows(app, "‹ 11"));
    touch(app, "int column = block", 27, true);
    assert_true(shows(app, "‹ 11"));
    touch(app, "‹ 11", 1, true);
    assert_false(shows(app, "‹ 11"));
    touch(app, "int column = block", 27, true);
    assert_true(shows(app, "‹ 11"));
    press(app, KEY_BACKSPACE, 0);
    assert_false(shows(app, "‹ 11"));
    touch(app, "int column = block", 27, true);
    press(app, KEY_RIGHT, 0); /* another access: the current line counts again */
    press(app, KEY_PAGE_UP, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_false(shows(app, "‹ 11"));
    app_free(app);
}

static void a_key_scrolls_the_code(void **state)
{
    (void)state;
    struct app *app = open_transpose(EXECUTOR_EMULATOR, false);
    assert_false(shows(app, "transpose_swizzled"));
    for (int i = 0; i < 40 && !shows(app, "transpose_swizzled"); i++) {
        press(app, KEY_J, 0);
        app_frame(app, 1e6);
    }
    assert_true(shows(app, "transpose_swizzled"));
    assert_false(shows(app, "#define TILE"));
    for (int i = 0; i < 40 && !shows(app, "#define TILE"); i++) {
        press(app, KEY_J, MODIFIER_SHIFT);
        app_frame(app, 1e6);
    }
    assert_true(shows(app, "#define TILE"));
    app_free(app);
}

static void a_key_opens_the_ptx_of_every_kind_of_run(void **state)
{
    (void)state;
    struct app *app = open_transpose(EXECUTOR_EMULATOR, false);
    assert_false(shows(app, "st.global.f32"));
    press(app, KEY_U, 0);
    assert_true(shows(app, "st.global.f32"));
    assert_false(shows(app, "×128")); /* a question is open */
    touch(app, "mul.wide.s32", 1, true);
    assert_true(shows(app, "mul.wide.s32"));
    press(app, KEY_U, 0);
    assert_false(shows(app, "st.global.f32"));
    app_free(app);
    struct app_options options = app_options_of("transpose", STEP_STORE);
    options.answered = options.ptx = true;
    enum executor const executors[] = {EXECUTOR_EMULATOR, EXECUTOR_RECORDING};
    for (int i = 0; i < 2; i++) {
        options.on = executors[i];
        app = app_opened(&options, NULL);
        assert_true(shows(app, "st.global.f32"));
        assert_true(shows(app, "32 sectors · ×"));
        app_free(app);
    }
}

static void the_way_of_a_lane_is_spelled_out_with_its_numbers(void **state)
{
    (void)state;
    struct app_options options = app_options_of("transpose", STEP_STORE);
    options.on = EXECUTOR_EMULATOR;
    options.answered = options.ptx = true;
    options.width = 1920;
    options.height = 1080;
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "LANE 0 · thread (0, 0, 0)"));
    assert_true(shows(app, "out + 4 *"));
    touch(app, "5", 0, true);
    assert_true(shows(app, "LANE 5, PINNED · thread (5, 0, 0)"));
    assert_true(shows(app, "out[320]"));
    touch(app, "5", 0, true);
    app_frame(app, 1e6); /* the mouse has left */
    app_frame(app, 1e6);
    assert_true(shows(app, "LANE 0 · thread (0, 0, 0)"));
    app_free(app);
    options.answered = false; /* its numbers would answer the question */
    app = app_opened(&options, NULL);
    assert_false(shows(app, "LANE 0"));
    app_free(app);
}

static void the_way_through_a_loop_is_spelled_out(void **state)
{
    static const struct {
        const char *lesson;
        int beat;
        const char *formula, *numbers, *round;
    } cases[] = {
        {"matmul", 4, "+ threadIdx.x) + 64 * round", "= 0x7f0008200040 · a[16]",
         "round: rounds of the loop at line 30 before this one, here 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_options options = app_options_of(cases[i].lesson, cases[i].beat);
        options.on = EXECUTOR_EMULATOR;
        options.answered = options.ptx = true;
        options.width = 1920;
        options.height = 1080;
        struct app *app = app_opened(&options, NULL);
        assert_true(says(app, cases[i].formula));
        assert_true(says(app, cases[i].numbers));
        assert_true(says(app, cases[i].round));
        app_free(app);
    }
}

static void where_lanes_end_the_code_shows_the_end_of_their_kernel(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("banks", 5);
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_END, 0);
    assert_true(shows(app, "Lanes that end here"));
    assert_true(shows(app, "out[blockIdx.x * blockDim.x + threadIdx.x] = sum;"));
    assert_false(shows(app, "#ifndef ELEMENT"));
    app_free(app);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(the_launch_of_every_kind_of_run_is_shown),
        cmocka_unit_test(a_name_says_what_it_is_in_this_run),
        cmocka_unit_test(a_definition_is_reached_and_left_again),
        cmocka_unit_test(a_key_scrolls_the_code),
        cmocka_unit_test(where_lanes_end_the_code_shows_the_end_of_their_kernel),
        cmocka_unit_test(a_key_opens_the_ptx_of_every_kind_of_run),
        cmocka_unit_test(the_way_of_a_lane_is_spelled_out_with_its_numbers),
        cmocka_unit_test(the_way_through_a_loop_is_spelled_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
