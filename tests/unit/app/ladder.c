/* The lines of a chart over the values of a knob: where it shows measured times, every variant that is meant to be
 * right has one. */
#include "document/ladder.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static int beat_with_times(const struct lesson *lesson)
{
    for (int b = 0; b < lesson->beat_count; b++)
        if (lesson->beats[b].ladder && lesson->beats[b].ladder_counts == COUNTS_TIME)
            return b;
    return -1;
}

static void a_chart_of_times_has_a_line_for_each_other_variant_that_is_right(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("histogram", &lesson, NULL));
    int const beat = beat_with_times(lesson);
    assert_true(beat >= 0);
    struct lesson_setting setting = lesson_defaults(lesson);
    for (int b = 0; b <= beat; b++)
        lesson_apply_sets(&setting, lesson->beats[b].sets, lesson->beats[b].set_count);
    struct ladder_points ladder = {0};
    ladder_want(&ladder, lesson, &setting, beat);
    int right = 0;
    for (int v = 0; v < lesson->variant_count; v++)
        right += !lesson->variants[v].faulty && v != setting.variant;
    assert_int_equal(ladder.other_count, right);
    for (int i = 0; i < ladder.other_count; i++) {
        assert_int_not_equal(ladder.variants[i], setting.variant);
        assert_false(lesson->variants[ladder.variants[i]].faulty);
        for (int k = 0; k < ladder.count; k++)
            assert_true(ladder.others[i][k] > 0);
    }
    arena_free(&ladder.arena);
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_of_times_has_a_line_for_each_other_variant_that_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
