/* Arrays of structures and shared arrays have the layout that their declarations in the source say. */
#include "run/source_layout.h"
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

static const struct ptx_layout *pointed(const char *name)
{
    return source_pointed_layout(&arena, source, "k", name);
}

static const struct ptx_layout *shared(const char *name, uint64_t bytes)
{
    return source_shared_layout(&arena, source, "k", name, bytes);
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
    assert_null(source_pointed_layout(&arena, "", "k", "x"));
    assert_null(source_shared_layout(&arena, "", "k", "x", 4));
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
    for (int i = 0; i < 4000; i++)
        for (const char *c = lines[i % 4]; *c; c++)
            array_push(&text, *c);
    for (const char *c = "__global__ void k(s *x, a *y) { __shared__ s tile[N]; }"; *c; c++)
        array_push(&text, *c);
    array_push(&text, '\0');
    assert_null(source_pointed_layout(&arena, text.items, "k", "x"));
    assert_null(source_pointed_layout(&arena, text.items, "k", "y"));
    assert_null(source_shared_layout(&arena, text.items, "k", "tile", 64));
    free(text.items);
}

/* Any damage to the text gives a layout or none. */
static void any_text_is_read(void **state)
{
    (void)state;
    uint32_t random = 3;
    for (int round = 0; round < 3000; round++) {
        char text[sizeof source];
        memcpy(text, source, sizeof text);
        for (int i = 0; i < 1 + round % 6; i++) {
            random = random * 1664525u + 1013904223u;
            text[random % (sizeof text - 1)] = "{}[]();,*\"#a1 \n"[random >> 16 & 15];
        }
        struct arena own = {0};
        static const char *const names[] = {"points", "nodes", "all", "tile", "held"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const struct ptx_layout *layout = source_pointed_layout(&own, text, "k", names[i]);
            assert_true(!layout || layout->element > 0);
            layout = source_shared_layout(&own, text, "k", names[i], 0);
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
        cmocka_unit_test(circles_end),
        cmocka_unit_test(any_text_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
