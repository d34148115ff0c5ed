/* The integers of a source that can be turned. */
#include "source/knobs.h"
#include "source/constant.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static struct source_knobs found(const char *source)
{
    struct source_knobs knobs;
    source_knobs_find(&arena, source, NULL, 0, &knobs);
    return knobs;
}

/* Returns the knobs as one text: "name=value@line", with the role before it. */
static const char *listed(const char *source)
{
    static const char *const roles[] = {"", "grid ", "block ", "exchange "}, *const sides[] = {"", ".x", ".y", ".z"};
    struct source_knobs const knobs = found(source);
    const char *text = "";
    for (size_t i = 0; i < knobs.count; i++) {
        const struct source_knob *knob = &knobs.items[i];
        text = arena_format(&arena, "%s%s%s%s%s%s%s=%lld@%u", text, i ? " " : "", roles[knob->role],
                            knob->kernel ? knob->kernel : "", knob->kernel ? ":" : "", knob->name,
                            sides[knob->dimension + 1], knob->value, knob->line);
    }
    return text;
}

static void check_constant(const char *text, bool known, long long expected)
{
    int64_t value;
    const struct source_token *end = source_line_tokens(&arena, text), *begin = end;
    while (end->kind != SOURCE_END)
        end++;
    bool const is = source_evaluate(begin, end, NULL, NULL, &value);
    if (is != known || (known && value != expected))
        fail_msg("%s: %s %lld", text, is ? "is" : "is not", (long long)value);
}

static void a_constant_is_numbers_and_operators_alone(void **state)
{
    (void)state;
    check_constant("256", true, 256);
    check_constant(" 0x100u ", true, 256);
    check_constant("1'000'000", true, 1000000);
    check_constant("(1 << 10)", true, 1024);
    check_constant("1024 * 1024 - 1", true, 1048575);
    check_constant("(100 + 31) / 32 * 32", true, 128);
    check_constant("-3", true, -3);
    check_constant("0b101", true, 5);
    check_constant("1 << 2 + 1", true, 8);
    check_constant("1ull << 40", true, 1ll << 40);
    static const char *const others[] = {"",
                                         "N",
                                         "1.5",
                                         "1.0f",
                                         "(1",
                                         "1)",
                                         "4 N",
                                         "1 / 0",
                                         "1 << 99",
                                         "2 <",
                                         "\"8\"",
                                         "'a'",
                                         "sizeof(int)",
                                         "08",
                                         "-",
                                         "1,2",
                                         "99999999999999999999",
                                         "4611686018427387904 * 4",
                                         "-9223372036854775807 - 1",
                                         "(-9223372036854775807 - 1) / -1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_constant(others[i], false, 0);
}

static void constants_of_the_file_are_knobs(void **state)
{
    (void)state;
    assert_string_equal(listed("#define N 1024 // elements\n"
                               "#  define TILE (1 << 4)\n"
                               "#define HALF (N / 2)\n"
                               "#define PI 3.14\n"
                               "#define SQUARE(x) 4\n"
                               "#define LONG \\\n 5\n"
                               "constexpr int A = 3, B = 4;\n"
                               "static const unsigned int C{7u};\n"
                               "const float F = 2;\n"
                               "int variable = 9;\n"
                               "int const D = 8;\n"
                               "// const int no = 1;\n"
                               "/* #define NO 2 */\n"
                               "const char *text = \"const int no = 3;\";\n"),
                        "N=1024@1 TILE=16@2 A=3@8 B=4@8 C=7@9 D=8@12");
}

static void block_sizes_are_knobs_where_they_are_constant(void **state)
{
    (void)state;
    assert_string_equal(listed("#define BLOCK 128\n"
                               "__global__ void k(int n) {}\n"
                               "template <typename T> __global__ void t() {}\n"
                               "int main() {\n"
                               "    int threads = 256;\n"
                               "    dim3 block(16, 8), grid(4);\n"
                               "    k<<<4, 64>>>(1);\n"
                               "    k<<<n / BLOCK, BLOCK>>>(1);\n"
                               "    k<<<(n + threads - 1) / threads, threads, 0, s>>>(1);\n"
                               "    t<int><<<grid, block>>>();\n"
                               "    k<<<dim3(2, 2), dim3(32, 4)>>>(1);\n"
                               "}\n"),
                        "block BLOCK=128@1 block threads=256@5 block block.x=16@6 block block.y=8@6 block k:block=64@7 "
                        "block k:block.x=32@11 block k:block.y=4@11 grid grid.x=4@6 grid k:grid=4@7 grid k:grid.x=2@11 "
                        "grid k:grid.y=2@11");
}

static void a_block_size_that_cannot_be_turned_has_a_reason(void **state)
{
    (void)state;
    struct source_knobs knobs = found("int main(int argc, char **argv) {\n"
                                      "    int threads = 256, size = 64;\n"
                                      "    threads *= 2;\n"
                                      "    cudaOccupancyMaxPotentialBlockSize(&grid, &size, k);\n"
                                      "    k<<<1, threads>>>();\n"
                                      "    k<<<1, size>>>();\n"
                                      "    k<<<1, atoi(argv[1])>>>();\n"
                                      "}\n");
    assert_int_equal(knobs.count, 3); /* the grids */
    assert_int_equal(knobs.fixed_count, 3);
    assert_int_equal(knobs.fixed[0].why, SOURCE_FIXED_CHANGED);
    assert_int_equal(knobs.fixed[1].why, SOURCE_FIXED_CHANGED);
    assert_int_equal(knobs.fixed[2].why, SOURCE_FIXED_COMPUTED);
    assert_string_equal(knobs.fixed[2].name, "atoi(argv[1])");
    assert_int_equal(knobs.fixed[2].line, 7);
    struct compile_define const given = {"N", "5"};
    source_knobs_find(&arena, "#ifndef N\n#define N 4\n#endif\nint main() { k<<<1, N>>>(); }\n", &given, 1, &knobs);
    assert_int_equal(knobs.fixed[0].why, SOURCE_FIXED_DEFINED);
    assert_int_equal(knobs.count, 1);
}

static void a_block_size_with_a_knob_in_it_is_not_called_fixed(void **state)
{
    (void)state;
    struct source_knobs knobs = found("#define SIDE 16\n"
                                      "int main() {\n"
                                      "    dim3 block(SIDE, SIDE);\n"
                                      "    int threads = 2 * SIDE;\n"
                                      "    k<<<4, block>>>();\n"
                                      "    k<<<4, threads>>>();\n"
                                      "    k<<<4, SIDE * SIDE>>>();\n"
                                      "}\n");
    assert_int_equal(knobs.fixed_count, 0);
    assert_string_equal(knobs.items[0].name, "SIDE");
    knobs = found("int main(int argc, char **argv) {\n"
                  "    dim3 block(atoi(argv[1]), 4);\n"
                  "    k<<<4, 32 * argc>>>();\n"
                  "}\n");
    assert_int_equal(knobs.fixed_count, 1);
}

static void a_turned_source_keeps_its_lines_and_columns(void **state)
{
    (void)state;
    const char *source = "#define N 1024 // n\nconstexpr unsigned M = 64u;\nint main() { k<<<1, 32>>>(N, M); }\n";
    struct source_knobs const knobs = found(source);
    struct source_turn const turns[] = {
        {"N", NULL, -1, 0, 7}, {"M", NULL, -1, 0, 128}, {"block", "k", -1, 0, 96}, {"gone", NULL, -1, 0, 1}};
    assert_string_equal(source_knobs_apply(&arena, source, &knobs, turns, 4),
                        "#define N 7    // n\nconstexpr unsigned M = 128u;\nint main() { k<<<1, 96>>>(N, M); }\n");
    assert_string_equal(source_knobs_apply(&arena, source, &knobs, turns, 0), source);
}

static void no_text_breaks_the_search(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "<<<",
                                        "k<<<",
                                        "k<<<>>>",
                                        "k<<<1>>>",
                                        "k<<<,>>>()",
                                        "<<<1,2>>>",
                                        "#define",
                                        "#define N",
                                        "#define N(",
                                        "const int",
                                        "const int x",
                                        "const int x =",
                                        "dim3 b(",
                                        "dim3 b = ;",
                                        "dim3 b{",
                                        "\"",
                                        "'",
                                        "/*",
                                        "#\\",
                                        "#define A \\",
                                        "const int a = 1,",
                                        "k<int<<<1, 2>>>",
                                        "dim3 d(1",
                                        "k<<<1, dim3>>>()",
                                        "k<<<dim3(,),dim3(>>>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        found(texts[i]);
}

static void x_and_y_of_a_launched_kernel_can_be_exchanged(void **state)
{
    static const char source[] =
        "__global__ void rows(float *a, int n)\n{\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx . x, my_threadIdx = 0; // threadIdx.y\n"
        "    a[(blockIdx.y * blockDim.y + threadIdx.y) * n + x].x = threadIdx.xy;\n}\n"
        "__global__ void line(float *a) { a[threadIdx.x] = 1; }\n"
        "int main() { rows<<<dim3(4, 4), dim3(16, 16)>>>(a, 64); line<<<1, 32>>>(a); }\n";
    struct source_knobs const knobs = found(source);
    struct source_turn const turn = {.name = "x, y", .kernel = "rows", .dimension = -1, .value = 1};
    const char *turned = source_knobs_apply(&arena, source, &knobs, &turn, 1);
    (void)state;
    assert_string_equal(listed("__global__ void k(int *a) { a[threadIdx.x * 8 + threadIdx.y] = 1; }\n"
                               "int main() { k<<<1, b>>>(p); k<<<1, b>>>(p); }\n"),
                        "grid k:grid=1@2 grid k:grid=1@2 exchange k:x, y=0@1");
    assert_string_equal(turned,
                        "__global__ void rows(float *a, int n)\n{\n"
                        "    int x = blockIdx.y * blockDim.y + threadIdx . y, my_threadIdx = 0; // threadIdx.x\n"
                        "    a[(blockIdx.x * blockDim.x + threadIdx.x) * n + x].x = threadIdx.xy;\n}\n"
                        "__global__ void line(float *a) { a[threadIdx.x] = 1; }\n"
                        "int main() { rows<<<dim3(4, 4), dim3(16, 16)>>>(a, 64); line<<<1, 32>>>(a); }\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_and_y_of_a_launched_kernel_can_be_exchanged),
        cmocka_unit_test(a_constant_is_numbers_and_operators_alone),
        cmocka_unit_test(constants_of_the_file_are_knobs),
        cmocka_unit_test(block_sizes_are_knobs_where_they_are_constant),
        cmocka_unit_test(a_block_size_that_cannot_be_turned_has_a_reason),
        cmocka_unit_test(a_block_size_with_a_knob_in_it_is_not_called_fixed),
        cmocka_unit_test(a_turned_source_keeps_its_lines_and_columns),
        cmocka_unit_test(no_text_breaks_the_search),
    };
    int const status = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return status;
}
