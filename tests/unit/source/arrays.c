/* Types of module variables, read from the source's text. */
#include "source/variables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static const char source[] = "#include <stdio.h>\n"
                             "__constant__ float weights[64] = {1, 2};\n"
                             "static __constant__ unsigned char letters [256];\n"
                             "__device__ double sums[4], other[4];\n"
                             "__constant__ double2 pairs[8];\n"
                             "struct point { float x, y; };\n"
                             "__constant__ struct point points[8];\n"
                             "__constant__ const float *pointers[8];\n"
                             "__global__ void k(float *out, int n) { float own[4]; out[n] = weights[n] + own[0]; }\n";

static void arrays_of_the_module_have_the_type_of_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum ptx_type type;
    } cases[] = {{"weights", PTX_F32}, {"letters", PTX_U8}, {"sums", PTX_F64}, {"other", PTX_F64}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(source_array_type(source_read(&arena, source, NULL, 0, SOURCE_TAKEN), cases[i].name),
                         cases[i].type);
    arena_free(&arena);
}

static void other_names_have_no_type(void **state)
{
    (void)state;
    static const char *const names[] = {"pairs", "points", "pointers", "own", "out", "weight", "x", ""};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(source_array_type(source_read(&arena, source, NULL, 0, SOURCE_TAKEN), names[i]),
                         PTX_TYPE_NONE);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_of_the_module_have_the_type_of_the_source),
                                       cmocka_unit_test(other_names_have_no_type)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
