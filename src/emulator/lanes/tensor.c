/* How the matrix units of an H200 add, found by comparing models with it (docs/validation.md). Products are exact.
 * All of them, and c, are aligned to the largest exponent, and bits that lie 25 bits or more below it are cut off
 * from each. Their sum is exact, and is cut off to single precision or rounded to the nearest half. The exponent of
 * a product is the sum of its factors' exponents, before normalization; zeros have none. Denormals count in full,
 * but bits below 2^-158 are cut off, too. A sum below the smallest number is +0. Any NaN is 7fffffff or 7fff. */
#include "emulator/lanes/matrix.h"
#include "emulator/lanes/numeric.h"
#include <string.h>

enum { KEPT_BITS = 25, LEAST_EXPONENT = -133, NOTHING = -100000, INFINITE = 100000, NOT_A_NUMBER = 200000 };
enum { FRACTION = 10, FAR = 1000 }; /* bits behind the point of a factor; beyond every exponent */

static const struct {
    uint8_t exponent, fraction;
} formats[PTX_NUMBER_COUNT] = {
    [PTX_NUMBER_F16] = {5, 10}, [PTX_NUMBER_BF16] = {8, 7}, [PTX_NUMBER_TF32] = {8, 10},
    [PTX_NUMBER_F32] = {8, 23}, [PTX_NUMBER_E4M3] = {4, 3}, [PTX_NUMBER_E5M2] = {5, 2},
};

/* significand: of fraction bits behind its point */
static void take_one(enum ptx_number format, uint32_t bits, int32_t *significand, int32_t *exponent)
{
    unsigned const fraction_bits = formats[format].fraction, exponent_bits = formats[format].exponent;
    uint32_t const most = (1u << exponent_bits) - 1, fraction = bits & ((1u << fraction_bits) - 1);
    uint32_t const field = bits >> fraction_bits & most;
    bool const negative = bits >> (fraction_bits + exponent_bits) & 1;
    bool const all_numbers = format == PTX_NUMBER_E4M3; /* no infinities, and one NaN */
    int32_t const value = (int32_t)(fraction | (field ? 1u << fraction_bits : 0));
    *significand = negative ? -value : value;
    *exponent = (int32_t)(field ? field : 1) - (int32_t)(most >> 1);
    if (value == 0)
        *exponent = NOTHING;
    if (field == most && (!all_numbers || fraction == 7)) {
        *exponent = fraction ? NOT_A_NUMBER : INFINITE;
        *significand = negative ? -1 : 1;
    }
}

/* Both 8-bit formats become halves first, as ptxas has it: there their denormals are none. */
static void as_half(enum ptx_number format, int32_t *significand, int32_t *exponent)
{
    if (*exponent == NOTHING || *exponent >= INFINITE)
        return;
    unsigned const fraction = formats[format].fraction;
    int32_t value = *significand < 0 ? -*significand : *significand;
    value <<= formats[PTX_NUMBER_F16].fraction - fraction;
    while (value < 1 << formats[PTX_NUMBER_F16].fraction && *exponent > -14) {
        value <<= 1;
        (*exponent)--;
    }
    *significand = *significand < 0 ? -value : value;
}

/* Notes a number, which is finite, as a double and in the range of all. */
static void note(struct tensor_numbers *numbers, unsigned at)
{
    int32_t const significand = numbers->significand[at], exponent = numbers->exponent[at];
    numbers->values[at] = 0;
    if (!significand)
        return;
    uint64_t const bits = (uint64_t)(1023 + exponent - FRACTION) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    numbers->values[at] = significand * scale;
    int32_t const low = exponent - FRACTION + __builtin_ctz((uint32_t)significand);
    numbers->low = low < numbers->low ? low : numbers->low;
    numbers->high = exponent > numbers->high ? exponent : numbers->high;
}

void tensor_take_apart(enum ptx_number format, const uint64_t *values, unsigned count, struct tensor_numbers *numbers)
{
    numbers->special = false;
    numbers->low = FAR;
    numbers->high = -FAR;
    bool const narrow = format == PTX_NUMBER_E4M3 || format == PTX_NUMBER_E5M2;
    unsigned const shift = formats[PTX_NUMBER_F16].fraction - formats[format].fraction;
    for (unsigned i = 0; i < count; i++) {
        uint32_t const bits = (uint32_t)values[i] >> (format == PTX_NUMBER_TF32 ? 13 : 0);
        int32_t *significand = &numbers->significand[i], *exponent = &numbers->exponent[i];
        take_one(format, bits, significand, exponent);
        if (narrow)
            as_half(format, significand, exponent);
        else if (*exponent < INFINITE) /* 10 bits behind the point in all formats */
            *significand *= 1 << shift;
        if (*exponent < INFINITE)
            note(numbers, i);
        else
            numbers->special = true;
    }
}

/* An infinity or a NaN among the products or in c; true when the sum is no number. */
static bool special_sum(const struct tensor_numbers *a, unsigned at, const struct tensor_numbers *b, unsigned bt,
                        unsigned count, uint32_t c, uint32_t *sum)
{
    bool nan = (c & INT32_MAX) > 0x7f800000, up = c == 0x7f800000, down = c == 0xff800000;
    for (unsigned i = 0; i < count; i++) {
        int32_t const x = a->exponent[at + i], y = b->exponent[bt + i];
        if (x < INFINITE && y < INFINITE)
            continue;
        bool const negative = (a->significand[at + i] < 0) != (b->significand[bt + i] < 0);
        nan |= x == NOT_A_NUMBER || y == NOT_A_NUMBER || x == NOTHING || y == NOTHING;
        up |= !negative;
        down |= negative;
    }
    nan |= up && down;
    *sum = nan ? 0x7fffffff : down ? 0xff800000 : 0x7f800000;
    return nan || up || down;
}

/* sum * 2^(exponent - KEPT_BITS), cut off to single precision. */
static uint32_t cut_off(int64_t sum, int32_t exponent)
{
    uint64_t const size = (uint64_t)(sum < 0 ? -sum : sum);
    if (!size)
        return 0;
    int const top = 63 - __builtin_clzll(size);
    exponent += top - KEPT_BITS;
    int const below = exponent < -126 ? -126 - exponent : 0, drop = top - 23 + below;
    uint32_t const kept = drop > 63 ? 0 : (uint32_t)(drop > 0 ? size >> drop : size << -drop);
    if (!kept)
        return 0;
    uint32_t const result = exponent > 127 ? 0x7f800000 : below ? kept : kept + ((uint32_t)(exponent + 126) << 23);
    return result | (sum < 0 ? 0x80000000 : 0);
}

static uint32_t nearest_half(int64_t sum, int32_t exponent)
{
    uint16_t const half = half_of(__builtin_ldexp((double)sum, exponent - KEPT_BITS), ROUND_NEAREST);
    return (half & INT16_MAX) == 0 ? 0 : half;
}

/* Returns value * 2^(up - away), cut off to an integer. Significands have up to 24 bits, products of two that the unit
 * multiplies up to 22: with the bits below them, each fits into 28. */
static inline int32_t cut_apart(int32_t value, unsigned up, int32_t away)
{
    int32_t const sign = value >> 31, size = (int32_t)((uint32_t)((value ^ sign) - sign) << up);
    return ((size >> (away > 31 ? 31 : away)) ^ sign) - sign;
}

/* Sets *result to the sum if none of its terms would lose bits when they are aligned, as with small whole numbers: it
 * then is exact in double precision, and no denormal. */
static bool exact_sum(const struct tensor_numbers *a, unsigned at, const struct tensor_numbers *b, unsigned bt,
                      unsigned count, uint32_t c, uint32_t *result)
{
    enum { MODERATE = 100 }; /* of exponents: far from the ends of single precision */
    int32_t own, own_exponent, low = a->low + b->low, high = a->high + b->high;
    float start;
    memcpy(&start, &c, sizeof start);
    take_one(PTX_NUMBER_F32, c, &own, &own_exponent);
    if (own) {
        int32_t const own_low = own_exponent - 23 + __builtin_ctz((uint32_t)own);
        low = own_low < low ? own_low : low;
        high = own_exponent > high ? own_exponent : high;
    }
    if (low < high - KEPT_BITS || low < -MODERATE || high > MODERATE)
        return false;
    const double *x = a->values + at, *y = b->values + bt;
    double sums[2] = {(double)start, 0};
    for (unsigned i = 0; i + 1 < count; i += 2) {
        sums[0] += x[i] * y[i];
        sums[1] += x[i + 1] * y[i + 1];
    }
    double sum = sums[0] + sums[1] + (count % 2 ? x[count - 1] * y[count - 1] : 0);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bits &= ~((UINT64_C(1) << (52 - 23)) - 1); /* cut off */
    memcpy(&sum, &bits, sizeof sum);
    float const single = (float)sum;
    uint32_t whole;
    memcpy(&whole, &single, sizeof whole);
    *result = sum == 0 ? 0 : whole;
    return true;
}

uint32_t tensor_sum(const struct tensor_numbers *a, unsigned at, const struct tensor_numbers *b, unsigned bt,
                    unsigned count, uint32_t c, bool narrow)
{
    uint32_t special;
    bool const unusual = a->special || b->special || (c & 0x7f800000) == 0x7f800000;
    if (unusual && special_sum(a, at, b, bt, count, c, &special))
        return !narrow ? special : special == 0x7fffffff ? 0x7fff : special >> 16 & 0x8000 ? 0xfc00 : 0x7c00;
    if (!unusual && !narrow && exact_sum(a, at, b, bt, count, c, &special))
        return special;
    const int32_t *x = a->significand + at, *y = b->significand + bt, *p = a->exponent + at, *q = b->exponent + bt;
    int32_t own, most;
    int32_t own_exponent;
    take_one(PTX_NUMBER_F32, c, &own, &own_exponent);
    most = own_exponent;
    for (unsigned i = 0; i < count; i++)
        most = p[i] + q[i] > most ? p[i] + q[i] : most;
    if (most < LEAST_EXPONENT)
        most = LEAST_EXPONENT;
    int64_t sum = cut_apart(own, KEPT_BITS - 23, most - own_exponent);
    for (unsigned i = 0; i < count; i++)
        sum += cut_apart(x[i] * y[i], KEPT_BITS - 20, most - (p[i] + q[i]));
    return narrow ? nearest_half(sum, most) : cut_off(sum, most);
}
