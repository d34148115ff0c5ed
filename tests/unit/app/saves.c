/* Edit and see: a file that is saved runs again, at the same place. */
#include "app/app.h"
#include "document/program.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "homework.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- work in a thread, as in a window ---- */

struct task {
    pthread_t thread;
    void (*work)(void *argument);
    void *argument;
    atomic_bool done;
};

static void *run_task(void *argument)
{
    struct task *task = argument;
    task->work(task->argument);
    atomic_store(&task->done, true);
    return NULL;
}

static void *start_task(void *context, void (*work)(void *argument), void *argument)
{
    struct task *task = calloc(1, sizeof *task);
    (void)context;
    assert_non_null(task);
    task->work = work;
    task->argument = argument;
    assert_int_equal(pthread_create(&task->thread, NULL, run_task, task), 0);
    return task;
}

static bool task_finished(void *context, void *task)
{
    (void)context;
    return atomic_load(&((struct task *)task)->done);
}

static void join_task(void *context, void *task)
{
    (void)context;
    pthread_join(((struct task *)task)->thread, NULL);
    free(task);
}

/* Puts a clang before the real one that never comes to the end of a source with the word ENDLESS. */
static void use_slow_clang(void)
{
    static const char script[] =
        "#!/bin/sh\nfor file; do case $file in *.cu) grep -q ENDLESS \"$file\" && exec sleep 100000;; esac; done\n"
        "PATH=${PATH#*:}\nexec clang \"$@\"\n";
    char name[4200], path_now[8000];
    save("clang", script);
    snprintf(name, sizeof name, "%s/clang", folder);
    assert_int_equal(chmod(name, 0755), 0);
    snprintf(path_now, sizeof path_now, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path_now, 1);
}

/* Draws frames until a text has these words. Nothing but the test's own time limit ends it before. */
static void wait_for(struct app *app, const char *words)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    while (!shows(app, words))
        nanosleep(&pause, NULL);
}

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

/* The first version's compiler never ends, so only a cancelled one leads to the last version. */
static void the_last_save_wins(enum compiler compiler, const char *text[3], const char *words[2])
{
    struct app_host const host = {.worker = {.start = start_task, .finished = task_finished, .join = join_task}};
    struct run_file_request const file = {.path = path, .compiler = compiler};
    struct app_options options = app_options_of(NULL, 0);
    char *before = strdup(getenv("PATH"));
    use_slow_clang();
    save("homework.cu", text[0]);
    options.file = &file;
    struct app *app = app_opened(&options, &host);
    wait_for(app, words[0]);
    save("homework.cu", text[1]);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    app_frame(app, 1e6);
    assert_true(shows(app, "was saved"));
    save("homework.cu", text[2]);
    app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
    wait_for(app, words[1]);
    app_free(app);
    setenv("PATH", before, 1);
    free(before);
}

static void a_save_ends_the_compiler_of_the_save_before(void **state)
{
    (void)state;
    the_last_save_wins(COMPILER_ANY,
                       (const char *[]){KERNELS MAIN("  first<<<1, 64>>>(a);\n"),
                                        "// ENDLESS\n" KERNELS MAIN("  first<<<1, 32>>>(a);\n"),
                                        KERNELS MAIN("  first<<<1, 96>>>(a);\n")},
                       (const char *[]){"<<<1, 64>>>", "<<<1, 96>>>"});
}

static void a_save_of_a_kernel_does_the_same(void **state)
{
    (void)state;
#define ALONE(value)                                                                                                   \
    "// lanescope: --grid 1 --block 32 --arg f32[32]=zero\n__global__ void k(float *a) { a[threadIdx.x] = " value      \
    "; }\n"
    the_last_save_wins(COMPILER_CLANG, (const char *[]){ALONE("5"), "// ENDLESS\n" ALONE("6"), ALONE("7")},
                       (const char *[]){"] = 5", "] = 7"});
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
        cmocka_unit_test_setup_teardown(a_save_ends_the_compiler_of_the_save_before, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_save_of_a_kernel_does_the_same, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_file_that_never_ran_opens_when_it_is_mended, homework_begin, homework_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
