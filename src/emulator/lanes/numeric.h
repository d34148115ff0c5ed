/* Arithmetic that C has no operator for, one lane at a time. The inline functions vectorise; the others handle rounding
 * modes, half precision and approximations. Source: PTX ISA 9.0, sections 9.7.1 to 9.7.9. */
#ifndef LANESCOPE_EMULATOR_LANES_NUMERIC_H
#define LANESCOPE_EMULATOR_LANES_NUMERIC_H
#include "ptx/module.h"
#include <string.h>

enum { /* rounding and flags of floating-point operations */
       ROUND_NEAREST,
       ROUND_ZERO,
       ROUND_DOWN,
       ROUND_UP,
       ROUND_AWAY, /* ties away from zero: cvt.rna */
       ROUND_MASK = 7,
       FLAG_FTZ = 8,
       FLAG_SAT = 16,
       FLAG_NEGATE = 32, /* sub: the second operand's sign is turned; fma: none */
       FLAG_NAN = 64,    /* min, max: a NaN operand gives NaN */
       FLAG_XORSIGN = 128,
       FLAG_ABS = 256,
       FLAG_MAX = 512, /* of minmax */
       FLAG_RELU = 1024,
       FLAG_THREE = 2048, /* minmax of three operands */
       FLAG_BF16 = 4096,  /* half: bfloat16; of 8 bits: e5m2 */
       FLAG_APPROX = 8192,
       FLAG_SATFINITE = 16384,
       FLAG_INTEGER = 32768, /* cvt: round to an integer in floating point */
       FLAG_SHIFT = 16       /* above it: the function or comparison */
};
enum numeric_function {
    FUNCTION_RCP,
    FUNCTION_SQRT,
    FUNCTION_RSQRT,
    FUNCTION_SIN,
    FUNCTION_COS,
    FUNCTION_LG2,
    FUNCTION_EX2,
    FUNCTION_TANH,
    /* of halves */
    FUNCTION_ADD,
    FUNCTION_SUB,
    FUNCTION_MUL,
    FUNCTION_FMA,
    FUNCTION_MINMAX,
    FUNCTION_NEG,
    FUNCTION_ABS
};
enum numeric_comparison {
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_NUM,
    COMPARE_NAN,
    COMPARE_UNORDERED = 8 /* or: true when an operand is NaN */
};
enum numeric_class { CLASS_FINITE, CLASS_INFINITE, CLASS_NUMBER, CLASS_NOTANUMBER, CLASS_NORMAL, CLASS_SUBNORMAL };

float numeric_add32(float x, float y, unsigned flags);
float numeric_mul32(float x, float y, unsigned flags);
float numeric_fma32(float x, float y, float z, unsigned flags);
float numeric_div32(float x, float y, unsigned flags);
float numeric_function32(float x, unsigned flags);
float numeric_minmax32(float x, float y, float z, unsigned flags);
double numeric_add64(double x, double y, unsigned flags);
double numeric_mul64(double x, double y, unsigned flags);
double numeric_fma64(double x, double y, double z, unsigned flags);
double numeric_div64(double x, double y, unsigned flags);
double numeric_function64(double x, unsigned flags);
uint16_t numeric_half(uint16_t x, uint16_t y, uint16_t z, unsigned flags);
uint32_t numeric_half2(uint32_t x, uint32_t y, uint32_t z, unsigned flags);
bool numeric_compare(double x, double y, unsigned flags);
bool numeric_compare_half(uint16_t x, uint16_t y, unsigned flags);
bool numeric_test32(float x, unsigned flags);
bool numeric_test64(double x, unsigned flags);

float half_to_float(uint16_t half);
uint16_t half_of(double value, unsigned rounding); /* ROUND_* */
float bfloat_to_float(uint16_t bfloat);
uint16_t bfloat_of(double value, unsigned rounding);

struct conversion {
    enum ptx_type to, from;
    unsigned flags;
    uint8_t row_bytes; /* of the result's register: 2, 4 or 8 */
};
uint64_t numeric_convert(const struct conversion *conversion, uint64_t bits);
uint32_t tf32_of(float x, unsigned flags);
/* Two numbers of 8 bits: x in the upper byte. */
uint16_t fp8x2_of(float x, float y, unsigned flags);
uint32_t half2_of_fp8x2(uint16_t pair, unsigned flags);
/* cvt.pack: x and y, saturated to `bits` bits, below the lowest bits of z. */
uint32_t numeric_pack(int32_t x, int32_t y, uint32_t z, uint64_t bits, bool is_signed);

/* Video instructions of two or four parts: lanes of a word, op->immediate as decode_video makes it. */
uint32_t video(uint32_t x, uint32_t y, uint32_t z, uint64_t what);
/* Scalar ones; how: the flags of decode_video_scalar. */
uint32_t video_scalar(uint32_t x, uint32_t y, uint32_t z, const void *how);

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static inline uint64_t bits_of64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, 8);
    return x;
}

/* How arithmetic rounds; what only conversions have counts as to nearest. */
static inline unsigned rounding_mode(unsigned flags)
{
    return (flags & ROUND_MASK) <= ROUND_UP ? flags & ROUND_MASK : ROUND_NEAREST;
}

static inline float nan32(float x)
{
    return x == x ? x : float_of(0x7fffffff);
}

static inline double quiet64(double x)
{
    return double_of(bits_of64(x) | UINT64_C(1) << 51);
}

/* A double's NaN keeps its payload: the last operand's goes first. One that no operand brought is negative. */
static inline double nan64(double x, double y, double result)
{
    result = result == result ? result : double_of(UINT64_C(0xfff8000000000000));
    result = x != x ? quiet64(x) : result;
    return y != y ? quiet64(y) : result;
}

static inline double fma64(double x, double y, double z, double result)
{
    result = nan64(x, z, result);
    return y != y ? quiet64(y) : result;
}

static inline float ftz32(float x)
{
    uint32_t bits = bits_of(x);
    return float_of((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

/* Returns x + y such that rounding the sum once more, to single or half precision, equals rounding once: where bits
 * beyond the 53 of a double are lost, the last bit is odd. */
static inline double sum_to_odd(double x, double y)
{
    double sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part); /* NaN beside an infinite sum */
    uint64_t bits = bits_of64(sum), inexact = 0 - (uint64_t)(__builtin_fabs(rest) > 0);
    uint64_t too_far = 0 - (uint64_t)((rest < 0) != (sum < 0)); /* the sum was rounded away from zero */
    return double_of((bits + (too_far & inexact)) | (inexact & 1));
}

/* ---- half precision and bfloat16: a number as a double, and the nearest one to a double, ties to even ---- */

enum { HALF_FRACTION = 10, HALF_BIAS = 15, BFLOAT_FRACTION = 7, BFLOAT_BIAS = 127 };

static inline double wide_half(uint16_t half)
{
    uint64_t const magnitude = half & 0x7fff, fraction = magnitude << (52 - HALF_FRACTION);
    uint64_t const normal = fraction + ((uint64_t)(1023 - HALF_BIAS) << 52);
    uint64_t const special = fraction | UINT64_C(0x7ff) << 52; /* infinity and NaN */
    uint64_t const small = bits_of64((double)(int32_t)magnitude * 0x1p-24);
    uint64_t const bits = magnitude < 0x400 ? small : magnitude < 0x7c00 ? normal : special;
    return double_of(bits | (uint64_t)(half & 0x8000) << 48);
}

static inline double wide_bfloat(uint16_t bfloat)
{
    return (double)float_of((uint32_t)bfloat << 16);
}

/* least: the least normal number; over: from here on it is infinity. */
static inline uint16_t narrow_number(double value, unsigned fraction, unsigned bias, double least, double over)
{
    unsigned const lost = 52 - fraction;
    uint64_t const bits = bits_of64(value), magnitude = bits & INT64_MAX;
    uint64_t const rounded = (magnitude + (UINT64_C(1) << (lost - 1)) - 1 + (magnitude >> lost & 1)) >> lost;
    uint64_t const normal = rounded - ((uint64_t)(1023 - bias) << fraction);
    double const steps = least * (double)(UINT64_C(1) << lost); /* its last bit is the step of numbers below `least` */
    uint64_t const small = bits_of64(double_of(magnitude) + steps) - bits_of64(steps);
    uint64_t const infinity = ((UINT64_C(1) << (15 - fraction)) - 1) << fraction;
    uint64_t const finite = magnitude < bits_of64(least) ? small : normal;
    uint64_t const number = magnitude < bits_of64(over) ? finite : infinity;
    return magnitude > UINT64_C(0x7ff) << 52 ? 0x7fff : (uint16_t)(number | (bits >> 48 & 0x8000));
}

static inline uint16_t narrow_half(double value)
{
    return narrow_number(value, HALF_FRACTION, HALF_BIAS, 0x1p-14, 0x1.ffep15);
}

static inline uint16_t narrow_bfloat(double value)
{
    return narrow_number(value, BFLOAT_FRACTION, BFLOAT_BIAS, 0x1p-126, 0x1.ffp127);
}

static inline uint32_t pair_of(uint16_t high, uint16_t low)
{
    return (uint32_t)high << 16 | low;
}

/* Arithmetic to the nearest, without flags, of one and of two in a word. Doubles hold the products exactly. */
#define BY_HALVES(function, x, y, z)                                                                                   \
    pair_of(function((uint16_t)((x) >> 16), (uint16_t)((y) >> 16), (uint16_t)((z) >> 16)),                             \
            function((uint16_t)(x), (uint16_t)(y), (uint16_t)(z)))
#define NARROW(name, type, expression)                                                                                 \
    static inline uint16_t name##_##type(uint16_t a, uint16_t b, uint16_t c)                                           \
    {                                                                                                                  \
        double const x = wide_##type(a), y = wide_##type(b), z = wide_##type(c);                                       \
        (void)z;                                                                                                       \
        return narrow_##type(expression);                                                                              \
    }                                                                                                                  \
    static inline uint32_t name##_##type##2(uint32_t x, uint32_t y, uint32_t z)                                        \
    {                                                                                                                  \
        return BY_HALVES(name##_##type, x, y, z);                                                                      \
    }
#define NARROW_ALL(type)                                                                                               \
    NARROW(add, type, sum_to_odd(x, y))                                                                                \
    NARROW(sub, type, sum_to_odd(x, -y))                                                                               \
    NARROW(mul, type, x *y)                                                                                            \
    NARROW(fma, type, sum_to_odd(x *y, z))
NARROW_ALL(half)
NARROW_ALL(bfloat)
#undef NARROW_ALL
#undef NARROW
#undef BY_HALVES

/* A product of two floats is exact in double precision. */
static inline float fused_in_double(float x, float y, float z)
{
    return (float)sum_to_odd((double)x * (double)y, (double)z);
}

/* By the host's instruction, where it has one. */
static inline float fma32(float x, float y, float z)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(LANES_FOR_CLANG)
    return __builtin_fmaf(x, y, z);
#else
    return fused_in_double(x, y, z);
#endif
}

/* Whether a result is flushed is decided before its exponent is limited: seen 2^24 times larger. */
static inline float flush_small(float result, float scaled)
{
    return float_of(__builtin_fabsf(scaled) < 0x1p-102f ? bits_of(result) & 0x80000000 : bits_of(result));
}

static inline float mul_ftz32(float x, float y)
{
    return flush_small(nan32(x * y), x * 0x1p24f * y);
}

static inline float fma_ftz32(float x, float y, float z)
{
    return flush_small(nan32(fma32(x, y, z)), fma32(x * 0x1p24f, y, z * 0x1p24f));
}

/* min and max: -0 is below +0, a NaN gives way to the other operand. */
static inline float min_f32(float x, float y)
{
    float low = x < y ? x : y;
    low = x == y ? float_of(bits_of(x) | bits_of(y)) : low;
    low = y != y ? x : low;
    low = x != x ? y : low;
    return nan32(low);
}

static inline float max_f32(float x, float y)
{
    float high = x > y ? x : y;
    high = x == y ? float_of(bits_of(x) & bits_of(y)) : high;
    high = y != y ? x : high;
    high = x != x ? y : high;
    return nan32(high);
}

static inline double min_f64(double x, double y)
{
    double low = x < y ? x : y;
    low = x == y ? double_of(bits_of64(x) | bits_of64(y)) : low;
    low = y != y ? x : low;
    low = x != x ? y : low;
    return low != low ? quiet64(low) : low;
}

static inline double max_f64(double x, double y)
{
    double high = x > y ? x : y;
    high = x == y ? double_of(bits_of64(x) & bits_of64(y)) : high;
    high = y != y ? x : high;
    high = x != x ? y : high;
    return high != high ? quiet64(high) : high;
}

static inline int32_t f32_to_s32(float x)
{
    if (x != x)
        return 0;
    if (x >= 2147483648.0f)
        return INT32_MAX;
    return x <= -2147483648.0f ? INT32_MIN : (int32_t)x;
}

/* Whole numbers, cut off; what lies outside becomes the nearest that there is. A NaN becomes the largest magnitude. */
static inline int32_t cut_s32(double x)
{
    if (x != x || x <= -0x1p31)
        return INT32_MIN;
    return x >= 0x1p31 ? INT32_MAX : (int32_t)x;
}

static inline uint32_t cut_u32(double x) /* no NaN: what becomes of one depends on its type */
{
    return x <= -1 ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)(int64_t)x;
}

static inline int64_t cut_s64(double x)
{
    if (x != x || x <= -0x1p63)
        return INT64_MIN;
    return x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}

static inline uint64_t cut_u64(double x)
{
    if (x != x)
        return UINT64_C(1) << 63;
    return x <= -1 ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}

static inline int32_t add_sat(int32_t x, int32_t y)
{
    int64_t sum = (int64_t)x + y;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

static inline int32_t sub_sat(int32_t x, int32_t y)
{
    int64_t difference = (int64_t)x - y;
    return difference > INT32_MAX ? INT32_MAX : difference < INT32_MIN ? INT32_MIN : (int32_t)difference;
}

static inline uint64_t mul_hi_u64(uint64_t x, uint64_t y)
{
    uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
    uint64_t middle = xh * yl + (xl * yl >> 32);
    uint64_t other = xl * yh + (uint32_t)middle;
    return xh * yh + (middle >> 32) + (other >> 32);
}

static inline int64_t mul_hi_s64(int64_t x, int64_t y)
{
    uint64_t high = mul_hi_u64((uint64_t)x, (uint64_t)y);
    high -= x < 0 ? (uint64_t)y : 0;
    high -= y < 0 ? (uint64_t)x : 0;
    return (int64_t)high;
}

static inline int64_t low24(uint32_t x)
{
    return (int32_t)(x << 8) >> 8;
}

/* Division by zero and its remainder give all ones, as on the GPU. Vectors have a division of doubles and none of
 * integers. Of integers of 32 bits it is exact once cut off: unless their quotient is a whole number, it lies 1 / y or
 * more below the next one, which is more than 2^-33 of it, and a double has 53 bits. Of 16 bits, floats are. */
static inline uint16_t div_u16(uint16_t x, uint16_t y)
{
    uint16_t const quotient = (uint16_t)((float)x / (float)(y ? y : 1));
    return y ? quotient : UINT16_MAX;
}

static inline int16_t div_s16(int16_t x, int16_t y)
{
    int32_t const quotient = (int32_t)((float)x / (float)(y ? y : 1));
    return y ? (int16_t)quotient : -1;
}

static inline uint32_t div_u32(uint32_t x, uint32_t y)
{
    uint32_t const quotient = (uint32_t)((double)x / (double)(y ? y : 1));
    return y ? quotient : UINT32_MAX;
}

static inline int32_t div_s32(int32_t x, int32_t y)
{
    int32_t const divisor = y == 0 || y == -1 ? 1 : y; /* the least number by -1 has a quotient beyond 32 bits */
    int32_t const quotient = (int32_t)((double)x / (double)divisor);
    return y == 0 ? -1 : y == -1 ? (int32_t)(0 - (uint32_t)x) : quotient;
}

static inline int64_t div_s64(int64_t x, int64_t y)
{
    if (y == 0)
        return -1;
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static inline uint16_t rem_u16(uint16_t x, uint16_t y)
{
    return y ? (uint16_t)(x - div_u16(x, y) * y) : UINT16_MAX;
}

static inline int16_t rem_s16(int16_t x, int16_t y)
{
    return y ? (int16_t)(x - div_s16(x, y) * y) : -1;
}

static inline uint32_t rem_u32(uint32_t x, uint32_t y)
{
    uint32_t const remainder = x - div_u32(x, y) * y;
    return y ? remainder : UINT32_MAX;
}

static inline int32_t rem_s32(int32_t x, int32_t y)
{
    uint32_t const remainder = (uint32_t)x - (uint32_t)div_s32(x, y) * (uint32_t)y;
    return y ? (int32_t)remainder : -1;
}

static inline int64_t rem_s64(int64_t x, int64_t y)
{
    if (y == 0)
        return -1;
    return y == -1 ? 0 : x % y;
}

static inline uint64_t funnel(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

static inline uint64_t low_bits(unsigned count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static inline uint64_t bfe_u(uint64_t x, unsigned position, unsigned length, unsigned width)
{
    return position >= width ? 0 : x >> position & low_bits(length);
}

static inline uint64_t bfe_s(int64_t x, unsigned position, unsigned length, unsigned width)
{
    if (length == 0)
        return 0;
    if (position >= width)
        return x < 0 ? UINT64_MAX : 0;
    uint64_t field = (uint64_t)(x >> position);
    if (length >= 64)
        return field;
    uint64_t sign = UINT64_C(1) << (length - 1);
    return ((field & low_bits(length)) ^ sign) - sign;
}

static inline uint64_t bfi(uint64_t field, uint64_t into, unsigned position, unsigned length, unsigned width)
{
    if (position >= width)
        return into;
    uint64_t mask = low_bits(length) << position;
    return (into & ~mask) | (field << position & mask);
}

static inline uint32_t bfind_shift(uint64_t x, unsigned shift)
{
    if (x == 0)
        return UINT32_MAX;
    unsigned position = 63 - (unsigned)__builtin_clzll(x);
    return shift ? shift - position : position;
}

static inline uint32_t popcount32(uint32_t x)
{
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static inline uint32_t brev32(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

static inline uint32_t prmt(uint32_t low, uint32_t high, uint32_t selector)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t pick = selector >> 4 * i & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (pick & 7)) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* Modes of prmt other than the default, by the low two bits of the selector: f4e, b4e, rc8, ecl, ecr, rc16. */
static inline uint32_t prmt_selector(uint32_t s, uint64_t mode)
{
    static const uint16_t selectors[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                             {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                             {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    return selectors[mode][s];
}

static inline uint32_t lop3(uint32_t x, uint32_t y, uint32_t z, uint64_t table)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t wanted = 0 - (uint32_t)(table >> i & 1);
        result |= wanted & (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    }
    return result;
}

static inline uint32_t bmsk(uint32_t position, uint32_t length)
{
    return (uint32_t)(low_bits(length) << position);
}

/* flags: 1 the first operand is signed, 2 the second, 4 (dp2a) the high bytes of the second. */
static inline uint32_t dp4a(uint32_t x, uint32_t y, uint32_t z, uint64_t flags)
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t a = flags & 1 ? (int8_t)(x >> 8 * i) : (uint8_t)(x >> 8 * i);
        int32_t b = flags & 2 ? (int8_t)(y >> 8 * i) : (uint8_t)(y >> 8 * i);
        z += (uint32_t)(a * b);
    }
    return z;
}

static inline uint32_t dp2a(uint32_t x, uint32_t y, uint32_t z, uint64_t flags)
{
    y = flags & 4 ? y >> 16 : y;
    for (unsigned i = 0; i < 2; i++) {
        int32_t a = flags & 1 ? (int16_t)(x >> 16 * i) : (uint16_t)(x >> 16 * i);
        int32_t b = flags & 2 ? (int8_t)(y >> 8 * i) : (uint8_t)(y >> 8 * i);
        z += (uint32_t)(a * b);
    }
    return z;
}

/* flags: 1 signed, 2 .wrap instead of .clamp. */
static inline uint32_t szext(uint32_t x, uint32_t width, uint64_t flags)
{
    width = flags & 2 ? width & 31 : width > 32 ? 32 : width;
    if (width == 32 || width == 0)
        return width ? x : 0;
    return (uint32_t)(flags & 1 ? bfe_s((int64_t)x, 0, width, 32) : bfe_u(x, 0, width, 32));
}

/* Position of the n-th set bit of mask counted from base, upwards for n > 0, downwards for n < 0; all ones: none. */
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (n == INT32_MIN) /* its magnitude has no sign, as on the GPU */
        return 0;
    if (base > 31)
        return UINT32_MAX;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    int32_t step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}
#endif
