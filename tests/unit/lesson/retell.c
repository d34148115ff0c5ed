/* Sentences kept in English are told again in Korean, piece by piece; what has no form stays as it is. */
#include "lesson/retell.h"
#include "app/app.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static void in_english_nothing_changes(void **state)
{
    static const char sentence[] = "Kernel executed trap";
    (void)state;
    app_use_language("en");
    assert_string_equal(retell(&arena, sentence), sentence);
}

static void the_pieces_stand_where_korean_wants_them(void **state)
{
    (void)state;
    app_use_language("ko");
    assert_string_equal(retell(&arena, "16,777,216 × float, block 256"), "float 16,777,216개, 블록 256");
    const char *told =
        retell(&arena, "Invalid __shared__ write of size 1 byte: offset -4 is out of bounds of the 256 bytes "
                       "of shared memory and is 4 bytes before s of 256 bytes");
    assert_non_null(strstr(told, "__shared__ 쓰기 1바이트"));
    assert_non_null(strstr(told, "256바이트인 s의 처음에서 4바이트 앞"));
    assert_null(strstr(told, "bytes"));
}

static void a_list_is_told_to_its_end(void **state)
{
    (void)state;
    app_use_language("ko");
    const char *told =
        retell(&arena, "Warp 0 waits here for memory that no thread changes any more; meanwhile these wait: "
                       "warp 1 (31 threads) at line 9, warp 2 (32 threads) at line 10; 4223 other blocks "
                       "have begun and wait as well");
    assert_non_null(strstr(told, "워프 1(스레드 31개)"));
    assert_non_null(strstr(told, "10번째 줄"));
    assert_non_null(strstr(told, "다른 블록 4223개"));
    assert_null(strstr(told, "wait"));
}

static void what_has_no_form_stays(void **state)
{
    static const char sentence[] = "a sentence of 3 bytes that nobody knows: 100 %s";
    (void)state;
    app_use_language("ko");
    assert_string_equal(retell(&arena, sentence), sentence);
    assert_string_equal(retell(&arena, ""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_english_nothing_changes),
        cmocka_unit_test(the_pieces_stand_where_korean_wants_them),
        cmocka_unit_test(a_list_is_told_to_its_end),
        cmocka_unit_test(what_has_no_form_stays),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
