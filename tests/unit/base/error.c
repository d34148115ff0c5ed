/* Errors as values: what they say, where, and without room for more. */
#include "base/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void check_line(const struct error *error, const char *expected)
{
    char line[1200];
    assert_string_equal(error_line(error, line, sizeof line), expected);
}

static void a_line_has_the_parts_that_are_known_in_order(void **state)
{
    (void)state;
    struct error error;
    assert_false(error_set(&error, ERROR_RUN, "no %s", "run"));
    assert_int_equal(error.kind, ERROR_RUN);
    check_line(&error, "no run");
    assert_false(error_remedy(&error, "try %d", 2));
    check_line(&error, "no run; try 2");
    error_at(&error, ERROR_INPUT, "a.yaml", 0, 0, "is empty");
    check_line(&error, "a.yaml: is empty");
    error_at(&error, ERROR_INPUT, "a.yaml", 3, 0, "is empty");
    check_line(&error, "a.yaml:3: is empty");
    error_at(&error, ERROR_INPUT, "a.yaml", 3, 4, "is empty");
    error_field(&error, "beats.%d.at", 2);
    error_remedy(&error, "fill it");
    check_line(&error, "a.yaml:3:4: field 'beats.2.at': is empty; fill it");
}

static void a_new_error_has_nothing_of_the_one_before(void **state)
{
    (void)state;
    struct error error;
    error_at(&error, ERROR_INPUT, "a.yaml", 3, 4, "is empty");
    error_field(&error, "beats");
    error_remedy(&error, "fill it");
    error_set(&error, ERROR_MISSING, "no clang");
    assert_int_equal(error.line, 0);
    check_line(&error, "no clang");
}

static void a_problem_names_its_field_without_place_and_remedy(void **state)
{
    (void)state;
    struct error error;
    char text[200];
    error_at(&error, ERROR_INPUT, "a.yaml", 3, 4, "is empty");
    error_remedy(&error, "fill it");
    assert_string_equal(error_problem(&error, text, sizeof text), "is empty");
    error_field(&error, "beats");
    assert_string_equal(error_problem(&error, text, sizeof text), "field 'beats': is empty");
}

static void texts_that_are_too_long_are_cut_within_their_room(void **state)
{
    (void)state;
    struct error error;
    char text[2000], small[8];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_at(&error, ERROR_INPUT, text, 1, 0, "%s", text);
    error_field(&error, "%s", text);
    error_remedy(&error, "%s", text);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_int_equal(strlen(error.field), sizeof error.field - 1);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.remedy), sizeof error.remedy - 1);
    assert_int_equal(strlen(error_line(&error, small, sizeof small)), sizeof small - 1);
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
    (void)state;
    struct error error;
    error_at(&error, ERROR_INPUT, "a\033[2J.yaml", 1, 0, "has \033[31m%s", "\a");
    error_field(&error, "%s", "x\033");
    assert_null(strchr(error.file, '\033'));
    assert_null(strpbrk(error.message, "\033\a"));
    assert_null(strchr(error.field, '\033'));
}

static void who_wants_no_error_may_pass_none(void **state)
{
    (void)state;
    assert_false(error_set(NULL, ERROR_INPUT, "x"));
    assert_false(error_at(NULL, ERROR_INPUT, "a", 1, 1, "x"));
    assert_false(error_field(NULL, "x"));
    assert_false(error_remedy(NULL, "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_parts_that_are_known_in_order),
        cmocka_unit_test(a_new_error_has_nothing_of_the_one_before),
        cmocka_unit_test(a_problem_names_its_field_without_place_and_remedy),
        cmocka_unit_test(texts_that_are_too_long_are_cut_within_their_room),
        cmocka_unit_test(control_characters_do_not_reach_a_terminal),
        cmocka_unit_test(who_wants_no_error_may_pass_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
