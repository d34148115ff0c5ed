/* The variables that the PTX declares for a kernel, and their names in the source. */
#include "ptx/variables.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void names_of_the_source_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *symbol, *name;
    } cases[] = {{"weights", "weights"},
                 {"_ZZ13spaces_rolledE4tile", "tile"},
                 {"_ZZ3addPfPKfiE6buffer", "buffer"},
                 {"_ZZ3addPfPKfiE6buffer_0", "buffer"},
                 {"_ZZN4mine6KernelEvE4tile", "tile"},
                 {"_ZL5table", "table"},
                 {"_ZN4mine5tableE", "table"},
                 {"__local_depot0", NULL},
                 {"__cudart_i2opi_f", NULL}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *name = ptx_variable_name(&arena, cases[i].symbol);
        if (!cases[i].name)
            assert_null(name);
        else
            assert_string_equal(name, cases[i].name);
    }
    arena_free(&arena);
}

static void a_kernel_has_the_variables_that_it_and_its_functions_use(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".const .align 4 .b8 weights[128];\n.const .align 4 .b8 unused[64];\n"
                               ".global .align 4 .b8 table[32];\n"
                               ".func f { .local .b32 own[2]; .reg .b32 %r; ld.global.b32 %r, [table]; ret; }\n"
                               ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) {\n"
                               ".shared .align 4 .b8 _ZZ1kE4tile[256]; .reg .b32 %r;\n"
                               "ld.const.b32 %r, [weights]; ld.const.b32 %r, [weights+4]; call f; ret; }\n";
    static const struct ptx_placed expected[] = {
        {.name = "k_param_0", .by_compiler = true, .space = PTX_SPACE_PARAM, .bytes = 8},
        {.name = "k_param_1", .by_compiler = true, .space = PTX_SPACE_PARAM, .bytes = 4},
        {.name = "tile", .space = PTX_SPACE_SHARED, .bytes = 256},
        {.name = "weights", .space = PTX_SPACE_CONST, .bytes = 128},
        {.name = "own", .space = PTX_SPACE_LOCAL, .bytes = 8},
        {.name = "table", .space = PTX_SPACE_GLOBAL, .bytes = 32}};
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error = {0};
    if (!ptx_parse(&arena, "variables", text, strlen(text), &module, &error))
        fail_msg("%s", error.message);
    uint32_t count;
    const struct ptx_placed *list = ptx_variables(&arena, module, ptx_kernel(module, "k"), &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(list[i].name, expected[i].name);
        assert_int_equal(list[i].by_compiler, expected[i].by_compiler);
        assert_int_equal(list[i].space, expected[i].space);
        assert_int_equal(list[i].bytes, expected[i].bytes);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_source_are_found),
        cmocka_unit_test(a_kernel_has_the_variables_that_it_and_its_functions_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
