/* docs/ptx.md shows the opcode table, and the table itself holds together. */
#include "base/file.h"
#include "ptx/program.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define PLACE "<!-- opcode table: LANESCOPE_UPDATE=1 and the test ptx_table write it -->\n"

/* Everything behind PLACE is generated. */
static void document_shows_the_opcode_table(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    char *text;
    size_t size;
    assert_true(file_read(&arena, "../docs/ptx.md", &text, &size, &error));
    char *place = strstr(text, PLACE);
    assert_non_null(place);
    place += strlen(PLACE);
    const char *table = ptx_table_markdown(&arena);
    if (getenv("LANESCOPE_UPDATE")) {
        const char *whole = arena_format(&arena, "%.*s%s", (int)(place - text), text, table);
        assert_true(file_write("../docs/ptx.md", whole, strlen(whole), &error));
    } else {
        assert_string_equal(place, table);
    }
    arena_free(&arena);
}

static void every_opcode_is_in_the_table_once(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *table = ptx_table_markdown(&arena);
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        const char *row = arena_format(&arena, "\n| `%s` |", ptx_opcode_name((enum ptx_opcode)i));
        const char *found = strstr(table, row);
        assert_non_null(found);
        assert_null(strstr(found + 1, row));
    }
    arena_free(&arena);
}

static void operand_counts_fit_an_instruction(void **state)
{
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        unsigned fewest, most;
        ptx_opcode_operands((enum ptx_opcode)i, &fewest, &most);
        assert_true(fewest <= most && most <= 8);
    }
}

static void type_sizes(void **state)
{
    (void)state;
    assert_int_equal(ptx_type_size(PTX_B8), 1);
    assert_int_equal(ptx_type_size(PTX_F16X2), 4);
    assert_int_equal(ptx_type_size(PTX_F64), 8);
    assert_int_equal(ptx_type_size(PTX_B128), 16);
    assert_int_equal(ptx_type_size(PTX_PRED), 0);
    for (int i = PTX_TYPE_NONE + 1; i < PTX_TYPE_COUNT; i++)
        assert_true(ptx_type_name((enum ptx_type)i)[0] != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_shows_the_opcode_table),
        cmocka_unit_test(every_opcode_is_in_the_table_once),
        cmocka_unit_test(operand_counts_fit_an_instruction),
        cmocka_unit_test(type_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
