/* Rounding modes, half precision, approximations and conversions, one lane at a time. Approximate functions are
 * computed in double precision and rounded once, which is within every error that PTX documents for them. */
#include "emulator/lanes/numeric.h"
#include "emulator/lanes/rounded.h"
#include <math.h>

/* ---- rounding: to nearest by the host's own operators ---- */

static float finish32(float result, unsigned flags)
{
    if (flags & FLAG_FTZ)
        result = ftz32(result);
    if (flags & FLAG_SAT)
        result = !(result > 0) ? 0 : result > 1 ? 1 : result;
    if (flags & FLAG_RELU)
        result = result < 0 ? 0 : result;
    return nan32(result);
}

#define ROUNDED(type, precision, name, parameters, nearest, function, ...)                                             \
    static type name parameters                                                                                        \
    {                                                                                                                  \
        unsigned const mode = rounding_mode(flags);                                                                    \
        return mode == ROUND_NEAREST ? (nearest) : (type)rounded_##function(__VA_ARGS__, mode, precision);             \
    }
ROUNDED(float, SINGLE, sum32, (float x, float y, unsigned flags), x + y, sum, (double)x, (double)y)
ROUNDED(float, SINGLE, product32, (float x, float y, unsigned flags), x *y, product, (double)x, (double)y)
ROUNDED(float, SINGLE, quotient32, (float x, float y, unsigned flags), x / y, quotient, (double)x, (double)y)
ROUNDED(float, SINGLE, fused32, (float x, float y, float z, unsigned flags), fma32(x, y, z), fused, (double)x,
        (double)y, (double)z)
ROUNDED(float, SINGLE, root32, (float x, unsigned flags), sqrtf(x), root, (double)x)
ROUNDED(double, DOUBLE, sum64, (double x, double y, unsigned flags), x + y, sum, x, y)
ROUNDED(double, DOUBLE, product64, (double x, double y, unsigned flags), x *y, product, x, y)
ROUNDED(double, DOUBLE, quotient64, (double x, double y, unsigned flags), x / y, quotient, x, y)
ROUNDED(double, DOUBLE, fused64, (double x, double y, double z, unsigned flags), fma(x, y, z), fused, x, y, z)
ROUNDED(double, DOUBLE, root64, (double x, unsigned flags), sqrt(x), root, x)

static float flush(float x, unsigned flags)
{
    return flags & FLAG_FTZ ? ftz32(x) : x;
}

float numeric_add32(float x, float y, unsigned flags)
{
    y = flags & FLAG_NEGATE ? -y : y;
    return finish32(sum32(flush(x, flags), flush(y, flags), flags), flags);
}

/* As flush_small, where the instruction flushes. */
static float flush_result(float result, float scaled, unsigned flags)
{
    return flags & FLAG_FTZ ? flush_small(result, scaled) : result;
}

float numeric_mul32(float x, float y, unsigned flags)
{
    x = flush(x, flags), y = flush(y, flags);
    float result = product32(x, y, flags);
    return finish32(flush_result(result, product32(x * 0x1p24f, y, flags), flags), flags);
}

float numeric_fma32(float x, float y, float z, unsigned flags)
{
    x = flush(x, flags), y = flush(y, flags), z = flush(z, flags);
    float result = fused32(x, y, z, flags);
    return finish32(flush_result(result, fused32(x * 0x1p24f, y, z * 0x1p24f, flags), flags), flags);
}

static float divide32(float x, float y, unsigned flags)
{
    float result = quotient32(x, y, flags);
    return finish32(flush_result(result, quotient32(x * 0x1p24f, y, flags), flags), flags);
}

/* div.approx is a product with a reciprocal that is zero for divisors above 2^126. */
float numeric_div32(float x, float y, unsigned flags)
{
    x = flush(x, flags), y = flush(y, flags);
    if (flags & FLAG_APPROX && fabsf(y) > 0x1p126f && isfinite(y))
        return isinf(x) || isnan(x) ? nan32(NAN) : finish32(copysignf(0, x) * copysignf(1, y), flags);
    return divide32(x, y, flags);
}

float numeric_function32(float x, unsigned flags)
{
    x = flush(x, flags);
    double wide = (double)x, result;
    switch ((enum numeric_function)(flags >> FLAG_SHIFT)) {
    case FUNCTION_RCP:
        return divide32(1, x, flags);
    case FUNCTION_SQRT:
        return finish32(root32(x, flags), flags);
    case FUNCTION_RSQRT:
        result = 1 / sqrt(wide);
        break;
    case FUNCTION_SIN:
        result = sin(wide);
        break;
    case FUNCTION_COS:
        result = cos(wide);
        break;
    case FUNCTION_LG2:
        result = log2(wide);
        break;
    case FUNCTION_EX2:
        result = exp2(wide);
        break;
    default:
        result = tanh(wide);
    }
    return finish32((float)result, flags);
}

float numeric_minmax32(float x, float y, float z, unsigned flags)
{
    x = flush(x, flags), y = flush(y, flags), z = flush(z, flags);
    bool three = flags & FLAG_THREE, maximum = flags & FLAG_MAX;
    if (flags & FLAG_NAN && (isnan(x) || isnan(y) || (three && isnan(z))))
        return nan32(NAN);
    uint32_t sign = (bits_of(x) ^ bits_of(y)) & 0x80000000;
    if (flags & (FLAG_XORSIGN | FLAG_ABS))
        x = fabsf(x), y = fabsf(y), z = fabsf(z);
    float result = maximum ? max_f32(x, y) : min_f32(x, y);
    if (three)
        result = maximum ? max_f32(result, z) : min_f32(result, z);
    if (flags & FLAG_XORSIGN && !isnan(result))
        result = float_of((bits_of(result) & 0x7fffffff) | sign);
    return result;
}

double numeric_add64(double x, double y, unsigned flags)
{
    return nan64(x, y, sum64(x, flags & FLAG_NEGATE ? -y : y, flags));
}

double numeric_mul64(double x, double y, unsigned flags)
{
    return nan64(x, y, product64(x, y, flags));
}

double numeric_fma64(double x, double y, double z, unsigned flags)
{
    return fma64(x, y, z, fused64(x, y, z, flags));
}

double numeric_div64(double x, double y, unsigned flags)
{
    return nan64(y, x, quotient64(x, y, flags));
}

/* With .ftz, which only the approximations have, the GPU reads and writes the upper word alone. */
static double upper_word(double x)
{
    return isnan(x) ? double_of(UINT64_C(0x7fffffff00000000)) : double_of(bits_of64(x) >> 32 << 32);
}

double numeric_function64(double x, unsigned flags)
{
    double result;
    if (flags & FLAG_FTZ)
        x = fabs(x) < 0x1p-1022 ? copysign(0, x) : double_of(bits_of64(x) >> 32 << 32);
    switch ((enum numeric_function)(flags >> FLAG_SHIFT)) {
    case FUNCTION_RCP:
        result = quotient64(1, x, flags);
        break;
    case FUNCTION_SQRT:
        result = root64(x, flags);
        break;
    case FUNCTION_RSQRT:
        result = 1 / sqrt(x);
        break;
    default: /* PTX has the others in single precision only */
        result = NAN;
    }
    return flags & FLAG_FTZ ? upper_word(result) : nan64(x, x, result);
}

/* ---- narrow formats ---- */

/* Rounds a double to `bits` of fraction with exponents from `lowest_exponent` up, in the given mode. */
static double round_to(double value, int bits, int lowest_exponent, unsigned rounding)
{
    if (value == 0 || !isfinite(value))
        return value;
    int exponent;
    frexp(value, &exponent);
    exponent = exponent - 1 < lowest_exponent ? lowest_exponent : exponent - 1;
    double scaled = ldexp(value, bits - exponent), whole = floor(scaled), rest = scaled - whole;
    bool up = false;
    switch (rounding & ROUND_MASK) {
    case ROUND_NEAREST:
        up = rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0);
        break;
    case ROUND_AWAY:
        up = rest > 0.5 || (rest == 0.5 && value > 0);
        break;
    case ROUND_ZERO:
        up = value < 0 && rest > 0;
        break;
    case ROUND_UP:
        up = rest > 0;
        break;
    default:
        break;
    }
    return copysign(ldexp(whole + up, exponent - bits), value);
}

/* Beyond the largest number: infinity, or the largest where the mode rounds towards it. */
static double overflow(double value, double largest, unsigned rounding)
{
    if (!isfinite(value) || fabs(value) <= largest)
        return value;
    rounding &= ROUND_MASK;
    bool stays = rounding == ROUND_ZERO || (rounding == ROUND_DOWN && value > 0) || (rounding == ROUND_UP && value < 0);
    return copysign(stays ? largest : INFINITY, value);
}

float half_to_float(uint16_t half)
{
    return (float)wide_half(half);
}

uint16_t half_of(double value, unsigned rounding)
{
    if ((rounding & ROUND_MASK) == ROUND_NEAREST)
        return narrow_half(value);
    if (isnan(value))
        return 0x7fff;
    value = overflow(round_to(value, 10, -14, rounding), 65504, rounding);
    uint32_t bits = bits_of((float)value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (isinf(value))
        return sign | 0x7c00;
    uint32_t exponent = bits >> 23 & 255;
    if (exponent < 113)
        return (uint16_t)(sign | (uint16_t)ldexp(fabs(value), 24));
    return (uint16_t)(sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}

float bfloat_to_float(uint16_t bfloat)
{
    return float_of((uint32_t)bfloat << 16);
}

uint16_t bfloat_of(double value, unsigned rounding)
{
    if ((rounding & ROUND_MASK) == ROUND_NEAREST)
        return narrow_bfloat(value);
    if (isnan(value))
        return 0x7fff;
    value = overflow(round_to(value, 7, -126, rounding), 0x1.fep127, rounding);
    return (uint16_t)(bits_of((float)value) >> 16);
}

static double narrow_function(double x, double y, double z, unsigned flags)
{
    switch ((enum numeric_function)(flags >> FLAG_SHIFT)) {
    case FUNCTION_ADD:
        return sum_to_odd(x, y);
    case FUNCTION_SUB:
        return sum_to_odd(x, -y);
    case FUNCTION_MUL:
        return x * y;
    case FUNCTION_FMA:
        return sum_to_odd(x * y, z);
    case FUNCTION_EX2:
        return exp2(x);
    case FUNCTION_TANH:
        return tanh(x);
    case FUNCTION_MINMAX:
        return (double)numeric_minmax32((float)x, (float)y, (float)z, flags & ~(unsigned)FLAG_FTZ);
    case FUNCTION_NEG:
        return -x;
    default:
        return fabs(x);
    }
}

static uint16_t flush_narrow(uint16_t bits, unsigned flags)
{
    uint16_t exponent = flags & FLAG_BF16 ? 0x7f80 : 0x7c00;
    return flags & FLAG_FTZ && !(bits & exponent) ? bits & 0x8000 : bits;
}

uint16_t numeric_half(uint16_t x, uint16_t y, uint16_t z, unsigned flags)
{
    enum numeric_function function = (enum numeric_function)(flags >> FLAG_SHIFT);
    bool bfloat = flags & FLAG_BF16;
    x = flush_narrow(x, flags), y = flush_narrow(y, flags), z = flush_narrow(z, flags);
    if (function == FUNCTION_NEG || function == FUNCTION_ABS) {
        if ((x & 0x7fff) > (bfloat ? 0x7f80 : 0x7c00))
            return 0x7fff;
        return function == FUNCTION_NEG ? x ^ 0x8000 : x & 0x7fff;
    }
    float (*wide)(uint16_t) = bfloat ? bfloat_to_float : half_to_float;
    double result = narrow_function((double)wide(x), (double)wide(y), (double)wide(z), flags);
    if (flags & FLAG_FTZ && fabs(round_to(result, bfloat ? 7 : 10, -1000, flags)) < (bfloat ? 0x1p-126 : 0x1p-14))
        result = copysign(0, result);
    if (flags & FLAG_SAT)
        result = !(result > 0) ? 0 : result > 1 ? 1 : result;
    if (flags & FLAG_RELU && !isnan(result))
        result = result > 0 ? result : 0;
    return flush_narrow(bfloat ? bfloat_of(result, flags) : half_of(result, flags), flags);
}

uint32_t numeric_half2(uint32_t x, uint32_t y, uint32_t z, unsigned flags)
{
    uint32_t high = numeric_half((uint16_t)(x >> 16), (uint16_t)(y >> 16), (uint16_t)(z >> 16), flags);
    return high << 16 | numeric_half((uint16_t)x, (uint16_t)y, (uint16_t)z, flags);
}

/* ---- comparisons and classes ---- */

bool numeric_compare(double x, double y, unsigned flags)
{
    unsigned comparison = flags >> FLAG_SHIFT;
    if (flags & FLAG_FTZ) { /* only single precision has it */
        x = fabs(x) < 0x1p-126 ? 0 : x;
        y = fabs(y) < 0x1p-126 ? 0 : y;
    }
    bool unordered = isnan(x) || isnan(y);
    if (comparison == COMPARE_NUM || comparison == COMPARE_NAN)
        return unordered == (comparison == COMPARE_NAN);
    if (unordered)
        return comparison & COMPARE_UNORDERED;
    switch ((enum numeric_comparison)(comparison & 7)) {
    case COMPARE_EQ:
        return x == y;
    case COMPARE_NE:
        return x != y;
    case COMPARE_LT:
        return x < y;
    case COMPARE_LE:
        return x <= y;
    case COMPARE_GT:
        return x > y;
    default:
        return x >= y;
    }
}

bool numeric_compare_half(uint16_t x, uint16_t y, unsigned flags)
{
    float (*wide)(uint16_t) = flags & FLAG_BF16 ? bfloat_to_float : half_to_float;
    x = flush_narrow(x, flags), y = flush_narrow(y, flags);
    return numeric_compare((double)wide(x), (double)wide(y), flags & ~(unsigned)FLAG_FTZ);
}

static bool is_class(int class, unsigned flags)
{
    switch ((enum numeric_class)(flags >> FLAG_SHIFT)) {
    case CLASS_FINITE:
        return class != FP_INFINITE && class != FP_NAN;
    case CLASS_INFINITE:
        return class == FP_INFINITE;
    case CLASS_NUMBER:
        return class != FP_NAN;
    case CLASS_NOTANUMBER:
        return class == FP_NAN;
    case CLASS_NORMAL:
        return class == FP_NORMAL || class == FP_ZERO;
    default:
        return class == FP_SUBNORMAL;
    }
}

bool numeric_test32(float x, unsigned flags)
{
    return is_class(fpclassify(x), flags);
}

bool numeric_test64(double x, unsigned flags)
{
    return is_class(fpclassify(x), flags);
}
