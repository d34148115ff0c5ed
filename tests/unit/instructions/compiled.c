/* Forms of tests/instructions/results.txt give the GPU's results as machine code, too. Many forms are
 * compiled as one unit: the first run of a form yields its text, the second one gets its part of the table. A sample;
 * LANESCOPE_FORMS_EVERY=1 takes all. */
#include "../../tier_units.h"
#include "forms_helper.h"

enum { EVERY = 83, TOGETHER = 50 };

static unsigned step(void)
{
    const char *every = getenv("LANESCOPE_FORMS_EVERY");
    return every && atoi(every) > 0 ? (unsigned)atoi(every) : EVERY;
}

/* Runs some forms, from number `from` on: first for their text, then with their code. Returns the number behind them.
 */
static size_t run_some(const struct forms *forms, size_t from, struct tier_units *units, unsigned *wrong)
{
    struct emulator_native const collector = tier_units_collector(units), server = tier_units_server(units);
    size_t const end =
        from + (size_t)TOGETHER * step() < forms->count ? from + (size_t)TOGETHER * step() : forms->count;
    size_t number;
    tier_units_open(units);
    for (number = from; number < end; number += step())
        if (forms->items[number].required)
            form_run(forms->items[number].text, -1, results, &collector);
    assert_true(tier_units_compile(units));
    for (number = from; number < end; number += step()) {
        const struct form *form = &forms->items[number];
        if (!form->required ||
            (form_run(form->text, -1, results, &server) && result_hash(form->text, results) == form->hash))
            continue;
        ++*wrong;
        print_error("not the GPU's results as machine code: %s\n", form->text);
    }
    return number;
}

static void compiled_forms_give_the_gpus_results(void **state)
{
    (void)state;
#ifdef LANESCOPE_SANITIZED
    skip(); /* the code itself has no sanitizer, and the rest is tested elsewhere */
#endif
    if (!tier_unit[0])
        skip(); /* there was no clang when this was built */
    struct forms forms = forms_read();
    struct tier_units units = {0};
    unsigned wrong = 0;
    for (size_t form = 0; form < forms.count;)
        form = run_some(&forms, form, &units, &wrong);
    print_message("%u forms had machine code\n", units.served);
    assert_int_equal(wrong, 0);
    assert_true(units.served > forms.count / step() / 2);
    tier_units_free(&units);
    forms_free(&forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_forms_give_the_gpus_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
