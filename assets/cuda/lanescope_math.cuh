// The mathematical functions of CUDA C, for clang. A function with a hardware instruction uses it. The others reduce
// their argument and sum a series whose length suits the reduced range.
#pragma once
#define LANESCOPE_PAIR(NAME, CALL)                                                                                     \
    LANESCOPE_FN float NAME##f(float x)                                                                                \
    {                                                                                                                  \
        return __builtin_##CALL##f(x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN double NAME(double x)                                                                                 \
    {                                                                                                                  \
        return __builtin_##CALL(x);                                                                                    \
    }                                                                                                                  \
    LANESCOPE_FN float NAME(float x)                                                                                   \
    {                                                                                                                  \
        return __builtin_##CALL##f(x);                                                                                 \
    }
LANESCOPE_PAIR(fabs, fabs)
LANESCOPE_PAIR(floor, floor)
LANESCOPE_PAIR(ceil, ceil)
LANESCOPE_PAIR(trunc, trunc)
LANESCOPE_PAIR(rint, rint)
LANESCOPE_PAIR(nearbyint, nearbyint)
#undef LANESCOPE_PAIR
LANESCOPE_FN float abs(float x)
{
    return fabsf(x);
}
LANESCOPE_FN double abs(double x)
{
    return fabs(x);
}
LANESCOPE_FN float sqrtf(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
LANESCOPE_FN double sqrt(double x)
{
    return __nvvm_sqrt_rn_d(x);
}
LANESCOPE_FN float sqrt(float x)
{
    return sqrtf(x);
}
LANESCOPE_FN float fmaf(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
LANESCOPE_FN double fma(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}
LANESCOPE_FN float fma(float a, float b, float c)
{
    return fmaf(a, b, c);
}
LANESCOPE_FN float fminf(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
LANESCOPE_FN float fmaxf(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
LANESCOPE_FN double fmin(double a, double b)
{
    return __nvvm_fmin_d(a, b);
}
LANESCOPE_FN double fmax(double a, double b)
{
    return __nvvm_fmax_d(a, b);
}
LANESCOPE_FN float fmin(float a, float b)
{
    return fminf(a, b);
}
LANESCOPE_FN float fmax(float a, float b)
{
    return fmaxf(a, b);
}
LANESCOPE_BOTH float min(float a, float b)
{
    return __builtin_fminf(a, b);
}
LANESCOPE_BOTH float max(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
LANESCOPE_BOTH double min(double a, double b)
{
    return __builtin_fmin(a, b);
}
LANESCOPE_BOTH double max(double a, double b)
{
    return __builtin_fmax(a, b);
}
LANESCOPE_BOTH double min(float a, double b)
{
    return __builtin_fmin((double)a, (double)b);
}
LANESCOPE_BOTH double max(float a, double b)
{
    return __builtin_fmax((double)a, (double)b);
}
LANESCOPE_BOTH double min(double a, float b)
{
    return __builtin_fmin((double)a, (double)b);
}
LANESCOPE_BOTH double max(double a, float b)
{
    return __builtin_fmax((double)a, (double)b);
}
LANESCOPE_FN float fdimf(float a, float b)
{
    return a > b ? a - b : 0.0f;
}
LANESCOPE_FN float __saturatef(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f);
}
LANESCOPE_FN float copysignf(float a, float b)
{
    return __uint_as_float((__float_as_uint(a) & 0x7fffffffu) | (__float_as_uint(b) & 0x80000000u));
}
LANESCOPE_FN double copysign(double a, double b)
{
    unsigned long long const sign = 0x8000000000000000ull;
    return __longlong_as_double((long long)(((unsigned long long)__double_as_longlong(a) & ~sign) |
                                            ((unsigned long long)__double_as_longlong(b) & sign)));
}
LANESCOPE_FN double round(double x)
{
    double const whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole;
}
LANESCOPE_FN float roundf(float x)
{
    float const whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : whole;
}
LANESCOPE_FN float round(float x)
{
    return roundf(x);
}
LANESCOPE_FN long lroundf(float x)
{
    return (long)roundf(x);
}
LANESCOPE_FN long lround(double x)
{
    return (long)round(x);
}
LANESCOPE_FN long lrintf(float x)
{
    return (long)rintf(x);
}
#ifndef LANESCOPE_PROGRAM // the C++ library has them for both halves
LANESCOPE_FN bool isnan(float x)
{
    return x != x;
}
LANESCOPE_FN bool isnan(double x)
{
    return x != x;
}
LANESCOPE_FN bool isinf(float x)
{
    return fabsf(x) == __builtin_huge_valf();
}
LANESCOPE_FN bool isinf(double x)
{
    return fabs(x) == __builtin_huge_val();
}
LANESCOPE_FN bool isfinite(float x)
{
    return fabsf(x) < __builtin_huge_valf();
}
LANESCOPE_FN bool isfinite(double x)
{
    return fabs(x) < __builtin_huge_val();
}
LANESCOPE_FN bool signbit(double x)
{
    return __double_as_longlong(x) < 0;
}
#endif

// Returns 2^k for k from -1022 to 1023.
LANESCOPE_FN double lanescope_power_of_two(int k)
{
    return __longlong_as_double((long long)(k + 1023) << 52);
}
LANESCOPE_FN double ldexp(double x, int k)
{
    k = k > 2200 ? 2200 : k < -2200 ? -2200 : k;
    int const part = k / 4;
    double const step = lanescope_power_of_two(part);
    return x * step * step * step * lanescope_power_of_two(k - 3 * part);
}
LANESCOPE_FN float ldexpf(float x, int k)
{
    return (float)ldexp((double)x, k);
}

// Returns e^x: x = k ln 2 + r with |r| <= ln 2 / 2, then the series of e^r to r^14 / 14!.
LANESCOPE_FN double exp(double x)
{
    if (!(x < 709.8))
        return x > 0 ? __builtin_huge_val() : x;
    if (x < -745.2)
        return 0.0;
    double const k = rint(x * 1.4426950408889634);
    double const r = fma(k, -1.9082149292705877e-10, fma(k, -6.93147180369123816490e-01, x));
    double sum = 1.0;
#pragma unroll
    for (int i = 14; i > 0; i--)
        sum = fma(sum * r, 1.0 / i, 1.0);
    return ldexp(sum, (int)k);
}
// Returns ln x: x = 2^k m with m from sqrt(1/2) to sqrt(2); ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), where
// s = (m - 1) / (m + 1).
LANESCOPE_FN double log(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_huge_val() : __builtin_nan("");
    if (__builtin_isinf(x))
        return x;
    int shift = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        shift = -54;
    }
    long long const bits = __double_as_longlong(x);
    int k = (int)(bits >> 52) - 1023;
    double m = __longlong_as_double((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k++;
    }
    double const f = m - 1.0, s = f / (m + 1.0), square = s * s;
    double sum = 0.0;
#pragma unroll
    for (int i = 21; i >= 3; i -= 2)
        sum = fma(sum, square, 1.0 / i);
    double const tail = 2.0 * s * square * sum;
    double const whole = (double)(k + shift);
    return fma(whole, 6.93147180369123816490e-01, 2.0 * s + (tail + whole * 1.90821492927058770002e-10));
}
LANESCOPE_FN double exp2(double x)
{
    double const k = rint(x);
    if (!(fabs(x) < 1100.0))
        return x != x ? x : x > 0 ? __builtin_huge_val() : 0.0;
    return ldexp(exp((x - k) * 0.6931471805599453), (int)k);
}
LANESCOPE_FN double exp10(double x)
{
    return exp(x * 2.302585092994046);
}
LANESCOPE_FN double expm1(double x)
{
    if (fabs(x) > 0.3)
        return exp(x) - 1.0;
    double sum = 1.0;
#pragma unroll
    for (int i = 14; i > 1; i--)
        sum = fma(sum * x, 1.0 / i, 1.0);
    return x * sum;
}
LANESCOPE_FN double log2(double x)
{
    return log(x) * 1.4426950408889634;
}
LANESCOPE_FN double log10(double x)
{
    return log(x) * 0.4342944819032518;
}
LANESCOPE_FN double log1p(double x)
{
    double const y = 1.0 + x;
    return y == 1.0 || __builtin_isinf(y) ? x : log(y) * (x / (y - 1.0));
}
LANESCOPE_FN double pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    bool const whole = trunc(y) == y, odd = whole && fabs(y) < 9007199254740992.0 && ((long long)y & 1);
    if (x == 0.0)
        return y > 0 ? (odd ? x : 0.0) : (odd ? 1.0 / x : __builtin_huge_val());
    if (x < 0 && !whole)
        return __builtin_nan("");
    double result;
    if (whole && fabs(y) <= 64.0) { // a small integer power: repeated squaring is more accurate
        double base = fabs(x);
        result = 1.0;
        for (int n = (int)fabs(y); n; n >>= 1, base *= base)
            if (n & 1)
                result *= base;
        result = y < 0 ? 1.0 / result : result;
    } else {
        result = exp(y * log(fabs(x)));
    }
    return x < 0 && odd ? -result : result;
}

// sin and cos of x = k pi / 2 + r with |r| <= pi / 4; the quarter selects one of the two and its sign.
LANESCOPE_FN double lanescope_sine_series(double r)
{
    double const square = r * r;
    double sum = 1.0;
#pragma unroll
    for (int i = 17; i > 1; i -= 2)
        sum = fma(-sum * square, 1.0 / (i * (i - 1)), 1.0);
    return r * sum;
}
LANESCOPE_FN double lanescope_cosine_series(double r)
{
    double const square = r * r;
    double sum = 1.0;
#pragma unroll
    for (int i = 18; i > 0; i -= 2)
        sum = fma(-sum * square, 1.0 / (i * (i - 1)), 1.0);
    return sum;
}
LANESCOPE_FN double lanescope_sine(double x, int quarter)
{
    double const k = rint(x * 0.6366197723675814);
    double r = fma(k, -1.5707963267948966, x);
    r = fma(k, -6.123233995736766e-17, r);
    quarter += (int)(long long)k;
    double const value = quarter & 1 ? lanescope_cosine_series(r) : lanescope_sine_series(r);
    return __builtin_isinf(x) ? __builtin_nan("") : quarter & 2 ? -value : value;
}
LANESCOPE_FN double sin(double x)
{
    return lanescope_sine(x, 0);
}
LANESCOPE_FN double cos(double x)
{
    return lanescope_sine(x, 1);
}
LANESCOPE_FN double tan(double x)
{
    return sin(x) / cos(x);
}
// Returns arctan x. Halving the angle twice keeps the series short.
LANESCOPE_FN double atan(double x)
{
    double const size = fabs(x);
    double t = size > 1.0 ? 1.0 / size : size;
    t = t / (1.0 + sqrt(fma(t, t, 1.0)));
    t = t / (1.0 + sqrt(fma(t, t, 1.0)));
    double const square = t * t;
    double sum = 0.0;
#pragma unroll
    for (int i = 27; i > 0; i -= 2)
        sum = fma(-sum, square, 1.0 / i);
    double const angle = 4.0 * t * sum;
    return copysign(size > 1.0 ? 1.5707963267948966 - angle : angle, x);
}
LANESCOPE_FN double atan2(double y, double x)
{
    if (x == 0.0 && y == 0.0)
        return __builtin_signbit(x) ? copysign(3.141592653589793, y) : y;
    if (fabs(y) > fabs(x))
        return copysign(1.5707963267948966, y) - atan(x / y);
    double const angle = __builtin_isinf(x) && __builtin_isinf(y) ? copysign(0.7853981633974483, x) * copysign(1.0, y) : atan(y / x);
    return x < 0.0 ? angle + copysign(3.141592653589793, y) : angle;
}
LANESCOPE_FN double asin(double x)
{
    return atan2(x, sqrt((1.0 - x) * (1.0 + x)));
}
LANESCOPE_FN double acos(double x)
{
    return atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}
LANESCOPE_FN double sinh(double x)
{
    double const e = expm1(fabs(x));
    return copysign(e > 1e300 ? e * 0.5 : 0.5 * (e + e / (e + 1.0)), x);
}
LANESCOPE_FN double cosh(double x)
{
    double const e = exp(fabs(x));
    return 0.5 * e + 0.5 / e;
}
LANESCOPE_FN double tanh(double x)
{
    if (fabs(x) > 22.0)
        return copysign(1.0, x);
    double const e = expm1(2.0 * fabs(x));
    return x != x ? x : copysign(e / (e + 2.0), x);
}
LANESCOPE_FN double cbrt(double x)
{
    if (x == 0.0 || __builtin_isinf(x) || x != x)
        return x;
    double root = exp(log(fabs(x)) * (1.0 / 3.0));
    root = root - (root - fabs(x) / (root * root)) * (1.0 / 3.0);
    return copysign(root, x);
}
LANESCOPE_FN double hypot(double x, double y)
{
    double const large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    double const ratio = large > 0.0 && !__builtin_isinf(large) ? small / large : 0.0;
    return large * sqrt(fma(ratio, ratio, 1.0));
}
// Returns the exact remainder, by long division in powers of two.
LANESCOPE_FN double fmod(double x, double y)
{
    double rest = fabs(x), by = fabs(y);
    if (!(by > 0.0) || __builtin_isinf(rest) || x != x)
        return __builtin_nan("");
    while (rest >= by) {
        double step = by;
        while (step * 2.0 <= rest)
            step *= 2.0;
        rest -= step;
    }
    return copysign(rest, x);
}

#define LANESCOPE_FLOAT(NAME)                                                                                          \
    LANESCOPE_FN float NAME##f(float x)                                                                                \
    {                                                                                                                  \
        return (float)NAME((double)x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN float NAME(float x)                                                                                   \
    {                                                                                                                  \
        return NAME##f(x);                                                                                             \
    }
#define LANESCOPE_FLOAT_2(NAME)                                                                                        \
    LANESCOPE_FN float NAME##f(float x, float y)                                                                       \
    {                                                                                                                  \
        return (float)NAME((double)x, (double)y);                                                                      \
    }                                                                                                                  \
    LANESCOPE_FN float NAME(float x, float y)                                                                          \
    {                                                                                                                  \
        return NAME##f(x, y);                                                                                          \
    }
LANESCOPE_FLOAT(exp)
LANESCOPE_FLOAT(exp2)
LANESCOPE_FLOAT(exp10)
LANESCOPE_FLOAT(expm1)
LANESCOPE_FLOAT(log)
LANESCOPE_FLOAT(log2)
LANESCOPE_FLOAT(log10)
LANESCOPE_FLOAT(log1p)
LANESCOPE_FLOAT(sin)
LANESCOPE_FLOAT(cos)
LANESCOPE_FLOAT(tan)
LANESCOPE_FLOAT(asin)
LANESCOPE_FLOAT(acos)
LANESCOPE_FLOAT(atan)
LANESCOPE_FLOAT(sinh)
LANESCOPE_FLOAT(cosh)
LANESCOPE_FLOAT(tanh)
LANESCOPE_FLOAT(cbrt)
LANESCOPE_FLOAT_2(pow)
LANESCOPE_FLOAT_2(atan2)
LANESCOPE_FLOAT_2(hypot)
LANESCOPE_FLOAT_2(fmod)
#undef LANESCOPE_FLOAT
#undef LANESCOPE_FLOAT_2
// Calls with mixed types are computed in double, as in C++.
LANESCOPE_FN double pow(double x, int y)
{
    return pow(x, (double)y);
}
LANESCOPE_FN float pow(float x, int y)
{
    return powf(x, (float)y);
}
LANESCOPE_FN double pow(float x, double y)
{
    return pow((double)x, y);
}
LANESCOPE_FN double pow(double x, float y)
{
    return pow(x, (double)y);
}
#define LANESCOPE_INTEGER(NAME)                                                                                        \
    LANESCOPE_FN double NAME(int x)                                                                                    \
    {                                                                                                                  \
        return NAME((double)x);                                                                                        \
    }
LANESCOPE_INTEGER(sqrt)
LANESCOPE_INTEGER(exp)
LANESCOPE_INTEGER(log)
LANESCOPE_INTEGER(sin)
LANESCOPE_INTEGER(cos)
LANESCOPE_INTEGER(floor)
LANESCOPE_INTEGER(ceil)
#undef LANESCOPE_INTEGER
LANESCOPE_FN void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
LANESCOPE_FN void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

#include "lanescope_special.cuh"
#ifndef LANESCOPE_PROGRAM
#include "lanescope_cuda_math.cuh"
#endif

// ---- the hardware's fast functions, and single operations with a stated rounding ----
LANESCOPE_FN float __expf(float x)
{
    return __nvvm_ex2_approx_f(x * 1.4426950408889634f);
}
LANESCOPE_FN float __exp10f(float x)
{
    return __nvvm_ex2_approx_f(x * 3.3219280948873623f);
}
LANESCOPE_FN float __log2f(float x)
{
    return __nvvm_lg2_approx_f(x);
}
LANESCOPE_FN float __logf(float x)
{
    return __nvvm_lg2_approx_f(x) * 0.6931471805599453f;
}
LANESCOPE_FN float __log10f(float x)
{
    return __nvvm_lg2_approx_f(x) * 0.3010299956639812f;
}
LANESCOPE_FN float __sinf(float x)
{
    return __nvvm_sin_approx_f(x);
}
LANESCOPE_FN float __cosf(float x)
{
    return __nvvm_cos_approx_f(x);
}
LANESCOPE_FN void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
LANESCOPE_FN float __fdividef(float x, float y)
{
    return __nvvm_div_approx_f(x, y);
}
LANESCOPE_FN float __tanf(float x)
{
    return __fdividef(__sinf(x), __cosf(x));
}
LANESCOPE_FN float __powf(float x, float y)
{
    return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
#define LANESCOPE_ROUNDED(NAME, SUFFIX)                                                                                \
    LANESCOPE_FN float __fadd_##NAME(float x, float y)                                                                 \
    {                                                                                                                  \
        return __nvvm_add_##SUFFIX##_f(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN float __fsub_##NAME(float x, float y)                                                                 \
    {                                                                                                                  \
        return __nvvm_add_##SUFFIX##_f(x, -y);                                                                         \
    }                                                                                                                  \
    LANESCOPE_FN float __fmul_##NAME(float x, float y)                                                                 \
    {                                                                                                                  \
        return __nvvm_mul_##SUFFIX##_f(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN float __fdiv_##NAME(float x, float y)                                                                 \
    {                                                                                                                  \
        return __nvvm_div_##SUFFIX##_f(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN float __fmaf_##NAME(float x, float y, float z)                                                        \
    {                                                                                                                  \
        return __nvvm_fma_##SUFFIX##_f(x, y, z);                                                                       \
    }                                                                                                                  \
    LANESCOPE_FN float __fsqrt_##NAME(float x)                                                                         \
    {                                                                                                                  \
        return __nvvm_sqrt_##SUFFIX##_f(x);                                                                            \
    }                                                                                                                  \
    LANESCOPE_FN float __frcp_##NAME(float x)                                                                          \
    {                                                                                                                  \
        return __nvvm_rcp_##SUFFIX##_f(x);                                                                             \
    }                                                                                                                  \
    LANESCOPE_FN double __dadd_##NAME(double x, double y)                                                              \
    {                                                                                                                  \
        return __nvvm_add_##SUFFIX##_d(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN double __dmul_##NAME(double x, double y)                                                              \
    {                                                                                                                  \
        return __nvvm_mul_##SUFFIX##_d(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN double __fma_##NAME(double x, double y, double z)                                                     \
    {                                                                                                                  \
        return __nvvm_fma_##SUFFIX##_d(x, y, z);                                                                       \
    }                                                                                                                  \
    LANESCOPE_FN int __float2int_##NAME(float x)                                                                       \
    {                                                                                                                  \
        return __nvvm_f2i_##SUFFIX(x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN unsigned __float2uint_##NAME(float x)                                                                 \
    {                                                                                                                  \
        return __nvvm_f2ui_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN float __int2float_##NAME(int x)                                                                       \
    {                                                                                                                  \
        return __nvvm_i2f_##SUFFIX(x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN float __uint2float_##NAME(unsigned x)                                                                 \
    {                                                                                                                  \
        return __nvvm_ui2f_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN float __double2float_##NAME(double x)                                                                 \
    {                                                                                                                  \
        return __nvvm_d2f_##SUFFIX(x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN int __double2int_##NAME(double x)                                                                     \
    {                                                                                                                  \
        return __nvvm_d2i_##SUFFIX(x);                                                                                 \
    }                                                                                                                  \
    LANESCOPE_FN double __ddiv_##NAME(double x, double y)                                                              \
    {                                                                                                                  \
        return __nvvm_div_##SUFFIX##_d(x, y);                                                                          \
    }                                                                                                                  \
    LANESCOPE_FN double __dsqrt_##NAME(double x)                                                                       \
    {                                                                                                                  \
        return __nvvm_sqrt_##SUFFIX##_d(x);                                                                            \
    }                                                                                                                  \
    LANESCOPE_FN double __drcp_##NAME(double x)                                                                        \
    {                                                                                                                  \
        return __nvvm_rcp_##SUFFIX##_d(x);                                                                             \
    }                                                                                                                  \
    LANESCOPE_FN double __dsub_##NAME(double x, double y)                                                              \
    {                                                                                                                  \
        return __nvvm_add_##SUFFIX##_d(x, -y);                                                                         \
    }                                                                                                                  \
    LANESCOPE_FN long long __float2ll_##NAME(float x)                                                                  \
    {                                                                                                                  \
        return __nvvm_f2ll_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN unsigned long long __float2ull_##NAME(float x)                                                        \
    {                                                                                                                  \
        return __nvvm_f2ull_##SUFFIX(x);                                                                               \
    }                                                                                                                  \
    LANESCOPE_FN unsigned __double2uint_##NAME(double x)                                                               \
    {                                                                                                                  \
        return __nvvm_d2ui_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN long long __double2ll_##NAME(double x)                                                                \
    {                                                                                                                  \
        return __nvvm_d2ll_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN unsigned long long __double2ull_##NAME(double x)                                                      \
    {                                                                                                                  \
        return __nvvm_d2ull_##SUFFIX(x);                                                                               \
    }                                                                                                                  \
    LANESCOPE_FN float __ll2float_##NAME(long long x)                                                                  \
    {                                                                                                                  \
        return __nvvm_ll2f_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN float __ull2float_##NAME(unsigned long long x)                                                        \
    {                                                                                                                  \
        return __nvvm_ull2f_##SUFFIX(x);                                                                               \
    }                                                                                                                  \
    LANESCOPE_FN double __ll2double_##NAME(long long x)                                                                \
    {                                                                                                                  \
        return __nvvm_ll2d_##SUFFIX(x);                                                                                \
    }                                                                                                                  \
    LANESCOPE_FN double __ull2double_##NAME(unsigned long long x)                                                      \
    {                                                                                                                  \
        return __nvvm_ull2d_##SUFFIX(x);                                                                               \
    }
LANESCOPE_ROUNDED(rn, rn)
LANESCOPE_ROUNDED(rz, rz)
LANESCOPE_ROUNDED(rd, rm)
LANESCOPE_ROUNDED(ru, rp)
#undef LANESCOPE_ROUNDED
LANESCOPE_FN float __frsqrt_rn(float x)
{
    return (float)(1.0 / sqrt((double)x));
}
#define LANESCOPE_IEEE(NAME)                                                                                           \
    LANESCOPE_FN float __fmaf_ieee_##NAME(float x, float y, float z)                                                   \
    {                                                                                                                  \
        return __fmaf_##NAME(x, y, z);                                                                                 \
    }
LANESCOPE_IEEE(rn)
LANESCOPE_IEEE(rz)
LANESCOPE_IEEE(rd)
LANESCOPE_IEEE(ru)
#undef LANESCOPE_IEEE
LANESCOPE_FN double __int2double_rn(int x)
{
    return x;
}
LANESCOPE_FN double __uint2double_rn(unsigned x)
{
    return x;
}
