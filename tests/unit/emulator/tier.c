/* When a launch asks for machine code, and when it takes it up. The code of this test does one op and leaves the rest
 * of its run to the interpreter. */
#include "emulator/tier/calls.h"
#include "emulator_helper.h"

static struct {
    unsigned asked, bound, ran;
    uint64_t done, ahead;
} seen;

static const struct op *first_op(struct warp *w, const struct op *op)
{
    seen.ran++;
    return op->run[0](w, op);
}

static void bind(const struct tier_calls *calls)
{
    assert_non_null(calls->memory_load);
    seen.bound++;
}

static const void *find(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead, bool *hopeless)
{
    static const struct tier_run runs[] = {{0, 0, first_op}, {0, 1, first_op}, {0, 2, first_op}, {0, 3, first_op},
                                           {0, 4, first_op}, {0, 5, first_op}, {0, 6, first_op}};
    static const struct tier_table table = {sizeof runs / sizeof *runs, runs, bind};
    (void)context, (void)text, (void)size, (void)hopeless;
    seen.done += done;
    seen.ahead = ahead;
    return ++seen.asked < 2 ? NULL : &table; /* it takes a while */
}

static void ignore_accesses(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                            uint64_t times)
{
    (void)context, (void)worker, (void)event, (void)addresses, (void)times;
}

static void ignore_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    (void)context, (void)worker, (void)site, (void)sums;
}

static void ignore_event(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    (void)context, (void)worker, (void)event, (void)addresses;
}

/* Each thread of one block of two warps counts to `times`. */
static void count_to(uint32_t times)
{
    static uint32_t out[64];
    struct bench b;
    struct emulator_native const native = {.find = find};
    memset(&seen, 0, sizeof seen);
    bench_text(&b,
               ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
               ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d0, [out];\n"
               "ld.param.u32 %r0, [n];\nmov.u32 %r1, 0;\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d1, %r2, 4;\n"
               "add.s64 %d0, %d0, %d1;\nagain:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, %r0;\n@%p bra again;\n"
               "st.global.u32 [%d0], %r1;\nret;\n}\n");
    bench_launch(&b, "k", 1, 64);
    bench_buffer(&b, PTX_U32, out, 64);
    bench_scalar(&b, PTX_U32, times);
    b.options.native = &native;
    b.options.listener =
        (struct trace_listener){.accesses = ignore_accesses, .sums = ignore_sums, .event = ignore_event};
    bench_run(&b);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out[i], times);
    assert_int_equal(b.result.trace->totals.warp_instructions, 2 * (8 + 3 * (uint64_t)times));
    bench_free(&b);
}

static void one_block_takes_code_up(void **state)
{
    (void)state;
    count_to(1000000);
    assert_int_equal(seen.asked, 2);
    assert_int_equal(seen.bound, 1);
    assert_true(seen.ran > 0);
    assert_true(seen.done > 1000000 && seen.done < 3000000); /* the first warp was not done */
    assert_true(seen.ahead >= seen.done);
}

static void a_short_launch_does_not_ask(void **state)
{
    (void)state;
    count_to(10000);
    assert_int_equal(seen.asked, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_block_takes_code_up),
                                       cmocka_unit_test(a_short_launch_does_not_ask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
