/* A whole program in the window: its calls as a list and a strip, the lanes of a launch, and how it ended. */
#include "document/program.h"
#include "app/app.h"
#include "ui/keys.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"

static struct app *open_file(const char *path)
{
    struct app *app = app_opened_file(path);
    app_frame(app, 0);
    return app;
}

static struct app *open_program(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/programs/%s", LANESCOPE_SOURCE_FOLDER, name);
    return open_file(path);
}

static void a_program_opens_as_the_list_of_its_calls(void **state)
{
    (void)state;
    struct app *app = open_program("shared_race.cu");
    assert_true(shows(app, "Launches: 2 · findings: 2 · mistakes of host code: 0 · failed calls: 0"));
    assert_true(shows(app, "cudaMemset"));
    assert_true(shows(app, "<<<1, 64>>>, shared memory 256 B"));
    assert_true(shows(app, "shared_race.cu:23"));
    assert_true(shows(app, "memory in use, at most 260 B"));
    assert_true(shows(app, "done")); /* what it printed */
    assert_non_null(strstr(app_state_line(app), "shared_race.cu"));
    app_free(app);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A leak is a mistake, though no fault: the head counts it as the rows do. */
static void the_head_counts_each_mistake_that_a_row_has(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-window-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/homework.cu", folder);
    write_text(path, "int main() { int *a; cudaMalloc(&a, 64); return 0; }\n");
    struct app *app = open_file(path);
    assert_true(shows(app, "leak"));
    assert_true(shows(app, "mistakes of host code: 1"));
    app_free(app);
    unlink(path);
    rmdir(folder);
}

static void a_program_that_reads_without_an_input_is_told_how_to_get_one(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-window-XXXXXX", path[64];
    int const nothing = open("/dev/null", O_RDONLY), before = dup(STDIN_FILENO);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/homework.cu", folder);
    write_text(path, "#include <iostream>\n"
                     "int main() { int n = 0; std::cin >> n; int *a; cudaMalloc(&a, 64); cudaFree(a); }\n");
    dup2(nothing, STDIN_FILENO);
    struct app *app = open_file(path);
    assert_true(shows(app, "start it with lanescope FILE.cu < INPUT"));
    app_free(app);
    dup2(before, STDIN_FILENO);
    close(before);
    close(nothing);
    unlink(path);
    rmdir(folder);
}

/* Opens the last launch of a program that doubles 1000 floats, and returns whether its report says the words. `copy` is
 * the line 8 that copies the input, `grid` the number of blocks. */
static bool launch_shows(const char *copy, const char *grid, const char *words)
{
    char folder[] = "/tmp/lanescope-window-XXXXXX", path[64], shape[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/double.cu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "__global__ void twice(float *out, const float *in, int n)\n"
            "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * in[i]; }\n"
            "static float host[1000];\n"
            "int main() {\n"
            "int const n = 1000; float *in, *out;\n"
            "cudaMalloc(&in, n * sizeof(float));\n"
            "cudaMalloc(&out, n * sizeof(float));\n"
            "%s\n"
            "twice<<<%s, 256>>>(out, in, n);\n"
            "cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
            "cudaFree(in); cudaFree(out); }\n",
            copy, grid);
    fclose(file);
    struct app *app = open_file(path);
    snprintf(shape, sizeof shape, "<<<%s, 256>>>", grid);
    click_text(app, shape);
    bool const advises = says(app, words);
    app_free(app);
    unlink(path);
    rmdir(folder);
    return advises;
}

static void a_read_of_what_a_copy_left_out_names_the_copy(void **state)
{
    (void)state;
    assert_true(launch_shows("cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);", "4",
                             "cudaMemcpy at double.cu:8 wrote 1000 of the 4000 bytes of cudaMalloc at double.cu:6: its "
                             "size is in bytes, so multiply the number of elements by sizeof."));
    assert_true(launch_shows("cudaMemset(in, 0, 3000);", "4",
                             "cudaMemset at double.cu:8 wrote 3000 of the 4000 bytes of cudaMalloc at double.cu:6: let "
                             "it write all that the kernel reads."));
    assert_true(launch_shows("cudaMemcpy(in, host, sizeof host, cudaMemcpyDeviceToHost);", "4",
                             "cudaMemcpy at double.cu:8 failed, so nothing wrote the 4000 bytes of cudaMalloc at "
                             "double.cu:6: mend that call first."));
    assert_true(launch_shows("", "4",
                             "No copy and no fill wrote the 4000 bytes of cudaMalloc at double.cu:6 before this "
                             "launch: copy data to them with cudaMemcpy, or set them with cudaMemset."));
}

/* The kernel is meant to write these bytes, or an earlier launch: the host's calls are not why they are missing. */
static void a_read_of_what_a_kernel_should_have_written_names_no_copy(void **state)
{
    (void)state;
    assert_true(launch_shows("twice<<<1, 32>>>(in, in, 0);", "4",
                             "A thread must write this place first. Is an initialisation or a __syncthreads() "
                             "missing?"));
}

static void a_grid_that_is_too_small_is_a_row_of_its_launch(void **state)
{
    (void)state;
    const char *copy = "cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);";
    assert_true(launch_shows(copy, "3", "double.cu:9"));
    assert_true(launch_shows(copy, "3",
                             "Round up when you divide: (n + threads - 1) / threads blocks, with if (i < n) in the "
                             "kernel."));
    assert_false(launch_shows(copy, "4", "grid too small"));
}

static void a_click_on_a_launch_opens_its_lanes_and_escape_comes_back(void **state)
{
    (void)state;
    struct app *app = open_program("shared_race.cu");
    click_text(app, "sum");
    assert_true(shows(app, "REPORT · 1 found"));
    assert_non_null(strstr(app_state_line(app), "--launch 2"));
    press(app, KEY_PAGE_UP, 0);
    assert_true(shows(app, "order: either"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "What it did"));
    press(app, KEY_DOWN, 0);
    press(app, KEY_ENTER, 0);
    assert_non_null(strstr(app_state_line(app), "--launch 2"));
    click_text(app, "‹ All calls");
    assert_true(shows(app, "What it did"));
    press(app, KEY_ESCAPE, 0);
    assert_string_equal(app_state_line(app), "lanescope");
    app_free(app);
}

static void running_again_stays_at_the_launch_and_the_access(void **state)
{
    (void)state;
    struct app *app = open_program("shared_race.cu");
    click_text(app, "sum");
    press(app, KEY_RIGHT, 0);
    app_frame(app, 1e6);
    char *before = strdup(app_state_line(app));
    press(app, KEY_R, 0);
    app_frame(app, 1e6);
    assert_string_equal(app_state_line(app), before);
    free(before);
    app_free(app);
}

static void a_crash_of_the_host_is_one_sentence_with_its_line(void **state)
{
    (void)state;
    struct app *app = open_program("host_reads_device.cu");
    assert_true(shows(app, "The program was ended by signal 11"));
    assert_true(shows(app, "signal 11"));
    app_free(app);
}

static void a_launch_without_a_finding_is_told_what_it_wastes(void **state)
{
    (void)state;
    struct compile_define const exchanged = {.name = "EXCHANGED", .value = "1"};
    struct app *app = app_opened_request(&(struct run_file_request){
        .path = LANESCOPE_SOURCE_FOLDER "/tests/programs/advice/matmul.cu", .defines = &exchanged, .define_count = 1});
    app_frame(app, 0);
    assert_true(says(app, "no finding, but waste in line 23: x and y exchanged"));
    assert_true(says(app, "Exchange x and y: let threadIdx.x count the columns"));
    press(app, KEY_UP, 0);
    assert_false(says(app, "waste in line"));
    press(app, KEY_DOWN, 0);
    assert_true(says(app, "waste in line"));
    app_free(app);
    app = open_program("advice/nothing.cu");
    assert_false(says(app, "waste in"));
    app_free(app);
}

static void a_compile_error_stands_at_its_line_and_the_last_run_stays(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-window-XXXXXX", path[64];
    struct error error;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/homework.cu", folder);
    write_text(path, "__global__ void k(int *a) { a[threadIdx.x] = 1 }\nint main() { return 0; }\n");
    struct app *app = open_file(path);
    assert_true(shows(app, "This program cannot run"));
    assert_true(shows(app, "line 1"));
    assert_true(app_failed(app, &error));
    write_text(path, "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
                     "int main() { int *a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); return 3; }\n");
    press(app, KEY_R, 0);
    assert_true(shows(app, "The program ended with status 3. Launches: 1"));
    assert_false(app_failed(app, &error));
    write_text(path, "int main() { return none; }\n");
    press(app, KEY_R, 0);
    assert_true(shows(app, "Launches: 1"));
    assert_true(shows(app, "none")); /* the error, above the list */
    assert_true(app_failed(app, &error));
    app_free(app);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_opens_as_the_list_of_its_calls),
        cmocka_unit_test(the_head_counts_each_mistake_that_a_row_has),
        cmocka_unit_test(a_program_that_reads_without_an_input_is_told_how_to_get_one),
        cmocka_unit_test(a_read_of_what_a_copy_left_out_names_the_copy),
        cmocka_unit_test(a_read_of_what_a_kernel_should_have_written_names_no_copy),
        cmocka_unit_test(a_grid_that_is_too_small_is_a_row_of_its_launch),
        cmocka_unit_test(a_click_on_a_launch_opens_its_lanes_and_escape_comes_back),
        cmocka_unit_test(running_again_stays_at_the_launch_and_the_access),
        cmocka_unit_test(a_crash_of_the_host_is_one_sentence_with_its_line),
        cmocka_unit_test(a_launch_without_a_finding_is_told_what_it_wastes),
        cmocka_unit_test(a_compile_error_stands_at_its_line_and_the_last_run_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
