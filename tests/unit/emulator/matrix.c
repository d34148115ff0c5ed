/* Matrices as nvcc compiles them: a product with a sum that is changed element by element, and its memory accesses. The
 * test matrix_match checks the bits of each instruction. */
#include "emulator_helper.h"
#include "model/counts.h"
#include <stdio.h>

/* Returns the half with the value, -16 to 16. */
static uint16_t half_of_small(int value)
{
    unsigned size = (unsigned)abs(value), exponent = 0;
    if (!size)
        return 0;
    while (size >> (exponent + 1))
        exponent++;
    return (uint16_t)((value < 0 ? 0x8000 : 0) | (15 + exponent) << 10 | ((size << (10 - exponent)) & 0x3ff));
}

static void set_checks(struct bench *b, bool checked)
{
    b->options = (struct emulator_options){.recorded = {0, 0}, .threads = 1};
    b->options.checks.memory = b->options.checks.races = checked;
}

static void run_clean(struct bench *b)
{
    bench_run_clean(b);
    assert_int_equal(trace_hazards(b->result.trace), 0);
}

static void run_product(struct bench *b, bool checked, float *c)
{
    uint16_t left[256], right[256];
    for (int i = 0; i < 256; i++) {
        left[i] = half_of_small(i * 7 % 11 - 5);
        right[i] = half_of_small(i * 5 % 13 - 6);
    }
    set_checks(b, checked);
    bench_launch(b, "product", 1, 32);
    bench_buffer(b, PTX_F32, c, 256);
    bench_buffer(b, PTX_U16, left, 256);
    bench_buffer(b, PTX_U16, right, 256);
    run_clean(b);
}

static void a_product_and_its_elements(void **state)
{
    for (int checked = 0; checked < 2; checked++) {
        float c[256];
        run_product(*state, checked, c);
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                int sum = 0;
                for (int k = 0; k < 16; k++)
                    sum += ((i * 16 + k) * 7 % 11 - 5) * ((j * 16 + k) * 5 % 13 - 6);
                assert_true(c[i * 16 + j] == (float)(2 * sum + 1));
            }
    }
}

static const struct trace_event *next_access(const struct trace *trace, size_t *from, const char *text)
{
    for (; *from < trace->events.count; ++*from) {
        const struct trace_event *event = &trace->events.items[*from];
        if (event->kind == TRACE_ACCESS && strstr(trace->sites[event->site].text, text))
            return &trace->events.items[(*from)++];
    }
    return NULL;
}

/* Matrix a from shared memory: one step of 32 rows of 16 bytes, rows 48 bytes apart. */
static void rows_of_a_factor_in_shared_memory(void **state)
{
    struct bench *b = *state;
    float c[256];
    size_t at = 0;
    run_product(b, false, c);
    const struct trace_event *event = next_access(b->result.trace, &at, "wmma.load.a");
    assert_non_null(event);
    assert_int_equal(b->result.trace->sites[event->site].bytes, 16);
    assert_int_equal(event->mask, UINT32_MAX);
    const uint64_t *addresses = trace_addresses(b->result.trace, event);
    for (unsigned l = 0; l < 32; l++) /* tiles: upper left, lower left, upper right, lower right */
        assert_int_equal(addresses[l] - addresses[0], (l & 15) * 48 + l / 16 * 16);
    assert_null(next_access(b->result.trace, &at, "wmma.load.a"));
}

/* Matrix b by columns from global memory: four steps of 4 bytes a lane; c: four steps of 8. */
static void words_of_matrices_in_global_memory(void **state)
{
    struct bench *b = *state;
    float c[256];
    size_t at = 0;
    run_product(b, false, c);
    const struct trace *trace = b->result.trace;
    for (unsigned step = 0; step < 4; step++) {
        const struct trace_event *event = next_access(trace, &at, "wmma.load.b");
        assert_non_null(event);
        assert_int_equal(trace->sites[event->site].bytes, 4);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(trace_addresses(trace, event)[l] - trace->buffers[2].address,
                             (step / 2 * 8 + l / 4) * 32 + step % 2 * 16 + l % 4 * 4);
    }
    for (unsigned step = 0; step < 4; step++) {
        const struct trace_event *event = next_access(trace, &at, "wmma.store.d");
        assert_non_null(event);
        assert_int_equal(trace->sites[event->site].bytes, 8);
        assert_int_equal(trace->sites[event->site].operation, TRACE_STORE);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(trace_addresses(trace, event)[l] - trace->buffers[0].address,
                             (step % 2 * 8 + l / 4) * 64 + step / 2 * 32 + l % 4 * 8);
    }
    at = 0;
    assert_null(next_access(trace, &at, "wmma.mma"));
}

static const struct trace *run_rows(struct bench *b, uint32_t *out, int lanes)
{
    set_checks(b, false);
    bench_launch(b, "rows", 1, 32);
    bench_buffer(b, PTX_U32, out, 64);
    bench_scalar(b, PTX_S32, (uint64_t)lanes);
    bench_run(b);
    return b->result.trace;
}

/* ldmatrix.x2: 16 lanes give the addresses of rows, 80 bytes apart. */
static void ldmatrix_reads_the_rows_that_lanes_name(void **state)
{
    uint32_t out[64];
    size_t at = 0;
    const struct trace *trace = run_rows(*state, out, 32);
    assert_int_equal(trace_faults(trace), 0);
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(out[l], l / 4 * 20 + l % 4);
        assert_int_equal(out[l + 32], l / 4 * 20 + 4 + l % 4);
    }
    const struct trace_event *event = next_access(trace, &at, "ldmatrix");
    assert_non_null(event);
    assert_int_equal(event->mask, 0xffff);
    assert_int_equal(trace->sites[event->site].bytes, 16);
    for (unsigned l = 0; l < 16; l++)
        assert_int_equal(trace_addresses(trace, event)[l], l % 8 * 80 + l / 8 * 16);
}

static void a_matrix_instruction_of_a_partial_warp_is_a_fault(void **state)
{
    uint32_t out[64];
    const struct trace *trace = run_rows(*state, out, 20);
    assert_int_equal(trace_faults(trace), 1);
    assert_kind(nth_fault(trace, 0), MASK);
}

/* Against the counters of an H200: stmatrix and ldmatrix count one wavefront per matrix, even if rows are equal. */
static void matrix_rows_count_one_wavefront_per_eight(void **state)
{
    static const uint64_t same[WARP_LANES] = {0};
    struct bench *b = *state;
    uint32_t out[64];
    const struct trace *trace = run_rows(b, out, 32);
    struct arena arena = {0};
    struct counts counts;
    counts_of_trace(trace, &arena, &counts);
    for (uint32_t i = 0; i < trace->site_count; i++) {
        if (!strstr(trace->sites[i].text, "ldmatrix.sync.aligned.m8n8.x2"))
            continue;
        assert_int_equal(trace->sites[i].unit, TRACE_BY_ROWS);
        assert_int_equal(counts.sites[i].wavefronts, 2);
        struct counts_tally *tally = counts_tally_new(trace->sites, trace->site_count);
        struct trace_listener listener = counts_listener(tally);
        struct trace_event event = {.kind = TRACE_ACCESS, .site = i, .mask = UINT32_MAX};
        listener.event(listener.context, 0, &event, same);
        counts_tally_sum(tally, &arena, &counts);
        assert_int_equal(counts.sites[i].wavefronts, 4);
        counts_tally_free(tally);
    }
    arena_free(&arena);
}

/* Each is refused by name and line, with the reason. */
static void refused_instructions_name_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *instruction, *reason;
    } cases[] = {
        {"wgmma.fence.sync.aligned;", "several warps"},
        {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%d0, {%r1}], [%r1];",
         "tensor maps"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [%r0], 64;", "without arithmetic"},
        {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0, %r0, %r0, %r0}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, "
         "%r0, "
         "%r0};",
         "doubles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct bench bench;
        char text[512];
        struct ptx_unknown *unknown;
        snprintf(text, sizeof text,
                 ".version 8.4\n.target sm_90a\n.address_size 64\n.entry k()\n{\n.reg .b32 %%r<4>;\n.reg .b64 "
                 "%%d<2>;\n%s\nret;\n}\n",
                 cases[i].instruction);
        bench_text(&bench, text);
        assert_int_equal(emulator_unsupported(&bench.arena, bench.module, ptx_kernel(bench.module, "k"), &unknown), 1);
        assert_int_equal(unknown->ptx_line, 8);
        assert_non_null(strstr(cases[i].instruction, unknown->instruction));
        assert_non_null(unknown->reason);
        assert_non_null(strstr(unknown->reason, cases[i].reason));
        bench_free(&bench);
    }
}

static int start(void **state)
{
    return bench_open(state, "emulator/objects.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_and_its_elements),
        cmocka_unit_test(rows_of_a_factor_in_shared_memory),
        cmocka_unit_test(words_of_matrices_in_global_memory),
        cmocka_unit_test(ldmatrix_reads_the_rows_that_lanes_name),
        cmocka_unit_test(matrix_rows_count_one_wavefront_per_eight),
        cmocka_unit_test(a_matrix_instruction_of_a_partial_warp_is_a_fault),
        cmocka_unit_test(refused_instructions_name_the_reason),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
