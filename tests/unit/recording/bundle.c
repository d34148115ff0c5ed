/* Bundles of recorded traces: entries survive writing and reading, and damage is an error. */
#include "recording/bundle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void a_damaged_bundle_is_refused_byte_by_byte(void **state)
{
    (void)state;
    static const uint8_t first[] = {1, 2, 3, 4, 5}, second[] = {9};
    struct bundle_entry const entries[] = {{"load stride=8", first, sizeof first}, {"b", second, sizeof second}};
    struct arena arena = {0};
    struct bundle_entry *back;
    uint8_t *bytes;
    size_t size, count;
    struct error error = {0};
    assert_true(bundle_pack(entries, 2, &arena, &bytes, &size, &error));
    assert_true(bundle_unpack("x", bytes, size, &arena, &back, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(back[0].name, "load stride=8");
    assert_int_equal(back[0].size, 5);
    assert_memory_equal(back[0].bytes, first, 5);
    assert_memory_equal(back[1].bytes, second, 1);
    for (size_t cut = 0; cut < size; cut++) {
        assert_false(bundle_unpack("x", bytes, cut, &arena, &back, &count, &error));
        assert_string_equal(error.file, "x");
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_damaged_bundle_is_refused_byte_by_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
