/* Rounding by integers (lanes/rounded.c) gives what the processor gives in each of its modes, and a fused product in
 * double precision (numeric.h) what its instruction gives: for all pairs and triples of special numbers, and for random
 * ones with exponents that lie close together or anywhere. Divisions of integers by floats give what the processor's
 * own division gives. */
#include "emulator/lanes/rounded.h"
#include "emulator/lanes/numeric.h"
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TRIES = 60000 };
static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint64_t seed = 88172645463325252;
static uint64_t random_bits(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * UINT64_C(2685821657736338717);
}

static const double specials[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  3,
                                  -7,
                                  0x1p-1,
                                  0x1.8p0,
                                  0x1p-149,
                                  -0x1p-149,
                                  0x1p-126,
                                  0x1.8p-127,
                                  0x1.fffffep127,
                                  -0x1.fffffep127,
                                  0x1p127,
                                  0x1p-75,
                                  0x1.000002p0,
                                  -0x1.fffffep-1,
                                  0x1p24,
                                  0x1.000002p24,
                                  INFINITY,
                                  -INFINITY,
                                  NAN};
static const double wide_specials[] = {
    0x1p-1074, -0x1p-1074, 0x1p-1022,           0x1.8p-1023,           0x1.fffffffffffffp1023,
    -0x1p1023, 0x1p-537,   0x1.0000000000001p0, -0x1.fffffffffffffp-1, 0x1p53,
    0x1p-1000};

/* near: with an exponent that makes sums and products of three such numbers meet. */
static double random_number(enum precision precision, bool near)
{
    uint64_t bits = random_bits();
    if (bits % 7 == 0)
        bits &= ~UINT64_C(0) << 40; /* few bits: ties and exact results */
    if (precision == SINGLE) {
        uint32_t narrow = (uint32_t)(bits >> 32);
        return (double)float_of(near ? (narrow & 0x81ffffff) | 0x3e000000 : narrow);
    }
    return double_of(near ? (bits & UINT64_C(0x803fffffffffffff)) | UINT64_C(0x3fc0000000000000) : bits);
}

#define BY_PROCESSOR(name, single, wide)                                                                               \
    static double name(double x, double y, double z, int mode, enum precision precision)                               \
    {                                                                                                                  \
        volatile double a = x, b = y, c = z, result;                                                                   \
        volatile float af = (float)x, bf = (float)y, cf = (float)z, narrow;                                            \
        (void)b, (void)c, (void)af, (void)bf, (void)cf;                                                                \
        fesetround(mode);                                                                                              \
        if (precision == SINGLE)                                                                                       \
            narrow = (single), result = (double)narrow;                                                                \
        else                                                                                                           \
            result = (wide);                                                                                           \
        fesetround(FE_TONEAREST);                                                                                      \
        return result;                                                                                                 \
    }
BY_PROCESSOR(fused, fmaf(af, bf, cf), fma(a, b, c))
BY_PROCESSOR(sum, af + bf, a + b)
BY_PROCESSOR(product, af *bf, a *b)
BY_PROCESSOR(quotient, af / bf, a / b)
BY_PROCESSOR(root, sqrtf(af), sqrt(a))
BY_PROCESSOR(number, (float)a, a)

static void same(const char *name, double here, double there, double x, double y, double z, unsigned mode)
{
    if ((isnan(here) && isnan(there)) || bits_of64(here) == bits_of64(there))
        return;
    fail_msg("%s of %a, %a, %a in mode %u: %a, the processor has %a", name, x, y, z, mode, here, there);
}

static void compare(double x, double y, double z, enum precision precision)
{
    for (unsigned mode = 0; mode < 4; mode++) {
#define SAME(name, ...)                                                                                                \
    same(#name, rounded_##name(__VA_ARGS__, mode, precision), name(x, y, z, modes[mode], precision), x, y, z, mode)
        SAME(fused, x, y, z);
        SAME(sum, x, y);
        SAME(product, x, y);
        SAME(quotient, x, y);
        SAME(root, x);
        same("number", rounded_number(x, mode, SINGLE), number(x, y, z, modes[mode], SINGLE), x, y, z, mode);
    }
    if (precision == SINGLE)
        same("fused in double", (double)fused_in_double((float)x, (float)y, (float)z),
             fused(x, y, z, FE_TONEAREST, SINGLE), x, y, z, 0);
}

static void special_numbers_round_as_on_the_processor(void **state)
{
    (void)state;
    enum { NARROW = sizeof specials / sizeof *specials, WIDE = sizeof wide_specials / sizeof *wide_specials };
    for (unsigned i = 0; i < (NARROW + WIDE) * (NARROW + WIDE) * (NARROW + WIDE); i++) {
        unsigned const at[] = {i % (NARROW + WIDE), i / (NARROW + WIDE) % (NARROW + WIDE),
                               i / (NARROW + WIDE) / (NARROW + WIDE)};
        double v[3];
        for (unsigned k = 0; k < 3; k++)
            v[k] = at[k] < NARROW ? specials[at[k]] : wide_specials[at[k] - NARROW];
        compare(v[0], v[1], v[2], DOUBLE);
        if (at[0] < NARROW && at[1] < NARROW && at[2] < NARROW)
            compare(v[0], v[1], v[2], SINGLE);
    }
}

static void random_numbers_round_as_on_the_processor(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRIES; i++)
        for (unsigned p = SINGLE; p <= DOUBLE; p++) {
            enum precision const precision = (enum precision)p;
            bool const near = i % 4 != 0;
            double const x = random_number(precision, near), y = random_number(precision, near);
            /* one of eight sums cancels all but the last bits of the product */
            double const z = i % 8 == 1 ? -product(x, y, 0, FE_TONEAREST, precision) : random_number(precision, near);
            compare(x, y, z, precision);
        }
}

static void integers_round_as_on_the_processor(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRIES; i++) {
        volatile uint64_t x = i < 4 ? i - 2 : random_bits() >> i % 64;
        for (unsigned mode = 0; mode < 4; mode++) {
            fesetround(modes[mode]);
            volatile float narrow = (float)x;
            volatile double wide = (double)x;
            fesetround(FE_TONEAREST);
            if (x == 0) /* some processors round a zero down to -0 */
                narrow = 0, wide = 0;
            same("integer", rounded_integer(x, mode, SINGLE), (double)narrow, (double)x, 0, 0, mode);
            same("integer", rounded_integer(x, mode, DOUBLE), wide, (double)x, 0, 0, mode);
        }
    }
}

/* Of any number of bits. */
static uint32_t random_integer(void)
{
    uint64_t const bits = random_bits();
    return (uint32_t)(bits >> 32) >> bits % 32;
}

static void divides_as_the_processor(uint32_t x, uint32_t y)
{
    volatile uint32_t const u = x, v = y;
    volatile int32_t const i = (int32_t)x, k = (int32_t)y;
    volatile uint16_t const h = (uint16_t)x, g = (uint16_t)y;
    volatile int16_t const s = (int16_t)x, t = (int16_t)y;
    assert_int_equal(div_u32(x, y), v ? u / v : UINT32_MAX);
    assert_int_equal(rem_u32(x, y), v ? u % v : UINT32_MAX);
    assert_int_equal(div_s32(i, k), k ? (int32_t)((int64_t)i / k) : -1);
    assert_int_equal(rem_s32(i, k), k ? (int32_t)((int64_t)i % k) : -1);
    assert_int_equal(div_u16(h, g), g ? h / g : UINT16_MAX);
    assert_int_equal(rem_u16(h, g), g ? h % g : UINT16_MAX);
    assert_int_equal(div_s16(s, t), t ? (int16_t)(s / t) : -1);
    assert_int_equal(rem_s16(s, t), t ? s % t : -1);
}

/* Quotients that are whole numbers, or as close to one as can be, are those that a float could get wrong. */
static void integers_divide_as_on_the_processor(void **state)
{
    static const uint32_t special[] = {0,          1,          2,          3,      0xffff,    0x10000,
                                       0x7fffffff, 0x80000000, 0xffffffff, 0x8000, 0xffff8000};
    enum { SPECIALS = sizeof special / sizeof *special };
    (void)state;
    for (unsigned i = 0; i < SPECIALS * SPECIALS; i++)
        divides_as_the_processor(special[i % SPECIALS], special[i / SPECIALS]);
    for (unsigned i = 0; i < 10 * TRIES; i++) {
        uint32_t const y = random_integer(), most = y ? UINT32_MAX / y : 0;
        uint32_t const near = (most ? random_integer() % most + 1 : 0) * y;
        divides_as_the_processor(random_integer(), y);
        for (uint32_t k = 0; k < 3; k++)
            divides_as_the_processor(near + k - 1, y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_numbers_round_as_on_the_processor),
        cmocka_unit_test(random_numbers_round_as_on_the_processor),
        cmocka_unit_test(integers_round_as_on_the_processor),
        cmocka_unit_test(integers_divide_as_on_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
