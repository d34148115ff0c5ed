/* Arrays of structures and shared arrays have the layout that their declarations in the source say. */
#include "source/variables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "#define WIDE (8 * 4)\n"
                             "#define ELEMENT float\n"
                             "typedef ELEMENT element;\n"
                             "struct point { float x, y; double weight; char tag; };\n"
                             "typedef struct { int m[3]; point *next; } node; // no such thing\n"
                             "struct pair { float4 a; unsigned short b; };\n"
                             "struct nested { pair p[2]; long int n; };\n"
                             "struct method { int a; int get() { return a; } };\n"
                             "struct bits { int a : 3; };\n"
                             "__device__ void f() { __shared__ float tile[5]; }\n"
                             "__global__ void k(const struct point *__restrict__ points, node *nodes, nested *all, "
                             "method *m, bits *b, float *x,\n"
                             "                  int n)\n"
                             "{\n"
                             "    __shared__ element tile[WIDE][WIDE + 1], *pointer;\n"
                             "    __shared__ unsigned char bytes[64], count;\n"
                             "    extern __shared__ int dynamic[];\n"
                             "    __shared__ point held[4];\n"
                             "    __shared__ float wide[SIZE];\n"
                             "}\n";

static struct arena arena;

/* The kernel k of a text, whose last parameter is an int and the others are pointers. */
static struct source_kernel kernel_of(struct arena *in, const char *text, uint32_t pointers, bool counted)
{
    struct ptx_variable parameters[8] = {{.name = NULL}};
    for (uint32_t i = 0; i < 8; i++)
        parameters[i].size = i < pointers ? 8 : 4;
    struct ptx_function const kernel = {.name = "k", .parameters = parameters, .parameter_count = pointers + counted};
    return source_kernel_find(source_read(in, text, NULL, 0, SOURCE_TAKEN), &kernel);
}

static const struct ptx_layout *pointed_by(const struct source_kernel *kernel, uint32_t count, const char *name)
{
    for (uint32_t i = 0; kernel->parameters && i < count; i++)
        if (strcmp(kernel->parameters[i].name, name) == 0)
            return kernel->parameters[i].pointer ? kernel->parameters[i].layout : NULL;
    return NULL;
}

static const struct ptx_layout *pointed(const char *name)
{
    struct source_kernel const kernel = kernel_of(&arena, source, 6, true);
    assert_non_null(kernel.parameters);
    return pointed_by(&kernel, 7, name);
}

static const struct ptx_layout *shared(const char *name, uint64_t bytes)
{
    struct source_kernel const kernel = kernel_of(&arena, source, 6, true);
    return source_shared_layout(&kernel, name, bytes);
}

static void field(const struct ptx_layout *layout, uint32_t index, const char *name, uint64_t offset, uint64_t bytes,
                  uint64_t count)
{
    assert_true(index < layout->field_count);
    assert_string_equal(layout->fields[index].name, name);
    assert_int_equal(layout->fields[index].offset, offset);
    assert_int_equal(layout->fields[index].bytes, bytes);
    assert_int_equal(layout->fields[index].count, count);
}

static void fields_lie_where_the_compiler_puts_them(void **state)
{
    (void)state;
    const struct ptx_layout *layout = pointed("points");
    assert_non_null(layout);
    assert_int_equal(layout->element, 24);
    assert_int_equal(layout->field_count, 4);
    field(layout, 0, "x", 0, 4, 0);
    field(layout, 1, "y", 4, 4, 0);
    field(layout, 2, "weight", 8, 8, 0);
    field(layout, 3, "tag", 16, 1, 0);
    layout = pointed("nodes");
    assert_non_null(layout);
    assert_int_equal(layout->element, 24);
    field(layout, 0, "m", 0, 4, 3);
    field(layout, 1, "next", 16, 8, 0);
    layout = pointed("all");
    assert_non_null(layout);
    assert_int_equal(layout->element, 80);
    field(layout, 0, "p", 0, 32, 2);
    field(layout, 1, "n", 64, 8, 0);
}

static void what_is_not_understood_has_no_layout(void **state)
{
    (void)state;
    assert_null(pointed("m"));
    assert_null(pointed("b"));
    assert_null(pointed("x")); /* no structure */
    assert_null(pointed("n"));
    assert_null(pointed("absent"));
    assert_null(shared("wide", 128));
    assert_null(shared("absent", 4));
    struct source_kernel const none = kernel_of(&arena, "", 1, false);
    assert_null(none.parameters);
    assert_null(source_shared_layout(&none, "x", 4));
}

static void shared_arrays_have_rows_and_columns(void **state)
{
    (void)state;
    const struct ptx_layout *layout = shared("tile", 32 * 33 * 4);
    assert_non_null(layout);
    assert_true(layout->array);
    assert_int_equal(layout->element, 4);
    assert_int_equal(layout->columns, 33);
    assert_null(shared("tile", 16 * 17 * 4)); /* a macro was given another value */
    layout = shared("bytes", 64);
    assert_non_null(layout);
    assert_int_equal(layout->element, 1);
    assert_int_equal(layout->columns, 0);
    layout = shared("count", 1);
    assert_non_null(layout);
    assert_false(layout->array);
    layout = shared("dynamic", 0);
    assert_non_null(layout);
    assert_int_equal(layout->element, 4);
    layout = shared("held", 96);
    assert_non_null(layout);
    assert_int_equal(layout->field_count, 4);
}

/* The extents of shared arrays have the values of the file's names, of the command line and of the template. */
static void sizes_with_a_name_have_its_value(void **state)
{
    (void)state;
    static const struct {
        const char *before, *size;
    } cases[] = {{"#define THREADS 64\n", "THREADS"},
                 {"#  define\tTHREADS (HALF + HALF) // two\n#define HALF 32\n", "THREADS"},
                 {"constexpr int THREADS = 2 * (32);\n", "THREADS"},
                 {"static const unsigned WARP = 32, THREADS = WARP << 1;\n", "THREADS"},
                 {"enum { WARPS = 2, THREADS = 1 << 6 };\n", "THREADS"},
                 {"#ifndef GIVEN\n#define GIVEN 32\n#endif\n", "GIVEN"},
                 {"#if GIVEN > 32\n#define THREADS GIVEN\n#else\n#define THREADS 32\n#endif\n", "THREADS"},
                 {"", "sizeof(double) * 8"},
                 {"", "N / 2 * 2"},
                 {"#define THREADS 8\n#undef THREADS\n#define THREADS 0x40u\n", "THREADS"}};
    static const char *const unknown[] = {"absent", "1 / 0", "1 << 99", "THREADS(3)", "-4", "late"};
    struct compile_define const define = {"GIVEN", "64"};
    struct ptx_variable const parameter = {.size = 8};
    struct ptx_function const kernel = {.name = "_Z1kIiLi64EEvPT_", .parameters = &parameter, .parameter_count = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases + sizeof unknown / sizeof *unknown; i++) {
        bool const known = i < sizeof cases / sizeof *cases;
        const char *size = known ? cases[i].size : unknown[i - sizeof cases / sizeof *cases];
        const char *text = arena_format(&arena,
                                        "%stemplate <typename T, int N> __global__ void k(T *out)\n"
                                        "{ __shared__ T s[%s]; }\nconst int late = 64;\n",
                                        known ? cases[i].before : "", size);
        struct source_kernel const found =
            source_kernel_find(source_read(&arena, text, &define, 1, SOURCE_TAKEN), &kernel);
        const struct ptx_layout *layout = source_shared_layout(&found, "s", 256);
        if ((layout != NULL) != known || (known && (layout->element != 4 || source_shared_layout(&found, "s", 252))))
            fail_msg("s[%s] is %s", size, known ? "not known" : "known");
    }
}

/* Types and macros that name each other end, whatever their number. */
static void circles_end(void **state)
{
    (void)state;
    struct {
        char *items;
        size_t count, capacity;
    } text = {0};
    static const char *const lines[] = {"typedef a b;\ntypedef b a;\n", "#define N N+N+N+N\n",
                                        "struct s { s x, y; a z; t u; };\nstruct t { s a; t b; };\n",
                                        "__shared__ a tile[N];\n__shared__ s more[N][N];\n"};
    for (int i = 0; i < 1000; i++)
        for (const char *c = lines[i % 4]; *c; c++)
            array_push(&text, *c);
    for (const char *c = "__global__ void k(s *x, a *y) { __shared__ s tile[N]; }"; *c; c++)
        array_push(&text, *c);
    array_push(&text, '\0');
    struct source_kernel const kernel = kernel_of(&arena, text.items, 2, false);
    assert_non_null(kernel.parameters);
    assert_null(pointed_by(&kernel, 2, "x"));
    assert_null(pointed_by(&kernel, 2, "y"));
    assert_null(source_shared_layout(&kernel, "tile", 64));
    free(text.items);
}

/* Any damage to the text gives a layout or none. */
static void any_text_is_read(void **state)
{
    (void)state;
    uint32_t random = 3;
    for (int round = 0; round < 500; round++) {
        char text[sizeof source];
        memcpy(text, source, sizeof text);
        for (int i = 0; i < 1 + round % 6; i++) {
            random = random * 1664525u + 1013904223u;
            text[random % (sizeof text - 1)] = "{}[]();,*\"#a1 \n"[random >> 16 & 15];
        }
        struct arena own = {0};
        static const char *const names[] = {"points", "nodes", "all", "tile", "held"};
        struct source_kernel const kernel = kernel_of(&own, text, 6, true);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const struct ptx_layout *layout = pointed_by(&kernel, 7, names[i]);
            assert_true(!layout || layout->element > 0);
            layout = source_shared_layout(&kernel, names[i], 0);
            assert_true(!layout || layout->element > 0);
        }
        arena_free(&own);
    }
}

static int forget(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(fields_lie_where_the_compiler_puts_them),
        cmocka_unit_test(what_is_not_understood_has_no_layout),
        cmocka_unit_test(shared_arrays_have_rows_and_columns),
        cmocka_unit_test(sizes_with_a_name_have_its_value),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(any_text_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
