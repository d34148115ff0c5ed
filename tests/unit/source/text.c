/* Questions to the text of a program: what it includes, where a kernel stands, where a comment begins. */
#include "source/kernel.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void headers_of_its_own_are_found_in_every_way_to_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool own;
    } cases[] = {
        {"#include \"a.h\"\n", true},
        {"  #\tinclude\"a.h\"\n", true},
        {"/* first */ #include \"a.h\"\n", true},
        {"#inc\\\nlude \"a.h\"\n", true},
        {"#if 0\n#include \"a.h\"\n#endif\n", true}, /* a -D may turn it on */
        {"#define FILE \"a.h\"\n#include FILE\n", true},
        {"#include <cstdio>\n", false},
        {"// #include \"a.h\"\n", false},
        {"/*\n#include \"a.h\"\n*/\n", false},
        {"const char *text = \"#include \\\"a.h\\\"\";\n", false},
        {"const char *text = R\"(\n#include \"a.h\"\n)\";\n", false},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (source_has_own_headers(&arena, cases[i].text) != cases[i].own)
            fail_msg("%s", cases[i].text);
    arena_free(&arena);
}

static void a_folder_of_headers_is_found_where_it_is_included(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = "#  include<cub/cub.cuh>\n// #include <thrust/sort.h>\nconst char *x = \"<nccl/a.h>\";\n";
    const struct source *source = source_read(&arena, text, NULL, 0, SOURCE_ALL);
    assert_true(source_includes(source, "cub/"));
    assert_false(source_includes(source, "thrust/"));
    assert_false(source_includes(source, "nccl/"));
    arena_free(&arena);
}

static void check_lines(const char *text, uint32_t first, uint32_t last)
{
    uint32_t found, end;
    source_kernel_lines(text, "copy", &found, &end);
    if (found != first || end != last)
        fail_msg("lines %u to %u, not %u to %u, of:\n%s", found, end, first, last, text);
}

static void a_kernel_stands_from_its_name_to_its_last_brace(void **state)
{
    (void)state;
    check_lines("__global__ void copy(float *x)\n{\n    x[0] = 1;\n}\n", 1, 4);
    check_lines("// copy(x) is the best\n__global__ void\ncopy (float *x) {\n  { x[0] = 1; } }\nint n;\n", 3, 4);
    check_lines("__global__ void copy(int *);\nvoid f() { copy(1); }\n__global__ void copy(int *x)\n{}\n", 3, 4);
    check_lines("const char *s = \"copy(\";\n#define K __global__ void\nK copy(int *x) {\n#if N\n}\n#endif\n}\n", 3, 7);
    check_lines("#ifdef FAST\n__global__ void copy(int *x)\n{\n}\n#endif\n", 2, 4);
    check_lines("template <int N>\n__global__ void __launch_bounds__(N) copy(int *x)\n{\n}\n", 2, 4);
    check_lines("__device__ void copy(int *x)\n{\n}\n", 0, 0);
    check_lines("__global__ void copy_all(int *x) { copy(x); }\n", 0, 0);
    check_lines("__global__ void copy(int *x);\n", 0, 0);
    check_lines("__global__ void copy(int *x) {\n", 1, 1); /* while it is typed */
}

static void the_code_of_a_line_ends_where_its_comment_begins(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t code;
    } cases[] = {{"x = 1; // one", 6},       {"x = 1; /* one */", 6}, {"// x", 0}, {"", 0}, {"  ", 0}, {"/* a */ x", 9},
                 {"s = \"a//b\"; // c", 11}, {"#define N 1 // n", 11}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(source_line_code(&arena, cases[i].line), cases[i].code);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers_of_its_own_are_found_in_every_way_to_write_them),
                                       cmocka_unit_test(a_folder_of_headers_is_found_where_it_is_included),
                                       cmocka_unit_test(a_kernel_stands_from_its_name_to_its_last_brace),
                                       cmocka_unit_test(the_code_of_a_line_ends_where_its_comment_begins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
