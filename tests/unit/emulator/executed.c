/* How often warps executed each instruction: exact, in every mode of a run, and in sum the total. */
#include "emulator_helper.h"

/* A loop of as many rounds as the warp's number, a branch that parts the warp, a call and a predicated store. */
static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".func (.reg .b32 %out) twice(.reg .b32 %in) {\n"
                           "  add.s32 %out, %in, %in;\n  ret;\n}\n"
                           ".func never { ret; }\n"
                           ".entry k(.param .u64 p) {\n"
                           "  .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %q<4>;\n"
                           "  mov.u32 %r1, %tid.x;\n" /* 0 */
                           "  shr.u32 %r2, %r1, 5;\n" /* 1: the warp */
                           "  add.s32 %r2, %r2, 1;\n" /* 2 */
                           "loop:\n"
                           "  sub.s32 %r2, %r2, 1;\n"      /* 3 */
                           "  setp.ne.s32 %q1, %r2, 0;\n"  /* 4 */
                           "  @%q1 bra loop;\n"            /* 5 */
                           "  and.b32 %r3, %r1, 1;\n"      /* 6 */
                           "  setp.eq.s32 %q2, %r3, 0;\n"  /* 7 */
                           "  @%q2 bra even;\n"            /* 8 */
                           "  call (%r4), twice, (%r1);\n" /* 9 */
                           "even:\n"
                           "  ld.param.u64 %d1, [p];\n"         /* 10 */
                           "  setp.eq.s32 %q3, %r1, 0;\n"       /* 11 */
                           "  @%q3 st.global.u32 [%d1], %r1;\n" /* 12 */
                           "  ret;\n}\n";                       /* 13 */
enum { WARPS = 3, BLOCKS = 4 };

static void each_instruction_is_counted(void **state)
{
    (void)state;
    static const uint64_t rounds = 1 + 2 + 3, once = WARPS;
    uint64_t const expected[] = {once, once, once, rounds, rounds, rounds, once,
                                 once, once, once, once,   once,   once,   once};
    uint32_t data[4] = {0};
    struct bench b;
    bench_text(&b, text);
    for (int mode = 0; mode < MODES; mode++) {
        bench_mode(&b, mode, 2);
        bench_launch(&b, "k", BLOCKS, WARPS * 32);
        bench_buffer(&b, PTX_U32, data, 4);
        bench_run(&b);
        const struct ptx_function *kernel = ptx_kernel(b.module, "k");
        uint64_t sum = 0;
        for (uint32_t f = 0; f < b.module->function_count; f++)
            for (uint32_t i = 0; b.result.executed[f] && i < b.module->functions[f].instruction_count; i++)
                sum += b.result.executed[f][i];
        assert_int_equal(sum, b.result.trace->totals.warp_instructions);
        const uint64_t *counts = b.result.executed[kernel - b.module->functions];
        assert_int_equal(kernel->instruction_count, sizeof expected / sizeof *expected);
        for (uint32_t i = 0; i < kernel->instruction_count; i++)
            if (counts[i] != BLOCKS * expected[i])
                fail_msg("mode %d: instruction %u was executed %llu times, not %llu", mode, i,
                         (unsigned long long)counts[i], (unsigned long long)(BLOCKS * expected[i]));
        assert_int_equal(b.result.executed[0][0], BLOCKS * once);
        assert_null(b.result.executed[1]); /* no call reaches it */
    }
    bench_free(&b);
}

int main(void)
{
    struct CMUnitTest const tests[] = {cmocka_unit_test(each_instruction_is_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
