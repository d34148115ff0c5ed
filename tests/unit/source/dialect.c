/* The words that nvcc takes and clang does not, said in clang's way with every other column unchanged. */
#include "source/dialect.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void check(const char *text, const char *expected)
{
    struct arena arena = {0};
    const char *ours = source_for_clang(&arena, text);
    assert_string_equal(ours, expected);
    assert_int_equal(ours == text, strcmp(text, expected) == 0);
    arena_free(&arena);
}

static void the_parted_marks_of_a_launch_become_one_and_nothing_else_moves(void **state)
{
    (void)state;
    check("k << <1, 2 >> > (d); n = 3;", "k <<< 1, 2 >>>  (d); n = 3;");
    check("k<<<1, 2>> >(d);", "k<<<1, 2>>> (d);");
    check("k << <1, 2>>>(d);", "k <<< 1, 2>>>(d);");
    check("k<int> << <a >> 1, f(b >> c), sizeof(V<V<int>>) >> > (d)",
          "k<int> <<< a >> 1, f(b >> c), sizeof(V<V<int>>) >>>  (d)");
    check("k << /* grid */ <1, 2 >> /* > */ > (d)", "k <<< /* grid */ 1, 2 >>> /* > */  (d)");
    check("k << <1,\n  2 >> >\n  (d);\nk << <3, 4 >> > (e);", "k <<< 1,\n  2 >>> \n  (d);\nk <<< 3, 4 >>>  (e);");
    check("#define RUN(k, ...) k << <1, 2 >> > (__VA_ARGS__)\n", "#define RUN(k, ...) k <<< 1, 2 >>>  (__VA_ARGS__)\n");
    check("#define RUN(k) \\\n  k << <1, \\\n  2 >> > ()\n", "#define RUN(k) \\\n  k <<< 1, \\\n  2 >>>  ()\n");
    check("#if 0\nk << <1, 2 >> > ();\n#endif\n", "#if 0\nk <<< 1, 2 >>>  ();\n#endif\n");
}

static void shifts_templates_texts_and_comments_stay(void **state)
{
    (void)state;
    static const char *const texts[] = {"a << 1 < b",
                                        "f<g<int> >(3)",
                                        "f<g<h<int>> >(3); a << b;",
                                        "\"k << <1, 2 >> > (d)\"",
                                        "R\"(k << <1, 2 >> > (d))\"",
                                        "// k << <1, 2 >> > (d)",
                                        "/* k << <1, 2 >> > (d) */",
                                        "k<<<1, 2>>>(d)",
                                        "operator<< <int>(out, f<g<h<int>> >(3))",
                                        "k << <1, 2;\n}\nf<g<h<int>> >(3);",
                                        "k << <1, 2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(texts[i], texts[i]);
}

static void a_backslash_before_a_comment_is_passed_over(void **state)
{
    (void)state;
    check("f(1, \\ // first\n  2);", "f(1,   // first\n  2);");
    check("f(1, \\ /* first */\n  2);", "f(1,   /* first */\n  2);");
    check("f('\\\\', \"\\ // no\");", "f('\\\\', \"\\ // no\");");
    check("#define F \\ // not more\n", "#define F \\ // not more\n");
    check("// it ends \\  \n  \\ // here\nint a;", "// it ends \\  \n  \\ // here\nint a;");
}

static void a_wish_to_unroll_what_is_no_loop_is_passed_over(void **state)
{
    (void)state;
    check("#pragma unroll 4 // x\n  {\n", "#pragma          // x\n  {\n");
    check("  # pragma omp\n#pragma nounroll\nint unroll;\n", "  # pragma omp\n#pragma         \nint unroll;\n");
    check("#pragma unroll\nfor (;;)", "#pragma unroll\nfor (;;)");
    check("#pragma unroll (N)\n// each\n  while (1)", "#pragma unroll (N)\n// each\n  while (1)");
    check("#define EACH for (;;)\n#pragma unroll\nEACH", "#define EACH for (;;)\n#pragma unroll\nEACH");
    check("R\"(\n#pragma unroll\n)\" + 1", "R\"(\n#pragma unroll\n)\" + 1");
}

static void a_launch_in_device_code_becomes_a_call_at_its_own_line_and_column(void **state)
{
    (void)state;
    check("__global__ void k(int *p)\n{\n    k<<<1, 2>>>(p); p++;\n}",
          "__global__ void k(int *p)\n{\n    lanescope_kernel<\n#line 3\n    k> (1, 2)  (p); p++;\n}");
    check("__device__ void f() { n::k<A<int>, 2> << <g, b, 0, s >> > (p); }",
          "__device__ void f() { lanescope_kernel<\n#line 1\n                      n::k<A<int>, 2> > ( g, b, 0, s )    "
          "(p); }");
    check(
        "template <class T> __global__ void k() { k<T><<<1, 1>>>(); k<int><<<2, 2>>>(); }",
        "template <class T> __global__ void k() { lanescope_kernel<\n#line 1\n                                         "
        "k<T>> (1, 1)  (); lanescope_kernel<\n#line 1\n                                                           "
        "k<int>> (2, 2)  (); }");
    check("namespace n { struct s { __device__ void f() const { CHECK(k<<<1, 1>>>()); } }; }",
          "namespace n { struct s { __device__ void f() const { CHECK(lanescope_kernel<k> (1, 1)  ()); } }; }");
}

static void a_launch_by_the_host_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "__global__ void k() { } int main() { k<<<1, 1>>>(); }", "__global__ void k();\nvoid f() { k<<<1, 1>>>(); }",
        "__host__ __device__ void f() { k<<<1, 1>>>(); }",
        "#ifdef A\n__global__ void k() {\n#else\n__global__ void k(int) {\n#endif\n}\nint main() { k<<<1, 1>>>(); }",
        "struct __align__(16) s { void f() { k<<<1, 1>>>(); } };\nint a[] = {1};\nvoid g() { k<<<1, 1>>>(); }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(texts[i], texts[i]);
}

#define OFF(line) "#ifndef __CUDA_ARCH__\n#pragma clang optimize off\n#endif\n#line " #line "\n"
#define ON "\n#ifndef __CUDA_ARCH__\n#pragma clang optimize on\n#endif\n"

/* `before` and `behind` are the parts of a text between which the marks belong. */
static void check_plain(const char *before, const char *marks, const char *behind, const char *end)
{
    struct arena arena = {0};
    const char *text = arena_format(&arena, "%s%s", before, behind);
    assert_string_equal(source_left_plain(&arena, text, *end != 0),
                        arena_format(&arena, "%s%s%s%s", before, marks, behind, end));
    arena_free(&arena);
}

static void own_functions_stay_plain_behind_the_last_include(void **state)
{
    (void)state;
    check_plain("", OFF(1), "int main() { }\n", "");
    check_plain("#include <a>\n#include \"b.h\"\n", OFF(3), "int x;\n", "");
    check_plain("int x;\n#ifdef A\n# include <a>\n#else\n#include <b>\n#endif\n", OFF(7), "int y;\n", "");
    check_plain("#include <a>\n", OFF(2), "/*\n#include <b>\n*/\nconst char *s = \"#include <c>\";\n", "");
    check_plain("#include <a>\n", OFF(2), "const char *s = R\"x(\n#include <b>\n)\" )x\";\nint y; // {\n", "");
    check_plain("#include <a>\n", OFF(2),
                "void f() {\n#include \"body.inc\"\n}\n"
                "#define TWO \\\n  2\nchar c = '{';\n",
                "");
    check_plain("", OFF(1), "extern \"C\" {\n#include <a>\n}\nint x;\n", "");
    check_plain("#include <a>\n#line 7\n#include <b>\n", OFF(8), "int x;\n", "");
}

static void a_header_takes_the_marks_back_at_its_end(void **state)
{
    (void)state;
    check_plain("#ifndef A_H\n#define A_H\n#include <a>\n", OFF(4), "inline int f() { return 1; }\n#endif\n", ON);
    check_plain("#pragma once\n#include <a>\n", OFF(3), "#if B\nint x;\n#endif\n", ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parted_marks_of_a_launch_become_one_and_nothing_else_moves),
        cmocka_unit_test(shifts_templates_texts_and_comments_stay),
        cmocka_unit_test(a_backslash_before_a_comment_is_passed_over),
        cmocka_unit_test(a_wish_to_unroll_what_is_no_loop_is_passed_over),
        cmocka_unit_test(a_launch_in_device_code_becomes_a_call_at_its_own_line_and_column),
        cmocka_unit_test(a_launch_by_the_host_stays),
        cmocka_unit_test(own_functions_stay_plain_behind_the_last_include),
        cmocka_unit_test(a_header_takes_the_marks_back_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
