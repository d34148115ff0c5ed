/* The table of findings, and their order: causes before consequences. */
#include "trace/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void words_lead_back_to_forms_and_kinds(void **state)
{
    (void)state;
    for (enum finding_form form = 0; form < FINDING_FORMS; form++) {
        struct finding const finding = {.form = form, .kind = finding_kind_of(form), .text.word = "other"};
        assert_int_equal(finding_form_of_word(finding_form_word(form)), form);
        assert_int_equal(finding_kind_of_word(finding_word(&finding)), finding_kind_of(form));
    }
    assert_int_equal(finding_form_of_word("no such form"), FINDING_FORMS);
    assert_int_equal(finding_kind_of_word("no such kind"), FINDING_OTHER);
}

static struct finding found(enum finding_form form, uint64_t block, uint64_t time, uint32_t site)
{
    return (struct finding){
        .form = form, .kind = finding_kind_of(form), .at = {.block = block, .site = site}, .time = time};
}

static struct finding raced(uint64_t first_block, uint64_t block, uint64_t time, uint32_t site)
{
    struct finding race = found(FINDING_RACING, block, time, site);
    race.race.first = (struct finding_place){.block = first_block, .site = site};
    return race;
}

/* Sorts the findings and checks that their sites are in the expected order. */
static void expect(struct finding *findings, uint32_t count, const uint32_t *sites)
{
    findings_sort(findings, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(findings[i].at.site, sites[i]);
}

static void faults_stand_before_notes_and_notes_before_races(void **state)
{
    (void)state;
    struct finding findings[] = {raced(1, 1, 90, 5),
                                 found(FINDING_DIVISION_BY_ZERO, 1, 30, 3),
                                 found(FINDING_DIVISION_BY_ZERO, 0, 40, 4),
                                 found(FINDING_TRAPPED, 0, 50, 1),
                                 raced(2, 2, 10, 6),
                                 found(FINDING_UNWRITTEN_SHARED, 0, 60, 2)};
    expect(findings, 6, (const uint32_t[]){1, 2, 4, 3, 5, 6});
}

static void a_race_stands_before_a_fault_that_came_after_it(void **state)
{
    (void)state;
    struct finding findings[] = {found(FINDING_OUTSIDE_BUFFERS, 3, 50, 1), found(FINDING_BARRIER_TWO_LINES, 3, 20, 2),
                                 raced(3, 3, 40, 3), raced(3, 3, 30, 4), raced(3, 3, 60, 5)};
    /* both that came before the fault, but not the later one; the note came before all */
    expect(findings, 5, (const uint32_t[]){3, 4, 1, 2, 5});
}

static void a_race_concerns_both_its_blocks_and_those_above(void **state)
{
    (void)state;
    struct finding first[] = {found(FINDING_OUTSIDE_BUFFERS, 0, 50, 1), raced(0, 4, 40, 2)};
    expect(first, 2, (const uint32_t[]){2, 1});
    struct finding other[] = {found(FINDING_OUTSIDE_BUFFERS, 1, 50, 1), raced(2, 4, 40, 2)};
    expect(other, 2, (const uint32_t[]){1, 2});
    struct finding above[] = {found(FINDING_OUTSIDE_BUFFERS, 7, 10, 1), raced(0, 0, 40, 2)};
    expect(above, 2, (const uint32_t[]){2, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_lead_back_to_forms_and_kinds),
        cmocka_unit_test(faults_stand_before_notes_and_notes_before_races),
        cmocka_unit_test(a_race_stands_before_a_fault_that_came_after_it),
        cmocka_unit_test(a_race_concerns_both_its_blocks_and_those_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
