/* Lines of a text. */
#include "base/lines.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void places_and_lines_of_a_text_agree(void **state)
{
    (void)state;
    const char *text = "one\n\n  \tthree\r\nfour";
    struct arena arena = {0};
    assert_int_equal(line_of(text, text), 1);
    assert_int_equal(line_of(text, strchr(text, '\n')), 1); /* the end of a line belongs to it */
    assert_int_equal(line_of(text, text + strlen(text)), 4);
    assert_int_equal(line_with(text, "three"), 3);
    assert_int_equal(line_with(text, "five"), 0);
    for (uint32_t line = 1; line <= 4; line++)
        assert_int_equal(line_of(text, line_start(text, line)), line);
    assert_string_equal(line_start(text, 5), "");
    assert_string_equal(line_words(&arena, text, 3), "three");
    assert_string_equal(line_words(&arena, text, 2), "");
    assert_string_equal(line_words(&arena, text, 0), "");
    assert_string_equal(line_words(&arena, text, 9), "");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_and_lines_of_a_text_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
