/* Knobs without an effect in a variant, in the lesson on caches. */
#include "lesson/facts.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 1, SHARED = 2, BAND = 4 }; /* the knobs of the lesson, in their order */

static struct lesson *open_lesson(void **state)
{
    struct lesson *lesson;
    (void)state;
    assert_true(lesson_load("caches", &lesson, NULL));
    assert_int_equal(lesson->knob_count, 3);
    return lesson;
}

static const struct lesson_beat *beat_of(const struct lesson *lesson, const char *id, struct lesson_setting *setting)
{
    for (int i = 0; i < lesson->beat_count; i++)
        if (strcmp(lesson->beats[i].id, id) == 0) {
            *setting = lesson_defaults(lesson);
            lesson_apply_sets(setting, lesson->beats[i].sets, lesson->beats[i].set_count);
            return &lesson->beats[i];
        }
    fail_msg("there is no step %s", id);
    return NULL;
}

static struct run *run_of(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct run *run = NULL;
    struct error error;
    if (!run_lesson_lightly(lesson, setting, LIGHT_RECORDED, &run, &error))
        fail_msg("%s", error.message);
    return run;
}

static unsigned idle(const struct lesson *lesson, const struct lesson_setting *setting, const struct lesson_beat *beat)
{
    struct run *run = run_of(lesson, setting);
    unsigned const knobs = lesson_idle_knobs(run, lesson, setting, beat);
    assert_int_equal(lesson_idle_knobs(run, lesson, setting, beat), knobs);
    run_free(run);
    return knobs;
}

static void a_knob_that_a_variant_ignores_is_said_to_have_no_effect(void **state)
{
    static const struct {
        const char *beat;
        unsigned idle;
    } cases[] = {{"levels", BAND},           {"array", BAND},          {"sets", BAND},
                 {"threads", SHARED | BAND}, {"clock", SHARED | BAND}, {"store", SIZE | SHARED | BAND},
                 {"pairs", SIZE | SHARED},   {"bands", SIZE | SHARED}};
    struct lesson *lesson = open_lesson(state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_setting setting;
        const struct lesson_beat *beat = beat_of(lesson, cases[i].beat, &setting);
        unsigned const found = idle(lesson, &setting, beat);
        if (found != cases[i].idle)
            fail_msg("step %s: %u instead of %u", cases[i].beat, found, cases[i].idle);
    }
    lesson_free(lesson);
}

/* The step on sets counts chunks by the knob of the data, whatever kernel runs. */
static void a_knob_that_the_words_of_the_step_show_has_an_effect(void **state)
{
    struct lesson *lesson = open_lesson(state);
    struct lesson_setting setting;
    const struct lesson_beat *beat = beat_of(lesson, "sets", &setting);
    assert_true(lesson_set_text(lesson, &setting, "variant=store", NULL));
    assert_int_equal(idle(lesson, &setting, beat), SHARED | BAND);
    lesson_free(lesson);
}

/* Returns whether a fact is a count of the launch. A let of the lesson has the name of a fact of an access. */
static bool is_count(const struct run_fact *fact)
{
    const struct fact *row = fact_named(fact->name, strlen(fact->name));
    return row && row->scope != SCOPE_ACCESS;
}

static bool same_fact(const struct run_fact *a, const struct run_fact *b)
{
    return strcmp(a->name, b->name) == 0 && (a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

static void no_count_of_the_run_changes_with_a_knob_without_effect(void **state)
{
    struct lesson *lesson = open_lesson(state);
    struct lesson_setting setting;
    const struct lesson_beat *beat = beat_of(lesson, "store", &setting);
    struct run *here = run_of(lesson, &setting);
    for (int k = 0; k < lesson->knob_count; k++) {
        struct lesson_setting turned = setting;
        assert_true(idle(lesson, &setting, beat) >> k & 1);
        turned.value[k] = lesson->knobs[k].value_count - 1;
        struct run *there = run_of(lesson, &turned);
        assert_int_equal(here->fact_count, there->fact_count);
        for (size_t i = 0; i < here->fact_count; i++)
            if (is_count(&here->facts[i]) && !same_fact(&here->facts[i], &there->facts[i]))
                fail_msg("%s changes with %s", here->facts[i].name, lesson->knobs[k].name);
        run_free(there);
    }
    run_free(here);
    lesson_free(lesson);
}

static void a_knob_without_effect_leaves_the_recorded_time(void **state)
{
    struct lesson *lesson = open_lesson(state);
    struct lesson_setting setting;
    beat_of(lesson, "threads", &setting);
    struct measured_time const here = run_lesson_time(lesson, &setting);
    assert_true(here.source != TIME_NONE);
    assert_true(lesson_set_text(lesson, &setting, "shared=192", NULL));
    assert_true(lesson_set_text(lesson, &setting, "band=16", NULL));
    struct measured_time const there = run_lesson_time(lesson, &setting);
    assert_int_equal(there.source, here.source);
    assert_true(there.median == here.median);
    lesson_free(lesson);
}

/* Opens a lesson at a setting of its first step, and returns its run. */
static struct run *open_at(const char *name, const char *const *sets, int set_count, struct lesson **lesson,
                           struct lesson_setting *setting)
{
    assert_true(lesson_load(name, lesson, NULL));
    *setting = lesson_defaults(*lesson);
    for (int i = 0; i < set_count; i++)
        assert_true(lesson_set_text(*lesson, setting, sets[i], NULL));
    return run_of(*lesson, setting);
}

static void a_number_that_the_kernel_never_reads_has_no_effect(void **state)
{
    static const struct {
        const char *lesson, *variant;
        int knob;
        bool idle;
    } cases[] = {{"histogram", "variant=global", 2, true},  {"histogram", "variant=warps", 2, true},
                 {"histogram", "variant=copied", 2, false}, {"coalescing", "variant=gather", 1, true},
                 {"coalescing", "variant=load", 1, false},  {"coalescing", "variant=arrays", 1, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson *lesson;
        struct lesson_setting setting;
        struct run *run = open_at(cases[i].lesson, &cases[i].variant, 1, &lesson, &setting);
        unsigned const knobs = lesson_idle_knobs(run, lesson, &setting, &lesson->beats[0]);
        if ((knobs >> cases[i].knob & 1) != cases[i].idle)
            fail_msg("%s, %s: %u", cases[i].lesson, cases[i].variant, knobs);
        run_free(run);
        lesson_free(lesson);
    }
}

static void a_number_that_the_kernel_never_reads_leaves_what_was_recorded(void **state)
{
    static const char *const sets[][2] = {{"variant=sums", "copies=1"}, {"variant=sums", "copies=8"}};
    struct lesson *lessons[2];
    struct lesson_setting settings[2];
    struct run *runs[2];
    struct measured_time times[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        runs[i] = open_at("histogram", sets[i], 2, &lessons[i], &settings[i]);
        times[i] = run_lesson_time(lessons[i], &settings[i]);
    }
    assert_true(times[0].source != TIME_NONE && times[0].median == times[1].median);
    assert_true(runs[0]->sass.counted && runs[1]->sass.counted);
    assert_true(runs[0]->timed_sass.counted && runs[1]->timed_sass.counted);
    assert_int_equal(runs[0]->occupancy.needs.registers, runs[1]->occupancy.needs.registers);
    assert_true(runs[1]->occupancy.needs.registers > 0);
    for (int i = 0; i < 2; i++) {
        run_free(runs[i]);
        lesson_free(lessons[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knob_that_a_variant_ignores_is_said_to_have_no_effect),
        cmocka_unit_test(a_knob_that_the_words_of_the_step_show_has_an_effect),
        cmocka_unit_test(no_count_of_the_run_changes_with_a_knob_without_effect),
        cmocka_unit_test(a_knob_without_effect_leaves_the_recorded_time),
        cmocka_unit_test(a_number_that_the_kernel_never_reads_has_no_effect),
        cmocka_unit_test(a_number_that_the_kernel_never_reads_leaves_what_was_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
