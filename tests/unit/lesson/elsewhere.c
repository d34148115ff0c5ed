/* Numbers of other settings cost as little as they can, and are those of a whole run all the same. */
#include "lesson/facts.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Returns the first fact of the name, which is the one that counts. */
static const struct run_fact *fact_of(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->fact_count; i++)
        if (strcmp(run->facts[i].name, name) == 0)
            return &run->facts[i];
    fail_msg("%s is no fact", name);
    return NULL;
}

/* Compares all facts of a run of the recorded blocks alone with those of a whole run. Returns whether not all blocks
 * ran. */
static bool compare(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct run *whole = NULL, *recorded = NULL;
    struct error error;
    if (!run_lesson_lightly(lesson, setting, LIGHT_GRID, &whole, &error) ||
        !run_lesson_lightly(lesson, setting, LIGHT_RECORDED, &recorded, &error))
        fail_msg("%s, %s: %s", lesson->name, lesson->variants[setting->variant].name, error.message);
    assert_false(whole->partial);
    for (size_t i = 0; i < recorded->fact_count; i++) {
        const char *name = recorded->facts[i].name;
        double const got = fact_of(recorded, name)->value, want = fact_of(whole, name)->value;
        if (got != want && !(isnan(got) && isnan(want)))
            fail_msg("%s, %s: %s is %g in the recorded blocks, but %g in a whole run", lesson->name,
                     lesson->variants[setting->variant].name, name, got, want);
        assert_true(!recorded->partial || !fact_has_scope(name, strlen(name), SCOPE_GRID));
    }
    bool const partial = recorded->partial;
    run_free(whole);
    run_free(recorded);
    return partial;
}

static void the_recorded_blocks_alone_have_the_same_facts(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    unsigned partial = 0;
    size_t const count = lesson_names_installed(&arena, &names, &errors, &error_count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        assert_true(lesson_load(names[i], &lesson, NULL));
        for (int variant = 0; variant < lesson->variant_count; variant++) {
            struct lesson_setting setting = lesson_defaults(lesson);
            setting.variant = variant;
            partial += compare(lesson, &setting);
            for (int k = 0; k < lesson->knob_count; k++) {
                setting.value[k] = setting.value[k] ? 0 : lesson->knobs[k].value_count - 1;
                partial += compare(lesson, &setting);
            }
        }
        lesson_free(lesson);
    }
    assert_true(partial > 20);
    arena_free(&arena);
}

/* A number of another setting is found when something asks for it, from the run of that setting. */
static void a_number_of_another_setting_is_that_of_its_run(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct run *run;
    double direct, asked;
    assert_true(lesson_load("matmul", &lesson, NULL));
    struct lesson_setting setting = lesson_defaults(lesson), there;
    setting.variant = lesson_variant_index(lesson, "tiled");
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, NULL));
    there = setting;
    there.variant = lesson_variant_index(lesson, "direct");
    for (int round = 0; round < 3; round++) {
        if (round == 2)
            lesson_forget_facts(lesson);
        assert_true(run_evaluate(run, lesson, &setting, "requests_direct + 1", &asked, NULL));
        assert_true(run_lesson_fact(lesson, &there, "global_load_requests", &direct, NULL));
        assert_true(direct > 0 && asked == direct + 1);
    }
    assert_true(run_evaluate(run, lesson, &setting, "requests_tiled == global_load_requests", &asked, NULL));
    assert_true(asked == 1);
    run_free(run);
    lesson_free(lesson);
}

/* The wrong values of another setting are counted, as those of the run on screen are. */
static void wrong_values_of_another_setting_are_counted(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct run *run;
    double here, wrong;
    assert_true(lesson_load("barrier", &lesson, NULL));
    struct lesson_setting setting = lesson_defaults(lesson);
    setting.variant = lesson_variant_index(lesson, "right");
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, NULL));
    assert_true(run_evaluate(run, lesson, &setting, "wrong_count", &here, NULL));
    assert_true(run_evaluate(run, lesson, &setting, "wrong_late", &wrong, NULL));
    assert_true(here == 0 && wrong > 0);
    run_free(run);
    lesson_free(lesson);
}

/* The first expression needs the recorded blocks alone; the next ones need all of them, or none. */
static void kept_facts_answer_only_what_they_cover(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct error error;
    double few, all, again, time;
    assert_true(lesson_load("stencil", &lesson, NULL));
    struct lesson_setting const setting = lesson_defaults(lesson);
    assert_true(run_lesson_fact(lesson, &setting, "read_sectors", &few, NULL));
    assert_true(run_lesson_fact(lesson, &setting, "global_load_requests", &all, NULL));
    assert_true(run_lesson_fact(lesson, &setting, "global_load_requests * 1 + 0 * read_sectors", &again, NULL));
    assert_true(few > 0 && all > 0 && again == all);
    assert_true(run_lesson_fact(lesson, &setting, "time", &time, NULL));
    assert_true(time == run_lesson_time(lesson, &setting).median);
    assert_false(run_lesson_fact(lesson, &setting, "nonsense + read_sectors", &few, &error));
    assert_non_null(strstr(error.message, "nonsense"));
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_recorded_blocks_alone_have_the_same_facts),
                                       cmocka_unit_test(a_number_of_another_setting_is_that_of_its_run),
                                       cmocka_unit_test(wrong_values_of_another_setting_are_counted),
                                       cmocka_unit_test(kept_facts_answer_only_what_they_cover)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
