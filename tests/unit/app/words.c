/* Numbers with their units, in English and in Korean. */
#include "base/words.h"
#include "app/language.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_number_stands_with_its_unit_as_the_language_has_it(void **state)
{
    (void)state;
    static const struct {
        const char *number, *unit, *english, *korean;
    } cases[] = {
        {"1024", "threads", "1,024 threads", "스레드 1,024개"},
        {"1", "threads", "1 thread", "스레드 1개"},
        {"4", "bytes", "4 bytes", "4바이트"},
        {"48", "rounds", "48 rounds", "48번"},
        {"1", "per SM", "1 per SM", "SM마다 1개"},
        {"1", "a thread", "1 a thread", "스레드마다 1개"},
        {"38", "KB", "38 KB", "38 KB"},
        {"100", "%", "100 %", "100 %"},
        {"12.5", "", "12.5", "12.5"},
        {"-4096", "", "-4096", "-4096"},
        {"3", "bass%d", "3 bass%d", "3 bass%d"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        language_use(LANGUAGE_EN);
        assert_string_equal(words_unit(&arena, cases[i].number, cases[i].unit), cases[i].english);
        language_use(LANGUAGE_KO);
        assert_string_equal(words_unit(&arena, cases[i].number, cases[i].unit), cases[i].korean);
    }
    language_use(LANGUAGE_EN);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_number_stands_with_its_unit_as_the_language_has_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
