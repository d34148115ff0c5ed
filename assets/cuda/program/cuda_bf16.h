// Brain floats: __nv_bfloat16 and __nv_bfloat162, by the interface of the CUDA Math API. On the device the arithmetic
// is the hardware's, which has one operation on sm_80, a * b + c; on the host it goes by double and is rounded once.
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
static __inline__ __attribute__((always_inline, nodebug, device, host)) unsigned short
lanescope_float_to_bfloat16(float value)
{
    unsigned const bits = __builtin_bit_cast(unsigned, value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static __inline__ __attribute__((always_inline, nodebug, device, host)) float
lanescope_bfloat16_to_float(unsigned short bits)
{
    return __builtin_bit_cast(float, (unsigned)bits << 16);
}

#define LANESCOPE_NUMBER __nv_bfloat16
#define LANESCOPE_NUMBER_2 __nv_bfloat162
#define LANESCOPE_NAME(BEFORE, BEHIND) BEFORE##bfloat16##BEHIND
#define LANESCOPE_NAME_2(BEFORE, BEHIND) BEFORE##bfloat162##BEHIND
#define LANESCOPE_TWICE __bfloat162bfloat162
// A sum, difference and product as a * b + c, with the constant 1, -1 or -0.
#define LANESCOPE_BY(BITS, X2, CONSTANT, OPERANDS)                                                                     \
    "{.reg .b" BITS " c; mov.b" BITS " c, " CONSTANT "; fma.rn.bf16" X2 " %0, " OPERANDS ";}"
#define LANESCOPE_ADD LANESCOPE_BY("16", "", "0x3f80", "%1, c, %2")
#define LANESCOPE_ADD_2 LANESCOPE_BY("32", "x2", "0x3f803f80", "%1, c, %2")
#define LANESCOPE_SUB LANESCOPE_BY("16", "", "0xbf80", "%2, c, %1")
#define LANESCOPE_SUB_2 LANESCOPE_BY("32", "x2", "0xbf80bf80", "%2, c, %1")
#define LANESCOPE_MUL LANESCOPE_BY("16", "", "0x8000", "%1, %2, c")
#define LANESCOPE_MUL_2 LANESCOPE_BY("32", "x2", "0x80008000", "%1, %2, c")
#define LANESCOPE_WORD "bf16"
#define LANESCOPE_NOT_A_NUMBER 0x7f80
#include "lanescope_float16.h"
#undef LANESCOPE_NUMBER
#undef LANESCOPE_NUMBER_2
#undef LANESCOPE_NAME
#undef LANESCOPE_NAME_2
#undef LANESCOPE_TWICE
#undef LANESCOPE_BY
#undef LANESCOPE_ADD
#undef LANESCOPE_ADD_2
#undef LANESCOPE_SUB
#undef LANESCOPE_SUB_2
#undef LANESCOPE_MUL
#undef LANESCOPE_MUL_2
#undef LANESCOPE_WORD
#undef LANESCOPE_NOT_A_NUMBER

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
static __inline__ __attribute__((always_inline, nodebug, device, host)) float2 __bfloat1622float2(__nv_bfloat162 value)
{
    return make_float2((float)value.x, (float)value.y);
}
#ifdef __CUDACC__
// sm_80 has no such atomic operation.
static __inline__ __attribute__((always_inline, nodebug, device)) __nv_bfloat16 atomicAdd(__nv_bfloat16 *place,
                                                                                          __nv_bfloat16 value)
{
    unsigned short *bits = (unsigned short *)place;
    unsigned short found = *(volatile unsigned short *)bits, expected;
    do {
        expected = found;
        __nv_bfloat16 const sum = __hadd(__nv_bfloat16(__nv_bfloat16_raw{expected}), value);
        found = atomicCAS(bits, expected, sum.__x);
    } while (found != expected);
    return __nv_bfloat16_raw{found};
}
static __inline__ __attribute__((always_inline, nodebug, device)) __nv_bfloat162 atomicAdd(__nv_bfloat162 *place,
                                                                                           __nv_bfloat162 value)
{
    unsigned *bits = (unsigned *)place;
    unsigned found = *(volatile unsigned *)bits, expected;
    do {
        expected = found;
        __nv_bfloat162 const sum = __hadd2(__builtin_bit_cast(__nv_bfloat162, expected), value);
        found = atomicCAS(bits, expected, __builtin_bit_cast(unsigned, sum));
    } while (found != expected);
    return __builtin_bit_cast(__nv_bfloat162, found);
}
#endif
#endif
