// What cuda_fp16.h and cuda_bf16.h share: types of 16 bits, pairs of them, conversions, arithmetic, comparison,
// functions. Included once for each, which first defines the names LANESCOPE_NUMBER, LANESCOPE_NUMBER_2, LANESCOPE_NAME
// (of a function that is named after the type), the instructions, and lanescope_float_to_..., lanescope_..._to_float.
#define LANESCOPE_F16 static __inline__ __attribute__((always_inline, nodebug, device, host))
#define LANESCOPE_F16_MEMBER __inline__ __attribute__((always_inline, nodebug, device, host))
#define LANESCOPE_JOIN_(A, B) A##B
#define LANESCOPE_JOIN(A, B) LANESCOPE_JOIN_(A, B)
#define LANESCOPE_RAW LANESCOPE_JOIN(LANESCOPE_NUMBER, _raw)
#define LANESCOPE_RAW_2 LANESCOPE_JOIN(LANESCOPE_NUMBER_2, _raw)

#ifndef LANESCOPE_ROUND_TO_ODD
#define LANESCOPE_ROUND_TO_ODD
// Returns the double as a float whose last bit says whether anything was lost. Rounding it once more gives what
// rounding the double at once would have given.
LANESCOPE_F16 float lanescope_round_to_odd(double value)
{
    float const near = (float)value;
    unsigned bits = __builtin_bit_cast(unsigned, near);
    if (value != value || (double)near == value)
        return near;
    if (((double)near > value) == (value > 0)) // towards zero
        bits--;
    return __builtin_bit_cast(float, bits | 1);
}
// Likewise a whole number as a double.
LANESCOPE_F16 double lanescope_whole_to_odd(unsigned long long size)
{
    return (double)(size >> 53 ? (size & ~2047ull) | (size & 2047 ? 2048 : 0) : size);
}
enum lanescope_rounding { LANESCOPE_RN, LANESCOPE_RZ, LANESCOPE_RD, LANESCOPE_RU };
#endif

LANESCOPE_F16 unsigned short LANESCOPE_NAME(lanescope_double_to_, )(double value, lanescope_rounding rounding)
{
    unsigned short const bits = LANESCOPE_NAME(lanescope_float_to_, )(lanescope_round_to_odd(value));
    double const got = LANESCOPE_NAME(lanescope_, _to_float)(bits);
    bool const down = rounding == LANESCOPE_RD || (rounding == LANESCOPE_RZ && value > 0);
    bool const up = rounding == LANESCOPE_RU || (rounding == LANESCOPE_RZ && value < 0);
    if (down && got > value)
        return (unsigned short)(bits & 0x8000 ? bits + 1 : bits ? bits - 1 : 0x8001);
    if (up && got < value)
        return (unsigned short)(bits & 0x8000 ? bits == 0x8000 ? 1 : bits - 1 : bits + 1);
    return bits;
}

struct LANESCOPE_RAW {
    unsigned short x;
};
struct LANESCOPE_NUMBER {
    unsigned short __x;
    LANESCOPE_NUMBER() = default;
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER(LANESCOPE_RAW raw) : __x(raw.x)
    {
    }
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER(float value) : __x(LANESCOPE_NAME(lanescope_float_to_, )(value))
    {
    }
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER(double value)
        : __x(LANESCOPE_NAME(lanescope_float_to_, )(lanescope_round_to_odd(value)))
    {
    }
#define LANESCOPE_FROM(T)                                                                                              \
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER(T value) : LANESCOPE_NUMBER((double)value)                                   \
    {                                                                                                                  \
    }
    LANESCOPE_FROM(short)
    LANESCOPE_FROM(unsigned short)
    LANESCOPE_FROM(int)
    LANESCOPE_FROM(unsigned)
    LANESCOPE_FROM(long)
    LANESCOPE_FROM(unsigned long)
    LANESCOPE_FROM(long long)
    LANESCOPE_FROM(unsigned long long)
#undef LANESCOPE_FROM
    LANESCOPE_F16_MEMBER operator float() const
    {
        return LANESCOPE_NAME(lanescope_, _to_float)(__x);
    }
    LANESCOPE_F16_MEMBER operator LANESCOPE_RAW() const
    {
        return {__x};
    }
};
struct __attribute__((aligned(4))) LANESCOPE_RAW_2 {
    unsigned short x, y;
};
struct __attribute__((aligned(4))) LANESCOPE_NUMBER_2 {
    LANESCOPE_NUMBER x, y;
    LANESCOPE_NUMBER_2() = default;
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER_2(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b) : x(a), y(b)
    {
    }
    LANESCOPE_F16_MEMBER LANESCOPE_NUMBER_2(LANESCOPE_RAW_2 raw) : x(LANESCOPE_RAW{raw.x}), y(LANESCOPE_RAW{raw.y})
    {
    }
    LANESCOPE_F16_MEMBER operator LANESCOPE_RAW_2() const
    {
        return {x.__x, y.__x};
    }
};

// ---- bits and pairs ----
LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__ushort_as_, )(unsigned short bits)
{
    return LANESCOPE_RAW{bits};
}
LANESCOPE_F16 unsigned short LANESCOPE_NAME(__, _as_ushort)(LANESCOPE_NUMBER value)
{
    return value.__x;
}
LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__short_as_, )(short bits)
{
    return LANESCOPE_RAW{(unsigned short)bits};
}
LANESCOPE_F16 short LANESCOPE_NAME(__, _as_short)(LANESCOPE_NUMBER value)
{
    return (short)value.__x;
}
#define LANESCOPE_PAIR(NAME, FIRST, SECOND)                                                                            \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                      \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(FIRST, SECOND);                                                                      \
    }
LANESCOPE_PAIR(LANESCOPE_NAME_2(__halves2, ), a, b)
LANESCOPE_PAIR(LANESCOPE_NAME_2(make_, ), a, b)
#undef LANESCOPE_PAIR
#define LANESCOPE_PAIR(NAME, FIRST, SECOND)                                                                            \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                                  \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(FIRST, SECOND);                                                                      \
    }
LANESCOPE_PAIR(LANESCOPE_NAME_2(__lows2, ), a.x, b.x)
LANESCOPE_PAIR(LANESCOPE_NAME_2(__highs2, ), a.y, b.y)
#undef LANESCOPE_PAIR
#define LANESCOPE_PART(RESULT, NAME, EXPRESSION)                                                                       \
    LANESCOPE_F16 RESULT NAME(LANESCOPE_NUMBER_2 value)                                                                \
    {                                                                                                                  \
        return EXPRESSION;                                                                                             \
    }
LANESCOPE_PART(LANESCOPE_NUMBER, LANESCOPE_NAME(__low2, ), value.x)
LANESCOPE_PART(LANESCOPE_NUMBER, LANESCOPE_NAME(__high2, ), value.y)
LANESCOPE_PART(LANESCOPE_NUMBER_2, LANESCOPE_NAME_2(__low2, ), LANESCOPE_NUMBER_2(value.x, value.x))
LANESCOPE_PART(LANESCOPE_NUMBER_2, LANESCOPE_NAME_2(__high2, ), LANESCOPE_NUMBER_2(value.y, value.y))
LANESCOPE_PART(LANESCOPE_NUMBER_2, __lowhigh2highlow, LANESCOPE_NUMBER_2(value.y, value.x))
LANESCOPE_PART(float, __low2float, (float)value.x)
LANESCOPE_PART(float, __high2float, (float)value.y)
#undef LANESCOPE_PART
LANESCOPE_F16 LANESCOPE_NUMBER_2 LANESCOPE_TWICE(LANESCOPE_NUMBER a)
{
    return LANESCOPE_NUMBER_2(a, a);
}

// ---- conversions ----
#define LANESCOPE_ROUNDINGS(ROW)                                                                                       \
    ROW(rn, LANESCOPE_RN, __builtin_rintf)                                                                             \
    ROW(rz, LANESCOPE_RZ, __builtin_truncf)                                                                            \
    ROW(rd, LANESCOPE_RD, __builtin_floorf)                                                                            \
    ROW(ru, LANESCOPE_RU, __builtin_ceilf)
#define LANESCOPE_CONVERSION(SUFFIX, ROUNDING, WHOLE)                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__float2, _##SUFFIX)(float value)                                    \
    {                                                                                                                  \
        return LANESCOPE_RAW{ROUNDING == LANESCOPE_RN                                                                  \
                                 ? LANESCOPE_NAME(lanescope_float_to_, )(value)                                        \
                                 : LANESCOPE_NAME(lanescope_double_to_, )((double)value, ROUNDING)};                   \
    }                                                                                                                  \
    LANESCOPE_WHOLE(short, short, -32768.0f, 32767.0f, SUFFIX, ROUNDING, WHOLE)                                        \
    LANESCOPE_WHOLE(ushort, unsigned short, 0.0f, 65535.0f, SUFFIX, ROUNDING, WHOLE)                                   \
    LANESCOPE_WHOLE(int, int, -2147483648.0f, 2147483648.0f, SUFFIX, ROUNDING, WHOLE)                                  \
    LANESCOPE_WHOLE(uint, unsigned, 0.0f, 4294967296.0f, SUFFIX, ROUNDING, WHOLE)                                      \
    LANESCOPE_WHOLE(ll, long long, -9223372036854775808.0f, 9223372036854775808.0f, SUFFIX, ROUNDING, WHOLE)           \
    LANESCOPE_WHOLE(ull, unsigned long long, 0.0f, 18446744073709551616.0f, SUFFIX, ROUNDING, WHOLE)
// A number that is too large becomes the largest, what is no number 0.
#define LANESCOPE_WHOLE(WORD, T, LOW, HIGH, SUFFIX, ROUNDING, WHOLE)                                                   \
    LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__##WORD##2, _##SUFFIX)(T value)                                     \
    {                                                                                                                  \
        double const size =                                                                                            \
            lanescope_whole_to_odd(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);             \
        return LANESCOPE_RAW{LANESCOPE_NAME(lanescope_double_to_, )(value < 0 ? -size : size, ROUNDING)};              \
    }                                                                                                                  \
    LANESCOPE_F16 T LANESCOPE_NAME(__, 2##WORD##_##SUFFIX)(LANESCOPE_NUMBER value)                                     \
    {                                                                                                                  \
        float const whole = WHOLE((float)value);                                                                       \
        T const most = (T)((unsigned long long)-1 >> (65 - 8 * sizeof(T) - ((T)-1 > 0)));                              \
        return whole != whole ? (T)0 : whole <= LOW ? (T)LOW : whole >= HIGH ? most : (T)whole;                        \
    }
LANESCOPE_ROUNDINGS(LANESCOPE_CONVERSION)
#undef LANESCOPE_WHOLE
#undef LANESCOPE_CONVERSION
#undef LANESCOPE_ROUNDINGS
LANESCOPE_F16 signed char LANESCOPE_NAME(__, 2char_rz)(LANESCOPE_NUMBER value)
{
    int const whole = LANESCOPE_NAME(__, 2int_rz)(value);
    return (signed char)(whole < -128 ? -128 : whole > 127 ? 127 : whole);
}
LANESCOPE_F16 unsigned char LANESCOPE_NAME(__, 2uchar_rz)(LANESCOPE_NUMBER value)
{
    int const whole = LANESCOPE_NAME(__, 2int_rz)(value);
    return (unsigned char)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
}
LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__float2, )(float value)
{
    return LANESCOPE_NUMBER(value);
}
LANESCOPE_F16 LANESCOPE_NUMBER LANESCOPE_NAME(__double2, )(double value)
{
    return LANESCOPE_NUMBER(value);
}
LANESCOPE_F16 float LANESCOPE_NAME(__, 2float)(LANESCOPE_NUMBER value)
{
    return (float)value;
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 LANESCOPE_NAME_2(__float2, _rn)(float value)
{
    return LANESCOPE_NUMBER_2(LANESCOPE_NUMBER(value), LANESCOPE_NUMBER(value));
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 LANESCOPE_NAME_2(__floats2, _rn)(float a, float b)
{
    return LANESCOPE_NUMBER_2(LANESCOPE_NUMBER(a), LANESCOPE_NUMBER(b));
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 LANESCOPE_NAME_2(__float22, _rn)(float2 value)
{
    return LANESCOPE_NUMBER_2(LANESCOPE_NUMBER(value.x), LANESCOPE_NUMBER(value.y));
}

// ---- arithmetic ----
// One operation of the hardware on one number and on two; on the host by double.
#ifdef __CUDA_ARCH__
#define LANESCOPE_OPERATION(NAME, WORDS, WORDS_2, HOST)                                                                \
    LANESCOPE_F16 LANESCOPE_NUMBER NAME(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                        \
    {                                                                                                                  \
        unsigned short bits;                                                                                           \
        asm(WORDS : "=h"(bits) : "h"(a.__x), "h"(b.__x));                                                              \
        return LANESCOPE_RAW{bits};                                                                                    \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME##2(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                               \
    {                                                                                                                  \
        unsigned bits;                                                                                                 \
        asm(WORDS_2 : "=r"(bits) : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)));        \
        return __builtin_bit_cast(LANESCOPE_NUMBER_2, bits);                                                           \
    }
#else
#define LANESCOPE_OPERATION(NAME, WORDS, WORDS_2, HOST)                                                                \
    LANESCOPE_F16 LANESCOPE_NUMBER NAME(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                        \
    {                                                                                                                  \
        double const x = (double)(float)a, y = (double)(float)b;                                                       \
        return LANESCOPE_NUMBER(HOST);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME##2(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                               \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(NAME(a.x, b.x), NAME(a.y, b.y));                                                     \
    }
#endif
LANESCOPE_OPERATION(__hadd, LANESCOPE_ADD, LANESCOPE_ADD_2, x + y)
LANESCOPE_OPERATION(__hsub, LANESCOPE_SUB, LANESCOPE_SUB_2, x - y)
LANESCOPE_OPERATION(__hmul, LANESCOPE_MUL, LANESCOPE_MUL_2, x *y)
LANESCOPE_OPERATION(__hmin, "min." LANESCOPE_WORD " %0, %1, %2;", "min." LANESCOPE_WORD "x2 %0, %1, %2;",
                    __builtin_fmin(x, y))
LANESCOPE_OPERATION(__hmax, "max." LANESCOPE_WORD " %0, %1, %2;", "max." LANESCOPE_WORD "x2 %0, %1, %2;",
                    __builtin_fmax(x, y))
#undef LANESCOPE_OPERATION
LANESCOPE_F16 LANESCOPE_NUMBER __hfma(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b, LANESCOPE_NUMBER c)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("fma.rn." LANESCOPE_WORD " %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return LANESCOPE_RAW{bits};
#else
    return LANESCOPE_NUMBER((double)(float)a * (double)(float)b + (double)(float)c);
#endif
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hfma2(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b, LANESCOPE_NUMBER_2 c)
{
#ifdef __CUDA_ARCH__
    unsigned bits;
    asm("fma.rn." LANESCOPE_WORD "x2 %0, %1, %2, %3;"
        : "=r"(bits)
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),
          "r"(__builtin_bit_cast(unsigned, c)));
    return __builtin_bit_cast(LANESCOPE_NUMBER_2, bits);
#else
    return LANESCOPE_NUMBER_2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
LANESCOPE_F16 LANESCOPE_NUMBER __hdiv(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)
{
    return LANESCOPE_NUMBER((float)a / (float)b);
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __h2div(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)
{
    return LANESCOPE_NUMBER_2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
LANESCOPE_F16 LANESCOPE_NUMBER __hneg(LANESCOPE_NUMBER a)
{
    return LANESCOPE_RAW{(unsigned short)(a.__x ^ 0x8000)};
}
LANESCOPE_F16 LANESCOPE_NUMBER __habs(LANESCOPE_NUMBER a)
{
    return LANESCOPE_RAW{(unsigned short)(a.__x & 0x7fff)};
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hneg2(LANESCOPE_NUMBER_2 a)
{
    return LANESCOPE_NUMBER_2(__hneg(a.x), __hneg(a.y));
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __habs2(LANESCOPE_NUMBER_2 a)
{
    return LANESCOPE_NUMBER_2(__habs(a.x), __habs(a.y));
}
LANESCOPE_F16 bool __hisnan(LANESCOPE_NUMBER a)
{
    return (a.__x & 0x7fff) > LANESCOPE_NOT_A_NUMBER;
}
LANESCOPE_F16 int __hisinf(LANESCOPE_NUMBER a)
{
    return a.__x == LANESCOPE_NOT_A_NUMBER ? 1 : a.__x == (LANESCOPE_NOT_A_NUMBER | 0x8000) ? -1 : 0;
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hisnan2(LANESCOPE_NUMBER_2 a)
{
    return LANESCOPE_NUMBER_2(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f);
}
// Cut to 0 and 1; what is no number becomes 0. And what is negative becomes 0.
LANESCOPE_F16 LANESCOPE_NUMBER lanescope_saturate(LANESCOPE_NUMBER a)
{
    return (float)a > 0.0f ? (float)a < 1.0f ? a : LANESCOPE_NUMBER(1.0f) : LANESCOPE_NUMBER(0.0f);
}
LANESCOPE_F16 LANESCOPE_NUMBER lanescope_relu(LANESCOPE_NUMBER a)
{
    return (float)a < 0.0f ? LANESCOPE_NUMBER(0.0f) : a;
}
LANESCOPE_F16 LANESCOPE_NUMBER __hmin_nan(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)
{
    return __hisnan(a) || __hisnan(b) ? LANESCOPE_NUMBER(LANESCOPE_RAW{0x7fff}) : __hmin(a, b);
}
LANESCOPE_F16 LANESCOPE_NUMBER __hmax_nan(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)
{
    return __hisnan(a) || __hisnan(b) ? LANESCOPE_NUMBER(LANESCOPE_RAW{0x7fff}) : __hmax(a, b);
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hmin2_nan(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)
{
    return LANESCOPE_NUMBER_2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hmax2_nan(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)
{
    return LANESCOPE_NUMBER_2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
#define LANESCOPE_FORMS(NAME)                                                                                          \
    LANESCOPE_F16 LANESCOPE_NUMBER NAME##_rn(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                   \
    {                                                                                                                  \
        return NAME(a, b);                                                                                             \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER NAME##_sat(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                  \
    {                                                                                                                  \
        return lanescope_saturate(NAME(a, b));                                                                         \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME##2_rn(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                            \
    {                                                                                                                  \
        return NAME##2(a, b);                                                                                          \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 NAME##2_sat(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                           \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(NAME##_sat(a.x, b.x), NAME##_sat(a.y, b.y));                                         \
    }
LANESCOPE_FORMS(__hadd)
LANESCOPE_FORMS(__hsub)
LANESCOPE_FORMS(__hmul)
#undef LANESCOPE_FORMS
#define LANESCOPE_FORMS(NAME, CHANGE)                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER __hfma##NAME(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b, LANESCOPE_NUMBER c)            \
    {                                                                                                                  \
        return CHANGE(__hfma(a, b, c));                                                                                \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 __hfma2##NAME(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b, LANESCOPE_NUMBER_2 c)   \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(__hfma##NAME(a.x, b.x, c.x), __hfma##NAME(a.y, b.y, c.y));                           \
    }
LANESCOPE_FORMS(_sat, lanescope_saturate)
LANESCOPE_FORMS(_relu, lanescope_relu)
#undef LANESCOPE_FORMS
// a * b + c of complex numbers.
LANESCOPE_F16 LANESCOPE_NUMBER_2 __hcmadd(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b, LANESCOPE_NUMBER_2 c)
{
    return LANESCOPE_NUMBER_2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// ---- comparison: as bool, of pairs as 1 or 0, as a mask, and of both at once ----
#define LANESCOPE_COMPARE(NAME, RESULT)                                                                                \
    LANESCOPE_F16 bool __h##NAME(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                               \
    {                                                                                                                  \
        float const x = (float)a, y = (float)b;                                                                        \
        return RESULT;                                                                                                 \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER_2 __h##NAME##2(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                          \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(__h##NAME(a.x, b.x) ? 1.0f : 0.0f, __h##NAME(a.y, b.y) ? 1.0f : 0.0f);               \
    }                                                                                                                  \
    LANESCOPE_F16 unsigned __h##NAME##2_mask(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                               \
    {                                                                                                                  \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0);                          \
    }                                                                                                                  \
    LANESCOPE_F16 bool __hb##NAME##2(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                                       \
    {                                                                                                                  \
        return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                                             \
    }
LANESCOPE_COMPARE(eq, x == y)
LANESCOPE_COMPARE(ne, x<y || x> y)
LANESCOPE_COMPARE(lt, x < y)
LANESCOPE_COMPARE(le, x <= y)
LANESCOPE_COMPARE(gt, x > y)
LANESCOPE_COMPARE(ge, x >= y)
LANESCOPE_COMPARE(equ, !(x < y || x > y))
LANESCOPE_COMPARE(neu, x != y)
LANESCOPE_COMPARE(ltu, !(x >= y))
LANESCOPE_COMPARE(leu, !(x > y))
LANESCOPE_COMPARE(gtu, !(x <= y))
LANESCOPE_COMPARE(geu, !(x < y))
#undef LANESCOPE_COMPARE

// ---- operators ----
#define LANESCOPE_OPERATOR(SIGN, T, NAME)                                                                              \
    LANESCOPE_F16 T operator SIGN(T a, T b)                                                                            \
    {                                                                                                                  \
        return NAME(a, b);                                                                                             \
    }                                                                                                                  \
    LANESCOPE_F16 T &operator SIGN##=(T &a, T b)                                                                       \
    {                                                                                                                  \
        return a = NAME(a, b);                                                                                         \
    }
LANESCOPE_OPERATOR(+, LANESCOPE_NUMBER, __hadd)
LANESCOPE_OPERATOR(-, LANESCOPE_NUMBER, __hsub)
LANESCOPE_OPERATOR(*, LANESCOPE_NUMBER, __hmul)
LANESCOPE_OPERATOR(/, LANESCOPE_NUMBER, __hdiv)
LANESCOPE_OPERATOR(+, LANESCOPE_NUMBER_2, __hadd2)
LANESCOPE_OPERATOR(-, LANESCOPE_NUMBER_2, __hsub2)
LANESCOPE_OPERATOR(*, LANESCOPE_NUMBER_2, __hmul2)
LANESCOPE_OPERATOR(/, LANESCOPE_NUMBER_2, __h2div)
#undef LANESCOPE_OPERATOR
#define LANESCOPE_OPERATOR(SIGN, NAME)                                                                                 \
    LANESCOPE_F16 bool operator SIGN(LANESCOPE_NUMBER a, LANESCOPE_NUMBER b)                                           \
    {                                                                                                                  \
        return __h##NAME(a, b);                                                                                        \
    }                                                                                                                  \
    LANESCOPE_F16 bool operator SIGN(LANESCOPE_NUMBER_2 a, LANESCOPE_NUMBER_2 b)                                       \
    {                                                                                                                  \
        return __hb##NAME##2(a, b);                                                                                    \
    }
LANESCOPE_OPERATOR(==, eq)
LANESCOPE_OPERATOR(!=, neu)
LANESCOPE_OPERATOR(<, lt)
LANESCOPE_OPERATOR(<=, le)
LANESCOPE_OPERATOR(>, gt)
LANESCOPE_OPERATOR(>=, ge)
#undef LANESCOPE_OPERATOR
#define LANESCOPE_OPERATOR(SIGN, NAME)                                                                                 \
    LANESCOPE_F16 LANESCOPE_NUMBER &operator SIGN(LANESCOPE_NUMBER &a)                                                 \
    {                                                                                                                  \
        return a = NAME(a, LANESCOPE_NUMBER(1.0f));                                                                    \
    }                                                                                                                  \
    LANESCOPE_F16 LANESCOPE_NUMBER operator SIGN(LANESCOPE_NUMBER &a, int)                                             \
    {                                                                                                                  \
        LANESCOPE_NUMBER const before = a;                                                                             \
        a = NAME(a, LANESCOPE_NUMBER(1.0f));                                                                           \
        return before;                                                                                                 \
    }
LANESCOPE_OPERATOR(++, __hadd)
LANESCOPE_OPERATOR(--, __hsub)
#undef LANESCOPE_OPERATOR
LANESCOPE_F16 LANESCOPE_NUMBER operator+(LANESCOPE_NUMBER a)
{
    return a;
}
LANESCOPE_F16 LANESCOPE_NUMBER operator-(LANESCOPE_NUMBER a)
{
    return __hneg(a);
}
LANESCOPE_F16 LANESCOPE_NUMBER_2 operator-(LANESCOPE_NUMBER_2 a)
{
    return __hneg2(a);
}

// ---- on the device alone ----
#ifdef __CUDACC__ // a source in C++ alone has no functions for the device
#define LANESCOPE_F16_DEVICE static __inline__ __attribute__((always_inline, nodebug, device))
#define LANESCOPE_FUNCTION(NAME, CALL)                                                                                 \
    LANESCOPE_F16_DEVICE LANESCOPE_NUMBER h##NAME(LANESCOPE_NUMBER a)                                                  \
    {                                                                                                                  \
        return LANESCOPE_NUMBER(CALL((float)a));                                                                       \
    }                                                                                                                  \
    LANESCOPE_F16_DEVICE LANESCOPE_NUMBER_2 h2##NAME(LANESCOPE_NUMBER_2 a)                                             \
    {                                                                                                                  \
        return LANESCOPE_NUMBER_2(h##NAME(a.x), h##NAME(a.y));                                                         \
    }
LANESCOPE_FUNCTION(sqrt, sqrtf)
LANESCOPE_FUNCTION(rsqrt, rsqrtf)
LANESCOPE_FUNCTION(rcp, 1.0f /)
LANESCOPE_FUNCTION(exp, expf)
LANESCOPE_FUNCTION(exp2, exp2f)
LANESCOPE_FUNCTION(exp10, exp10f)
LANESCOPE_FUNCTION(log, logf)
LANESCOPE_FUNCTION(log2, log2f)
LANESCOPE_FUNCTION(log10, log10f)
LANESCOPE_FUNCTION(sin, sinf)
LANESCOPE_FUNCTION(cos, cosf)
LANESCOPE_FUNCTION(tanh, tanhf)
LANESCOPE_FUNCTION(tanh_approx, tanhf)
LANESCOPE_FUNCTION(floor, floorf)
LANESCOPE_FUNCTION(ceil, ceilf)
LANESCOPE_FUNCTION(rint, rintf)
LANESCOPE_FUNCTION(trunc, truncf)
#undef LANESCOPE_FUNCTION
#define LANESCOPE_SHUFFLE(NAME, KIND)                                                                                  \
    LANESCOPE_F16_DEVICE LANESCOPE_NUMBER NAME(unsigned mask, LANESCOPE_NUMBER value, KIND which, int width = 32)      \
    {                                                                                                                  \
        return LANESCOPE_RAW{(unsigned short)NAME(mask, (unsigned)value.__x, which, width)};                           \
    }                                                                                                                  \
    LANESCOPE_F16_DEVICE LANESCOPE_NUMBER_2 NAME(unsigned mask, LANESCOPE_NUMBER_2 value, KIND which, int width = 32)  \
    {                                                                                                                  \
        unsigned const bits = NAME(mask, __builtin_bit_cast(unsigned, value), which, width);                           \
        return __builtin_bit_cast(LANESCOPE_NUMBER_2, bits);                                                           \
    }
LANESCOPE_SHUFFLE(__shfl_sync, int)
LANESCOPE_SHUFFLE(__shfl_up_sync, unsigned)
LANESCOPE_SHUFFLE(__shfl_down_sync, unsigned)
LANESCOPE_SHUFFLE(__shfl_xor_sync, int)
#undef LANESCOPE_SHUFFLE
#undef LANESCOPE_F16_DEVICE
#endif
#undef LANESCOPE_F16
#undef LANESCOPE_F16_MEMBER
#undef LANESCOPE_RAW
#undef LANESCOPE_RAW_2
#undef LANESCOPE_JOIN
#undef LANESCOPE_JOIN_
