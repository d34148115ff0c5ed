/* A lesson that cannot be opened: one card says where it is wrong, opening it shows the line, and the other lessons
 * work. A kernel with a guessed launch says so beside its fault. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "base/file.h"
#include "run/file.h"
#include "screen/home.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"

static char data[64], copied[2048];

static bool copy(void *context, const char *text)
{
    (void)context;
    snprintf(copied, sizeof copied, "%s", text);
    return true;
}

/* Writes the small lesson of the guide among the user's own, with another word in lesson.yaml. */
static void write_own(const char *from, const char *to)
{
    static const char *const files[] = {"lesson.yaml", "en.md", "ko.md", "shift.cu"};
    struct arena arena = {0};
    for (int i = 0; i < 4; i++) {
        char *text;
        assert_true(file_read(&arena, data_path(&arena, "tests/lessons/shift/%s", files[i]), &text, NULL, NULL));
        const char *at = i == 0 ? strstr(text, from) : NULL;
        const char *written =
            at ? arena_format(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : text;
        assert_true(file_write(arena_format(&arena, "%s/lanescope/lessons/mine/%s", data, files[i]), written,
                               strlen(written), NULL));
    }
    arena_free(&arena);
}

static int make_data(void **state)
{
    (void)state;
    snprintf(data, sizeof data, "/tmp/lanescope-data-XXXXXX");
    return mkdtemp(data) ? setenv("XDG_DATA_HOME", data, 1) : -1;
}

static int remove_data(void **state)
{
    (void)state;
    static const char *const names[] = {"/lanescope/lessons/mine/lesson.yaml", "/lanescope/lessons/mine/en.md",
                                        "/lanescope/lessons/mine/ko.md", "/lanescope/lessons/mine/shift.cu", "/f.cu"};
    static const char *const folders[] = {"/lanescope/lessons/mine", "/lanescope/lessons", "/lanescope", ""};
    char path[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s%s", data, names[i]);
        unlink(path);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s", data, folders[i]);
        rmdir(path);
    }
    return 0;
}

enum { OWN_AND_LAST = 1 + HOME_SAMPLES + 1 }; /* opening a file, the samples, the lesson itself */

static void a_broken_lesson_is_one_card_and_the_others_work(void **state)
{
    (void)state;
    write_own("kind: ask", "kind: asks");
    struct app *app = app_opened(
        &(struct app_options){.on = EXECUTOR_EMULATOR, .language = "en", .width = 1280, .height = 720, .scale = 1},
        NULL);
    for (int i = 0; i < OWN_AND_LAST; i++) /* to the last lesson, from the first one */
        press(app, KEY_UP, 0);
    assert_true(shows(app, "cannot be opened") && shows(app, "lesson.yaml:20"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "This lesson cannot be opened"));
    assert_true(shows(app, " · line 20"));
    assert_true(shows(app, "mine/lesson.yaml"));
    press(app, KEY_ESCAPE, 0);
    press(app, KEY_UP, 0);
    press(app, KEY_ENTER, 0);
    assert_false(shows(app, "This lesson cannot be opened"));
    assert_non_null(strstr(app_state_line(app), "--beat 1 "));
    press(app, KEY_ESCAPE, 0);
    write_own("kind: ask", "kind: ask"); /* its author mends it */
    press(app, KEY_DOWN, 0);
    press(app, KEY_ENTER, 0);
    assert_non_null(strstr(app_state_line(app), "lanescope mine "));
    press(app, KEY_ESCAPE, 0);
    assert_false(shows(app, "lesson.yaml:20"));
    app_free(app);
}

static struct app *open_source(const char *source)
{
    char path[128];
    snprintf(path, sizeof path, "%s/f.cu", data);
    assert_true(file_write(path, source, strlen(source), NULL));
    struct run_file_request const file = {.path = path};
    return app_opened(
        &(struct app_options){
            .file = &file, .on = EXECUTOR_EMULATOR, .language = "en", .width = 1920, .height = 1080, .scale = 1},
        &(struct app_host){.copy_text = copy});
}

/* Only a whole number can be the length of a row: an array for a float factor would be too long to find its bounds. */
static void a_product_with_a_float_makes_no_matrix(void **state)
{
    (void)state;
    struct app *app = open_source("__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n    int i = "
                                  "blockIdx.x * blockDim.x + threadIdx.x;\n    if (i <= n)\n        y[i] = a * x[i] + "
                                  "y[i];\n}\n");
    press(app, KEY_C, MODIFIER_CONTROL);
    assert_non_null(strstr(copied, " --arg i32=992 --arg f32=1 --arg 'f32[992]=iota' "));
    app_free(app);
}

static void a_fault_of_a_guessed_launch_names_the_guess(void **state)
{
    (void)state;
    struct app *app = open_source("__global__ void next(float *out, const float *in)\n{\n    int i = blockIdx.x * "
                                  "blockDim.x + threadIdx.x;\n    out[i] = in[i + 1];\n}\n");
    assert_true(shows(app, "Guessed: grid, block, out, in; arrays of 1,024 elements."));
    press(app, KEY_C, MODIFIER_CONTROL);
    assert_non_null(strstr(copied, " --arg 'f32[1024]=iota' ")); /* a shell takes brackets for a pattern */
    app_free(app);
}

/* The notice counts the choices of this step. */
static void the_notice_names_the_choices_that_there_are(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("lessons/shift", 2); /* three choices */
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "choose an answer first: 1 to 3"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_broken_lesson_is_one_card_and_the_others_work),
                                       cmocka_unit_test(the_notice_names_the_choices_that_there_are),
                                       cmocka_unit_test(a_product_with_a_float_makes_no_matrix),
                                       cmocka_unit_test(a_fault_of_a_guessed_launch_names_the_guess)};
    return cmocka_run_group_tests(tests, make_data, remove_data);
}
