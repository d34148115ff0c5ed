/* The launch of a kernel that stands alone, as fields: each is changed by key, digits and mouse, and kept. */
#include "app/app.h"
#include "app/progress/progress.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "homework.h"

#define ADD                                                                                                            \
    "#define STEP 1\n"                                                                                                 \
    "__global__ void add(const float *in, float *out, int n)\n{\n"                                                     \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        out[i] = in[i] + STEP;\n}\n"

static struct app *opened(void)
{
    struct app *app = app_opened_file(path);
    app_frame(app, 1e6);
    return app;
}

/* Goes so many fields on. The fields are grid, its rule, block, three of each array, two of n, STEP. */
static void next_field(struct app *app, int times)
{
    for (int i = 0; i < times; i++)
        press(app, KEY_RIGHT_BRACKET, MODIFIER_SHIFT);
}

static void settle(struct app *app)
{
    app_frame(app, 1e6);
    app_frame(app, 1e6);
}

static void type(struct app *app, const char *digits)
{
    for (; *digits; digits++)
        press(app, *digits == '0' ? KEY_0 : KEY_1 + *digits - '1', 0);
}

static void a_turned_block_takes_the_grid_along(void **state)
{
    (void)state;
    save("homework.cu", ADD);
    struct app *app = opened();
    assert_true(shows(app, "add<<<4, 256>>>(in, out, 992)"));
    next_field(app, 2);
    press(app, KEY_LEFT_BRACKET, 0);
    settle(app);
    assert_true(shows(app, "add<<<8, 128>>>(in, out, 992)"));
    assert_true(shows(app, "Guessed: grid, in, out, n;"));
    assert_true(shows(app, "The file's values"));
    press(app, KEY_LEFT_BRACKET, MODIFIER_SHIFT); /* the rule: the grid stays */
    press(app, KEY_LEFT_BRACKET, 0);
    settle(app);
    assert_true(shows(app, "add<<<4, 128>>>(in, out, 992)"));
    app_free(app);
}

static void digits_and_enter_set_a_size_that_is_too_small(void **state)
{
    (void)state;
    save("homework.cu", ADD);
    struct app *app = opened();
    assert_false(shows(app, "out of bounds"));
    next_field(app, 4); /* the size of `in` */
    type(app, "100");
    assert_true(shows(app, "100▏"));
    press(app, KEY_ENTER, 0);
    settle(app);
    assert_true(shows(app, "out of bounds"));
    type(app, "0");
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "0 is no value of this field"));
    app_free(app);
}

static void a_define_is_a_knob(void **state)
{
    (void)state;
    save("homework.cu", ADD);
    struct app *app = opened();
    press(app, KEY_LEFT_BRACKET, MODIFIER_SHIFT); /* the last field */
    type(app, "7");
    press(app, KEY_ENTER, 0);
    settle(app);
    assert_true(shows(app, "#define STEP 7"));
    char *text;
    struct arena arena = {0};
    assert_true(file_read(&arena, path, &text, NULL, NULL));
    assert_string_equal(text, ADD); /* the file stays as it is */
    arena_free(&arena);
    app_free(app);
}

static void an_edit_of_the_file_keeps_the_fields(void **state)
{
    (void)state;
    save("homework.cu", ADD);
    struct app *app = opened();
    next_field(app, 2);
    press(app, KEY_RIGHT_BRACKET, 0);
    settle(app);
    assert_true(shows(app, "add<<<2, 512>>>"));
    save("homework.cu", "// longer\n" ADD);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    settle(app);
    assert_true(shows(app, "add<<<2, 512>>>"));
    app_free(app);
}

static void the_fields_of_a_file_are_kept(void **state)
{
    (void)state;
    char kept[96];
    struct run_file_request const file = {.path = path};
    save("homework.cu", ADD);
    snprintf(kept, sizeof kept, "%s/state", folder);
    setenv("XDG_STATE_HOME", kept, 1);
    for (int time = 0; time < 3; time++) {
        struct app_options options = app_options_of(NULL, 0);
        struct progress *progress = progress_open();
        options.file = &file;
        options.progress = progress;
        struct app *app = app_opened(&options, NULL);
        app_frame(app, 1e6);
        assert_true(shows(app, time == 1 ? "add<<<8, 128>>>(in, out, 50)" : "add<<<4, 256>>>(in, out, 992)"));
        if (time < 2) { /* away from the file's launch, then back to it */
            next_field(app, 2);
            press(app, time == 0 ? KEY_LEFT_BRACKET : KEY_RIGHT_BRACKET, 0);
            settle(app);
            next_field(app, 8);
            type(app, time == 0 ? "50" : "992");
            press(app, KEY_ENTER, 0);
            settle(app);
        }
        app_free(app);
        progress_close(progress);
    }
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", kept);
    assert_int_equal(system(command), 0);
    unsetenv("XDG_STATE_HOME");
}

static void a_report_leaves_room_for_the_fields(void **state)
{
    (void)state;
    save("homework.cu", "__global__ void every_second(float *out, const float *in, int n)\n{\n"
                        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n"
                        "        out[i] = in[2 * i];\n}\n");
    struct run_file_request const file = {.path = path};
    struct app_options options = app_options_of(NULL, 0);
    options.file = &file;
    options.width = 1280;
    options.height = 720;
    struct app *app = app_opened(&options, NULL);
    app_frame(app, 1e6);
    assert_true(shows(app, "out of bounds"));
    assert_true(shows(app, "LAUNCH · guessed"));
    assert_true(shows(app, "follows"));
    assert_true(shows(app, "Guessed: grid, block, out, in, n;"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_turned_block_takes_the_grid_along, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(digits_and_enter_set_a_size_that_is_too_small, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_report_leaves_room_for_the_fields, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_define_is_a_knob, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(an_edit_of_the_file_keeps_the_fields, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(the_fields_of_a_file_are_kept, homework_begin, homework_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
