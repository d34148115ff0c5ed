/* Expressions of lesson files: their values and their errors. */
#include "lesson/arithmetic.h"
#include "lesson/expression.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct run_fact facts[] = {{.name = "passes", .value = 8},
                                        {.name = "stride", .value = 3},
                                        {.name = "large", .value = 9007199254740992.0},
                                        {.name = "e3", .value = 5}};
enum { FACT_COUNT = sizeof facts / sizeof facts[0] };

static void values_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"passes * 2 + 1", 17},
                 {"ceil(16777217 / 256)", 65537},
                 {"floor(-1 / 2)", -1},
                 {"min(3, passes, 2)", 2},
                 {"max(passes, stride)", 8},
                 {"passes % stride", 2},
                 {"(-7) % 4", 1},
                 {"large - 1", 9007199254740991.0},
                 {"passes > stride ? 10 : 20", 10},
                 {"passes == 8 && stride != 3", 0},
                 {"passes == 8 || stride != 3", 1},
                 {"2 ^ 10", 1024},
                 {"1e3 + e3", 1005},
                 {"log2(passes)", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        struct error error = {0};
        if (!expression_evaluate(cases[i].text, facts, FACT_COUNT, &value, &error))
            fail_msg("%s: %s", cases[i].text, error.message);
        if (value != cases[i].value)
            fail_msg("%s gives %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
}

static void errors_name_the_expression_and_the_position(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *what;
    } cases[] = {{"passes + pases", "position 10", "\"pases\""},
                 {"passes +", "position 9", "before it is complete"},
                 {"", "position 1", "before it is complete"},
                 {"passes ! 2", "position 8", "cannot be understood"},
                 {"nothing(3)", "position 1", "\"nothing\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        struct error error = {0};
        assert_false(expression_evaluate(cases[i].text, facts, FACT_COUNT, &value, &error));
        if (!strstr(error.message, cases[i].text) || !strstr(error.message, cases[i].place) ||
            !strstr(error.message, cases[i].what))
            fail_msg("\"%s\" gives \"%s\"", cases[i].text, error.message);
    }
}

static void the_first_of_two_facts_counts(void **state)
{
    (void)state;
    static const struct run_fact twice[] = {{.name = "a", .value = 1}, {.name = "a", .value = 2}};
    double value = 0;
    assert_true(expression_evaluate("a", twice, 2, &value, NULL));
    assert_true(value == 1);
}

/* Writes a random expression of what the arithmetic knows and of some that it does not. */
static void write_random(char *text, size_t size, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "/", "%", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"};
    static const char *const leaves[] = {"0",  "1",    "2",   "3",    "7",      "10",    "0.1",   "2.5", "12.125",
                                         "33", "1024", "1e3", "half", "stride", "third", "minus", "-2",  "large"};
    char one[400], two[400], three[400];
    if (depth == 0 || random() % 8 == 0) {
        snprintf(text, size, "%s", leaves[(size_t)random() % (sizeof leaves / sizeof *leaves)]);
        return;
    }
    write_random(one, sizeof one, depth - 1);
    write_random(two, sizeof two, depth - 1);
    write_random(three, sizeof three, depth - 1);
    const char *between = operators[(size_t)random() % (sizeof operators / sizeof *operators)];
    switch (random() % 9) {
    case 0:
        snprintf(text, size, "(%s %s %s)", one, between, two);
        return;
    case 1:
        snprintf(text, size, "(%s ? %s:%s)", one, two, three);
        return;
    case 2:
        snprintf(text, size, "%s ? %s : %s", one, two, three);
        return;
    case 3:
        snprintf(text, size, "%s(%s, %s)", random() % 2 ? "min" : "max", one, two);
        return;
    case 4:
        snprintf(text, size, "%s(%s)", (const char *[]){"ceil", "floor", "abs", "sqrt"}[random() % 4], one);
        return;
    default:
        snprintf(text, size, random() % 2 ? "%s %s %s" : "%s%s%s", one, between, two);
    }
}

/* expression_evaluate_each leaves everything to muParser. */
static void the_arithmetic_has_the_values_of_the_parser(void **state)
{
    (void)state;
    static const struct run_fact names[] = {{.name = "half", .value = 0.5},
                                            {.name = "stride", .value = 3},
                                            {.name = "third", .value = 1.0 / 3},
                                            {.name = "minus", .value = -7},
                                            {.name = "large", .value = 9007199254740992.0}};
    enum { NAMES = sizeof names / sizeof *names, EXPRESSIONS = 20000 };
    int alone = 0;
    srandom(1);
    for (int i = 0; i < EXPRESSIONS; i++) {
        char text[2000];
        double value = 0, parsed = 0;
        struct error error = {0};
        write_random(text, sizeof text, i % 4);
        alone += arithmetic_evaluate(text, names, NAMES, &value);
        bool const evaluated = expression_evaluate(text, names, NAMES, &value, &error);
        bool const by_parser = expression_evaluate_each(text, names, NAMES, NULL, 0, 1, &parsed, &error);
        if (evaluated != by_parser || (evaluated && value != parsed && !(isnan(value) && isnan(parsed))))
            fail_msg("%s gives %.17g, by the parser %.17g", text, value, parsed);
    }
    assert_true(alone > EXPRESSIONS / 3);
}

static double square(void *array, double index)
{
    return index >= 0 ? *(const double *)array + index * index : (double)NAN;
}

static void an_expression_is_evaluated_for_each_element(void **state)
{
    (void)state;
    double base = 100, values[4];
    struct error error = {0};
    struct expression_array const array = {"in", square, &base};
    assert_true(expression_evaluate_each("i % 2 == 0 ? in(i + stride) : passes", facts, FACT_COUNT, &array, 1, 4,
                                         values, &error));
    assert_true(values[0] == 109 && values[1] == 8 && values[2] == 125 && values[3] == 8);
    assert_true(expression_evaluate_each("in(i - 1)", facts, FACT_COUNT, &array, 1, 2, values, &error));
    assert_true(isnan(values[0]) && values[1] == 100);
    assert_false(expression_evaluate_each("inn(i)", facts, FACT_COUNT, &array, 1, 1, values, &error));
    assert_non_null(strstr(error.message, "\"inn\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_exact), cmocka_unit_test(errors_name_the_expression_and_the_position),
        cmocka_unit_test(the_first_of_two_facts_counts), cmocka_unit_test(the_arithmetic_has_the_values_of_the_parser),
        cmocka_unit_test(an_expression_is_evaluated_for_each_element)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
