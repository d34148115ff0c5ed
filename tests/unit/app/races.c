/* A race on screen: which threads it is between, and which element they share. */
#include "app/app.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "homework.h"

static void a_race_between_blocks_names_both_blocks(void **state)
{
    (void)state;
    save("homework.cu", "// lanescope: --grid 4 --block 64 --arg f32[1]=zero --arg f32[256]=iota\n"
                        "__global__ void total(float *out, const float *x)\n"
                        "{\n"
                        "    if (threadIdx.x == 0)\n"
                        "        *out += x[blockIdx.x * 64];\n"
                        "}\n");
    struct app *app = app_opened_file(path);
    assert_true(shows(app, "lines 5 and 5 · blocks 0 and 1 · threads 0 and 0"));
    assert_true(shows(app, "block 0, thread 0 writes"));
    assert_true(shows(app, "block 1, thread 0 reads"));
    assert_true(shows(app, "out[0]"));
    app_free(app);
}

static void a_race_in_shared_memory_names_threads_and_the_element(void **state)
{
    (void)state;
    save("homework.cu", "// lanescope: --block 128 --arg i32[128]=zero --arg i32[128]=iota\n"
                        "#define THREADS 128\n"
                        "__global__ void turn(int *out, const int *x)\n"
                        "{\n"
                        "    __shared__ int s[THREADS];\n"
                        "    s[threadIdx.x] = x[threadIdx.x];\n"
                        "    out[threadIdx.x] = s[(threadIdx.x + 64) % THREADS];\n"
                        "}\n");
    struct app *app = app_opened_file(path);
    assert_true(shows(app, "lines 6 and 7 · block 0 · threads 64 and 0"));
    assert_true(shows(app, "thread 64 writes"));
    assert_true(shows(app, "thread 0 reads"));
    assert_true(shows(app, "s[64]"));
    app_free(app);
}

/* A launch of a whole program has names from the program's record: two shared arrays, the second behind the first. */
static void a_launch_of_a_program_names_blocks_threads_and_elements(void **state)
{
    (void)state;
    save("homework.cu", "#define THREADS 128\n"
                        "#define WARPS (THREADS / 32)\n"
                        "__global__ void turn(int *out, const int *x)\n"
                        "{\n"
                        "    __shared__ int warps[WARPS], s[THREADS];\n"
                        "    if (threadIdx.x < WARPS)\n"
                        "        warps[threadIdx.x] = x[threadIdx.x];\n"
                        "    __syncthreads();\n"
                        "    s[threadIdx.x] = x[threadIdx.x] + warps[0];\n"
                        "    out[threadIdx.x] = s[(threadIdx.x + 64) % THREADS];\n"
                        "}\n"
                        "__global__ void total(int *sum, const int *x)\n"
                        "{\n"
                        "    if (threadIdx.x == 0)\n"
                        "        *sum += x[blockIdx.x];\n"
                        "}\n"
                        "int main()\n"
                        "{\n"
                        "    int *x, *out;\n"
                        "    cudaMalloc(&x, 512);\n"
                        "    cudaMalloc(&out, 512);\n"
                        "    cudaMemset(x, 0, 512);\n"
                        "    turn<<<1, THREADS>>>(out, x);\n"
                        "    total<<<4, 64>>>(out, x);\n"
                        "    cudaFree(x);\n"
                        "    cudaFree(out);\n"
                        "}\n");
    struct app *app = app_opened_file(path);
    click_text(app, "turn");
    assert_true(shows(app, "lines 9 and 10 · block 0 · threads 96 and 32"));
    assert_true(shows(app, "s[96]"));
    press(app, KEY_ESCAPE, 0);
    click_text(app, "total");
    assert_true(shows(app, "block 0, thread 0 reads"));
    assert_true(shows(app, "block 1, thread 0 writes"));
    assert_true(shows(app, "sum[0]"));
    app_free(app);
}

/* The lesson asks for the warp that writes what warp 0 reads too early. Another race of the run is found first. */
static void a_step_opens_with_a_race_of_its_access(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("barrier", 3);
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "thread 31 reads"));
    assert_true(shows(app, "thread 96 writes"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_race_between_blocks_names_both_blocks, homework_begin, homework_end),
        cmocka_unit_test_setup_teardown(a_race_in_shared_memory_names_threads_and_the_element, homework_begin,
                                        homework_end),
        cmocka_unit_test_setup_teardown(a_launch_of_a_program_names_blocks_threads_and_elements, homework_begin,
                                        homework_end),
        cmocka_unit_test_setup_teardown(a_step_opens_with_a_race_of_its_access, homework_begin, homework_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
