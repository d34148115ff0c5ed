/* The model of the caches against what a profiler counted of the lessons' launches: hits in the L1, within 1 % of the
 * sectors. Only the lesson on caches has launches on which they differ: their data are a little more than the L1 holds,
 * or fall into few of its sets, and docs/validation.md says so. */
#include "lesson/facts.h"
#include "lesson/lesson_run.h"
#include "sanitized.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { VALUES = 3 }; /* of each knob: the first, one in the middle, the last */
struct compared {
    unsigned launches, within, hitting; /* hitting: of those within, the machine had hits */
};

static double fact(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->fact_count; i++)
        if (strcmp(run->facts[i].name, name) == 0)
            return run->facts[i].value;
    return NAN;
}

/* Compares a setting, where the profiler counted it and the model knows its caches. */
static void compare(const struct lesson *lesson, const struct lesson_setting *setting, struct compared *compared)
{
    struct run *run;
    struct error error;
    double counted;
    /* Stored counts need no run. */
    if (!run_lesson_fact(lesson, setting, "machine_l1_hits", &counted, NULL) || isnan(counted))
        return;
    if (!run_lesson_lightly(lesson, setting, LIGHT_GRID, &run, &error))
        return; /* a launch that is refused, such as one of too many threads */
    double const ours = fact(run, "l1_hits"), theirs = fact(run, "machine_l1_hits"),
                 sectors = fact(run, "machine_global_load_sectors");
    if (!isnan(ours) && !isnan(theirs)) {
        bool const within = fabs(ours - theirs) <= 0.01 * sectors;
        compared->launches++;
        compared->within += within;
        compared->hitting += within && theirs > 0;
        if (!within)
            printf("%s %s: %g hits of %g, the machine %g\n", lesson->name, lesson->variants[setting->variant].name,
                   ours, sectors, theirs);
    }
    run_free(run);
}

static void the_lessons_find_in_the_l1_what_the_machine_found(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    struct compared all = {0};
    size_t const count = lesson_names_installed(&arena, &names, &errors, &error_count);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        struct compared here = {0};
        assert_true(lesson_load(names[i], &lesson, NULL));
        lesson->caches = true;
        for (int variant = 0; variant < lesson->variant_count; variant++) {
            struct lesson_setting setting = lesson_defaults(lesson);
            setting.variant = variant;
            if (lesson->variants[variant].host)
                continue;
            compare(lesson, &setting, &here);
            for (int k = 0; k < lesson->knob_count; k++)
                for (int third = 0; third < (SANITIZED ? 1 : VALUES); third++) {
                    struct lesson_setting turned = setting;
                    turned.value[k] = (lesson->knobs[k].value_count - 1) * third / (VALUES - 1);
                    if (turned.value[k] != setting.value[k])
                        compare(lesson, &turned, &here);
                }
        }
        printf("%-14s %4u of %4u, %4u with hits\n", lesson->name, here.within, here.launches, here.hitting);
        if (strcmp(lesson->name, "caches") == 0)
            assert_true(here.launches && 2 * here.within >= here.launches);
        else
            assert_int_equal(here.within, here.launches);
        all.launches += here.launches;
        all.within += here.within;
        all.hitting += here.hitting;
        lesson_free(lesson);
    }
    printf("%-14s %4u of %4u, %4u with hits\n", "all", all.within, all.launches, all.hitting);
    assert_true(all.launches >= (SANITIZED ? 50 : 200));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lessons_find_in_the_l1_what_the_machine_found)};
    return cmocka_run_group_tests_name("caches of the lessons", tests, NULL, NULL);
}
