/* A file is written whole or not at all, and nothing but a file is written or read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/output.h"
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/lanescope-test-XXXXXX";

static const char *place(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void has(const char *path, const char *text)
{
    struct arena arena = {0};
    char *bytes = NULL;
    assert_true(file_read(&arena, path, &bytes, NULL, NULL));
    assert_string_equal(bytes, text);
    arena_free(&arena);
}

static void holds(size_t files)
{
    struct arena arena = {0};
    char **names;
    assert_int_equal(folder_list(&arena, folder, &names), files);
    arena_free(&arena);
}

/* The limit of a file's size stands for a disk that is full. */
static void a_full_disk_leaves_the_old_file_and_nothing_else(void **state)
{
    (void)state;
    struct error error = {0};
    struct rlimit before, small;
    static char large[100000];
    assert_true(file_write(place("a"), "old", 3, NULL));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){5000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool const written = file_write(place("a"), large, sizeof large, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(written);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.message, strerror(EFBIG)));
    has(place("a"), "old");
    holds(1);
    unlink(place("a"));
}

static void a_link_a_folder_and_a_pipe_are_not_written_to(void **state)
{
    (void)state;
    char target[64];
    struct error error = {0};
    snprintf(target, sizeof target, "%s", place("target"));
    assert_true(file_write(target, "kept", 4, NULL));
    assert_int_equal(symlink(target, place("link")), 0);
    assert_false(file_write(place("link"), "new", 3, &error));
    assert_non_null(strstr(error.message, "symbolic link"));
    has(target, "kept");
    assert_false(file_write(folder, "new", 3, &error));
    assert_int_equal(mkfifo(place("pipe"), 0600), 0);
    assert_false(file_write(place("pipe"), "new", 3, &error));
    assert_false(file_write("/dev/null", "new", 3, &error));
    holds(3);
    unlink(target);
    unlink(place("link"));
    unlink(place("pipe"));
}

static void a_pipe_and_a_device_are_not_waited_for(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    char *bytes = NULL;
    assert_int_equal(mkfifo(place("pipe"), 0600), 0);
    assert_false(file_read(&arena, place("pipe"), &bytes, NULL, &error));
    assert_non_null(strstr(error.message, "pipe"));
    assert_false(file_read(&arena, "/dev/zero", &bytes, NULL, &error));
    unlink(place("pipe"));
    arena_free(&arena);
}

static void what_a_crash_left_behind_does_not_stop_the_next_one(void **state)
{
    (void)state;
    struct output crashed;
    assert_true(output_open(&crashed, place("a"), NULL));
    assert_true(file_write(place("a"), "new", 3, NULL));
    has(place("a"), "new");
    output_drop(&crashed);
    unlink(place("a"));
    holds(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_leaves_the_old_file_and_nothing_else),
        cmocka_unit_test(a_link_a_folder_and_a_pipe_are_not_written_to),
        cmocka_unit_test(a_pipe_and_a_device_are_not_waited_for),
        cmocka_unit_test(what_a_crash_left_behind_does_not_stop_the_next_one),
    };
    if (!mkdtemp(folder))
        return 1;
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
