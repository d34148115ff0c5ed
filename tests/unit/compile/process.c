/* Another program runs as a child that cannot stay for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "compile/process.h"
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void its_status_and_both_its_outputs_come_back(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    char *text = NULL;
    assert_true(workplace_open(&place));
    const char *output = arena_format(&arena, "%s/output", place.folder);
    const char *const words[] = {"/bin/sh", "-c", "echo out; echo err >&2; exit 7", NULL};
    assert_int_equal(process_run(words, place.folder, output, 600, NULL), 7);
    assert_true(file_read(&arena, output, &text, NULL, NULL));
    assert_string_equal(text, "out\nerr\n");
    const char *const absent[] = {"/nonexistent/program", NULL};
    assert_int_equal(process_run(absent, place.folder, output, 600, NULL), PROCESS_ABSENT);
    const char *const killed[] = {"/bin/sh", "-c", "kill -9 $$", NULL};
    assert_int_equal(process_run(killed, place.folder, output, 600, NULL), PROCESS_SIGNAL - SIGKILL);
    workplace_close(&arena, &place);
    arena_free(&arena);
}

static void one_that_hangs_is_ended_with_what_it_started(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    char *text = NULL;
    assert_true(workplace_open(&place));
    const char *output = arena_format(&arena, "%s/output", place.folder);
    const char *const words[] = {"/bin/sh", "-c", "sleep 10000 & echo $!; wait", NULL};
    assert_int_equal(process_run(words, place.folder, output, 1, NULL), PROCESS_LATE);
    assert_true(file_read(&arena, output, &text, NULL, NULL));
    pid_t const started = (pid_t)strtol(text, NULL, 10);
    assert_true(started > 1);
    while (kill(started, 0) == 0) { /* it is gone, or waits for init to take its status */
        char *status = NULL;
        if (file_read(&arena, arena_format(&arena, "/proc/%d/status", (int)started), &status, NULL, NULL) &&
            strstr(status, "State:\tZ"))
            break;
        usleep(1000);
    }
    workplace_close(&arena, &place);
    arena_free(&arena);
}

static void one_that_nobody_waits_for_is_ended(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    atomic_bool const unwanted = true;
    assert_true(workplace_open(&place));
    const char *output = arena_format(&arena, "%s/output", place.folder);
    const char *const words[] = {"/bin/sh", "-c", "sleep 10000", NULL};
    assert_int_equal(process_run(words, place.folder, output, 100000, &unwanted), PROCESS_CANCELLED);
    workplace_close(&arena, &place);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_status_and_both_its_outputs_come_back),
        cmocka_unit_test(one_that_nobody_waits_for_is_ended),
        cmocka_unit_test(one_that_hangs_is_ended_with_what_it_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
