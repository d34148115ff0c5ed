/* The model of the caches against what a profiler counted of the lessons' launches: hits in the L1 within 1 % of the
 * sectors, what the L2 is asked for and finds within 3 %, sectors of the DRAM within 10 %. Only some launches of the
 * lesson on caches differ in the hits: their data are a little more than the L1 holds, or fall into few of its sets,
 * and docs/validation.md says so. */
#include "model/caches.h"
#include "document/sass.h"
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
    unsigned launches, within, hitting; /* within: hits in the L1; hitting: of those within, the machine had hits */
    unsigned beyond, same;              /* of these launches, counts of the L2 were compared; they are the same, too */
};

/* Compares a setting, where the profiler counted it and the model knows its caches. */
static void compare(const struct lesson *lesson, const struct lesson_setting *setting, struct compared *compared)
{
    static const char hits[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                      loads[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    struct run *run;
    struct error error;
    double counted;
    uint64_t theirs, sectors, reads;
    /* Stored counts need no run. */
    if (!run_lesson_fact(lesson, setting, "machine_l1_hits", &counted, NULL) || isnan(counted))
        return;
    if (!run_lesson_lightly(lesson, setting, LIGHT_GRID, &run, &error))
        return; /* a launch that is refused, such as one of too many threads */
    if (run->caches && sass_counter(&run->sass, hits, &theirs) && sass_counter(&run->sass, loads, &sectors)) {
        struct arena arena = {0};
        bool same = true;
        const char *words = sass_hits_words(run, &arena, &same);
        uint64_t const ours = run->caches->load_hits, apart = ours > theirs ? ours - theirs : theirs - ours;
        bool const within = 100 * apart <= sectors;
        compared->launches++;
        compared->within += within;
        compared->hitting += within && theirs > 0;
        compared->beyond += within && words && sass_counter(&run->sass, CACHES_L2_READS, &reads);
        compared->same += within && words && sass_counter(&run->sass, CACHES_L2_READS, &reads) && same;
        if (!same)
            printf("%s %s: %s\n", lesson->name, lesson->variants[setting->variant].name, words);
        arena_free(&arena);
    }
    run_free(run);
}

static void print_compared(const char *name, const struct compared *compared)
{
    printf("%-14s L1: %4u of %4u, %4u with hits; L2 and DRAM: %4u of %4u\n", name, compared->within, compared->launches,
           compared->hitting, compared->same, compared->beyond);
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
        print_compared(lesson->name, &here);
        if (strcmp(lesson->name, "caches") == 0)
            assert_true(here.launches && 2 * here.within >= here.launches);
        else
            assert_int_equal(here.within, here.launches);
        /* In the lesson adjdiff two warps load the same sector; see docs/validation.md. */
        if (strcmp(lesson->name, "adjdiff") == 0)
            assert_true(here.beyond && 2 * here.same >= here.beyond);
        else
            assert_int_equal(here.same, here.beyond);
        all.launches += here.launches;
        all.within += here.within;
        all.hitting += here.hitting;
        all.beyond += here.beyond;
        all.same += here.same;
        lesson_free(lesson);
    }
    print_compared("all", &all);
    assert_true(all.launches >= (SANITIZED ? 50 : 200));
    assert_true(all.beyond >= (SANITIZED ? 30 : 200));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lessons_find_in_the_l1_what_the_machine_found)};
    return cmocka_run_group_tests_name("caches of the lessons", tests, NULL, NULL);
}
