/* cvt between any two scalar types. Source: PTX ISA 9.0, 9.7.9.21. */
#include "emulator/lanes/numeric.h"
#include "emulator/lanes/rounded.h"
#include <math.h>

struct integer { /* as a value with its sign apart, which holds every u64 and s64 */
    uint64_t magnitude;
    bool negative;
};

static bool is_float(enum ptx_type type)
{
    return type >= PTX_F16 && type <= PTX_F64;
}

static bool is_signed(enum ptx_type type)
{
    return type >= PTX_S8 && type <= PTX_S64;
}

static unsigned width(enum ptx_type type)
{
    return 8 * (unsigned)ptx_type_size(type);
}

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static struct integer integer_of(enum ptx_type type, uint64_t bits)
{
    bits &= mask_of(width(type));
    uint64_t sign = UINT64_C(1) << (width(type) - 1);
    if (is_signed(type) && bits & sign)
        return (struct integer){(0 - bits) & mask_of(width(type)), true};
    return (struct integer){bits, false};
}

static uint64_t to_integer(enum ptx_type type, struct integer value, bool saturate)
{
    uint64_t most = is_signed(type) ? mask_of(width(type) - 1) : mask_of(width(type));
    if (saturate && !value.negative && value.magnitude > most)
        return most;
    if (saturate && value.negative) {
        uint64_t least = is_signed(type) ? most + 1 : 0;
        if (value.magnitude > least)
            value.magnitude = least;
    }
    return (value.negative ? 0 - value.magnitude : value.magnitude) & mask_of(width(type));
}

static double float_of_type(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case PTX_F16:
        return (double)half_to_float((uint16_t)bits);
    case PTX_BF16:
        return (double)bfloat_to_float((uint16_t)bits);
    case PTX_F32:
        return (double)float_of((uint32_t)bits);
    default:
        return double_of(bits);
    }
}

static double round_whole(double value, unsigned rounding)
{
    switch (rounding & ROUND_MASK) {
    case ROUND_ZERO:
        return trunc(value);
    case ROUND_DOWN:
        return floor(value);
    case ROUND_UP:
        return ceil(value);
    default:
        return nearbyint(value);
    }
}

static float narrowed(double value, unsigned rounding)
{
    unsigned const mode = rounding_mode(rounding);
    return mode == ROUND_NEAREST ? (float)value : (float)rounded_number(value, mode, SINGLE);
}

/* Floating point to floating point; the flags' rounding is of the result, or to an integer when they say so. */
static uint64_t float_bits(const struct conversion *c, double value)
{
    unsigned rounding = c->flags;
    if (c->flags & FLAG_INTEGER) {
        value = round_whole(value, rounding);
        rounding = ROUND_NEAREST;
    }
    if (c->flags & FLAG_SAT)
        value = !(value > 0) ? 0 : value > 1 ? 1 : value;
    if (c->flags & FLAG_RELU && !isnan(value))
        value = value > 0 ? value : 0;
    float single;
    switch (c->to) {
    case PTX_F16:
        if (c->flags & FLAG_SATFINITE && fabs(value) > 65504)
            value = copysign(65504, value);
        if (isnan(value) && c->from == PTX_F64)
            return (bits_of64(value) >> 48 & 0x8000) | 0x7e00 | (bits_of64(value) >> 42 & 0x3ff);
        return half_of(value, rounding);
    case PTX_BF16:
        if (c->flags & FLAG_SATFINITE && fabs(value) > 0x1.fep127)
            value = copysign(0x1.fep127, value);
        if (isnan(value) && c->from == PTX_F64)
            return (bits_of64(value) >> 48 & 0x8000) | 0x7fc0 | (bits_of64(value) >> 45 & 0x7f);
        return bfloat_of(value, rounding);
    case PTX_F32:
        single = narrowed(value, rounding);
        if (c->flags & FLAG_FTZ)
            single = flush_small(single, narrowed(value * 0x1p24, rounding));
        return bits_of(c->from == PTX_F64 ? single : nan32(single)); /* a double's NaN keeps its payload */
    default:
        return bits_of64(isnan(value) ? quiet64(value) : value);
    }
}

/* A NaN becomes 0, from or to 64 bits the largest magnitude, as the hardware gives. */
static uint64_t float_to_integer(const struct conversion *c, double value)
{
    unsigned bits = width(c->to);
    if (isnan(value))
        return bits == 64 || c->from == PTX_F64 ? UINT64_C(1) << (bits - 1) : 0;
    value = round_whole(value, c->flags);
    struct integer whole = {0, value < 0};
    double magnitude = fabs(value);
    whole.magnitude = magnitude >= 0x1p64 ? UINT64_MAX : (uint64_t)magnitude;
    return to_integer(c->to, whole, true);
}

static uint64_t integer_to_float(const struct conversion *c, struct integer value)
{
    unsigned rounding = c->flags & ROUND_MASK;
    unsigned turned = rounding == ROUND_DOWN ? ROUND_UP : rounding == ROUND_UP ? ROUND_DOWN : rounding;
    unsigned const mode = rounding_mode(value.negative ? turned : rounding);
    float s = (float)rounded_integer(value.magnitude, mode, SINGLE);
    double w = rounded_integer(value.magnitude, mode, DOUBLE);
    s = value.negative ? -s : s;
    w = value.negative ? -w : w;
    if (c->flags & FLAG_SAT) {
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        w = w < 0 ? 0 : w > 1 ? 1 : w;
    }
    switch (c->to) {
    case PTX_F32:
        return bits_of(s);
    case PTX_F64:
        return bits_of64(w);
    case PTX_BF16:
        return bfloat_of(w, rounding);
    default:
        return half_of(w, rounding);
    }
}

uint64_t numeric_convert(const struct conversion *c, uint64_t bits)
{
    uint64_t result;
    if (is_float(c->from)) {
        double value = float_of_type(c->from, bits);
        if (c->flags & FLAG_FTZ && c->from == PTX_F32 && c->to != PTX_F16) /* to f16 the GPU does not flush */
            value = (double)nan32(ftz32(float_of((uint32_t)bits)));
        if (is_float(c->to)) {
            bool plain = !(c->flags & (FLAG_INTEGER | FLAG_SAT | FLAG_FTZ | FLAG_RELU));
            if (c->from == c->to && plain && (c->from == PTX_F32 || c->from == PTX_F64))
                return bits;
            if (c->from == PTX_BF16 && c->to == PTX_F32 && plain)
                return (uint64_t)(uint16_t)bits << 16;
            result = float_bits(c, value);
        } else {
            result = float_to_integer(c, value);
        }
    } else if (is_float(c->to)) {
        return integer_to_float(c, integer_of(c->from, bits));
    } else {
        result = to_integer(c->to, integer_of(c->from, bits), c->flags & FLAG_SAT);
    }
    /* A register wider than the type holds the value extended by the type's sign. */
    if (is_signed(c->to) && c->row_bytes * 8u > width(c->to)) {
        uint64_t sign = UINT64_C(1) << (width(c->to) - 1);
        result = (result ^ sign) - sign;
    }
    return result & mask_of(c->row_bytes * 8u);
}

/* ---- narrow formats ---- */

/* The upper 19 bits of a float. Away from zero the GPU cuts a NaN off like any number, and .satfinite takes the
 * infinities and NaNs that come out for numbers one step too large. */
uint32_t tf32_of(float x, unsigned flags)
{
    uint32_t bits = bits_of(x), rest = bits & 0x1fff, rounding = flags & ROUND_MASK, step = 0x2000;
    bits -= rest;
    if (x != x && rounding != ROUND_AWAY)
        return 0x7fffe000;
    if (flags & FLAG_RELU && bits >> 31)
        return 0;
    bool up = rest > step / 2 || (rest == step / 2 && (rounding == ROUND_AWAY || bits & step));
    if (up && rounding != ROUND_ZERO && x == x)
        bits += step;
    return flags & FLAG_SATFINITE && (bits & 0x7f800000) == 0x7f800000 ? bits - step : bits;
}

/* e5m2: 2 bits of fraction, exponents from -14, up to 57344; e4m3: 3 bits, from -6, up to 448, and no infinities. A
 * larger number becomes the largest. */
static uint32_t fp8_of(double x, unsigned flags)
{
    bool const e5m2 = flags & FLAG_BF16;
    if (isnan(x))
        return 0x7f;
    if (flags & FLAG_RELU && x < 0)
        return 0;
    uint32_t sign = signbit(x) && !(flags & FLAG_RELU) ? 0x80 : 0;
    double const magnitude = fmin(fabs(x), e5m2 ? 57344 : 448);
    return sign |
           (e5m2 ? narrow_number(magnitude, 2, 15, 0x1p-14, 0x1p16) : narrow_number(magnitude, 3, 7, 0x1p-6, 0x1p9));
}

uint16_t fp8x2_of(float x, float y, unsigned flags)
{
    return (uint16_t)(fp8_of((double)x, flags) << 8 | fp8_of((double)y, flags));
}

static uint32_t half_of_fp8(uint32_t byte, unsigned flags)
{
    uint32_t exponent = byte >> 3 & 15, fraction = byte & 7;
    bool e5m2 = flags & FLAG_BF16, nan = e5m2 ? (byte & 0x7f) > 0x7c : (byte & 0x7f) == 0x7f;
    if (nan)
        return 0x7fff;
    if (flags & FLAG_RELU && byte & 0x80)
        return 0;
    if (e5m2) /* the upper byte of a half */
        return byte << 8;
    uint32_t const magnitude = exponent ? (exponent + 8) << 10 | fraction << 7 : narrow_half(fraction * 0x1p-9);
    return (byte & 0x80) << 8 | magnitude;
}

uint32_t half2_of_fp8x2(uint16_t pair, unsigned flags)
{
    return half_of_fp8(pair >> 8, flags) << 16 | half_of_fp8(pair & 255, flags);
}

uint32_t numeric_pack(int32_t x, int32_t y, uint32_t z, uint64_t bits, bool is_signed)
{
    int32_t high = (int32_t)mask_of((unsigned)bits - is_signed), low = is_signed ? -high - 1 : 0;
    uint32_t mask = (uint32_t)mask_of((unsigned)bits);
    x = x < low ? low : x > high ? high : x;
    y = y < low ? low : y > high ? high : y;
    uint32_t both = ((uint32_t)x & mask) << bits | ((uint32_t)y & mask);
    return bits == 16 ? both : z << 2 * bits | both;
}
