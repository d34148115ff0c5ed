/* Programs as children: how they end, and the limits that end them. */
#include "program/program.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct program_run *run_shell(const char *script, struct program_limits limits, const atomic_bool *cancel)
{
    const char *const words[] = {"-c", script};
    struct program_run_request const request = {
        .path = "/bin/sh", .arguments = words, .argument_count = 2, .limits = limits, .cancel = cancel};
    struct program_run *run = NULL;
    struct error error;
    if (!program_run(&request, &run, &error))
        fail_msg("%s", error.message);
    return run;
}

static void status_and_output_are_those_of_the_program(void **state)
{
    (void)state;
    struct program_run *run = run_shell("echo out; echo bad >&2; exit 3", (struct program_limits){0}, NULL);
    assert_int_equal(run->end, PROGRAM_EXITED);
    assert_int_equal(run->status, 3);
    assert_string_equal(run->output, "out\n");
    assert_string_equal(run->errors, "bad\n");
    assert_false(run->has_record);
    program_run_free(run);
}

static void a_signal_is_its_end(void **state)
{
    (void)state;
    struct program_run *run = run_shell("kill -SEGV $$", (struct program_limits){0}, NULL);
    assert_int_equal(run->end, PROGRAM_SIGNALLED);
    assert_int_equal(run->signal, SIGSEGV);
    program_run_free(run);
}

static void endless_output_is_ended_at_its_limit(void **state)
{
    (void)state;
    struct program_run *run =
        run_shell("while :; do echo x; done", (struct program_limits){.output_bytes = 1000}, NULL);
    assert_int_equal(run->end, PROGRAM_OUTPUT);
    assert_true(run->output_size >= 1000);
    program_run_free(run);
}

static void a_program_that_waits_for_ever_is_ended_at_its_limit(void **state)
{
    (void)state;
    struct program_run *run = run_shell("sleep 100000", (struct program_limits){.seconds = 0.05}, NULL);
    assert_int_equal(run->end, PROGRAM_TIME);
    program_run_free(run);
}

static void a_program_that_nobody_wants_is_ended(void **state)
{
    (void)state;
    atomic_bool const unwanted = true;
    struct program_run *run = run_shell("sleep 100000", (struct program_limits){0}, &unwanted);
    assert_int_equal(run->end, PROGRAM_CANCELLED);
    program_run_free(run);
}

static void a_program_that_cannot_start_is_no_success(void **state)
{
    (void)state;
    struct program_run_request const request = {.path = "/nowhere/program"};
    struct program_run *run = NULL;
    struct error error = {0};
    bool const ran = program_run(&request, &run, &error);
    assert_true(ran ? run->status != 0 : error.message[0] != '\0');
    program_run_free(run);
}

/* Returns whether a process runs: one that waits for its status to be taken does not. */
static bool is_alive(pid_t process)
{
    char path[32], text[4096] = "";
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "r");
    size_t const size = status ? fread(text, 1, sizeof text - 1, status) : 0;
    if (status)
        fclose(status);
    return size > 0 && !strstr(text, "State:\tZ") && !strstr(text, "State:\tX");
}

static void a_child_in_a_session_of_its_own_is_ended_with_its_program(void **state)
{
    (void)state;
    struct program_run *run = run_shell("setsid sleep 100000 & echo $!", (struct program_limits){0}, NULL);
    pid_t const started = (pid_t)strtol(run->output, NULL, 10);
    assert_true(started > 1);
    assert_int_equal(run->end, PROGRAM_EXITED);
    assert_true(run->left);
    while (is_alive(started))
        usleep(1000);
    program_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_and_output_are_those_of_the_program),
        cmocka_unit_test(a_signal_is_its_end),
        cmocka_unit_test(endless_output_is_ended_at_its_limit),
        cmocka_unit_test(a_program_that_waits_for_ever_is_ended_at_its_limit),
        cmocka_unit_test(a_program_that_nobody_wants_is_ended),
        cmocka_unit_test(a_program_that_cannot_start_is_no_success),
        cmocka_unit_test(a_child_in_a_session_of_its_own_is_ended_with_its_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
