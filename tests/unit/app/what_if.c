/* What if: values of a program's source are turned, and it is built and run again from a copy. */
#include "app/app.h"
#include "document/program.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "homework.h"

static const char source[] = "#include \"part.h\"\n"
                             "#include <cstdio>\n"
                             "#define STRIDE 2\n"
                             "static_assert(STRIDE < 4, \"too wide\");\n"
                             "__global__ void k(int *a) { a[threadIdx.x * STRIDE] = 1; }\n"
                             "int main() {\n"
                             "    int *a; cudaMalloc(&a, 4096 * SIZE);\n"
                             "    k<<<1, 64>>>(a);\n"
                             "    printf(\"stride %d in %s\\n\", STRIDE, __FILE__);\n"
                             "}\n";

static int begin(void **state)
{
    if (homework_begin(state) != 0)
        return -1;
    save("part.h", "enum { SIZE = 4 };\n");
    return 0;
}

static struct app *opened(const char *text)
{
    save("homework.cu", text);
    struct app *app = app_opened_file(path);
    app_frame(app, 1e6);
    return app;
}

/* Marks the knob after this one, and turns it. */
static void turn_next(struct app *app, int next, int key)
{
    while (next-- > 0)
        press(app, KEY_RIGHT_BRACKET, MODIFIER_SHIFT);
    press(app, key, 0);
    app_frame(app, 1e6);
    app_frame(app, 1e6);
}

static void a_turned_value_runs_from_a_copy_and_shows_what_changed(void **state)
{
    (void)state;
    struct app *app = opened(source);
    struct arena arena = {0};
    char *text;
    assert_true(shows(app, "WHAT IF"));
    assert_true(shows(app, "2 (file)"));
    turn_next(app, 1, KEY_RIGHT_BRACKET); /* after the block size */
    assert_true(shows(app, "WHAT CHANGED · STRIDE 2 → 3"));
    assert_true(shows(app, "16 → 24")); /* sectors */
    assert_true(shows(app, "stride 3 in"));
    assert_true(shows(app, "homework.cu")); /* the file's own name, not the copy's */
    assert_true(file_read(&arena, path, &text, NULL, NULL));
    assert_string_equal(text, source);
    turn_next(app, 0, KEY_LEFT_BRACKET);
    assert_false(shows(app, "WHAT CHANGED"));
    assert_true(shows(app, "stride 2 in"));
    arena_free(&arena);
    app_free(app);
}

static void a_block_size_is_turned_in_the_lanes_of_its_launch(void **state)
{
    (void)state;
    struct app *app = opened(source);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "k<<<1, 64>>>"));
    turn_next(app, 0, KEY_RIGHT_BRACKET);
    assert_true(shows(app, "k<<<1, 128>>>"));
    assert_non_null(strstr(app_state_line(app), "--launch 1"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "WHAT CHANGED · k: block 64 → 128"));
    assert_true(shows(app, "<<<1, 64>>> → <<<1, 128>>>"));
    app_free(app);
}

static void a_value_that_does_not_compile_keeps_the_run_and_can_be_taken_back(void **state)
{
    (void)state;
    struct app *app = opened(source);
    turn_next(app, 1, KEY_RIGHT_BRACKET);
    turn_next(app, 0, KEY_RIGHT_BRACKET);
    assert_true(shows(app, "static_assert failed"));
    assert_true(shows(app, "the run before this version"));
    assert_true(shows(app, "homework.cu:4"));
    turn_next(app, 0, KEY_LEFT_BRACKET);
    assert_false(shows(app, "static_assert failed"));
    assert_true(shows(app, "WHAT CHANGED · STRIDE 2 → 3"));
    app_free(app);
}

static void an_edit_keeps_the_turned_value_and_is_compared_with_the_version_before(void **state)
{
    (void)state;
    char longer[sizeof source + 16];
    struct app *app = opened(source);
    turn_next(app, 1, KEY_RIGHT_BRACKET);
    snprintf(longer, sizeof longer, "// new\n%s", source);
    save("homework.cu", longer);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    assert_true(shows(app, "stride 3 in"));
    turn_next(app, 0, KEY_LEFT_BRACKET);
    char *threads = strstr(longer, "1, 64");
    memcpy(threads, "1, 96", 5);
    save("homework.cu", longer);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    assert_true(shows(app, "WHAT CHANGED · since the version before"));
    assert_true(shows(app, "<<<1, 64>>> → <<<1, 96>>>"));
    app_free(app);
}

/* Returns how many rows of the list of calls are on screen, by what their calls did. */
static unsigned rows_of_calls(struct app *app)
{
    static const char *const did[] = {"<<<1, 64>>>", "<<<1, 96>>>", "64 B", "4,096 B", "end of the program"};
    const struct draw_list *list = app_frame(app, 1e6);
    unsigned rows = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < sizeof did / sizeof *did; k++)
            rows += list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, did[k]) == 0;
    return rows;
}

static void the_list_of_calls_keeps_its_rows_beside_what_changed(void **state)
{
    (void)state;
    static char const many[] = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
                               "int main() {\n"
                               "    int *a; cudaMalloc(&a, 4096);\n"
                               "    for (int i = 0; i < 6; i++) k<<<1, 64>>>(a);\n"
                               "    for (int i = 0; i < 6; i++) cudaMemset(a, i, 64);\n"
                               "}\n"; /* the first call leaks */
    struct run_file_request const file = {.path = path};
    struct app_options options = app_options_of(NULL, 0);
    options.file = &file;
    options.width = 1280, options.height = 720;
    save("homework.cu", many);
    struct app *app = app_opened(&options, NULL);
    char edited[sizeof many];
    memcpy(edited, many, sizeof many);
    memcpy(strstr(edited, "1, 64"), "1, 96", 5);
    save("homework.cu", edited);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    assert_true(shows(app, "WHAT CHANGED"));
    assert_true(rows_of_calls(app) >= 7);
    app_free(app);
}

static void what_cannot_be_turned_is_said(void **state)
{
    (void)state;
    struct app *app = opened("__global__ void k() {}\nint main(int argc, char **argv) { k<<<argc, 32 * argc>>>(); }\n");
    assert_true(shows(app, "line 2: the block size 32 * argc cannot be turned"));
    press(app, KEY_RIGHT_BRACKET, 0);
    assert_true(shows(app, "Launches: 1"));
    app_free(app);
    app = opened("int main() { return 0; }\n");
    assert_true(shows(app, "No value can be turned"));
    app_free(app);
}

static void x_and_y_are_exchanged_where_that_is_the_remedy(void **state)
{
    (void)state;
    struct app *app = opened("#define N 128\n"
                             "__global__ void down(float *out, const float *in)\n{\n"
                             "    int row = blockIdx.x * 16 + threadIdx.x, column = blockIdx.y * 16 + threadIdx.y;\n"
                             "    out[row * N + column] = in[row * N + column];\n}\n"
                             "int main()\n{\n    float *a;\n    cudaMalloc(&a, 2 * N * N * 4);\n"
                             "    cudaMemset(a, 0, 2 * N * N * 4);\n"
                             "    down<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(a + N * N, a);\n"
                             "    cudaFree(a);\n}\n");
    for (int i = 0; i < 3; i++)
        app_frame(app, 1e6);
    assert_true(shows(app, "Try it on a copy: ] turns \"down: x and y\""));
    turn_next(app, 0, KEY_RIGHT_BRACKET);
    assert_true(shows(app, "WHAT CHANGED · down: x and y exchanged"));
    assert_true(shows(app, "16,384 → 4,096")); /* sectors: 16 of each access before, 4 of each now */
    assert_false(shows(app, "Try it on a copy"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_turned_value_runs_from_a_copy_and_shows_what_changed, begin, homework_end),
        cmocka_unit_test_setup_teardown(a_block_size_is_turned_in_the_lanes_of_its_launch, begin, homework_end),
        cmocka_unit_test_setup_teardown(a_value_that_does_not_compile_keeps_the_run_and_can_be_taken_back, begin,
                                        homework_end),
        cmocka_unit_test_setup_teardown(an_edit_keeps_the_turned_value_and_is_compared_with_the_version_before, begin,
                                        homework_end),
        cmocka_unit_test_setup_teardown(the_list_of_calls_keeps_its_rows_beside_what_changed, begin, homework_end),
        cmocka_unit_test_setup_teardown(what_cannot_be_turned_is_said, begin, homework_end),
        cmocka_unit_test_setup_teardown(x_and_y_are_exchanged_where_that_is_the_remedy, begin, homework_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
