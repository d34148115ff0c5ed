/* The automatic variables that a kernel's source declares. */
#include "source/variables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct source_variable *variables_of(struct arena *arena, const char *text, uint32_t *count)
{
    struct ptx_variable const pointers[] = {{.size = 8}, {.size = 8}};
    struct ptx_function const kernel = {.name = "k", .parameters = pointers, .parameter_count = 2};
    struct source_kernel const found = source_kernel_find(source_read(arena, text, NULL, 0, SOURCE_TAKEN), &kernel);
    return source_variables(&found, count);
}

static void declarations_are_read_from_the_source(void **state)
{
    (void)state;
    static const char source[] =
        "__global__ void other(int *a) { int not_mine; }\n"
        "extern \"C\" __global__ void k(float *out, const float *in)\n{\n"
        "    extern __shared__ float tile[];\n    __shared__ int counts[32];\n"
        "    int i = f(1, 2), *next = out, left; // int comment;\n"
        "    const unsigned long long total{0};\n    float4 four;\n    double m[3][SIZE], n[2][2] = {{1, 2}, {3, 4}};\n"
        "    out[i] = in[i]; i = 3; return;\n"
        "    for (int k = 0; k < 4; k++) { short inner; inner = k; }\n"
        "#pragma unroll\n    if (i < 2) { auto x = in[i]; }\n    mine<float> unknown;\n    element e;\n    int i;\n}\n"
        "int after;\n";
    static const struct source_variable expected[] = {
        {"i", false, 4}, {"next", false, 8}, {"left", false, 4},  {"total", false, 8}, {"four", false, 16},
        {"m", true, 0},  {"n", true, 32},    {"inner", false, 2}, {"x", false, 0},     {"e", false, 0}};
    struct arena arena = {0};
    uint32_t count;
    const struct source_variable *list = variables_of(&arena, source, &count);
    for (uint32_t i = 0; i < count && i < sizeof expected / sizeof *expected; i++) {
        assert_string_equal(list[i].name, expected[i].name);
        assert_int_equal(list[i].array, expected[i].array);
        assert_int_equal(list[i].bytes, expected[i].bytes);
    }
    assert_int_equal(count, sizeof expected / sizeof *expected);
    variables_of(&arena, "", &count);
    assert_int_equal(count, 0);
    variables_of(&arena, "__global__ void k(int a) {", &count);
    assert_int_equal(count, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(declarations_are_read_from_the_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
