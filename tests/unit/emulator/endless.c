/* Loops that never end are found long before the budget is used up; loops that may end are not. */
#include "emulator_helper.h"

enum { BUDGET = 20000000 };

/* Runs a kernel of two blocks of 64 threads with a word of memory, 0. */
static void run_body(struct bench *b, const char *body, bool recorded, int32_t *word)
{
    struct arena arena = {0};
    bench_text(b,
               arena_format(&arena,
                            ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) {\n"
                            ".reg .pred %%p<4>; .reg .b32 %%r<8>; .reg .b64 %%a, %%t, %%end;\n"
                            "ld.param.u64 %%a, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n%s\nret;\n}\n",
                            body));
    bench_mode(b, recorded ? RECORDED : QUICK, 1);
    b->options.budget = BUDGET;
    bench_launch(b, "k", 2, 64);
    *word = 0;
    bench_buffer(b, PTX_S32, word, 1);
    bench_run(b);
    arena_free(&arena);
}

static void a_round_without_a_change_is_endless(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "loop: bra loop;",
        "setp.eq.u32 %p1, %r1, 3;\n@!%p1 bra out;\nloop: bra loop;\nout:", /* the other lanes wait for one */
        "mov.u32 %r3, 0;\nloop: add.u32 %r3, %r3, 1;\nand.b32 %r3, %r3, 255;\nbra loop;", /* after 256 rounds */
        "mov.u32 %r3, 0;\nfirst: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 400000;\n@%p2 bra first;\n"
        "loop: xor.b32 %r3, %r3, 1;\nbra loop;", /* behind a loop that ends */
        "loop: setp.lt.u32 %p1, %r1, 7;\n@%p1 bra low;\nmov.u32 %r3, 1;\nbra both;\nlow: mov.u32 %r3, 2;\n"
        "both: bra loop;", /* lanes part in each round */
        "setp.gt.u32 %p1, %r1, 31;\n@%p1 bra loop;\nbar.sync 0;\nloop: @!%p1 ret;\nmov.u32 %r3, 1;\nbra loop;"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int recorded = 0; recorded < 2; recorded++) {
            struct bench b;
            int32_t word;
            run_body(&b, bodies[i], recorded, &word);
            assert_int_equal(trace_faults(b.result.trace), 1);
            const struct finding *fault = nth_fault(b.result.trace, 0);
            if (fault->form != FINDING_SAME_AGAIN || fault->loop.instructions > BUDGET / 4)
                fail_msg("%s after %llu instructions: %s", finding_word(fault),
                         (unsigned long long)fault->loop.instructions, bodies[i]);
            bench_free(&b);
        }
}

#define LONG_WAY                                                                                                       \
    "mov.u32 %r3, 0;\nway: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 400000;\n@%p2 bra way;\n" /* 1.2 million */

static void a_wait_that_ends_is_not_endless(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        LONG_WAY,
        /* block 1 sets the flag late; block 0 polls it, with and without naps */
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra poll;\n" LONG_WAY "st.volatile.global.u32 [%a], 1;\nret;\n"
        "poll: ld.volatile.global.u32 %r4, [%a];\nsetp.eq.u32 %p3, %r4, 0;\n@%p3 bra poll;",
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra poll;\n" LONG_WAY "st.volatile.global.u32 [%a], 1;\nret;\n"
        "poll: nanosleep.u32 100;\nld.volatile.global.u32 %r4, [%a];\nsetp.eq.u32 %p3, %r4, 0;\n@%p3 bra poll;",
        /* a lock that the other block holds for long */
        "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\n"
        "lock: atom.global.cas.b32 %r4, [%a], 0, 1;\nsetp.ne.u32 %p3, %r4, 0;\n@%p3 bra lock;\n" LONG_WAY
        "atom.global.exch.b32 %r4, [%a], 0;",
        /* time */
        "mov.u64 %end, 1500000;\nwait: mov.u64 %t, %clock64;\nsetp.lt.u64 %p3, %t, %end;\n@%p3 bra wait;",
        /* a vote ends it */
        ("mov.u32 %r3, 0;\nturn: add.u32 %r3, %r3, 1;\nactivemask.b32 %r5;\nsetp.lt.u32 %p2, %r3, 300000;\n"
         "vote.sync.any.pred %p3, %p2, -1;\n@%p3 bra turn;")};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct bench b;
        int32_t word;
        run_body(&b, bodies[i], i == 0, &word);
        if (trace_faults(b.result.trace))
            fail_msg("%s: %s", finding_word(&b.result.trace->findings[0]), bodies[i]);
        bench_free(&b);
    }
}

/* A counter of 32 bits comes again after 2^32 rounds only: the budget ends it. */
static void a_long_count_ends_by_the_budget(void **state)
{
    (void)state;
    struct bench b;
    int32_t word;
    run_body(&b, "mov.u32 %r3, 0;\nloop: add.u32 %r3, %r3, 2;\nsetp.ne.u32 %p2, %r3, 2147483647;\n@%p2 bra loop;",
             false, &word);
    assert_int_equal(nth_fault(b.result.trace, 0)->form, FINDING_ENDLESS);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_round_without_a_change_is_endless),
                                       cmocka_unit_test(a_wait_that_ends_is_not_endless),
                                       cmocka_unit_test(a_long_count_ends_by_the_budget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
