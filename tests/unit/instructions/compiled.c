/* Forms of tests/instructions/results.txt give the GPU's results as machine code, too. Many forms are
 * compiled as one unit: the first run of a form yields its text, the second one gets its part of the table. A sample;
 * LANESCOPE_FORMS_EVERY=1 takes all. */
#include "emulator/tier/calls.h"
#include "emulator/tier/tier.h"
#include "forms_helper.h"
#include "run/native.h"
#include <stdio.h>

enum { EVERY = 83, TOGETHER = 50, RUNS_MOST = 64, FUNCTIONS = 8 }; /* FUNCTIONS: more than a form has */

struct compiled { /* a form's */
    size_t form;
    struct tier_run runs[RUNS_MOST];
    struct tier_table table;
};

static struct {
    FILE *unit;
    size_t form;
    const struct tier_table *all;
    struct compiled now;
    unsigned served;
} test;

static void copy_renamed(const char *from, const char *to)
{
    for (; from < to; from++) {
        fputc(*from, test.unit);
        if (to - from > 6 && strncmp(from, "run_", 4) == 0 && from[4] >= '0' && from[4] < '0' + FUNCTIONS &&
            from[5] == '_') { /* each form has names of its own */
            fprintf(test.unit, "un_%zu_", test.form * FUNCTIONS + (size_t)(from[4] - '0'));
            from += 5;
        }
    }
}

/* Keeps the functions of a unit. */
static const void *collect(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead, bool *hopeless)
{
    (void)context, (void)size, (void)done, (void)ahead;
    const char *begin = text + strlen(tier_unit), *end = strstr(begin, "static const struct tier_run runs[]");
    assert_non_null(end);
    copy_renamed(begin, end);
    *hopeless = true;
    return NULL;
}

/* Returns the part of the whole table that belongs to the form. */
static const void *serve(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead, bool *hopeless)
{
    (void)context, (void)text, (void)size, (void)done, (void)ahead, (void)hopeless;
    test.now = (struct compiled){.table = {.runs = test.now.runs, .bind = test.all->bind}};
    for (uint32_t i = 0; i < test.all->count; i++)
        if (test.all->runs[i].function / FUNCTIONS == test.form && test.now.table.count < RUNS_MOST) {
            struct tier_run *run = &test.now.runs[test.now.table.count++];
            *run = test.all->runs[i];
            run->function %= FUNCTIONS;
        }
    test.served += test.now.table.count != 0;
    return &test.now.table;
}

static unsigned step(void)
{
    const char *every = getenv("LANESCOPE_FORMS_EVERY");
    return every && atoi(every) > 0 ? (unsigned)atoi(every) : EVERY;
}

/* The table of all runs, from the names of the functions in the text. */
static void write_table(FILE *unit, const char *text)
{
    static const char head[] = "static const struct op *run_";
    unsigned count = 0;
    fputs("static const struct tier_run runs[] = {\n", unit);
    for (const char *at = text; (at = strstr(at, head)); at++) {
        size_t form;
        unsigned op;
        int length = 0;
        assert_int_equal(
            sscanf(at + sizeof head - 1, "%zu_%u(struct warp *w, const struct op *o)%n", &form, &op, &length), 2);
        if (at[sizeof head - 1 + (size_t)length] == ';') /* a declaration: one of each */
            count++, fprintf(unit, "{%zu, %u, run_%zu_%u},\n", form, op, form, op);
    }
    fprintf(unit, "};\n__attribute__((visibility(\"default\"))) const struct tier_table %s = {%u, runs, bind_calls};\n",
            EMULATOR_NATIVE_SYMBOL, count);
}

static const struct tier_table *compile(const char *functions)
{
    char *text;
    size_t size;
    bool hopeless = false;
    FILE *unit = open_memstream(&text, &size);
    assert_non_null(unit);
    fprintf(unit, "%s%s", tier_unit, functions);
    write_table(unit, functions);
    fclose(unit);
    setenv("LANESCOPE_TIER", "compiled", 1);
    const struct emulator_native *maker = native_maker();
    const struct tier_table *table = maker->find(maker->context, text, size, 0, 0, &hopeless);
    free(text);
    return table;
}

/* Runs some forms, from number `from` on: first for their text, then with their code. Returns the number behind them.
 */
static size_t run_some(const struct forms *forms, size_t from, unsigned *wrong)
{
    struct emulator_native const collector = {.always = true, .find = collect},
                                 server = {.always = true, .find = serve};
    size_t const end =
        from + (size_t)TOGETHER * step() < forms->count ? from + (size_t)TOGETHER * step() : forms->count;
    char *functions;
    size_t size;
    test.unit = open_memstream(&functions, &size);
    assert_non_null(test.unit);
    for (test.form = from; test.form < end; test.form += step())
        if (forms->items[test.form].required)
            form_run(forms->items[test.form].text, -1, results, &collector);
    fclose(test.unit);
    test.all = compile(functions);
    free(functions);
    assert_non_null(test.all);
    for (test.form = from; test.form < end; test.form += step()) {
        const struct form *form = &forms->items[test.form];
        if (!form->required ||
            (form_run(form->text, -1, results, &server) && result_hash(form->text, results) == form->hash))
            continue;
        ++*wrong;
        print_error("not the GPU's results as machine code: %s\n", form->text);
    }
    return test.form;
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
    unsigned wrong = 0;
    for (size_t form = 0; form < forms.count;)
        form = run_some(&forms, form, &wrong);
    print_message("%u forms had machine code\n", test.served);
    assert_int_equal(wrong, 0);
    assert_true(test.served > forms.count / step() / 2);
    forms_free(&forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_forms_give_the_gpus_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
