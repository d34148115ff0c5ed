/* A kernel that faults closes the GPU to its process for good. Each case here therefore runs in a child process, and
 * this process never uses the GPU itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "gpu_helper.h"

struct report {
    bool first_good, second_good;
    struct error first, second;
};

/* Runs the kernel in a child, then a harmless one in the same child, and returns both answers. */
static struct report report_of(const char *text, bool timed)
{
    int ends[2];
    struct report report = {.first_good = true};
    uint32_t words[32] = {0};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        report.first_good = gpu_run(text, timed, words, &report.first);
        report.second_good = gpu_run(KERNEL("st.global.u32 [%rd1], %r1;\n"), false, words, &report.second);
        _exit(write(ends[1], &report, sizeof report) == (ssize_t)sizeof report ? 0 : 1);
    }
    int status = 0;
    close(ends[1]);
    assert_int_equal(read(ends[0], &report, sizeof report), sizeof report);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return report;
}

static void check(const char *text, bool timed, const char *words)
{
    struct report const report = report_of(text, timed);
    assert_false(report.first_good);
    assert_int_equal(report.first.kind, ERROR_RUN);
    if (!strstr(report.first.message, words))
        fail_msg("%s", report.first.message);
    assert_true(report.first.remedy[0]);
    assert_false(report.second_good);
    assert_true(report.second.kind != ERROR_NONE && report.second.remedy[0]);
    if (!strstr(report.second.message, "an earlier kernel faulted here"))
        fail_msg("%s", report.second.message);
}

static void an_invalid_address_is_explained(void **state)
{
    (void)state;
    const char *text = KERNEL("mov.u64 %rd2, 64;\nst.global.u32 [%rd2], %r1;\n");
    check(text, false, "outside its buffers");
    check(text, true, "outside its buffers");
}

static void a_misaligned_address_is_explained(void **state)
{
    (void)state;
    check(KERNEL("add.s64 %rd2, %rd1, 2;\nst.global.u32 [%rd2], %r1;\n"), false, "not a multiple of the access's size");
}

static void a_trap_is_explained(void **state)
{
    (void)state;
    check(KERNEL("trap;\n"), false, "trap");
}

static void after_a_good_run_the_next_one_works(void **state)
{
    (void)state;
    struct report const report = report_of(KERNEL("st.global.u32 [%rd1], %r1;\n"), false);
    assert_true(report.first_good);
    assert_true(report.second_good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_invalid_address_is_explained),
        cmocka_unit_test(a_misaligned_address_is_explained),
        cmocka_unit_test(a_trap_is_explained),
        cmocka_unit_test(after_a_good_run_the_next_one_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
