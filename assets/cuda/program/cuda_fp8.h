// Numbers of 8 bits: __nv_fp8_e4m3 and __nv_fp8_e5m2, pairs and fours of them, by the interface of the CUDA Math API.
// They are only stored: arithmetic goes by half or float.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#ifdef __cplusplus
#define LANESCOPE_FP8 static __inline__ __attribute__((always_inline, nodebug, device, host))
#define LANESCOPE_FP8_MEMBER __inline__ __attribute__((always_inline, nodebug, device, host))
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// Rounds to nearest even. What is too large becomes the largest number, or without saturation infinity, which e4m3 has
// not: there it is no number.
LANESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                        __nv_fp8_interpretation_t interpretation)
{
    bool const e5 = interpretation == __NV_E5M2;
    unsigned long long const bits = __builtin_bit_cast(unsigned long long, value);
    unsigned const sign = (unsigned)(bits >> 56) & 0x80, most = e5 ? 0x7b : 0x7e;
    int const fraction = e5 ? 2 : 3, least = e5 ? -14 : -6, exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (value != value)
        return 0x7f;
    unsigned code = 0x80;
    if (exponent < 16) {
        int const unit = (exponent < least ? least : exponent) - fraction;
        double const scale = __builtin_bit_cast(double, (unsigned long long)(1023 - unit) << 52);
        double const parts = __builtin_fabs(value) * scale + 4503599627370496.0; // rounded to a whole number
        unsigned const count = (unsigned)(__builtin_bit_cast(unsigned long long, parts) & 0xff);
        code = exponent < least ? count : (unsigned)(exponent - least) * (1u << fraction) + count;
    }
    if (code > most)
        code = saturation == __NV_SATFINITE ? most : e5 ? 0x7c : 0x7f;
    return (__nv_fp8_storage_t)(sign | code);
}
LANESCOPE_FP8 float lanescope_fp8_to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t interpretation)
{
    if (interpretation == __NV_E5M2)
        return lanescope_half_to_float((unsigned short)((bits & 0x7f) > 0x7c ? 0x7fff : bits << 8));
    unsigned const size = bits & 0x7f;
    float const sign = bits & 0x80 ? -1.0f : 1.0f;
    if (size == 0x7f)
        return __builtin_nanf("");
    if (size < 8)
        return sign * (float)size * 0.001953125f;
    return sign * __builtin_bit_cast(float, ((size >> 3) + 120) << 23 | (size & 7) << 20);
}
LANESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t interpretation)
{
    return __nv_cvt_double_to_fp8((double)value, saturation, interpretation);
}
LANESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t interpretation)
{
    return __nv_cvt_float_to_fp8(lanescope_half_to_float(value.x), saturation, interpretation);
}
LANESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t interpretation)
{
    return __nv_cvt_float_to_fp8(lanescope_bfloat16_to_float(value.x), saturation, interpretation);
}
LANESCOPE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t interpretation)
{
    return __half_raw{lanescope_float_to_half(lanescope_fp8_to_float(bits, interpretation))};
}
#define LANESCOPE_FP8_PAIR(NAME, T, ONE)                                                                               \
    LANESCOPE_FP8 __nv_fp8x2_storage_t NAME(T value, __nv_saturation_t saturation,                                     \
                                            __nv_fp8_interpretation_t interpretation)                                  \
    {                                                                                                                  \
        return (__nv_fp8x2_storage_t)(ONE(value.x, saturation, interpretation) |                                       \
                                      ONE(value.y, saturation, interpretation) << 8);                                  \
    }
LANESCOPE_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
LANESCOPE_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
LANESCOPE_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2, __nv_cvt_halfraw_to_fp8)
LANESCOPE_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162, __nv_cvt_bfloat16raw_to_fp8)
#undef LANESCOPE_FP8_PAIR
LANESCOPE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits,
                                                     __nv_fp8_interpretation_t interpretation)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)bits, interpretation).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(bits >> 8), interpretation).x};
}

#define LANESCOPE_FP8_FROM(T)                                                                                          \
    LANESCOPE_FP8_MEMBER explicit LANESCOPE_FP8_TYPE(T value)                                                          \
        : __x(__nv_cvt_double_to_fp8((double)value, __NV_SATFINITE, kind))                                             \
    {                                                                                                                  \
    }
#define LANESCOPE_FP8_TO(T)                                                                                            \
    LANESCOPE_FP8_MEMBER explicit operator T() const                                                                   \
    {                                                                                                                  \
        return (T)lanescope_fp8_to_float(__x, kind);                                                                   \
    }
#define LANESCOPE_FP8_MEMBERS(KIND)                                                                                    \
    static constexpr __nv_fp8_interpretation_t kind = KIND;                                                            \
    __nv_fp8_storage_t __x;                                                                                            \
    LANESCOPE_FP8_TYPE() = default;                                                                                    \
    LANESCOPE_FP8_MEMBER explicit LANESCOPE_FP8_TYPE(__half value) : LANESCOPE_FP8_TYPE((float)value)                  \
    {                                                                                                                  \
    }                                                                                                                  \
    LANESCOPE_FP8_MEMBER explicit LANESCOPE_FP8_TYPE(__nv_bfloat16 value) : LANESCOPE_FP8_TYPE((float)value)           \
    {                                                                                                                  \
    }                                                                                                                  \
    LANESCOPE_FP8_FROM(float)                                                                                          \
    LANESCOPE_FP8_FROM(double)                                                                                         \
    LANESCOPE_FP8_FROM(short)                                                                                          \
    LANESCOPE_FP8_FROM(unsigned short)                                                                                 \
    LANESCOPE_FP8_FROM(int)                                                                                            \
    LANESCOPE_FP8_FROM(unsigned)                                                                                       \
    LANESCOPE_FP8_FROM(long)                                                                                           \
    LANESCOPE_FP8_FROM(unsigned long)                                                                                  \
    LANESCOPE_FP8_FROM(long long)                                                                                      \
    LANESCOPE_FP8_FROM(unsigned long long)                                                                             \
    LANESCOPE_FP8_TO(float)                                                                                            \
    LANESCOPE_FP8_TO(double)                                                                                           \
    LANESCOPE_FP8_TO(__half)                                                                                           \
    LANESCOPE_FP8_TO(__nv_bfloat16)                                                                                    \
    LANESCOPE_FP8_TO(int)                                                                                              \
    LANESCOPE_FP8_TO(unsigned)                                                                                         \
    LANESCOPE_FP8_TO(bool)
#define LANESCOPE_FP8_TYPE __nv_fp8_e4m3
struct __nv_fp8_e4m3 {
    LANESCOPE_FP8_MEMBERS(__NV_E4M3)
};
#undef LANESCOPE_FP8_TYPE
#define LANESCOPE_FP8_TYPE __nv_fp8_e5m2
struct __nv_fp8_e5m2 {
    LANESCOPE_FP8_MEMBERS(__NV_E5M2)
};
#undef LANESCOPE_FP8_TYPE
#undef LANESCOPE_FP8_MEMBERS
#undef LANESCOPE_FP8_FROM
#undef LANESCOPE_FP8_TO

#define LANESCOPE_FP8_PAIR(NAME, KIND)                                                                                 \
    struct NAME {                                                                                                      \
        __nv_fp8x2_storage_t __x;                                                                                      \
        NAME() = default;                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(__half2 value)                                                              \
            : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, KIND))                                             \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(__nv_bfloat162 value)                                                       \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, KIND))                                         \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, KIND))  \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(double2 value)                                                              \
            : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, KIND))                                              \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit operator __half2() const                                                         \
        {                                                                                                              \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND));                                                     \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit operator float2() const                                                          \
        {                                                                                                              \
            return make_float2(lanescope_fp8_to_float((__nv_fp8_storage_t)__x, KIND),                                  \
                               lanescope_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), KIND));                          \
        }                                                                                                              \
    };
LANESCOPE_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
LANESCOPE_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
#undef LANESCOPE_FP8_PAIR
#define LANESCOPE_FP8_FOUR(NAME, PAIR)                                                                                 \
    struct NAME {                                                                                                      \
        __nv_fp8x4_storage_t __x;                                                                                      \
        NAME() = default;                                                                                              \
        template <typename T>                                                                                          \
        LANESCOPE_FP8_MEMBER explicit NAME(T low, T high) : __x(PAIR(low).__x | (unsigned)PAIR(high).__x << 16)        \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(float4 value)                                                               \
            : NAME(make_float2(value.x, value.y), make_float2(value.z, value.w))                                       \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit NAME(double4 value)                                                              \
            : NAME(make_double2(value.x, value.y), make_double2(value.z, value.w))                                     \
        {                                                                                                              \
        }                                                                                                              \
        LANESCOPE_FP8_MEMBER explicit operator float4() const                                                          \
        {                                                                                                              \
            PAIR low, high;                                                                                            \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                                       \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                              \
            float2 const a = (float2)low, b = (float2)high;                                                            \
            return make_float4(a.x, a.y, b.x, b.y);                                                                    \
        }                                                                                                              \
    };
LANESCOPE_FP8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
LANESCOPE_FP8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
#undef LANESCOPE_FP8_FOUR
#undef LANESCOPE_FP8
#undef LANESCOPE_FP8_MEMBER
#endif
