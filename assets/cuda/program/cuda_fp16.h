// Half precision: __half and __half2, by the interface of the CUDA Math API. On the device the arithmetic is the
// hardware's; on the host it goes by float and is rounded to nearest even.
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
#define LANESCOPE_HALF static __inline__ __attribute__((always_inline, nodebug, device, host))
#define LANESCOPE_HALF_MEMBER __inline__ __attribute__((always_inline, nodebug, device, host))

LANESCOPE_HALF unsigned short lanescope_float_to_half(float value)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    unsigned const x = __builtin_bit_cast(unsigned, value), sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fff;
    if (magnitude >= 0x47800000)
        return (unsigned short)(sign | 0x7c00);
    if (magnitude < 0x33000000)
        return (unsigned short)sign;
    unsigned const exponent = magnitude >> 23, shift = exponent < 113 ? 126 - exponent : 13;
    unsigned const fraction = (magnitude & 0x7fffff) | 0x800000;
    unsigned const base = exponent < 113 ? 0 : (exponent - 113) << 10;
    unsigned const rest = fraction & ((1u << shift) - 1), half = 1u << (shift - 1);
    unsigned result = base + (fraction >> shift);
    result += rest > half || (rest == half && (result & 1));
    return (unsigned short)(sign | result);
#endif
}
LANESCOPE_HALF float lanescope_half_to_float(unsigned short bits)
{
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    unsigned const sign = (unsigned)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    if (exponent == 31)
        return __builtin_bit_cast(float, sign | 0x7f800000 | fraction << 13);
    if (exponent == 0)
        return (sign ? -1.0f : 1.0f) * (float)fraction * (1.0f / 16777216.0f);
    return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
#endif
}

struct __half_raw {
    unsigned short x;
};
struct __half {
    unsigned short __x;
    __half() = default;
    LANESCOPE_HALF_MEMBER __half(__half_raw raw) : __x(raw.x)
    {
    }
    LANESCOPE_HALF_MEMBER __half(float value) : __x(lanescope_float_to_half(value))
    {
    }
    LANESCOPE_HALF_MEMBER __half(double value) : __x(lanescope_float_to_half((float)value))
    {
    }
    LANESCOPE_HALF_MEMBER __half(int value) : __x(lanescope_float_to_half((float)value))
    {
    }
    LANESCOPE_HALF_MEMBER __half(unsigned value) : __x(lanescope_float_to_half((float)value))
    {
    }
    LANESCOPE_HALF_MEMBER operator float() const
    {
        return lanescope_half_to_float(__x);
    }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    LANESCOPE_HALF_MEMBER __half2(__half a, __half b) : x(a), y(b)
    {
    }
};
typedef __half half;
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half __nv_half;

LANESCOPE_HALF __half __ushort_as_half(unsigned short bits)
{
    return __half_raw{bits};
}
LANESCOPE_HALF unsigned short __half_as_ushort(__half value)
{
    return value.__x;
}
LANESCOPE_HALF __half __short_as_half(short bits)
{
    return __half_raw{(unsigned short)bits};
}
LANESCOPE_HALF short __half_as_short(__half value)
{
    return (short)value.__x;
}
LANESCOPE_HALF __half __float2half(float value)
{
    return __half(value);
}
LANESCOPE_HALF __half __float2half_rn(float value)
{
    return __half(value);
}
LANESCOPE_HALF __half __double2half(double value)
{
    return __half(value);
}
LANESCOPE_HALF float __half2float(__half value)
{
    return (float)value;
}
LANESCOPE_HALF __half __int2half_rn(int value)
{
    return __half((float)value);
}
LANESCOPE_HALF __half __uint2half_rn(unsigned value)
{
    return __half((float)value);
}
LANESCOPE_HALF int __half2int_rz(__half value)
{
    return (int)(float)value;
}
LANESCOPE_HALF int __half2int_rn(__half value)
{
    return (int)__builtin_rintf((float)value);
}
LANESCOPE_HALF __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
LANESCOPE_HALF __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
LANESCOPE_HALF __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
LANESCOPE_HALF __half2 __float2half2_rn(float value)
{
    return __half2(__half(value), __half(value));
}
LANESCOPE_HALF __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
LANESCOPE_HALF __half2 __float22half2_rn(float2 value)
{
    return __half2(__half(value.x), __half(value.y));
}
LANESCOPE_HALF float2 __half22float2(__half2 value)
{
    return make_float2((float)value.x, (float)value.y);
}
LANESCOPE_HALF __half __low2half(__half2 value)
{
    return value.x;
}
LANESCOPE_HALF __half __high2half(__half2 value)
{
    return value.y;
}
LANESCOPE_HALF float __low2float(__half2 value)
{
    return (float)value.x;
}
LANESCOPE_HALF float __high2float(__half2 value)
{
    return (float)value.y;
}
LANESCOPE_HALF __half2 __lowhigh2highlow(__half2 value)
{
    return __half2(value.y, value.x);
}

// One operation of the hardware on one half and on two; on the host by float.
#ifdef __CUDA_ARCH__
#define LANESCOPE_HALF_2(NAME, WORD, HOST)                                                                             \
    LANESCOPE_HALF __half NAME(__half a, __half b)                                                                     \
    {                                                                                                                  \
        unsigned short bits;                                                                                           \
        asm(WORD " %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));                                                \
        return __half_raw{bits};                                                                                       \
    }
#else
#define LANESCOPE_HALF_2(NAME, WORD, HOST)                                                                             \
    LANESCOPE_HALF __half NAME(__half a, __half b)                                                                     \
    {                                                                                                                  \
        float const x = (float)a, y = (float)b;                                                                        \
        return __half(HOST);                                                                                           \
    }
#endif
LANESCOPE_HALF_2(__hadd, "add.f16", x + y)
LANESCOPE_HALF_2(__hsub, "sub.f16", x - y)
LANESCOPE_HALF_2(__hmul, "mul.f16", x *y)
LANESCOPE_HALF_2(__hmin, "min.f16", __builtin_fminf(x, y))
LANESCOPE_HALF_2(__hmax, "max.f16", __builtin_fmaxf(x, y))
#undef LANESCOPE_HALF_2
LANESCOPE_HALF __half __hdiv(__half a, __half b)
{
    return __half((float)a / (float)b);
}
LANESCOPE_HALF __half __hneg(__half a)
{
    return __half_raw{(unsigned short)(a.__x ^ 0x8000)};
}
LANESCOPE_HALF __half __habs(__half a)
{
    return __half_raw{(unsigned short)(a.__x & 0x7fff)};
}
LANESCOPE_HALF __half __hfma(__half a, __half b, __half c)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return __half_raw{bits};
#else
    return __half((double)(float)a * (double)(float)b + (double)(float)c);
#endif
}
#define LANESCOPE_HALF_TWICE(NAME, ONE)                                                                                \
    LANESCOPE_HALF __half2 NAME(__half2 a, __half2 b)                                                                  \
    {                                                                                                                  \
        return __half2(ONE(a.x, b.x), ONE(a.y, b.y));                                                                  \
    }
LANESCOPE_HALF_TWICE(__hadd2, __hadd)
LANESCOPE_HALF_TWICE(__hsub2, __hsub)
LANESCOPE_HALF_TWICE(__hmul2, __hmul)
LANESCOPE_HALF_TWICE(__hmin2, __hmin)
LANESCOPE_HALF_TWICE(__hmax2, __hmax)
LANESCOPE_HALF_TWICE(__h2div, __hdiv)
#undef LANESCOPE_HALF_TWICE
LANESCOPE_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
LANESCOPE_HALF __half2 __hneg2(__half2 a)
{
    return __half2(__hneg(a.x), __hneg(a.y));
}
#define LANESCOPE_HALF_COMPARE(NAME, SIGN)                                                                             \
    LANESCOPE_HALF bool NAME(__half a, __half b)                                                                       \
    {                                                                                                                  \
        return (float)a SIGN(float) b;                                                                                 \
    }
LANESCOPE_HALF_COMPARE(__heq, ==)
LANESCOPE_HALF_COMPARE(__hne, !=)
LANESCOPE_HALF_COMPARE(__hlt, <)
LANESCOPE_HALF_COMPARE(__hle, <=)
LANESCOPE_HALF_COMPARE(__hgt, >)
LANESCOPE_HALF_COMPARE(__hge, >=)
#undef LANESCOPE_HALF_COMPARE
LANESCOPE_HALF bool __hisnan(__half a)
{
    return (a.__x & 0x7fff) > 0x7c00;
}
#define LANESCOPE_HALF_OPERATOR(SIGN, NAME)                                                                            \
    LANESCOPE_HALF __half operator SIGN(__half a, __half b)                                                            \
    {                                                                                                                  \
        return NAME(a, b);                                                                                             \
    }                                                                                                                  \
    LANESCOPE_HALF __half &operator SIGN##=(__half &a, __half b)                                                       \
    {                                                                                                                  \
        return a = NAME(a, b);                                                                                         \
    }
LANESCOPE_HALF_OPERATOR(+, __hadd)
LANESCOPE_HALF_OPERATOR(-, __hsub)
LANESCOPE_HALF_OPERATOR(*, __hmul)
LANESCOPE_HALF_OPERATOR(/, __hdiv)
#undef LANESCOPE_HALF_OPERATOR
#define LANESCOPE_HALF_OPERATOR(SIGN, NAME)                                                                            \
    LANESCOPE_HALF __half2 operator SIGN(__half2 a, __half2 b)                                                         \
    {                                                                                                                  \
        return NAME(a, b);                                                                                             \
    }                                                                                                                  \
    LANESCOPE_HALF __half2 &operator SIGN##=(__half2 &a, __half2 b)                                                    \
    {                                                                                                                  \
        return a = NAME(a, b);                                                                                         \
    }
LANESCOPE_HALF_OPERATOR(+, __hadd2)
LANESCOPE_HALF_OPERATOR(-, __hsub2)
LANESCOPE_HALF_OPERATOR(*, __hmul2)
LANESCOPE_HALF_OPERATOR(/, __h2div)
#undef LANESCOPE_HALF_OPERATOR
LANESCOPE_HALF __half operator-(__half a)
{
    return __hneg(a);
}
LANESCOPE_HALF __half2 operator-(__half2 a)
{
    return __hneg2(a);
}
#define LANESCOPE_HALF_OPERATOR(SIGN)                                                                                  \
    LANESCOPE_HALF bool operator SIGN(__half a, __half b)                                                              \
    {                                                                                                                  \
        return (float)a SIGN(float) b;                                                                                 \
    }
LANESCOPE_HALF_OPERATOR(==)
LANESCOPE_HALF_OPERATOR(!=)
LANESCOPE_HALF_OPERATOR(<)
LANESCOPE_HALF_OPERATOR(<=)
LANESCOPE_HALF_OPERATOR(>)
LANESCOPE_HALF_OPERATOR(>=)
#undef LANESCOPE_HALF_OPERATOR

// ---- on the device alone ----
#define LANESCOPE_HALF_DEVICE static __inline__ __attribute__((always_inline, nodebug, device))
#define LANESCOPE_HALF_MATH(NAME, NAME2, CALL)                                                                         \
    LANESCOPE_HALF_DEVICE __half NAME(__half a)                                                                        \
    {                                                                                                                  \
        return __half(CALL((float)a));                                                                                 \
    }                                                                                                                  \
    LANESCOPE_HALF_DEVICE __half2 NAME2(__half2 a)                                                                     \
    {                                                                                                                  \
        return __half2(NAME(a.x), NAME(a.y));                                                                          \
    }
LANESCOPE_HALF_MATH(hsqrt, h2sqrt, sqrtf)
LANESCOPE_HALF_MATH(hrsqrt, h2rsqrt, rsqrtf)
LANESCOPE_HALF_MATH(hexp, h2exp, expf)
LANESCOPE_HALF_MATH(hlog, h2log, logf)
LANESCOPE_HALF_MATH(hsin, h2sin, sinf)
LANESCOPE_HALF_MATH(hcos, h2cos, cosf)
LANESCOPE_HALF_MATH(hfloor, h2floor, floorf)
LANESCOPE_HALF_MATH(hceil, h2ceil, ceilf)
LANESCOPE_HALF_MATH(hrint, h2rint, rintf)
LANESCOPE_HALF_MATH(htrunc, h2trunc, truncf)
#undef LANESCOPE_HALF_MATH
LANESCOPE_HALF_DEVICE __half hrcp(__half a)
{
    return __half(1.0f / (float)a);
}
LANESCOPE_HALF_DEVICE __half atomicAdd(__half *place, __half value)
{
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(place), "h"(value.__x) : "memory");
    return __half_raw{before};
}
LANESCOPE_HALF_DEVICE __half2 atomicAdd(__half2 *place, __half2 value)
{
    return __half2(atomicAdd(&place->x, value.x), atomicAdd(&place->y, value.y));
}
#define LANESCOPE_HALF_SHUFFLE(NAME, KIND)                                                                             \
    LANESCOPE_HALF_DEVICE __half NAME(unsigned mask, __half value, KIND which, int width = 32)                         \
    {                                                                                                                  \
        return __half_raw{(unsigned short)NAME(mask, (unsigned)value.__x, (unsigned)which, width)};                    \
    }                                                                                                                  \
    LANESCOPE_HALF_DEVICE __half2 NAME(unsigned mask, __half2 value, KIND which, int width = 32)                       \
    {                                                                                                                  \
        unsigned const bits = NAME(mask, __builtin_bit_cast(unsigned, value), (unsigned)which, width);                 \
        return __builtin_bit_cast(__half2, bits);                                                                      \
    }
LANESCOPE_HALF_SHUFFLE(__shfl_sync, int)
LANESCOPE_HALF_SHUFFLE(__shfl_up_sync, unsigned)
LANESCOPE_HALF_SHUFFLE(__shfl_down_sync, unsigned)
LANESCOPE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef LANESCOPE_HALF_SHUFFLE
#endif
