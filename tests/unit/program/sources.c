/* The files of a program, and its lines in a newer version. */
#include "program/sources.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(file_write(path, text, strlen(text), NULL));
}

static void a_program_has_the_headers_that_it_includes_in_quotes(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-sources-XXXXXX", path[64];
    struct arena arena = {0};
    struct program_sources before, after;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/main.cu", folder);
    write_text(folder, "main.cu", "#include <cstdio>\n#include \"a.h\"\n  #  include \"later.h\"\nint main() {}\n");
    write_text(folder, "a.h", "#include \"main.cu\"\n#include \"sub/b.h\"\n");
    program_sources_find(&arena, path, &before);
    assert_int_equal(before.count, 4);
    assert_string_equal(path_name(before.paths[1]), "a.h");
    assert_string_equal(path_name(before.paths[2]), "later.h"); /* not there yet */
    assert_non_null(strstr(before.paths[3], "/sub/b.h"));
    write_text(folder, "a.h", "#include \"main.cu\"\n#include \"sub/b.h\"\n\n");
    program_sources_find(&arena, path, &after);
    assert_string_not_equal(before.digest.text, after.digest.text);
    char rest[128];
    snprintf(rest, sizeof rest, "%s/a.h", folder);
    unlink(rest);
    unlink(path);
    rmdir(folder);
    arena_free(&arena);
}

static void check_line(const char *before, const char *after, uint32_t line, uint32_t expected, bool same)
{
    bool exact;
    uint32_t const found = program_line_after(before, after, line, &exact);
    if (found != expected || exact != same)
        fail_msg("line %u is %u (%s)", line, found, exact ? "exact" : "not exact");
}

static void a_line_is_found_again_above_and_below_what_was_edited(void **state)
{
    (void)state;
    const char *old = "a\nb\nc\nd\n";
    for (uint32_t line = 1; line <= 4; line++)
        check_line(old, old, line, line, true);
    check_line(old, "new\nnew\na\nb\nc\nd\n", 3, 5, true);
    check_line(old, "a\nb\nnew\nc\nd\n", 2, 2, true);
    check_line(old, "a\nb\nnew\nc\nd\n", 3, 4, true);
    check_line(old, "a\nb\nC\nd\n", 3, 3, false);
    check_line(old, "a\nd\n", 4, 2, true);
    check_line(old, "a\nd\n", 3, 2, false);
    check_line(old, "", 4, 1, false);
    check_line("", "a\n", 1, 1, false);
    check_line("a\na\na\n", "a\na\n", 3, 3, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_has_the_headers_that_it_includes_in_quotes),
        cmocka_unit_test(a_line_is_found_again_above_and_below_what_was_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
