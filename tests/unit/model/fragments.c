/* Which lane and register hold which element: the layouts against the formulas of the PTX ISA (section "Matrix
 * Fragments" of each shape), and a run in which every element is another number. */
#include "emulator_helper.h"

#include "model/fragments.h"

/* Row and column of element i of a lane, as the PTX ISA writes them: g = lane / 4 (groupID), t = lane % 4
 * (threadID_in_group). */
struct formula {
    const char *text; /* an instruction of the shape */
    char which;
    unsigned elements; /* of a lane */
    void (*place)(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column);
};

static void a_of_k16(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
    *column = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
}

static void b_of_k16(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
    *column = g;
}

static void c_of_n8(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 2 ? g : g + 8;
    *column = t * 2 + (i & 1);
}

static void a_of_k8(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 2 ? g : g + 8;
    *column = t * 2 + (i & 1);
}

static void b_of_k8(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = t * 2 + (i & 1);
    *column = g;
}

static void a_of_tf32(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i == 0 || i == 2 ? g : g + 8;
    *column = i < 2 ? t : t + 4;
}

static void b_of_tf32(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i == 0 ? t : t + 4;
    *column = g;
}

static void a_of_bytes(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
    *column = i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
}

static void b_of_bytes(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    *row = i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
    *column = g;
}

static void a_of_doubles(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    (void)i;
    *row = g;
    *column = t;
}

static void b_of_doubles(unsigned g, unsigned t, unsigned i, unsigned *row, unsigned *column)
{
    (void)i;
    *row = t;
    *column = g;
}

#define FOUR "{%r0, %r1, %r2, %r3}"
#define K16 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", " FOUR ", {%r0, %r1}, " FOUR
#define K8 "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " FOUR ", {%r0, %r1}, {%r0}, " FOUR
#define TF32 "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " FOUR ", " FOUR ", {%r0, %r1}, " FOUR
#define BYTES "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " FOUR ", " FOUR ", {%r0, %r1}, " FOUR
#define DOUBLES "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d0}, {%d1}, {%d0, %d1}"

static const struct formula formulas[] = {
    {K16, 'a', 8, a_of_k16},    {K16, 'b', 4, b_of_k16},         {K16, 'c', 4, c_of_n8},
    {K16, 'd', 4, c_of_n8},     {K8, 'a', 4, a_of_k8},           {K8, 'b', 2, b_of_k8},
    {K8, 'd', 4, c_of_n8},      {TF32, 'a', 4, a_of_tf32},       {TF32, 'b', 2, b_of_tf32},
    {TF32, 'd', 4, c_of_n8},    {BYTES, 'a', 16, a_of_bytes},    {BYTES, 'b', 8, b_of_bytes},
    {BYTES, 'd', 4, c_of_n8},   {DOUBLES, 'a', 1, a_of_doubles}, {DOUBLES, 'b', 1, b_of_doubles},
    {DOUBLES, 'd', 2, c_of_n8},
};

static struct ptx_matrix form_of(const char *text)
{
    struct ptx_words *words = ptx_words_new();
    struct ptx_module const module = {.text = text, .text_size = strlen(text)};
    struct ptx_instruction instruction;
    struct ptx_matrix form;
    assert_true(ptx_words_read(words, text, &instruction));
    instruction.text_end = (uint32_t)strlen(text);
    assert_true(ptx_matrix_read(&module, &instruction, &form));
    ptx_words_free(words);
    return form;
}

static void every_layout_is_that_of_the_ptx_isa(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++) {
        const struct formula *formula = &formulas[k];
        struct ptx_matrix const form = form_of(formula->text);
        struct ptx_fragment const fragment = ptx_matrix_fragment(&form, formula->which);
        unsigned const packed = ptx_fragment_packed(&fragment);
        assert_int_equal(fragment.registers * packed, formula->elements);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            for (unsigned i = 0; i < formula->elements; i++) {
                struct fragment_element const element = {lane, i / packed, i % packed};
                unsigned row, column, wanted_row, wanted_column;
                fragment_locate(&form, formula->which, element, &row, &column);
                formula->place(lane / 4, lane % 4, i, &wanted_row, &wanted_column);
                if (row != wanted_row || column != wanted_column)
                    fail_msg("%s: lane %u, element %u of %c: [%u][%u] instead of [%u][%u]", formula->text, lane, i,
                             formula->which, row, column, wanted_row, wanted_column);
            }
    }
}

/* One warp writes the numbers 0, 1, 2, ... as bits of halves into shared memory, two at once: a is rows of 16 with a
 * row of 48 bytes, b rows of 8. ldmatrix brings them to the registers, those of b exchanged. */
enum { A_PITCH = 48, B_FIRST = 1024, B_PITCH = 16 };
static const char loads[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n"
    ".reg .b32 %r<32>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<4>;\n.shared .align 128 .b8 tile[2048];\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmov.u32 %r3, 0;\n"
    /* word w of shared memory holds the halves 2w and 2w + 1 */
    "L:\nshl.b32 %r4, %r3, 5;\nadd.u32 %r4, %r4, %r1;\nshl.b32 %r5, %r4, 2;\nadd.u32 %r5, %r5, %r2;\n"
    "shl.b32 %r6, %r4, 1;\nadd.u32 %r7, %r6, 1;\nshl.b32 %r7, %r7, 16;\nor.b32 %r6, %r6, %r7;\n"
    "st.shared.b32 [%r5], %r6;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 16;\n@%p1 bra L;\nbar.warp.sync -1;\n"
    "and.b32 %r8, %r1, 15;\nshr.u32 %r9, %r1, 4;\nmad.lo.u32 %r10, %r8, 48, %r2;\nshl.b32 %r9, %r9, 4;\n"
    "add.u32 %r10, %r10, %r9;\n"
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r11, %r12, %r13, %r14}, [%r10];\n"
    "mad.lo.u32 %r15, %r8, 16, %r2;\n"
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r16, %r17}, [%r15+1024];\n"
    "mov.f32 %f1, 0f3F800000;\n"
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r11, %r12, %r13, %r14}, {%r16, %r17}, "
    "{%f1, %f1, %f1, %f1};\n"
    "st.global.f32 [%rd1], %f2;\nret;\n}\n";

static size_t find_site(const struct fragments *fragments, const char *name)
{
    for (size_t at = 0; at < fragments->timeline->count; at++) {
        const struct fragment_site *site = fragments_at(fragments, at);
        if (site && strncmp(site->name, name, strlen(name)) == 0)
            return at;
    }
    fail_msg("%s is not in the trace", name);
    return 0;
}

static void check_product(const struct fragments *fragments, size_t start, char which, unsigned registers)
{
    const struct ptx_matrix *form = &fragments_at(fragments, start)->form;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned k = 0; k < 2 * registers; k++) {
            struct fragment_element const element = {lane, k / 2, k % 2};
            struct fragment_origin origin;
            unsigned row, column;
            uint64_t bits;
            fragment_locate(form, which, element, &row, &column);
            uint64_t const byte = which == 'a' ? row * A_PITCH + column * 2 : B_FIRST + row * B_PITCH + column * 2;
            assert_true(fragment_value(fragments, start, which, element, &bits));
            assert_int_equal(bits, byte / 2);
            assert_true(fragment_origin(fragments, start, which, element, &origin));
            assert_int_equal(origin.space, PTX_SPACE_SHARED);
            assert_int_equal(origin.address - fragments->timeline->trace->shared_base, byte);
            /* lane 8 * matrix + row of the matrix gave the row */
            assert_int_equal(origin.lane, which == 'a' ? row + column / 8 * 16 : row);
        }
}

static void elements_are_followed_from_shared_memory_to_the_product(void **state)
{
    (void)state;
    struct bench b;
    float result[32] = {0};
    bench_text(&b, loads);
    bench_launch(&b, "k", 1, WARP_LANES);
    b.options = (struct emulator_options){.recorded = {0, 0}, .checks.values = true, .threads = 1};
    bench_buffer(&b, PTX_F32, result, 32);
    bench_run_clean(&b);
    const struct timeline *timeline = timeline_new(&b.arena, b.result.trace, 0);
    const struct fragments *fragments = fragments_new(&b.arena, timeline);
    assert_non_null(fragments);
    size_t const product = find_site(fragments, "mma.sync"), load = find_site(fragments, "ldmatrix.sync");
    check_product(fragments, product, 'a', 4);
    check_product(fragments, product, 'b', 2);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned number = 0; number < 4; number++) {
            struct fragment_element const element = {lane, number, 0};
            struct fragment_origin origin;
            uint64_t bits;
            assert_true(fragment_value(fragments, product, 'c', element, &bits));
            assert_int_equal(bits, 0x3f800000);
            assert_false(fragment_origin(fragments, product, 'c', element, &origin)); /* from no load */
            assert_true(fragment_value(fragments, load, 'a', (struct fragment_element){lane, number, 1}, &bits));
            assert_int_equal(bits, ((lane / 4 + number % 2 * 8) * A_PITCH + number / 2 * 16 + lane % 4 * 4 + 2) / 2);
        }
    unsigned step;
    assert_int_equal(fragments_start(fragments, product + 3, &step), product);
    assert_int_equal(step, 3);
    bench_free(&b);
}

/* Without values there is no event of a product, and what a load brings is not known. */
static void a_trace_without_values_has_loads_alone(void **state)
{
    (void)state;
    struct bench b;
    float result[32] = {0};
    bench_text(&b, loads);
    bench_launch(&b, "k", 1, WARP_LANES);
    b.options = (struct emulator_options){.recorded = {0, 0}, .threads = 1};
    bench_buffer(&b, PTX_F32, result, 32);
    bench_run_clean(&b);
    const struct fragments *fragments = fragments_new(&b.arena, timeline_new(&b.arena, b.result.trace, 0));
    unsigned found = 0;
    uint64_t bits;
    for (size_t at = 0; at < fragments->timeline->count; at++) {
        const struct fragment_site *site = fragments_at(fragments, at);
        if (!site)
            continue;
        assert_int_equal(site->form.action, PTX_MATRIX_LOAD);
        assert_false(fragment_value(fragments, at, 'a', (struct fragment_element){0, 0, 0}, &bits));
        found++;
    }
    assert_int_equal(found, 2);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_that_of_the_ptx_isa),
        cmocka_unit_test(elements_are_followed_from_shared_memory_to_the_product),
        cmocka_unit_test(a_trace_without_values_has_loads_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
