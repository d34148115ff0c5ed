/* The chart over the values of a knob: where it shows measured times, every variant that is meant to be right has a
 * line; a click goes to the nearest point. And the bars of the time card. */
#include "document/ladder.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "app_helper.h"

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

/* The values 90 and 100 are close to one another on the axis from 0 to 100. */
static void a_click_goes_to_the_nearest_point(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("histogram", 10);
    struct app *app = app_opened(&options, NULL);
    assert_non_null(strstr(app_state_line(app), "--set same=100"));
    click_text(app, "90");
    assert_non_null(strstr(app_state_line(app), "--set same=90"));
    app_free(app);
}

/* Four points stand so far apart that half the way to a fifth one would reach the tabs beside the chart. */
static void a_click_beside_the_chart_turns_no_knob(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("caches", 11);
    struct app *app = app_opened(&options, NULL);
    char *before = strdup(app_state_line(app));
    click_text(app, "Code");
    assert_string_equal(app_state_line(app), before);
    free(before);
    app_free(app);
}

/* Only load and store have a recorded time at this stride; at the stride of bytes, no variant has one. */
static void the_time_card_compares_the_setting_with_those_that_have_a_time(void **state)
{
    (void)state;
    struct app_options options = app_options_of("coalescing", 11);
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "69.2 µs") && shows(app, "87.7 µs"));
    assert_false(shows(app, "none"));
    app_free(app);
    const char *const bytes[] = {"element=1"};
    options.set = bytes;
    options.set_count = 1;
    app = app_opened(&options, NULL);
    assert_true(shows(app, "none") && shows(app, "stride 1") && shows(app, "14.1 µs"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_of_times_has_a_line_for_each_other_variant_that_is_right),
        cmocka_unit_test(a_click_goes_to_the_nearest_point),
        cmocka_unit_test(the_time_card_compares_the_setting_with_those_that_have_a_time),
        cmocka_unit_test(a_click_beside_the_chart_turns_no_knob),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
