/* A program that leaves the GPU to a child lives through whatever a kernel does, and its next run works. */
#include "base/file.h"
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the above, as cmocka asks */
#include <cmocka.h>

#define KERNEL(body)                                                                                                   \
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n"          \
    ".reg .b32 %r<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n" body "ret;\n}\n"
#define GOOD KERNEL("mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r1;\n")
#define ENDLESS KERNEL("L:\nld.volatile.global.u32 %r2, [%rd1];\nbra L;\n")

static bool run(const char *text, bool timed, uint32_t words[32], struct error *error)
{
    struct arena arena = {0};
    struct launch_buffer buffer = {.name = "out", .type = PTX_U32, .count = 32, .data = words};
    struct launch_argument const argument = {.is_buffer = true};
    struct launch const launch = {.kernel = "k",
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .arguments = &argument,
                                  .argument_count = 1,
                                  .buffers = &buffer,
                                  .buffer_count = 1};
    struct ptx_program *program;
    struct trace *trace = NULL;
    struct cuda_time time;
    *error = (struct error){0};
    bool const good = ptx_parse(&arena, "test", text, strlen(text), &program, error) &&
                      (timed ? cuda_time_kernel(program, &launch, 30, &time, error)
                             : cuda_trace(program, &launch, LAUNCH_ALL_BLOCKS, NULL, &trace, error));
    trace_free(trace);
    arena_free(&arena);
    return good;
}

static void check_next_run_works(void)
{
    uint32_t words[32] = {0};
    struct error error;
    char line[1024];
    if (!run(GOOD, false, words, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words[i], i);
}

static void check_fault(const char *text, bool timed, const char *wanted)
{
    uint32_t words[32] = {0};
    struct error error;
    assert_false(run(text, timed, words, &error));
    assert_int_equal(error.kind, ERROR_RUN);
    if (!strstr(error.message, wanted))
        fail_msg("%s", error.message);
    assert_true(error.remedy[0]);
    check_next_run_works();
}

static void after_a_fault_the_next_run_works(void **state)
{
    (void)state;
    const char *wild = KERNEL("mov.u64 %rd2, 64;\nst.global.u32 [%rd2], %r1;\n");
    check_next_run_works();
    check_fault(wild, false, "outside its buffers");
    check_fault(wild, true, "outside its buffers");
    check_fault(KERNEL("trap;\n"), false, "trap");
}

static void a_kernel_without_end_is_stopped_and_the_next_run_works(void **state)
{
    (void)state;
    check_fault(ENDLESS, true, "had not ended after 2 seconds");
    check_fault(ENDLESS, false, "had not ended after 2 seconds");
}

static void a_warm_child_answers_within_a_tenth_of_a_second(void **state)
{
    (void)state;
    double best = 1e9;
    check_next_run_works();
    for (int i = 0; i < 5; i++) {
        double const start = clock_seconds();
        check_next_run_works();
        double const took = clock_seconds() - start;
        best = took < best ? took : best;
    }
    printf("a traced run through the warm child: %.1f ms\n", best * 1e3);
    assert_true(best < 0.1);
}

static void this_process_never_opens_the_gpu(void **state)
{
    (void)state;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    check_next_run_works();
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        assert_null(strstr(line, "/dev/nvidia"));
    fclose(maps);
}

int main(int argc, char **argv)
{
    setenv("LANESCOPE_GPU_SECONDS", "2", 1);
    if (cuda_serve(argc, argv))
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_fault_the_next_run_works),
        cmocka_unit_test(a_kernel_without_end_is_stopped_and_the_next_run_works),
        cmocka_unit_test(a_warm_child_answers_within_a_tenth_of_a_second),
        cmocka_unit_test(this_process_never_opens_the_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
