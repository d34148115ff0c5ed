/* Every installed lesson, and those of the tests and the guide, through the check that authors use: each beat opens at
 * an access that happens, its numbers can be computed at every end of every knob, the right answer is among the
 * choices and each wrong one has a reply, tasks can be done, and every variant agrees with the host. */
#include "author/author.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lessons_helper.h"

enum { COMBINATIONS = SANITIZED ? 30 : 0 }; /* of knobs, at which words are looked at; 0: as many as authors get */

static void has_no_problem(const char *folder)
{
    static const struct author_options options = {.turned_max = COMBINATIONS};
    struct author_report report;
    author_check(folder, &options, &report);
    for (size_t i = 0; i < report.problems.count; i++) {
        struct error error;
        char line[1200];
        problem_error(&report.problems.items[i], &error);
        fail_msg("%s%s", report.problems.items[i].level == PROBLEM_WARNING ? "warning: " : "",
                 error_line(&error, line, sizeof line));
    }
    assert_true(report.read && report.settings > 0);
    assert_int_equal(report.settings_left, 0);
    author_report_free(&report);
}

static void check_lesson(const struct lesson *lesson)
{
    assert_in_range(lesson->beat_count, 6, 12);
    for (int language = 0; language < LANGUAGE_COUNT; language++)
        if (!lesson->beats[0].notes[language].count) /* the check asks for those on the other steps */
            fail_msg("%s has no notes for its teacher", lesson->name);
    has_no_problem(lesson->folder);
}

static void no_installed_lesson_has_a_problem(void **state)
{
    (void)state;
    for_sampled_lessons(1, check_lesson);
}

static void the_guides_lesson_has_no_problem(void **state)
{
    (void)state;
    has_no_problem("lessons/shift");
    has_no_problem("lessons/kinds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_installed_lesson_has_a_problem),
                                       cmocka_unit_test(the_guides_lesson_has_no_problem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
