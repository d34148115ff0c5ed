/* A program that uses the GPU through a child survives every failure of a kernel, and its next run works. */
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "gpu_helper.h"

#define GOOD KERNEL("mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r1;\n")
#define ENDLESS KERNEL("L:\nld.volatile.global.u32 %r2, [%rd1];\nbra L;\n")

static void check_next_run_works(void)
{
    uint32_t words[32] = {0};
    struct error error;
    char line[1024];
    if (!gpu_run(GOOD, false, words, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words[i], i);
}

static void check_fault(const char *text, bool timed, const char *wanted)
{
    uint32_t words[32] = {0};
    struct error error;
    assert_false(gpu_run(text, timed, words, &error));
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

static void the_users_time_limit_overrides_the_programs(void **state)
{
    (void)state;
    cuda_wait_at_most(1);
    check_fault(ENDLESS, false, "had not ended after 2 seconds");
    unsetenv("LANESCOPE_GPU_SECONDS");
    cuda_wait_at_most(1);
    check_fault(ENDLESS, false, "had not ended after 1 seconds");
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
        cmocka_unit_test(this_process_never_opens_the_gpu),
        cmocka_unit_test(the_users_time_limit_overrides_the_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
