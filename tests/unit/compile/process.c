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
#include <sys/stat.h>
#include <sys/wait.h>
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
    workplace_close(&place);
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
    workplace_close(&place);
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
    workplace_close(&place);
    arena_free(&arena);
}

static char temporary[] = "/tmp/lanescope-test-XXXXXX";

/* Returns how many folders and files there are in the folder for temporary files. */
static size_t left_behind(void)
{
    struct arena arena = {0};
    char **names;
    size_t const count = folder_list(&arena, temporary, &names);
    arena_free(&arena);
    return count;
}

/* Starts a process that makes a workplace with a file, writes its folder to the pipe, and waits to be killed. */
static pid_t start_owner(char folder[PATH_MAX])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t const owner = fork();
    if (owner == 0) {
        struct arena arena = {0};
        struct workplace place;
        bool const made = workplace_open(&place) &&
                          file_write(arena_format(&arena, "%s/file", place.folder), "1", 1, NULL) &&
                          write(ends[1], place.folder, sizeof place.folder) == sizeof place.folder;
        while (made)
            pause();
        _exit(1);
    }
    size_t got = 0;
    for (ssize_t more = 1; more > 0 && got < PATH_MAX; got += (size_t)more)
        more = read(ends[0], folder + got, PATH_MAX - got);
    assert_int_equal(got, PATH_MAX);
    close(ends[0]);
    close(ends[1]);
    return owner;
}

static void the_folder_of_a_killed_process_is_removed_and_of_a_living_one_stays(void **state)
{
    (void)state;
    static char folder[PATH_MAX];
    struct workplace place;
    assert_non_null(mkdtemp(temporary));
    setenv("TMPDIR", temporary, 1);
    pid_t const owner = start_owner(folder);
    assert_true(workplace_open(&place));
    workplace_close(&place);
    assert_true(file_exists(folder));
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    assert_true(workplace_open(&place));
    assert_false(file_exists(folder));
    workplace_close(&place);
    assert_int_equal(left_behind(), 0);
    rmdir(temporary);
    unsetenv("TMPDIR");
}

static void what_only_looks_like_a_workplace_stays(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    char other[] = "/tmp/lanescope-test-XXXXXX", here[] = "/tmp/lanescope-test-XXXXXX";
    assert_true(mkdtemp(other) && mkdtemp(here));
    setenv("TMPDIR", here, 1);
    const char *open_to_all = arena_format(&arena, "%s/lanescope-workplace-others", here);
    const char *file = arena_format(&arena, "%s/mine", other);
    const char *link = arena_format(&arena, "%s/lanescope-workplace-abcdef", here);
    assert_true(file_write(file, "1", 1, NULL));
    assert_int_equal(symlink(other, link), 0);
    assert_int_equal(mkdir(open_to_all, 0755), 0);
    assert_true(workplace_open(&place));
    workplace_close(&place);
    assert_true(file_exists(file) && file_exists(open_to_all));
    assert_int_equal(unlink(link) + rmdir(open_to_all) + unlink(file) + rmdir(here) + rmdir(other), 0);
    unsetenv("TMPDIR");
    arena_free(&arena);
}

static void temporary_files_of_a_compiler_lie_in_its_workplace(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    char *text = NULL;
    assert_true(workplace_open(&place));
    const char *output = arena_format(&arena, "%s/output", place.folder);
    const char *const words[] = {"/bin/sh", "-c", "cd \"$TMPDIR\" && pwd", NULL};
    assert_int_equal(process_compile(words, "/", output, 0, NULL), 0);
    assert_true(file_read(&arena, output, &text, NULL, NULL));
    assert_string_equal(text, arena_format(&arena, "%s\n", place.folder));
    workplace_close(&place);
    arena_free(&arena);
}

static void a_compiler_ends_after_the_seconds_that_its_caller_gives(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct workplace place;
    struct error error;
    assert_true(workplace_open(&place));
    const char *output = arena_format(&arena, "%s/output", place.folder);
    const char *const words[] = {"/bin/sh", "-c", "sleep 10000", NULL};
    assert_int_equal(process_compile(words, "/", output, 1, NULL), PROCESS_LATE);
    assert_false(process_ended(PROCESS_LATE, 1, "sh", "k.cu", &error));
    assert_string_equal(error.message, "sh did not end within 1 second, and was ended");
    workplace_close(&place);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_status_and_both_its_outputs_come_back),
        cmocka_unit_test(one_that_nobody_waits_for_is_ended),
        cmocka_unit_test(one_that_hangs_is_ended_with_what_it_started),
        cmocka_unit_test(the_folder_of_a_killed_process_is_removed_and_of_a_living_one_stays),
        cmocka_unit_test(what_only_looks_like_a_workplace_stays),
        cmocka_unit_test(temporary_files_of_a_compiler_lie_in_its_workplace),
        cmocka_unit_test(a_compiler_ends_after_the_seconds_that_its_caller_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
