/* A kernel that faults closes the GPU to its process for good, so each case here runs in a child process, and this
 * process itself never touches the GPU. */
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* after the above, as cmocka asks */
#include <cmocka.h>

#define KERNEL(body)                                                                                                   \
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n"          \
    ".reg .b32 %r<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n" body "ret;\n}\n"

static bool run(const char *text, bool timed, struct error *error)
{
    struct arena arena = {0};
    uint32_t words[32] = {0};
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
    bool const good = ptx_parse(&arena, "test", text, strlen(text), &program, error) &&
                      (timed ? cuda_time_kernel(program, &launch, 30, &time, error)
                             : cuda_trace(program, &launch, LAUNCH_ALL_BLOCKS, NULL, &trace, error));
    trace_free(trace);
    arena_free(&arena);
    return good;
}

struct report {
    bool first_good, second_good;
    struct error first, second;
};

/* Runs the kernel in a child, then a harmless one in the same child, and brings both answers back. */
static struct report report_of(const char *text, bool timed)
{
    int ends[2];
    struct report report = {.first_good = true};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        report.first_good = run(text, timed, &report.first);
        report.second_good = run(KERNEL("st.global.u32 [%rd1], %r1;\n"), false, &report.second);
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
    if (!strstr(report.second.message, "faulted here before"))
        fail_msg("%s", report.second.message);
}

static void a_wild_address_is_told_in_words(void **state)
{
    (void)state;
    const char *text = KERNEL("mov.u64 %rd2, 64;\nst.global.u32 [%rd2], %r1;\n");
    check(text, false, "outside its buffers");
    check(text, true, "outside its buffers");
}

static void a_crooked_address_is_told_in_words(void **state)
{
    (void)state;
    check(KERNEL("add.s64 %rd2, %rd1, 2;\nst.global.u32 [%rd2], %r1;\n"), false, "no multiple of the access's size");
}

static void a_trap_is_told_in_words(void **state)
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
        cmocka_unit_test(a_wild_address_is_told_in_words),
        cmocka_unit_test(a_crooked_address_is_told_in_words),
        cmocka_unit_test(a_trap_is_told_in_words),
        cmocka_unit_test(after_a_good_run_the_next_one_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
