/* On an H200 the app compares two runs of a kernel: E goes from the GPU's to the emulator's, at the same access, and
 * the window gives the reason where they differ. */
#include "app/app.h"
#include "run/file.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"

static struct app *open_on_gpu(const struct run_file_request *file)
{
    struct app_options const options = {.file = file,
                                        .on = EXECUTOR_GPU,
                                        .language = "en",
                                        .theme = "light",
                                        .width = 1920,
                                        .height = 1080,
                                        .scale = 1};
    return app_opened(&options, NULL);
}

static void press_e(struct app *app)
{
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_E});
    app_frame(app, 0.01);
}

static void the_reason_of_a_difference_is_shown(void **state)
{
    (void)state;
    /* it reads addresses of functions, which each machine has elsewhere: tests/compare/known.txt */
    static const char *const arguments[] = {"i32[32]=zero", "i32=0"};
    struct run_file_request const request = {.path = "kernels/recursion.cu",
                                             .grid = {1, 1, 1},
                                             .block = {32, 1, 1},
                                             .arguments = arguments,
                                             .argument_count = 2};
    struct app *app = open_on_gpu(&request);
    assert_true(shows(app, "LIVE"));
    press_e(app);
    assert_true(shows(app, "EMULATOR · differs from the ") || shows(app, "EMULATOR ≠ "));
    assert_true(shows(app, "a lane read or wrote a different value"));
    press_e(app);
    assert_true(shows(app, "LIVE"));
    app_free(app);
}

static void equal_runs_are_shown_as_equal(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[1000]=zero", "f32[1000]=iota", "i32=1000"};
    char *const path = realpath("../kernels/adjdiff.cu", NULL);
    struct run_file_request const request = {.path = path,
                                             .kernel = "adjdiff_global",
                                             .grid = {4, 1, 1},
                                             .block = {256, 1, 1},
                                             .arguments = arguments,
                                             .argument_count = 3};
    struct app *app = open_on_gpu(&request);
    press_e(app);
    assert_true(shows(app, "EMULATOR · same accesses as the ") || shows(app, "EMULATOR = "));
    app_free(app);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reason_of_a_difference_is_shown),
        cmocka_unit_test(equal_runs_are_shown_as_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
