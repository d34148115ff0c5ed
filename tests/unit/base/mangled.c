/* Names of symbols as C++ compilers make them. */
#include "base/mangled.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Returns "name<arguments>(parameters)"; "?" in place of parameters that are not known. */
static const char *said(struct arena *arena, const char *symbol)
{
    struct mangled mangled;
    const char *arguments = "", *parameters = "";
    if (!mangled_read(arena, symbol, &mangled))
        return "none";
    for (size_t i = 0; i < mangled.argument_count; i++)
        arguments = arena_format(arena, "%s%s%s", arguments, i ? ", " : "", mangled.arguments[i]);
    for (size_t i = 0; i < mangled.parameter_count; i++)
        parameters = arena_format(arena, "%s%s%s", parameters, i ? ", " : "", mangled.parameters[i]);
    return arena_format(arena, "%s<%s>(%s)", mangled.name, arguments, mangled.typed ? parameters : "?");
}

static void symbols_are_read_as_the_compiler_made_them(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"_Z7reversePfPKfi", "reverse<>(float *, const float *, int)"},
        {"_Z1kv", "k<>()"},
        {"_ZL1kPl", "k<>(long *)"},
        {"_ZN4mine5inner1kEPNS0_4pairES1_", "k<>(mine::inner::pair *, mine::inner::pair)"},
        {"_ZN12_GLOBAL__N_11kEPf", "k<>(float *)"},
        {"_Z3sumIiLi16EEvPT_S0_", "sum<int, 16>(int *, int)"},
        {"_Z3sumIfLb1ELin2EEvPKT_", "sum<float, true, -2>(const float *)"},
        {"_Z1kIfEvRAT_4_Kf", "k<float>(?)"},
        {"_Z1kIsLi4EEvRAT0__KT_PS0_", "k<short, 4>(?)"},
        {"_Z1kRA8_fPA4_i", "k<>(float (&)[8], int (*)[4])"},
        {"_Z1kPFvifEi", "k<>(void (*)(int, float), int)"},
        {"_Z1kI4pairIfiEEvT_PS2_", "k<pair<float, int>>(pair<float, int>, pair<float, int> *)"},
        {"_ZZ6kernelPfE4tile", "tile<>()"},
        {"_ZZ6kernelPfE4tile_0", "tile<>()"},
        {"_ZZN3lib1kIfEEvPT_E4tile", "tile<>()"},
        {"_ZN4mine7weightsE", "weights<>()"},
        {"_Z1kIJifEEvDpT_", "k<int, float>(?)"},
        {"_ZSt4sortPi", "sort<>(int *)"},
        {"_Z1kDF16_DhDn", "k<>(_Float16, __fp16, std::nullptr_t)"},
        {"_Z1kPKPKPf", "k<>(float *const *const *)"},
        {"_Z", "none"},
        {"kernel", "none"},
        {"_Z99k", "none"},
        {"_Z1kS_", "k<>(?)"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(said(&arena, cases[i][0]), cases[i][1]);
    assert_string_equal(mangled_name(&arena, "plain"), "plain");
    arena_free(&arena);
}

static void a_whole_name_has_namespaces_and_the_arguments_of_templates(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"_Z3addPfi", "add"},
        {"_Z5scaleIfEvPT_S0_", "scale<float>"},
        {"_ZN3lib5inner3sumIiLi16EEEvPT_", "lib::inner::sum<int, 16>"},
        {"_ZN12_GLOBAL__N_11kEPf", "(anonymous namespace)::k"},
        {"_Z4eachIZ4mainEUlvE_EvT_Pd", "each<main::{lambda#1}>"},
        {"_Z4eachIZ4mainEUlfE0_EvT_Pd", "each<main::{lambda#2}>"},
        {"_Z1kIXaaLb1ELb0EEEvv", "k"}, /* an expression is not read */
        {"plain", "plain"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(mangled_whole_name(&arena, cases[i][0]), cases[i][1]);
    arena_free(&arena);
}

/* Each S_ doubles the text; nothing is read for long, and no stack is used up. */
static void a_symbol_that_grows_without_bound_is_not_read(void **state)
{
    (void)state;
    struct arena arena = {0};
    char deep[5000] = "_Z1k", *at = deep + 4;
    memset(at, 'P', sizeof deep - 6);
    deep[sizeof deep - 2] = 'f';
    assert_string_equal(said(&arena, deep), "k<>(?)");
    const char *doubled = "_Z1kI1aIiiE";
    for (int i = 0; i < 40; i++)
        doubled = arena_format(&arena, "%s1aIS%c_S%c_E", doubled, 'A' + i % 26, 'A' + i % 26);
    said(&arena, doubled);
    assert_true(arena.bytes < 4 << 20);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(symbols_are_read_as_the_compiler_made_them),
                                       cmocka_unit_test(a_whole_name_has_namespaces_and_the_arguments_of_templates),
                                       cmocka_unit_test(a_symbol_that_grows_without_bound_is_not_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
