/* Claims of single lessons, and numbers in texts. What holds for every lesson is in tests/unit/author/lessons.c. */
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Returns the setting at which the beat opens before any knob is turned. */
static struct lesson_setting setting_at(const struct lesson *lesson, int beat)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    lesson_apply_sets(&setting, lesson->beats[beat].sets, lesson->beats[beat].set_count);
    return setting;
}

static void the_task_of_banks_can_be_done(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("banks", &lesson, NULL));
    int task = 0;
    while (lesson->beats[task].kind != BEAT_TASK)
        task++;
    struct lesson_setting setting = setting_at(lesson, task);
    static const double expected[] = {0, 1, 0, 1, 0}; /* an odd padding moves each row to another bank */
    for (int padding = 0; padding <= 4; padding++) {
        double done = -1;
        setting.value[lesson_knob_index(lesson, "padding")] = padding;
        assert_true(run_lesson_fact(lesson, &setting, lesson->beats[task].goal, &done, NULL));
        assert_true(done == expected[padding]);
    }
    lesson_free(lesson);
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* The claim of the step about odd strides. */
static void passes_are_the_common_divisor_with_32(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("banks", &lesson, NULL));
    struct lesson_setting setting = lesson_defaults(lesson);
    for (int variant = 0; variant < 2; variant++)
        for (int stride = 0; stride <= 64; stride++) {
            double passes = 0;
            setting.variant = variant;
            setting.value[0] = stride;
            assert_true(run_lesson_fact(lesson, &setting, "passes", &passes, NULL));
            assert_true(passes == (stride ? divisor((uint32_t)stride, 32) : 1));
        }
    lesson_free(lesson);
}

/* In the classroom DRAM a row holds 1,024 bytes, and neighbouring rows lie in different banks. */
static void rows_of_dram_follow_the_width(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *width;
        double rows;
    } cases[] = {{"rows", "width=256", 1},     {"columns", "width=64", 8},   {"columns", "width=128", 16},
                 {"columns", "width=256", 32}, {"columns", "width=512", 32}, {"strips", "width=256", 4},
                 {"strips", "width=64", 1}};
    struct lesson *lesson;
    assert_true(lesson_load("dram-rows", &lesson, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_setting setting = lesson_defaults(lesson);
        double rows = 0;
        setting.variant = lesson_variant_index(lesson, cases[i].variant);
        assert_true(lesson_set_text(lesson, &setting, cases[i].width, NULL));
        assert_true(run_lesson_fact(lesson, &setting, "first_rows", &rows, NULL));
        assert_true(rows == cases[i].rows);
    }
    lesson_free(lesson);
}

static void numbers_are_written_as_people_read_them(void **state)
{
    (void)state;
    static struct run_fact facts[] = {{.name = "n", .value = 16777216},   {.name = "one", .value = 1},
                                      {.name = "ratio", .value = 1.2734}, {.name = "none", .value = 0.0 / 1},
                                      {.name = "us", .value = 31810},     {.name = "k", .value = -1024}};
    struct run const run = {.facts = facts, .fact_count = sizeof facts / sizeof facts[0]};
    static const struct {
        const char *text, *filled;
    } cases[] = {{"{n} floats", "16,777,216 floats"},
                 {"{n:plain}", "16777216"},
                 {"{k}", "-1,024"},
                 {"{ratio}", "1.27"},
                 {"{ratio:3}", "1.273"},
                 {"{ratio:%}", "127 %"},
                 {"{1 / 8:%} {5 / 8:%} {1 / 4:%} {1 / 3:%}", "12.5 % 62.5 % 25 % 33 %"},
                 {"{us:us}", "31.8 ms"},
                 {"{65.53:us} {473:us}", "65.5 µs 473 µs"},
                 {"{one|pass|passes} {n|pass|passes}", "pass passes"},
                 {"{one == 1 || n == 1}", "1"},
                 {"{one > 0 ? 5 : 7}", "5"},
                 {"{1 / none}", "—"},
                 {"{nonsense} and {open", "{nonsense} and {open"},
                 {"a {?one == 1}b {?one == 2}c", "a b "}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(run_fill_text(&run, NULL, NULL, &arena, cases[i].text), cases[i].filled);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_task_of_banks_can_be_done), cmocka_unit_test(passes_are_the_common_divisor_with_32),
        cmocka_unit_test(rows_of_dram_follow_the_width), cmocka_unit_test(numbers_are_written_as_people_read_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
