/* Trees of numbers of every type: a block adds, or takes the greatest, in shared memory, and the model names the
 * numbers and the operation. */
#include "emulator_helper.h"
#include "model/tree.h"
#include "ptx/element.h"
#include <stdio.h>

enum { THREADS = 64, LEVELS = 7 }; /* the leaves, and log2 of the threads */

/* The numbers of a buffer, stored in shared memory as `stored` and combined by `combine`. A level halves the threads.
 */
static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".shared .align 8 .b8 kept[512];\n"
                           ".entry k(.param .u64 from)\n"
                           "{\n"
                           "    .reg .u64 %%rd<4>; .reg .u32 lane, at, half; .reg .pred p; .reg .%s a, b;\n"
                           "    ld.param.u64 %%rd0, [from];\n"
                           "    mov.u32 lane, %%tid.x;\n"
                           "    mul.wide.u32 %%rd1, lane, %u;\n"
                           "    add.u64 %%rd1, %%rd0, %%rd1;\n"
                           "    ld.global.%s a, [%%rd1];\n"
                           "    mul.lo.u32 at, lane, %u;\n"
                           "    mov.u32 half, kept;\n"
                           "    add.u32 at, at, half;\n"
                           "    st.shared.%s [at], a;\n"
                           "    mov.u32 half, 32;\n"
                           "    loop:\n"
                           "    bar.sync 0;\n"
                           "    setp.ge.u32 p, lane, half;\n"
                           "    @p bra next;\n"
                           "    mad.lo.u32 lane, half, %u, at;\n"
                           "    ld.shared.%s b, [lane];\n"
                           "    ld.shared.%s a, [at];\n"
                           "    %s a, a, b;\n"
                           "    st.shared.%s [at], a;\n"
                           "    mov.u32 lane, %%tid.x;\n"
                           "    next:\n"
                           "    shr.u32 half, half, 1;\n"
                           "    setp.ne.u32 p, half, 0;\n"
                           "    @p bra loop;\n"
                           "    setp.eq.u32 p, lane, 0;\n"
                           "    @p st.global.%s [%%rd0], a;\n"
                           "    ret;\n"
                           "}\n";

static const struct {
    enum ptx_type type;
    const char *stored, *combine;
    char operation;
} cases[] = {
    {PTX_F16, "b16", "add.f16", '+'}, {PTX_BF16, "b16", "add.bf16", '+'}, {PTX_F16, "b16", "max.f16", '>'},
    {PTX_F32, "f32", "add.f32", '+'}, {PTX_F64, "f64", "add.f64", '+'},   {PTX_S32, "u32", "add.s32", '+'},
    {PTX_S64, "b64", "min.s64", '<'}, {PTX_U32, "u32", "max.u32", '>'},   {PTX_U64, "u64", "min.u64", '<'},
    {PTX_U16, "u16", "add.u16", '+'}, {PTX_S16, "b16", "min.s16", '<'},
};

/* Both signs of whole numbers; halves whose sums are rounded. */
static uint64_t number(enum ptx_type type, unsigned i)
{
    double const real = (i % 7 + 1) * (i % 2 ? 0.3125 : -20.5);
    return ptx_is_real(type) ? ptx_real_bits(type, real) : (i * UINT64_C(0x9e3779b97f4a7c15)) >> (i % 3);
}

static void the_operation_is_found_for_numbers_of_every_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char program[4096];
        struct bench b;
        uint8_t data[THREADS * 8] = {0};
        unsigned const size = (unsigned)ptx_type_size(cases[i].type);
        const char *s = cases[i].stored;
        for (unsigned k = 0; k < THREADS; k++) {
            uint64_t const bits = number(cases[i].type, k);
            memcpy(data + k * size, &bits, size);
        }
        snprintf(program, sizeof program, text, s, size, s, size, s, size, s, s, cases[i].combine, s, s);
        bench_text(&b, program);
        b.options.recorded = (struct launch_blocks){0, 0};
        b.options.checks.values = true;
        bench_launch(&b, "k", 1, THREADS);
        bench_buffer(&b, cases[i].type, data, THREADS);
        bench_run(&b);
        struct timeline *timeline = timeline_new(&b.arena, b.result.trace, 0);
        const struct tree *tree = tree_new(&b.arena, timeline);
        assert_non_null(tree);
        assert_int_equal(tree_combined(tree), THREADS - 1);
        assert_int_equal(tree->level_count, LEVELS);
        unsigned found = 0;
        for (uint32_t k = 1; k < tree->node_count; k++)
            found += tree->nodes[k].source_count == 2 && tree->nodes[k].operation == cases[i].operation;
        if (tree->type != cases[i].type || found != THREADS - 1)
            fail_msg("%s: type .%s, %u of %d nodes", cases[i].combine, ptx_type_name(tree->type), found, THREADS - 1);
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_operation_is_found_for_numbers_of_every_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
