/* Logic on registers of 16 bits: a negative number among the operands leaves no bits above them. */
#include "emulator_helper.h"

static void sixteen_bits_and_a_negative_number(void **state)
{
    (void)state;
    struct bench b;
    uint32_t out[3] = {0};
    bench_text(&b, ".version 7.1\n.target sm_80\n.address_size 64\n"
                   ".visible .entry k(.param .u64 out, .param .u32 x)\n"
                   "{ .reg .b16 %h<5>; .reg .b32 %r<5>; .reg .b64 %d<2>;\n"
                   "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [x]; cvt.u16.u32 %h1, %r1;\n"
                   "xor.b16 %h2, %h1, -32768; cvt.u32.u16 %r2, %h2; st.global.u32 [%d1], %r2;\n"
                   "or.b16 %h3, %h1, -256; cvt.u32.u16 %r3, %h3; st.global.u32 [%d1+4], %r3;\n"
                   "and.b16 %h4, %h2, -2; cvt.u32.u16 %r4, %h4; st.global.u32 [%d1+8], %r4; ret; }\n");
    bench_launch(&b, "k", 1, 1);
    bench_buffer(&b, PTX_U32, out, 3);
    bench_scalar(&b, PTX_U32, 0x1235);
    bench_run_clean(&b);
    assert_int_equal(out[0], 0x9235);
    assert_int_equal(out[1], 0xff35);
    assert_int_equal(out[2], 0x9234);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_bits_and_a_negative_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
