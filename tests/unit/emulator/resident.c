/* Blocks that wait for each other: blocks that only poll make room for others, on any number of processors, recorded or
 * not. A wait that never ends is a deadlock, unless a fault elsewhere explains it. */
#include "emulator_helper.h"
#include <stdio.h>

enum { BLOCKS = 24, THREADS = 64, COUNT = BLOCKS * THREADS };

static void open_case(struct bench *b, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "faults/%s.ptx", name);
    bench_file(b, path);
}

static void expect_clean(const struct bench *b)
{
    if (trace_faults(b->result.trace))
        fail_msg("%s", finding_word(&b->result.trace->findings[0]));
    assert_int_equal(trace_hazards(b->result.trace), 0);
}

static void a_barrier_of_the_grid_releases_all(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (int recorded = 0; recorded < 2; recorded++) {
            int32_t x[COUNT], y[COUNT] = {0};
            struct bench b;
            open_case(&b, "ok_grid_barrier");
            for (int i = 0; i < COUNT; i++)
                x[i] = i;
            b.options = (struct emulator_options){
                .threads = threads, .recorded = {recorded ? 0 : 1, recorded ? BLOCKS - 1 : 0}, .budget = 100000000};
            bench_launch(&b, "ok_grid_barrier", BLOCKS, THREADS);
            bench_buffer(&b, PTX_S32, x, COUNT);
            bench_buffer(&b, PTX_S32, y, COUNT);
            bench_scalar(&b, PTX_S32, COUNT);
            bench_run(&b);
            expect_clean(&b);
            for (int i = 0; i < COUNT; i++)
                assert_int_equal(y[i], (i + 3 * THREADS) % COUNT + 3);
            bench_free(&b);
        }
}

static const struct finding *run_few(struct bench *b, uint64_t resident)
{
    static int32_t x[COUNT], y[COUNT];
    open_case(b, "ok_grid_barrier");
    b->options = (struct emulator_options){.threads = 1, .recorded = {1, 0}, .budget = 300000, .resident = resident};
    bench_launch(b, "ok_grid_barrier", BLOCKS, THREADS);
    bench_buffer(b, PTX_S32, x, COUNT);
    bench_buffer(b, PTX_S32, y, COUNT);
    bench_scalar(b, PTX_S32, COUNT);
    bench_run(b);
    return nth_fault(b->result.trace, 0);
}

static void no_more_blocks_are_in_flight_than_fit(void **state)
{
    struct bench b;
    (void)state;
    assert_null(run_few(&b, BLOCKS));
    bench_free(&b);
    const struct finding *fault = run_few(&b, BLOCKS - 1);
    assert_non_null(fault);
    assert_kind(fault, DEADLOCK);
    assert_int_equal(fault->at.block, 0);
    assert_int_equal(fault->loop.other_blocks, 22);
    bench_free(&b);
}

/* Thousands of blocks that poll in vain: each polls a few more times before the deadlock is certain, also with a
 * user's budget. */
static void a_deadlock_of_many_blocks_takes_few_instructions(void **state)
{
    enum { MANY = 4300, EACH = 2000 };
    uint64_t const budgets[] = {300000, 0};
    (void)state;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        struct bench b;
        uint32_t arrived = 0;
        open_case(&b, "deadlock_grid_barrier");
        b.options = (struct emulator_options){.threads = 1, .recorded = {1, 0}, .budget = budgets[i]};
        bench_launch(&b, "deadlock_grid_barrier", MANY, 32);
        bench_buffer(&b, PTX_U32, &arrived, 1);
        bench_run(&b);
        assert_int_equal(trace_faults(b.result.trace), 1);
        assert_kind(nth_fault(b.result.trace, 0), DEADLOCK);
        assert_true(b.result.trace->totals.warp_instructions < (uint64_t)MANY * EACH);
        bench_free(&b);
    }
}

static void a_fault_is_reported_before_the_blocks_that_wait_for_it(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct bench b;
        uint32_t arrived = 0;
        int32_t out[8] = {0};
        open_case(&b, "bounds_while_others_wait");
        b.options = (struct emulator_options){.threads = threads, .recorded = {1, 0}, .budget = 300000};
        bench_launch(&b, "bounds_while_others_wait", 8, 32);
        bench_buffer(&b, PTX_U32, &arrived, 1);
        bench_buffer(&b, PTX_S32, out, 8);
        bench_run(&b);
        assert_int_equal(trace_faults(b.result.trace), 1);
        assert_kind(nth_fault(b.result.trace, 0), OUT_OF_BOUNDS);
        assert_int_equal(nth_fault(b.result.trace, 0)->at.block, 7);
        bench_free(&b);
    }
}

/* Without a barrier, warps run one after another; a warp that polls may wait for the next one. */
static void a_warp_waits_for_a_later_one_with_plain_reads(void **state)
{
    static const char text[] = ".version 9.0\n.target sm_80\n.address_size 64\n"
                               ".entry k(.param .u64 flag) {\n"
                               " .reg .b32 %r<4>; .reg .b64 %a; .reg .pred %p<2>;\n"
                               " ld.param.u64 %a, [flag]; mov.u32 %r1, %tid.x;\n"
                               " setp.eq.u32 %p1, %r1, 96; @%p1 bra set; setp.ge.u32 %p1, %r1, 32; @%p1 bra end;\n"
                               "wait: membar.gl; ld.global.u32 %r2, [%a]; setp.eq.u32 %p1, %r2, 0; @%p1 bra wait;\n"
                               " bra end;\nset: st.global.u32 [%a], 1;\nend: ret;\n}\n";
    struct bench b;
    uint32_t flag = 0;
    (void)state;
    bench_text(&b, text);
    b.options = (struct emulator_options){.threads = 1, .recorded = {1, 0}, .budget = 1000000};
    bench_launch(&b, "k", 1, 128);
    bench_buffer(&b, PTX_U32, &flag, 1);
    bench_run(&b);
    expect_clean(&b);
    assert_int_equal(flag, 1);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_of_the_grid_releases_all),
        cmocka_unit_test(no_more_blocks_are_in_flight_than_fit),
        cmocka_unit_test(a_deadlock_of_many_blocks_takes_few_instructions),
        cmocka_unit_test(a_fault_is_reported_before_the_blocks_that_wait_for_it),
        cmocka_unit_test(a_warp_waits_for_a_later_one_with_plain_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
