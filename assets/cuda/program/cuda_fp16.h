// Half precision: __half and __half2, by the interface of the CUDA Math API. On the device the arithmetic is the
// hardware's; on the host it goes by double and is rounded once.
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
static __inline__ __attribute__((always_inline, nodebug, device, host)) unsigned short
lanescope_float_to_half(float value)
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
static __inline__ __attribute__((always_inline, nodebug, device, host)) float
lanescope_half_to_float(unsigned short bits)
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

#define LANESCOPE_NUMBER __half
#define LANESCOPE_NUMBER_2 __half2
#define LANESCOPE_NAME(BEFORE, BEHIND) BEFORE##half##BEHIND
#define LANESCOPE_NAME_2(BEFORE, BEHIND) BEFORE##half2##BEHIND
#define LANESCOPE_TWICE __half2half2
#define LANESCOPE_ADD "add.f16 %0, %1, %2;"
#define LANESCOPE_ADD_2 "add.f16x2 %0, %1, %2;"
#define LANESCOPE_SUB "sub.f16 %0, %1, %2;"
#define LANESCOPE_SUB_2 "sub.f16x2 %0, %1, %2;"
#define LANESCOPE_MUL "mul.f16 %0, %1, %2;"
#define LANESCOPE_MUL_2 "mul.f16x2 %0, %1, %2;"
#define LANESCOPE_WORD "f16"
#define LANESCOPE_NOT_A_NUMBER 0x7c00
#include "lanescope_float16.h"
#undef LANESCOPE_NUMBER
#undef LANESCOPE_NUMBER_2
#undef LANESCOPE_NAME
#undef LANESCOPE_NAME_2
#undef LANESCOPE_TWICE
#undef LANESCOPE_ADD
#undef LANESCOPE_ADD_2
#undef LANESCOPE_SUB
#undef LANESCOPE_SUB_2
#undef LANESCOPE_MUL
#undef LANESCOPE_MUL_2
#undef LANESCOPE_WORD
#undef LANESCOPE_NOT_A_NUMBER

typedef __half half;
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half __nv_half;
typedef __half2 nv_half2;
typedef __half nv_half;
static __inline__ __attribute__((always_inline, nodebug, device, host)) float2 __half22float2(__half2 value)
{
    return make_float2((float)value.x, (float)value.y);
}
#ifdef __CUDACC__
static __inline__ __attribute__((always_inline, nodebug, device)) __half atomicAdd(__half *place, __half value)
{
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(place), "h"(value.__x) : "memory");
    return __half_raw{before};
}
static __inline__ __attribute__((always_inline, nodebug, device)) __half2 atomicAdd(__half2 *place, __half2 value)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(place), "r"(__builtin_bit_cast(unsigned, value))
                 : "memory");
    return __builtin_bit_cast(__half2, before);
}
#endif
#endif
