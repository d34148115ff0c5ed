/* Files, paths and folders: nothing is half written, nothing outside a folder is reached, no device is waited for. */
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static char folder[] = "/tmp/lanescope-file-XXXXXX";
static struct arena arena;

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    static const char *const left[] = {"deep/er/a.txt", "deep/er", "deep", "pipe", "link", "b.txt", "a.txt", ""};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        remove(arena_format(&arena, "%s/%s", folder, left[i]));
    arena_free(&arena);
    return 0;
}

static const char *in(const char *name)
{
    return arena_format(&arena, "%s/%s", folder, name);
}

static void bytes_come_back_as_they_were_written(void **state)
{
    (void)state;
    static const char bytes[] = "a\0b\n";
    char *read;
    size_t size;
    struct error error;
    assert_true(file_write(in("deep/er/a.txt"), bytes, sizeof bytes, &error)); /* makes the folders */
    assert_true(file_read(&arena, in("deep/er/a.txt"), &read, &size, &error));
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(read, bytes, sizeof bytes);
    assert_int_equal(read[size], '\0');
    assert_true(file_write(in("deep/er/a.txt"), "", 0, &error));
    assert_true(file_read(&arena, in("deep/er/a.txt"), &read, &size, &error));
    assert_int_equal(size, 0);
}

static void what_is_no_file_is_refused_without_waiting(void **state)
{
    (void)state;
    struct error error;
    char *read;
    assert_int_equal(mkfifo(in("pipe"), 0600), 0);
    assert_false(file_read(&arena, in("pipe"), &read, NULL, &error)); /* nobody writes into it */
    assert_string_equal(error.file, in("pipe"));
    assert_false(file_read(&arena, "/dev/zero", &read, NULL, &error));
    assert_false(file_read(&arena, in("none"), &read, NULL, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(file_read(&arena, folder, &read, NULL, &error));
}

static void a_name_from_elsewhere_stays_in_its_folder(void **state)
{
    (void)state;
    struct error error;
    assert_true(file_write(in("a.txt"), "x", 1, &error));
    assert_int_equal(symlink("/etc", in("link")), 0);
    assert_non_null(path_inside(&arena, folder, "a.txt", &error));
    assert_non_null(path_inside(&arena, folder, "not/there.txt", &error));
    assert_null(path_inside(&arena, folder, "../a.txt", &error));
    assert_null(path_inside(&arena, folder, "/etc/passwd", &error));
    assert_null(path_inside(&arena, folder, "link/passwd", &error));
    assert_true(error.message[0]);
}

static void endings_and_names_are_those_of_the_last_part(void **state)
{
    (void)state;
    assert_true(path_ends_with("a/b.cu", ".cu"));
    assert_false(path_ends_with(".cu", ".cu"));
    assert_false(path_ends_with("b.cut", ".cu"));
    assert_string_equal(path_name("a.d/b.cu"), "b.cu");
    assert_string_equal(path_name("b.cu"), "b.cu");
    assert_string_equal(path_name("a/"), "");
}

static void a_folder_lists_its_names_sorted(void **state)
{
    (void)state;
    char **names;
    struct error error;
    assert_true(file_write(in("b.txt"), "x", 1, &error));
    assert_true(file_write(in("a.txt"), "x", 1, &error));
    size_t const count = folder_list(&arena, folder, &names);
    assert_true(count >= 2);
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(names[i - 1], names[i]) < 0);
    assert_int_equal(folder_list(&arena, in("none"), &names), 0);
}

static void the_same_file_is_known_by_other_paths(void **state)
{
    (void)state;
    struct error error;
    assert_true(file_write(in("a.txt"), "x", 1, &error));
    assert_true(file_write(in("b.txt"), "x", 1, &error));
    assert_true(file_same(in("a.txt"), in("./a.txt")));
    assert_false(file_same(in("a.txt"), in("b.txt")));
    assert_false(file_same(in("none"), in("none")));
}

static void a_digest_differs_with_one_bit(void **state)
{
    (void)state;
    struct digest const a = digest_of("abc", 3), b = digest_of("abd", 3);
    assert_int_equal(strspn(a.text, "0123456789abcdef"), 32);
    assert_string_equal(a.text, digest_of("abc", 3).text);
    assert_string_not_equal(a.text, b.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back_as_they_were_written),
        cmocka_unit_test(what_is_no_file_is_refused_without_waiting),
        cmocka_unit_test(a_name_from_elsewhere_stays_in_its_folder),
        cmocka_unit_test(endings_and_names_are_those_of_the_last_part),
        cmocka_unit_test(a_folder_lists_its_names_sorted),
        cmocka_unit_test(the_same_file_is_known_by_other_paths),
        cmocka_unit_test(a_digest_differs_with_one_bit),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
