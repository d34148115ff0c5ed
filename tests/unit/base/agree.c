#include "base/agree.h"
#include "base/arena.h"
#include "base/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

struct sample {
    const char *value, *subject, *direction; /* with {이/가}, with {으로/로} */
};

static const struct sample samples[] = {
    {"0", "이", "으로"}, /* 영 */
    {"1", "이", "로"},   /* 일: ㄹ takes 로 */
    {"2", "가", "로"},
    {"3", "이", "으로"},
    {"4", "가", "로"},
    {"5", "가", "로"},
    {"6", "이", "으로"},
    {"7", "이", "로"},
    {"8", "이", "로"},
    {"9", "가", "로"},
    {"10", "이", "으로"},
    {"32", "가", "로"},
    {"128", "이", "로"},
    {"400", "이", "으로"},
    {"2,000", "이", "으로"},
    {"50,000", "이", "으로"},
    {"300,000,000", "이", "으로"},
    {"1,000,000,000,000", "가", "로"}, /* 조 */
    {"1.27", "이", "로"},
    {"0.5", "가", "로"},
    {"2.0", "이", "으로"},
    {"37 %", "가", "로"},
    {"레인", "이", "으로"},
    {"워프", "가", "로"},
    {"타일", "이", "로"},
    {"`타일`", "이", "로"},
    {"**블록**", "이", "으로"},
    {"커널(copy)", "이", "로"}, /* the remark is not heard */
    {"(레인)", "이", "으로"},
    {"__syncthreads()", "가", "로"},
    {"H200", "이", "으로"},
    {"L1", "이", "로"},
    {"L2", "가", "로"},
    {"SM", "이", "으로"},
    {"GPU", "가", "로"},
    {"HTML", "이", "로"},
    {"32 B", "가", "로"},
    {"48 KB", "가", "로"},
    {"1.2 GHz", "가", "로"},
    {"7.5 µs", "가", "로"},
    {"GB/s", "가", "로"},
    {"threadIdx.x", "가", "로"},
    {"tile", "이", "로"},
    {"kernel", "이", "로"},
    {"block", "이", "으로"},
    {"bank", "가", "로"},
    {"warp", "가", "로"},
    {"stride", "가", "로"},
    {"offset", "이", "으로"},
    {"float", "가", "로"},
    {"name", "이", "으로"},
    {"copy_tile", "이", "로"},
    {"n", "이", "으로"},
    {"i", "가", "로"},
    {"x²", "이", "으로"},
    {"", "가", "로"},
};

static void a_particle_follows_the_last_sound(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *s = &samples[i];
        assert_string_equal(arena_format(&arena, "%s{이/가}", s->value),
                            arena_format(&arena, "%s%s", s->value, s->subject));
        assert_string_equal(arena_format(&arena, "%s{으로/로}", s->value),
                            arena_format(&arena, "%s%s", s->value, s->direction));
    }
    assert_string_equal(arena_format(&arena, "%d{은/는} %d{을/를} %d{과/와} %d{이라는/라는}", 1, 2, 3, 4),
                        "1은 2를 3과 4라는");
    arena_free(&arena);
}

static void a_noun_follows_the_number_before_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const struct {
        const char *number, *text;
    } cases[] = {{"1", "1 access"},     {"0", "0 accesses"},     {"2", "2 accesses"},        {"11", "11 accesses"},
                 {"21", "21 accesses"}, {"0.1", "0.1 accesses"}, {"1,001", "1,001 accesses"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(arena_format(&arena, "%s {access|accesses}", cases[i].number), cases[i].text);
    assert_string_equal(arena_format(&arena, "%u {lane asks|lanes ask} for %u {byte|bytes}", 1u, 4u),
                        "1 lane asks for 4 bytes");
    assert_string_equal(arena_format(&arena, "%u error{|s}", 1u), "1 error");
    assert_string_equal(arena_format(&arena, "%u error{|s}", 3u), "3 errors");
    arena_free(&arena);
}

static void other_braces_and_inserted_braces_stay(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char *const kept[] = {"{", "{}", "{a}", "{a|b|c}", "{x / 2}", "{이}", "{/가}", "{\"a\": 1}", "{이/가"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        assert_false(agree_marked(kept[i]));
        char *text = arena_text(&arena, kept[i]);
        assert_string_equal(agree(text, ""), kept[i]);
    }
    assert_string_equal(arena_format(&arena, "%s", "3{이/가}"), "3{이/가}");
    arena_free(&arena);
}

static void a_text_goes_on_from_the_text_before_it(void **state)
{
    (void)state;
    char text[] = "{이/가} 둘";
    assert_string_equal(agree(text, "섹터 3"), "이 둘");
    char other[] = "{이/가} 둘";
    assert_string_equal(agree(other, "섹터 4"), "가 둘");
}

static void an_error_has_its_forms_chosen(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERROR_INPUT, "%d {file|files}", 1);
    assert_string_equal(error.message, "1 file");
    error_remedy(&error, "close %d {file|files}", 2);
    assert_string_equal(error.remedy, "close 2 files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_follows_the_last_sound),
        cmocka_unit_test(a_noun_follows_the_number_before_it),
        cmocka_unit_test(other_braces_and_inserted_braces_stay),
        cmocka_unit_test(a_text_goes_on_from_the_text_before_it),
        cmocka_unit_test(an_error_has_its_forms_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
