/* Edit and see: a file that is saved runs again, at the same place. */
#include "app/app.h"
#include "app/document/program.h"
#include "app/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "homework.h"

static struct app *opened(void)
{
    struct app *app = app_opened_file(path);
    app_frame(app, 1e6);
    return app;
}

/* A watched file may have changed: the frames until the new run is there. */
static void notice_save(struct app *app)
{
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
}

#define KERNELS                                                                                                        \
    "__global__ void first(int *a) { a[threadIdx.x] = 1; }\n"                                                          \
    "__global__ void twice(int *a)\n{\n    int i = threadIdx.x;\n    a[i] = 2 * a[i];\n}\n"
#define MAIN(launches) "int main() {\n  int *a; cudaMalloc(&a, 512);\n" launches "  return 0; }\n"

/* Opens the program, and the second access of warp 1 in the launch of `twice`. */
static struct app *opened_in_twice(const char *main_text)
{
    struct app *app;
    save("homework.cu", main_text);
    app = opened();
    press(app, KEY_END, 0);
    press(app, KEY_PAGE_UP, 0);
    press(app, KEY_ENTER, 0);
    app_frame(app, 1e6);
    press(app, KEY_W, 0);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_W, 0);
    press(app, KEY_W, 0);
    app_frame(app, 1e6);
    assert_non_null(strstr(app_state_line(app), "--launch 2"));
    return app;
}

static void a_saved_program_runs_again_at_the_same_access(void **state)
{
    (void)state;
    struct app *app = opened_in_twice(KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 64>>>(a);\n"));
    char *before = strdup(app_state_line(app));
    save("homework.cu", "// one\n// two\n" KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 96>>>(a);\n"));
    notice_save(app);
    assert_string_equal(app_state_line(app), before);
    assert_true(shows(app, "<<<1, 96>>>"));
    assert_false(shows(app, "the access is not"));
    /* a launch before it: it is launch 3 now */
    save("homework.cu", KERNELS MAIN("  first<<<1, 64>>>(a);\n  first<<<1, 32>>>(a);\n  twice<<<1, 96>>>(a);\n"));
    notice_save(app);
    assert_non_null(strstr(app_state_line(app), "--launch 3"));
    free(before);
    app_free(app);
}

static void what_is_gone_is_said(void **state)
{
    (void)state;
    struct app *app = opened_in_twice(KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 64>>>(a);\n"));
    press(app, KEY_W, 0);
    save("homework.cu", KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 32>>>(a);\n"));
    notice_save(app);
    assert_true(shows(app, "there is no warp 1 in this run; this is warp 0"));
    save("homework.cu", KERNELS MAIN("  first<<<1, 64>>>(a);\n"));
    notice_save(app);
    assert_true(shows(app, "launch 2 is not in this run any more; this is launch 1"));
    save("homework.cu", KERNELS MAIN(""));
    notice_save(app);
    assert_true(shows(app, "launch 1 is not in this run any more"));
    assert_true(shows(app, "What it did"));
    app_free(app);
}

static void a_touched_file_does_not_run_again(void **state)
{
    (void)state;
    const char *text = KERNELS MAIN("  first<<<1, 64>>>(a);\n");
    save("homework.cu", text);
    struct app *app = opened();
    char *before = picture(app);
    press(app, KEY_DOWN, 0);
    save("homework.cu", text);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    assert_false(app_wait(app) < 1e6);
    free(before);
    app_free(app);
}

static void a_saved_header_runs_the_program_again(void **state)
{
    (void)state;
    save("part.h", "enum { THREADS = 64 };\n");
    save("homework.cu", "#include \"part.h\"\n" KERNELS MAIN("  first<<<1, THREADS>>>(a);\n"));
    struct app *app = opened();
    assert_true(shows(app, "<<<1, 64>>>"));
    save("part.h", "enum { THREADS = 32 };\n");
    notice_save(app);
    assert_true(shows(app, "<<<1, 32>>>"));
    save("part.h", "enum { THREADS = none };\n");
    notice_save(app);
    assert_true(shows(app, "FILE · part.h"));
    assert_true(shows(app, "undeclared identifier 'none'"));
    app_free(app);
}

static void an_error_stands_at_its_line_over_the_greyed_run(void **state)
{
    (void)state;
    struct error error;
    const char *good = KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 64>>>(a);\n");
    struct app *app = opened_in_twice(good);
    char *before = strdup(app_state_line(app));
    save("homework.cu", KERNELS MAIN("  first<<<1, 64>>>(a);\n  twice<<<1, 64>>>(b);\n"));
    notice_save(app);
    assert_string_equal(app_state_line(app), before); /* the lanes stay */
    assert_true(shows(app, "the run before this version"));
    assert_true(shows(app, "use of undeclared identifier 'b'"));
    assert_true(shows(app, "twice<<<1, 64>>>(b);"));
    assert_true(app_failed(app, &error));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "the run before this version")); /* on the list, too */
    assert_true(shows(app, "twice<<<1, 64>>>(b);"));
    save("homework.cu", good);
    notice_save(app);
    assert_false(shows(app, "the run before this version"));
    assert_false(app_failed(app, &error));
    free(before);
    app_free(app);
}

static void a_saved_kernel_runs_again_and_keeps_its_last_run(void **state)
{
    (void)state;
    struct error error;
    save("homework.cu",
         "// lanescope: --grid 1 --block 64 --arg f32[64]=zero\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n");
    struct app *app = opened();
    press(app, KEY_W, 0);
    char *before = strdup(app_state_line(app));
    save("homework.cu", "// lanescope: --grid 1 --block 64 --arg f32[64]=zero\n\n\n__global__ void k(float *a) { "
                        "a[threadIdx.x] = 2; }\n");
    notice_save(app);
    assert_string_equal(app_state_line(app), before);
    assert_true(shows(app, "] = 2"));
    save("homework.cu",
         "// lanescope: --grid 1 --block 64 --arg f32[64]=zero\n__global__ void k(float *a) { a[threadIdx.x] = }\n");
    notice_save(app);
    assert_string_equal(app_state_line(app), before);
    assert_true(app_failed(app, &error));
    assert_true(shows(app, "the run before this version"));
    assert_true(shows(app, "expression")); /* in each compiler's words */
    save("homework.cu",
         "// lanescope: --grid 1 --block 32 --arg f32[64]=zero\n__global__ void k(float *a) { a[threadIdx.x] = 3; }\n");
    notice_save(app);
    assert_false(app_failed(app, &error));
    assert_true(shows(app, "there is no warp 1 in this run; this is warp 0"));
    free(before);
    app_free(app);
}

static void a_file_that_never_ran_opens_when_it_is_mended(void **state)
{
    (void)state;
    save("homework.cu", KERNELS "int main() { return none; }\n");
    struct app *app = opened();
    assert_true(shows(app, "This program cannot run"));
    save("homework.cu", KERNELS MAIN("  first<<<1, 64>>>(a);\n"));
    notice_save(app);
    assert_true(shows(app, "Launches: 1"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_saved_program_runs_again_at_the_same_access, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(what_is_gone_is_said, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_touched_file_does_not_run_again, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_saved_header_runs_the_program_again, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(an_error_stands_at_its_line_over_the_greyed_run, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_saved_kernel_runs_again_and_keeps_its_last_run, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_file_that_never_ran_opens_when_it_is_mended, homework_begin, homework_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
