// Brain floats: __nv_bfloat16 and __nv_bfloat162, by the interface of the CUDA Math API. Arithmetic goes by float and
// is rounded to nearest even: float has more than twice the digits, so that the result is the one of a single rounding.
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
#define LANESCOPE_BF16 static __inline__ __attribute__((always_inline, nodebug, device, host))
#define LANESCOPE_BF16_MEMBER __inline__ __attribute__((always_inline, nodebug, device, host))

LANESCOPE_BF16 unsigned short lanescope_float_to_bf16(float value)
{
    unsigned const bits = __builtin_bit_cast(unsigned, value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
LANESCOPE_BF16 float lanescope_bf16_to_float(unsigned short bits)
{
    return __builtin_bit_cast(float, (unsigned)bits << 16);
}

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    LANESCOPE_BF16_MEMBER __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x)
    {
    }
    LANESCOPE_BF16_MEMBER __nv_bfloat16(float value) : __x(lanescope_float_to_bf16(value))
    {
    }
    LANESCOPE_BF16_MEMBER __nv_bfloat16(double value) : __x(lanescope_float_to_bf16((float)value))
    {
    }
    LANESCOPE_BF16_MEMBER __nv_bfloat16(int value) : __x(lanescope_float_to_bf16((float)value))
    {
    }
    LANESCOPE_BF16_MEMBER operator float() const
    {
        return lanescope_bf16_to_float(__x);
    }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    LANESCOPE_BF16_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b)
    {
    }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LANESCOPE_BF16 __nv_bfloat16 __float2bfloat16(float value)
{
    return __nv_bfloat16(value);
}
LANESCOPE_BF16 __nv_bfloat16 __float2bfloat16_rn(float value)
{
    return __nv_bfloat16(value);
}
LANESCOPE_BF16 float __bfloat162float(__nv_bfloat16 value)
{
    return (float)value;
}
LANESCOPE_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return __nv_bfloat16_raw{bits};
}
LANESCOPE_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 value)
{
    return value.__x;
}
LANESCOPE_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
LANESCOPE_BF16 __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
LANESCOPE_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
LANESCOPE_BF16 float2 __bfloat1622float2(__nv_bfloat162 value)
{
    return make_float2((float)value.x, (float)value.y);
}
LANESCOPE_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 value)
{
    return value.x;
}
LANESCOPE_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 value)
{
    return value.y;
}
// On the device the name has overloads in cuda_fp16.h, too.
#define LANESCOPE_BF16_TWO(NAME, SIGN)                                                                                 \
    LANESCOPE_BF16 __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b)                                                \
    {                                                                                                                  \
        return __nv_bfloat16((float)a SIGN(float) b);                                                                  \
    }                                                                                                                  \
    LANESCOPE_BF16 __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b)                                          \
    {                                                                                                                  \
        return __nv_bfloat162(NAME(a.x, b.x), NAME(a.y, b.y));                                                         \
    }                                                                                                                  \
    LANESCOPE_BF16 __nv_bfloat16 operator SIGN(__nv_bfloat16 a, __nv_bfloat16 b)                                       \
    {                                                                                                                  \
        return NAME(a, b);                                                                                             \
    }                                                                                                                  \
    LANESCOPE_BF16 __nv_bfloat16 &operator SIGN##=(__nv_bfloat16 &a, __nv_bfloat16 b)                                  \
    {                                                                                                                  \
        return a = NAME(a, b);                                                                                         \
    }                                                                                                                  \
    LANESCOPE_BF16 __nv_bfloat162 operator SIGN(__nv_bfloat162 a, __nv_bfloat162 b)                                    \
    {                                                                                                                  \
        return NAME##2(a, b);                                                                                          \
    }
LANESCOPE_BF16_TWO(__hadd, +)
LANESCOPE_BF16_TWO(__hsub, -)
LANESCOPE_BF16_TWO(__hmul, *)
LANESCOPE_BF16_TWO(__hdiv, /)
#undef LANESCOPE_BF16_TWO
LANESCOPE_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16((float)((double)(float)a * (double)(float)b + (double)(float)c));
}
LANESCOPE_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
LANESCOPE_BF16 __nv_bfloat16 __hneg(__nv_bfloat16 a)
{
    return __nv_bfloat16_raw{(unsigned short)(a.__x ^ 0x8000)};
}
LANESCOPE_BF16 __nv_bfloat16 __habs(__nv_bfloat16 a)
{
    return __nv_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)};
}
LANESCOPE_BF16 __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return (float)a < (float)b ? b : a;
}
LANESCOPE_BF16 __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return (float)b < (float)a ? b : a;
}
#define LANESCOPE_BF16_COMPARE(NAME, SIGN)                                                                             \
    LANESCOPE_BF16 bool NAME(__nv_bfloat16 a, __nv_bfloat16 b)                                                         \
    {                                                                                                                  \
        return (float)a SIGN(float) b;                                                                                 \
    }                                                                                                                  \
    LANESCOPE_BF16 bool operator SIGN(__nv_bfloat16 a, __nv_bfloat16 b)                                                \
    {                                                                                                                  \
        return (float)a SIGN(float) b;                                                                                 \
    }
LANESCOPE_BF16_COMPARE(__heq, ==)
LANESCOPE_BF16_COMPARE(__hne, !=)
LANESCOPE_BF16_COMPARE(__hlt, <)
LANESCOPE_BF16_COMPARE(__hle, <=)
LANESCOPE_BF16_COMPARE(__hgt, >)
LANESCOPE_BF16_COMPARE(__hge, >=)
#undef LANESCOPE_BF16_COMPARE
#endif
