/* Halves, bfloat16 and the formats of eight bits: each number that they have, and what lies between two of them. */
#include "ptx/element.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    enum ptx_type type;
    uint32_t sign, largest; /* the bit of the sign; the largest finite number */
    double value;           /* of the largest */
    double least;           /* the smallest above 0 */
    bool infinite;          /* what is too large becomes infinite */
} formats[] = {{PTX_F16, 0x8000, 0x7bff, 65504, 0x1p-24, true},
               {PTX_BF16, 0x8000, 0x7f7f, 0x1.fep127, 0x1p-133, true},
               {PTX_E4M3, 0x80, 0x7e, 448, 0x1p-9, false},
               {PTX_E5M2, 0x80, 0x7b, 57344, 0x1p-16, false}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Returns whether a number becomes these bits, and the same number below 0 the same with the sign. */
static bool becomes(int format, double number, uint64_t bits)
{
    enum ptx_type const type = formats[format].type;
    return ptx_real_bits(type, number) == bits && ptx_real_bits(type, -number) == (bits | formats[format].sign);
}

static void every_number_keeps_its_bits(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        double last = -1;
        for (uint32_t bits = 0; bits <= formats[f].largest; bits++) {
            double const number = ptx_real(formats[f].type, bits);
            assert_true(number > last && number == -ptx_real(formats[f].type, bits | formats[f].sign));
            assert_true(becomes(f, number, bits));
            last = number;
        }
        assert_true(last == formats[f].value && ptx_real(formats[f].type, 1) == formats[f].least);
        assert_true(ptx_is_small_real(formats[f].type) && ptx_is_real(formats[f].type));
    }
    assert_true(ptx_is_real(PTX_F32) && !ptx_is_small_real(PTX_F32) && !ptx_is_real(PTX_U8) && !ptx_is_real(PTX_B1));
}

static void what_lies_between_goes_to_the_nearest_and_ties_to_even(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++)
        for (uint32_t bits = 0; bits < formats[f].largest; bits++) {
            double const low = ptx_real(formats[f].type, bits), high = ptx_real(formats[f].type, bits + 1);
            double const middle = low + (high - low) / 2; /* exact: a double has more bits */
            assert_true(becomes(f, middle, bits + (bits & 1)));
            assert_true(becomes(f, nextafter(middle, low), bits));
            assert_true(becomes(f, nextafter(middle, high), bits + 1));
        }
}

static void what_is_too_large_is_infinite_or_the_largest(void **state)
{
    (void)state;
    static const uint32_t above[] = {0x7c00, 0x7f80, 0x7e, 0x7b};
    for (int f = 0; f < FORMATS; f++) {
        double const largest = formats[f].value, before = ptx_real(formats[f].type, formats[f].largest - 1);
        double const half = (largest - before) / 2;
        assert_true(becomes(f, nextafter(largest + half, 0), formats[f].largest));
        assert_true(becomes(f, largest + half, above[f])); /* the tie goes to the even one above */
        assert_true(becomes(f, INFINITY, above[f]));
        assert_true(isnan(ptx_real(formats[f].type, ptx_real_bits(formats[f].type, (double)NAN))));
    }
    assert_true(isinf(ptx_real(PTX_F16, 0x7c00)) && isinf(ptx_real(PTX_BF16, 0xff80)) &&
                isinf(ptx_real(PTX_E5M2, 0x7c)));
    assert_true(isnan(ptx_real(PTX_E4M3, 0x7f)) && isnan(ptx_real(PTX_E5M2, 0x7d)) && isnan(ptx_real(PTX_F16, 0x7c01)));
}

static void floats_and_doubles_are_their_own(void **state)
{
    (void)state;
    assert_true(ptx_real(PTX_F32, 0x3fc00000) == 1.5 && ptx_real_bits(PTX_F32, 1.5) == 0x3fc00000);
    assert_true(ptx_real(PTX_F64, UINT64_C(0x3ff8000000000000)) == 1.5);
    assert_true(ptx_real_bits(PTX_F64, 1.5) == UINT64_C(0x3ff8000000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_keeps_its_bits),
        cmocka_unit_test(what_lies_between_goes_to_the_nearest_and_ties_to_even),
        cmocka_unit_test(what_is_too_large_is_infinite_or_the_largest),
        cmocka_unit_test(floats_and_doubles_are_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
