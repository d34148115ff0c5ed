/* Kernels and traces dropped on the window: a mistake is shown at its place, and a kernel that cannot run is shown with
 * the line that prevents it. */
#include "app/app.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "run/file.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"
#include "trace_samples.h"

static struct app *open_window_of(const struct app_host *host, const struct run_file_request *file)
{
    struct app_options const options = {.file = file,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .theme = "light",
                                        .width = 1920,
                                        .height = 1080,
                                        .scale = 1};
    return app_opened(&options, host);
}

static struct app *open_window(const struct run_file_request *file)
{
    return open_window_of(NULL, file);
}

/* Clicks on the first text with these words. */
static void click_part(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || !strstr(command->text, words))
            continue;
        float const x = command->at.x + 4, y = command->at.y - 4;
        app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
        app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = x, .y = y});
        app_frame(app, 0.01);
        app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = x, .y = y});
        app_frame(app, 0.01);
        return;
    }
    fail_msg("nothing says \"%s\"", words);
}

static struct run_file_request fault(const char *path, const char *const *arguments, size_t count, uint32_t threads)
{
    return (struct run_file_request){
        .path = path, .grid = {1, 1, 1}, .block = {threads, 1, 1}, .arguments = arguments, .argument_count = count};
}

static void a_race_shows_both_its_sides(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero"};
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx", arguments, 2, 64);
    struct app *app = open_window(&file);
    assert_true(shows(app, "order: either"));
    assert_true(shows(app, "1 found in block 0"));
    assert_true(shows(app, "lines 6 and 9"));
    assert_true(shows(app, "orders them."));
    click_part(app, "thread 32 reads");
    char *second = strdup(app_state_line(app));
    click_part(app, "thread 31 writes");
    assert_string_not_equal(app_state_line(app), second);
    free(second);
    app_free(app);
}

static bool save_picture(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error)
{
    (void)list, (void)width, (void)height, (void)background, (void)error;
    return snprintf(context, 64, "%s", path) < 64;
}

static void a_picture_of_a_file_has_its_name(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero"};
    char path[64] = "";
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx", arguments, 2, 64);
    struct app *app = open_window_of(&(struct app_host){.context = path, .save_picture = save_picture}, &file);
    press(app, KEY_S, 0);
    app_frame(app, 0.01);
    assert_string_equal(path, "lanescope-race_neighbour-1.png");
    app_free(app);
}

static void an_access_out_of_bounds_opens_where_it_happened(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero"};
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/bounds_read_next.ptx", arguments, 2, 64);
    struct app *app = open_window(&file);
    assert_true(shows(app, "out of bounds"));
    assert_true(shows(app, "1 past the last element"));
    assert_true(shows(app, "nothing is here"));
    app_free(app);
}

/* There is an element at that address, but in another array, so the text must say so. */
static void an_access_into_the_next_array_is_explained(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[32]=iota"};
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/shared_next_array.ptx", arguments, 1, 32);
    struct app *app = open_window(&file);
    assert_true(shows(app, "out of bounds"));
    assert_true(shows(app, "in scale"));
    assert_false(shows(app, "nothing is here"));
    app_free(app);
}

static void a_dropped_kernel_shows_the_values_it_read(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[64]=zero", "f32[64]=const:2.5", "i32=64"};
    struct app *app = open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/adjdiff.cu",
                                                             .kernel = "adjdiff_global",
                                                             .grid = {1, 1, 1},
                                                             .block = {64, 1, 1},
                                                             .arguments = arguments,
                                                             .argument_count = 3});
    assert_true(shows(app, " = 2.5"));
    assert_false(shows(app, "in flight")); /* plain loads overlap with nothing */
    app_free(app);
}

/* ptxas makes one wide load of four narrow ones here: the window shows both numbers and explains the rest. */
static void machine_counts_of_the_loads_are_shown_below_the_code(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[4096]=zero", "f32[4096]=mod:7", "f32[4096]=mod:5", "i32=64"};
    struct app *app = open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/matmul.cu",
                                                             .kernel = "matmul_tiled",
                                                             .grid = {4, 4, 1},
                                                             .block = {16, 16, 1},
                                                             .arguments = arguments,
                                                             .argument_count = 4});
    assert_true(shows(app, "As written: 16,384 loads"));
    assert_true(shows(app, "10,240"));
    assert_false(shows(app, "counters say the same"));
    app_free(app);
}

/* A kernel may take seconds, so the window says that it runs before the frame stops. */
static void the_window_says_that_a_kernel_runs_before_it_does(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero"};
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx", arguments, 2, 64);
    struct app *app = open_window_of(&(struct app_host){.attended = true}, &file);
    assert_true(shows(app, "running race_neighbour.ptx"));
    assert_true(app_wait(app) == 0);
    assert_true(shows(app, "1 found in block 0"));
    assert_false(shows(app, "running race_neighbour.ptx"));

    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = "no_such_kernel.cu"});
    assert_true(shows(app, "running no_such_kernel.cu"));
    assert_true(shows(app, "no_such_kernel.cu"));
    assert_false(shows(app, "running"));
    app_free(app);
}

static void of_many_dropped_files_the_first_that_can_be_opened_is(void **state)
{
    (void)state;
    enum { FILES = 500 };
    char folder[] = "/tmp/lanescope-drop-XXXXXX";
    struct arena arena = {0};
    assert_non_null(mkdtemp(folder));
    const char *pipe = arena_format(&arena, "%s/pipe.cu", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero"};
    struct run_file_request const file =
        fault(LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx", arguments, 2, 64);
    struct app *app = open_window_of(&(struct app_host){.attended = true}, &file);
    for (unsigned i = 0; i < FILES; i++) {
        const char *name = i == 0   ? folder
                           : i == 1 ? "words.txt"
                           : i == 2 ? LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx"
                           : i & 1  ? pipe
                                    : "/nowhere/a.trace";
        app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = name, .dropped_before = i});
    }
    assert_true(shows(app, "running race_neighbour.ptx"));
    assert_true(shows(app, "497 more were dropped"));
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = pipe});
    assert_true(shows(app, "running pipe.cu"));
    assert_true(shows(app, "pipe.cu"));
    assert_false(shows(app, "more were dropped"));
    app_free(app);
    unlink(pipe);
    rmdir(folder);
    arena_free(&arena);
}

static const char *write_file(const char *text)
{
    static char path[64];
    struct error error;
    snprintf(path, sizeof path, "/tmp/lanescope-app-files-%d.ptx", (int)getpid());
    if (!file_write(path, text, strlen(text), &error))
        fail_msg("%s", error.message);
    return path;
}

static void without_a_gpu_a_flip_leaves_the_kernel_where_it_is(void **state)
{
    (void)state;
    struct cuda_device device;
    struct error error;
    if (cuda_device(&device, &error))
        skip();
    static const char *const arguments[] = {"f32[64]=zero", "f32[64]=iota", "i32=64"};
    struct app *app = open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/adjdiff.cu",
                                                             .kernel = "adjdiff_global",
                                                             .block = {64, 1, 1},
                                                             .arguments = arguments,
                                                             .argument_count = 3});
    char *before = strdup(app_state_line(app));
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_E});
    assert_true(shows(app, "only the emulator can run this here"));
    assert_true(shows(app, error.message));
    assert_true(shows(app, "EMULATOR"));
    assert_string_equal(app_state_line(app), before);
    free(before);
    app_free(app);
}

static void an_unsupported_instruction_is_shown_with_its_line(void **state)
{
    (void)state;
    struct app *app = open_window(&(struct run_file_request){
        .path =
            write_file(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n    nonsense;\n}\n")});
    assert_true(shows(app, "This kernel cannot run"));
    assert_true(shows(app, "line 6"));
    assert_true(shows(app, "nonsense;"));
    app_free(app);
}

static void a_comment_in_the_source_sets_the_launch(void **state)
{
    (void)state;
    static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                 "// lanescope: --grid 3 --block 64 --arg i32=5\n"
                                 ".visible .entry k(.param .u32 n)\n{\n    ret;\n}\n";
    struct arena arena = {0};
    struct app *app = open_window(&(struct run_file_request){.path = write_file(kernel)});
    assert_true(shows(app, "grid 3 × block 64"));
    assert_false(shows(app, "uessed"));
    app_free(app);
    const char *without = strstr(kernel, ".visible");
    char bare[256];
    snprintf(bare, sizeof bare, ".version 7.0\n.target sm_70\n.address_size 64\n%s", without);
    app = open_window(&(struct run_file_request){.path = write_file(bare)});
    assert_true(shows(app, "LAUNCH · guessed"));
    app_free(app);
    const char *wrong = arena_format(&arena, "%s// lanescope: --gird 3\n", bare);
    app = open_window(&(struct run_file_request){.path = write_file(wrong)});
    assert_true(shows(app, "--gird"));
    assert_true(shows(app, "This kernel cannot run"));
    app_free(app);
    unlink(write_file(""));
    arena_free(&arena);
}

static void a_guessed_launch_has_threads_without_an_element(void **state)
{
    (void)state;
    struct app *app =
        open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/adjdiff_another.cu"});
    assert_true(shows(app, "Guessed: grid, block"));
    assert_true(shows(app, "out of bounds"));
    assert_true(shows(app, "b[992]"));
    app_free(app);
    app = open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/adjdiff.cu"});
    assert_true(shows(app, "Guessed: grid, block, b, a, n; arrays of 992 elements."));
    assert_true(shows(app, "With this guess"));
    assert_false(shows(app, "out of bounds"));
    app_free(app);
}

static void averages_and_clocks_are_labelled(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[64]=zero", "f32[64]=iota", "i32=64"};
    struct app *app = open_window(&(struct run_file_request){.path = LANESCOPE_SOURCE_FOLDER "/kernels/adjdiff.cu",
                                                             .kernel = "adjdiff_global",
                                                             .grid = {1, 1, 1},
                                                             .block = {64, 1, 1},
                                                             .arguments = arguments,
                                                             .argument_count = 3});
    assert_true(shows(app, "4.5 sectors on average"));
    assert_true(shows(app, "at cycle "));
    assert_true(shows(app, "Checked in block 0: no bad access"));
    app_free(app);
}

/* A table branch is not a two-way branch. */
static void a_table_branch_is_labelled(void **state)
{
    (void)state;
    static const char kernel[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n// lanescope: --block 32\n.visible .entry k()\n{\n"
        ".reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 3;\nT: .branchtargets A, B, C, C;\n"
        "brx.idx %r2, T;\nA: bar.warp.sync 0x11111111;\nB: ret;\nC: ret;\n}\n";
    struct app *app = open_window(&(struct run_file_request){.path = write_file(kernel)});
    assert_true(shows(app, "A branch by a table. Lanes to one target: 8, to others: 24."));
    app_free(app);
    unlink(write_file(""));
}

static void shared_memory_missing_from_the_launch_has_no_last_element(void **state)
{
    (void)state;
    static const char kernel[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n// lanescope: --block 32\n"
        ".extern .shared .align 4 .b8 s[];\n.visible .entry k()\n{\nst.shared.u32 [s], 1;\nret;\n}\n";
    struct app *app = open_window(&(struct run_file_request){.path = write_file(kernel)});
    assert_true(shows(app, "out of bounds"));
    assert_false(shows(app, "past the last element"));
    app_free(app);
    unlink(write_file(""));
}

/* The instruction names shared memory first. */
static void a_copy_that_reads_too_far_is_beyond_its_array(void **state)
{
    (void)state;
    static const char kernel[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n// lanescope: --block 32 --arg i32[31]=zero\n"
        ".visible .entry k(.param .u64 in)\n{\n.shared .align 4 .b8 s[128];\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
        "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
        "mov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r2, %r2, %r3;\n"
        "cp.async.ca.shared.global [%r2], [%rd3], 4;\ncp.async.wait_all;\nret;\n}\n";
    struct app *app = open_window(&(struct run_file_request){.path = write_file(kernel)});
    assert_true(shows(app, "31 elements"));
    assert_true(shows(app, "1 past the last element"));
    app_free(app);
    unlink(write_file(""));
}

/* A GPU's blocks begin in any order; the same file opens at the same block each time. */
static void a_trace_opens_at_its_lowest_block(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    struct error error;
    const char *path = write_file("");
    for (uint64_t block = 2; block-- > 0;) {
        sample_warp(trace, block, 0, false);
        sample_end(trace, block, 0, false);
    }
    assert_true(trace_write(trace, path, &error));
    struct app_options const options = {
        .trace_path = path, .language = "en", .width = 1920, .height = 1080, .scale = 1};
    struct text_metrics const metrics = fake_metrics();
    struct app *app;
    assert_true(app_new(&options, &metrics, NULL, &app, &error));
    assert_true(shows(app, "Block 0"));
    assert_false(shows(app, "Block 1"));
    app_free(app);
    trace_free(trace);
    unlink(path);
}

/* The same memory as `lanescope run` uses, so that both give the same figures. */
static void a_file_has_the_dram_that_run_counts(void **state)
{
    (void)state;
    struct run *run = NULL;
    struct error error;
    struct run_file_request const file = {.path = LANESCOPE_SOURCE_FOLDER "/tests/faults/race_neighbour.ptx",
                                          .block = {1, 1, 1}, /* no other thread to race with */
                                          .arguments = (const char *const[]){"i32[64]=iota", "i32[64]=zero"},
                                          .argument_count = 2,
                                          .options.executor = EXECUTOR_EMULATOR};
    assert_true(run_file(&file, &run, &error));
    struct app *app = open_window(&file);
    assert_true(shows(app, run->dram_preset));
    run_free(run);
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_shows_both_its_sides),
        cmocka_unit_test(a_picture_of_a_file_has_its_name),
        cmocka_unit_test(an_access_out_of_bounds_opens_where_it_happened),
        cmocka_unit_test(an_access_into_the_next_array_is_explained),
        cmocka_unit_test(shared_memory_missing_from_the_launch_has_no_last_element),
        cmocka_unit_test(a_copy_that_reads_too_far_is_beyond_its_array),
        cmocka_unit_test(a_dropped_kernel_shows_the_values_it_read),
        cmocka_unit_test(machine_counts_of_the_loads_are_shown_below_the_code),
        cmocka_unit_test(the_window_says_that_a_kernel_runs_before_it_does),
        cmocka_unit_test(of_many_dropped_files_the_first_that_can_be_opened_is),
        cmocka_unit_test(without_a_gpu_a_flip_leaves_the_kernel_where_it_is),
        cmocka_unit_test(an_unsupported_instruction_is_shown_with_its_line),
        cmocka_unit_test(a_comment_in_the_source_sets_the_launch),
        cmocka_unit_test(a_table_branch_is_labelled),
        cmocka_unit_test(a_trace_opens_at_its_lowest_block),
        cmocka_unit_test(a_file_has_the_dram_that_run_counts),
        cmocka_unit_test(a_guessed_launch_has_threads_without_an_element),
        cmocka_unit_test(averages_and_clocks_are_labelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
