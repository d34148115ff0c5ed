/* The variables of a kernel with their names in the source, and the spaces of the automatic ones. */
#include "run/variables.h"
#include "compile/compile.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n"
static const char source[] =
    "extern \"C\" __global__ void k(float *out, int n)\n{\n    float t[4], s[4];\n    int i = n;\n"
    "    t[i] = s[i];\n    out[i] = t[n];\n}\n";

static const struct ptx_placed *list_of(struct arena *arena, const char *text, struct trace **trace, uint32_t *count)
{
    static struct launch_buffer buffers[] = {{.name = "out", .type = PTX_F32, .count = 64}};
    struct launch const launch = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .buffers = buffers, .buffer_count = 1};
    struct ptx_module *module;
    struct error error = {0};
    if (!ptx_parse(arena, "variables", text, strlen(text), &module, &error))
        fail_msg("%s", error.message);
    *trace = trace_new(module, &launch);
    return run_variables(arena, module, *trace, source, NULL, 0, count);
}

static const struct ptx_placed *find(const struct ptx_placed *list, uint32_t count, const char *name, bool pointed_to)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0 && list[i].pointed_to == pointed_to)
            return &list[i];
    return NULL;
}

/* The line that accesses local memory names t; its 16 bytes are all that there is. */
static void an_array_is_local_where_its_lines_access_local_memory(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace;
    uint32_t count;
    const struct ptx_placed *list =
        list_of(&arena,
                HEADER ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) {\n"
                       ".local .align 16 .b8 __local_depot0[16]; .reg .b32 %r; .reg .b64 %d;\n"
                       ".loc 1 6 5\nmov.b64 %d, __local_depot0; ld.local.b32 %r, [%d]; ret; }\n",
                &trace, &count);
    assert_int_equal(find(list, count, "t", false)->space, PTX_SPACE_LOCAL);
    assert_int_equal(find(list, count, "t", false)->bytes, 16);
    assert_int_equal(find(list, count, "s", false)->space, PTX_SPACE_REGISTER);
    assert_int_equal(find(list, count, "i", false)->space, PTX_SPACE_REGISTER);
    assert_int_equal(find(list, count, "n", false)->space, PTX_SPACE_PARAM);
    assert_int_equal(find(list, count, "out", false)->space, PTX_SPACE_PARAM);
    assert_int_equal(find(list, count, "out", true)->space, PTX_SPACE_GLOBAL);
    assert_int_equal(find(list, count, "out", true)->bytes, 256);
    assert_null(find(list, count, "__local_depot0", false));
    trace_free(trace);
    arena_free(&arena);
}

static void without_local_memory_every_automatic_variable_is_in_registers(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace;
    uint32_t count;
    const struct ptx_placed *list =
        list_of(&arena, HEADER ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) { ret; }\n", &trace, &count);
    assert_int_equal(find(list, count, "t", false)->space, PTX_SPACE_REGISTER);
    assert_int_equal(find(list, count, "s", false)->space, PTX_SPACE_REGISTER);
    trace_free(trace);
    arena_free(&arena);
}

/* 48 bytes are more than t: something else is in local memory, and nobody knows what. */
static void what_nothing_proves_is_not_listed(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace;
    uint32_t count;
    const struct ptx_placed *list =
        list_of(&arena,
                HEADER ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) {\n"
                       ".local .align 16 .b8 __local_depot0[48]; .reg .b32 %r; .reg .b64 %d;\n"
                       ".loc 1 6 5\nmov.b64 %d, __local_depot0; ld.local.b32 %r, [%d]; ret; }\n",
                &trace, &count);
    assert_int_equal(find(list, count, "t", false)->space, PTX_SPACE_LOCAL);
    assert_null(find(list, count, "s", false));
    assert_null(find(list, count, "i", false));
    assert_true(find(list, count, "__local_depot0", false)->by_compiler);
    trace_free(trace);
    arena_free(&arena);
}

/* The macros of the command line count, not the values that the source has for want of them. */
static void a_shared_array_has_the_size_that_the_command_line_gives(void **state)
{
    (void)state;
    static const char tiled[] = "#ifndef TILE\n#define TILE 32\n#endif\n"
                                "extern \"C\" __global__ void k()\n{\n    __shared__ float tile[TILE][TILE];\n}\n";
    static const char text[] = HEADER ".entry k() { .shared .align 4 .b8 tile[1024]; ret; }\n";
    struct compile_define const small = {"TILE", "16"};
    struct launch const launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error = {0};
    uint32_t count;
    assert_true(ptx_parse(&arena, "variables", text, strlen(text), &module, &error));
    struct trace *trace = trace_new(module, &launch);
    const struct ptx_placed *list = run_variables(&arena, module, trace, tiled, &small, 1, &count);
    const struct ptx_placed *tile = find(list, count, "tile", false);
    assert_non_null(tile);
    assert_non_null(tile->layout);
    assert_int_equal(tile->layout->columns, 16);
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_local_where_its_lines_access_local_memory),
        cmocka_unit_test(without_local_memory_every_automatic_variable_is_in_registers),
        cmocka_unit_test(what_nothing_proves_is_not_listed),
        cmocka_unit_test(a_shared_array_has_the_size_that_the_command_line_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
