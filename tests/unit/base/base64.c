/* Base64: the vectors of RFC 4648, section 10, and text that is none. */
#include "base/base64.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

static bool read(const char *text, char *bytes, size_t *count)
{
    return base64_read(text, strlen(text), (uint8_t *)bytes, count);
}

static void the_vectors_of_the_standard_are_written_and_read(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *written, bytes[16];
        size_t size, count;
        FILE *out = open_memstream(&written, &size);
        base64_write(out, (const uint8_t *)pairs[i][0], strlen(pairs[i][0]));
        fclose(out);
        assert_string_equal(written, pairs[i][1]);
        assert_true(read(written, bytes, &count));
        assert_int_equal(count, strlen(pairs[i][0]));
        assert_memory_equal(bytes, pairs[i][0], count);
        free(written);
    }
}

static void lines_and_every_byte_survive(void **state)
{
    (void)state;
    uint8_t all[1000], back[1003];
    char *written;
    size_t size, count;
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (uint8_t)(i * 7);
    FILE *out = open_memstream(&written, &size);
    base64_write(out, all, sizeof all);
    fclose(out);
    assert_non_null(strchr(written, '\n'));
    assert_true(base64_read(written, size, back, &count));
    assert_int_equal(count, sizeof all);
    assert_memory_equal(back, all, sizeof all);
    free(written);
}

static void text_that_is_no_base64_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"Zg", "Zg=", "Z===", "=Zg=", "Zg==Zg==", "Zm9v!", "Zm9v\xc3\xa4", "Zg=v"};
    char bytes[32];
    size_t count;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(read(wrong[i], bytes, &count));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(the_vectors_of_the_standard_are_written_and_read),
                                              cmocka_unit_test(lines_and_every_byte_survive),
                                              cmocka_unit_test(text_that_is_no_base64_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
