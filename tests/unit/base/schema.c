/* YAML by a schema: an error names line and field, and a hostile text is bounded before it is read. */
#include "base/schema.h"
#include <cyaml/cyaml.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

struct point {
    int x;
    char *name;
};
static const cyaml_schema_field_t point_fields[] = {
    CYAML_FIELD_INT("x", CYAML_FLAG_DEFAULT, struct point, x),
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct point, name, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t point_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct point, point_fields)};

static bool load(struct arena *arena, const char *text, struct point **point, struct error *error)
{
    void *loaded = NULL;
    bool const good = schema_load(arena, "a.yaml", text, strlen(text), &point_schema, &loaded, error);
    *point = loaded;
    return good;
}

static void a_text_of_the_schema_becomes_a_structure(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    struct point *point;
    assert_true(load(&arena, "name: tile\nx: -3\n", &point, &error));
    assert_int_equal(point->x, -3);
    assert_string_equal(point->name, "tile");
    arena_free(&arena);
}

static void check_wrong(const char *text, int line, const char *field, const char *says, const char *remedy)
{
    struct arena arena = {0};
    struct error error;
    struct point *point;
    assert_false(load(&arena, text, &point, &error));
    assert_string_equal(error.file, "a.yaml");
    assert_int_equal(error.line, line);
    assert_string_equal(error.field, field);
    assert_non_null(strstr(error.message, says));
    assert_non_null(strstr(error.remedy, remedy));
    arena_free(&arena);
}

static void an_error_names_line_field_and_remedy(void **state)
{
    (void)state;
    check_wrong("name: tile\nx: three\n", 2, "x", "takes a whole number, not \"three\"", "");
    check_wrong("x: 1\ncolour: red\n", 2, "colour", "there is no such field", "the fields here are x, name");
    check_wrong("x: 1\nx: 2\n", 2, "x", "is given twice", "");
    check_wrong("name: tile\n", 1, "x", "is missing", "");
    check_wrong("x: [1]\n", 1, "x", "takes one value", "");
    check_wrong("x: 1\n y: [\n", 2, "", "is not YAML here", "quotation marks");
}

static void check_bounded(const char *text, size_t size, bool good)
{
    struct error error;
    if (schema_bounded("a.yaml", text, size, &error) != good)
        fail_msg("%.20s", text);
    if (!good)
        assert_true(error.message[0]);
}

static void a_hostile_text_is_refused_before_it_is_read(void **state)
{
    (void)state;
    size_t const large = (1 << 20) + 1;
    char *text = malloc(large);
    assert_non_null(text);
    check_bounded("x: 1\n", 5, true);
    memset(text, ' ', large);
    check_bounded(text, large, false);
    memset(text, '[', 100);
    check_bounded(text, 100, false); /* nested */
    check_bounded("a: &a [1]\nb: *a\n", 16, false);
    check_bounded("x: \"\\e[2J\"\n", 11, false);
    for (size_t i = 0; i < 30000; i++)
        memcpy(text + 2 * i, i ? "1," : "[ ", 2);
    memcpy(text + 60000, "1]\n", 3);
    check_bounded(text, 60003, false); /* many values */
    free(text);
}

static void a_field_has_the_line_of_its_nearest_part(void **state)
{
    (void)state;
    static const char text[] = "a: 1\nbeats:\n  - id: one\n  - id: two\n    at: x\n";
    assert_int_equal(schema_line(text, sizeof text - 1, "beats.1.at"), 5);
    assert_int_equal(schema_line(text, sizeof text - 1, "beats.1.none"), 4);
    assert_int_equal(schema_line(text, sizeof text - 1, "a"), 1);
    assert_int_equal(schema_line("[", 1, "a"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_of_the_schema_becomes_a_structure),
        cmocka_unit_test(an_error_names_line_field_and_remedy),
        cmocka_unit_test(a_hostile_text_is_refused_before_it_is_read),
        cmocka_unit_test(a_field_has_the_line_of_its_nearest_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
