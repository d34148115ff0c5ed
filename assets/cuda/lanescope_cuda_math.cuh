// The functions of the CUDA Math API that C's library lacks, for kernels and the host: reciprocal roots, norms, circular
// functions of multiples of pi, inverse error functions, modified Bessel functions. A whole program includes this file
// behind the C library's headers, so that the host's halves call its functions.
#pragma once

// ---- roots and norms ----
LANESCOPE_BOTH float rsqrtf(float x)
{
#ifdef __CUDA_ARCH__
    return __nvvm_rsqrt_approx_f(x);
#else
    return (float)(1.0 / sqrt((double)x));
#endif
}
LANESCOPE_BOTH double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
LANESCOPE_BOTH float rsqrt(float x)
{
    return rsqrtf(x);
}
LANESCOPE_BOTH double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
LANESCOPE_BOTH double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
// Returns the root of the sum of squares, scaled by the largest so that no square overflows.
LANESCOPE_BOTH double norm(int count, const double *values)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    if (largest == 0.0 || largest == __builtin_huge_val())
        return largest;
    for (int i = 0; i < count; i++)
        sum = fma(values[i] / largest, values[i] / largest, sum);
    return largest * sqrt(sum);
}
LANESCOPE_BOTH double norm3d(double a, double b, double c)
{
    double const values[] = {a, b, c};
    return norm(3, values);
}
LANESCOPE_BOTH double norm4d(double a, double b, double c, double d)
{
    double const values[] = {a, b, c, d};
    return norm(4, values);
}
LANESCOPE_BOTH double rnorm(int count, const double *values)
{
    return 1.0 / norm(count, values);
}
LANESCOPE_BOTH double rnorm3d(double a, double b, double c)
{
    return 1.0 / norm3d(a, b, c);
}
LANESCOPE_BOTH double rnorm4d(double a, double b, double c, double d)
{
    return 1.0 / norm4d(a, b, c, d);
}
LANESCOPE_BOTH float normf(int count, const float *values)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum = fma((double)values[i], (double)values[i], sum);
    return (float)sqrt(sum);
}
LANESCOPE_BOTH float norm3df(float a, float b, float c)
{
    return (float)norm3d((double)a, (double)b, (double)c);
}
LANESCOPE_BOTH float norm4df(float a, float b, float c, float d)
{
    return (float)norm4d((double)a, (double)b, (double)c, (double)d);
}
LANESCOPE_BOTH float rnormf(int count, const float *values)
{
    return 1.0f / normf(count, values);
}
LANESCOPE_BOTH float rnorm3df(float a, float b, float c)
{
    return (float)rnorm3d((double)a, (double)b, (double)c);
}
LANESCOPE_BOTH float rnorm4df(float a, float b, float c, float d)
{
    return (float)rnorm4d((double)a, (double)b, (double)c, (double)d);
}
LANESCOPE_BOTH float fdividef(float a, float b)
{
    return a / b;
}

// ---- circular functions ----
// The argument is reduced before it is multiplied by pi, so that whole and half numbers are exact.
LANESCOPE_BOTH double sinpi(double x)
{
    double const rest = x - 2.0 * rint(x * 0.5); // from -1 to 1
    if (!(fabs(x) < __builtin_huge_val()))
        return __builtin_nan("");
    double const size = fabs(rest) > 0.5 ? 1.0 - fabs(rest) : fabs(rest);
    double const value = size > 0.25 ? cos((0.5 - size) * 3.141592653589793) : sin(size * 3.141592653589793);
    return copysign(value, rest == 0.0 || fabs(rest) == 1.0 ? x : rest);
}
LANESCOPE_BOTH double cospi(double x)
{
    double const rest = fabs(x - 2.0 * rint(x * 0.5)), size = rest > 0.5 ? 1.0 - rest : rest;
    if (!(fabs(x) < __builtin_huge_val()))
        return __builtin_nan("");
    double const value = size > 0.25 ? sin((0.5 - size) * 3.141592653589793) : cos(size * 3.141592653589793);
    return rest > 0.5 ? -value : value;
}
// ---- error functions ----
LANESCOPE_BOTH double erfcx(double x)
{
    if (x >= 25.0) { // its expansion
        double const part = 0.5 / x / x;
        return 0.5641895835477563 / x * (1.0 - part * (1.0 - 3.0 * part * (1.0 - 5.0 * part * (1.0 - 7.0 * part))));
    }
#ifdef __CUDA_ARCH__
    if (x >= 0.5)
        return lanescope_erfcx(x);
#endif
    return x < -26.7 ? __builtin_huge_val() : exp(x * x) * (1.0 + fma(x, x, -(x * x))) * erfc(x);
}
// Two steps of Halley's method from an approximation that is right to three digits (Abramowitz and Stegun, 26.2.23).
LANESCOPE_BOTH double erfcinv(double y)
{
    if (!(y >= 0.0 && y <= 2.0))
        return __builtin_nan("");
    if (y == 0.0 || y == 2.0)
        return y == 0.0 ? __builtin_huge_val() : -__builtin_huge_val();
    double const part = y < 1.0 ? y : 2.0 - y, t = sqrt(-2.0 * log(0.5 * part));
    double x = 0.7071067811865476 * (t - fma(fma(0.010328, t, 0.802853), t, 2.515517) /
                                             fma(fma(fma(0.001308, t, 0.189269), t, 1.432788), t, 1.0));
    for (int i = 0; i < 3; i++) {
        double const step = (erfc(x) - part) / (-1.1283791670955126 * exp(-x * x));
        x -= step / fma(x, step, 1.0);
    }
    return y < 1.0 ? x : -x;
}
LANESCOPE_BOTH double erfinv(double y)
{
    double const size = fabs(y);
    if (size >= 0.5)
        return copysign(erfcinv(1.0 - size), y);
    double x = y * 0.886226925452758;
    for (int i = 0; i < 4; i++) {
        double const step = (erf(x) - y) / (1.1283791670955126 * exp(-x * x));
        x -= step / fma(x, step, 1.0);
    }
    return x;
}
LANESCOPE_BOTH double normcdf(double x)
{
    return 0.5 * erfc(-0.7071067811865476 * x);
}
LANESCOPE_BOTH double normcdfinv(double x)
{
    return -1.4142135623730951 * erfcinv(2.0 * x);
}

// ---- Bessel functions ----
// I of order 0 or 1: its power series, or for large x its expansion. All terms of the series have one sign.
LANESCOPE_BOTH double lanescope_bessel_i(int n, double x)
{
    double const square = 0.25 * x * x;
    double term = n ? 0.5 * x : 1.0, sum = term;
    if (x != x)
        return x;
    if (x < 25.0) {
        for (int k = 1; k < 70 && term > 1e-18 * sum; k++) {
            term *= square / ((double)k * (k + n));
            sum += term;
        }
        return sum;
    }
    term = sum = 1.0;
    for (int k = 1; k <= 30; k++) {
        term *= -(4.0 * n * n - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x);
        sum += term;
    }
    double const half = exp(0.5 * x); // e^x alone overflows earlier than the result
    return half * (sum / sqrt(6.283185307179586 * x)) * half;
}
LANESCOPE_BOTH double cyl_bessel_i0(double x)
{
    return lanescope_bessel_i(0, fabs(x));
}
LANESCOPE_BOTH double cyl_bessel_i1(double x)
{
    return copysign(lanescope_bessel_i(1, fabs(x)), x);
}

// ---- the same of float ----
#define LANESCOPE_FLOAT(NAME)                                                                                          \
    LANESCOPE_BOTH float NAME##f(float x)                                                                                \
    {                                                                                                                  \
        return (float)NAME((double)x);                                                                                 \
    }
LANESCOPE_FLOAT(rcbrt)
LANESCOPE_FLOAT(sinpi)
LANESCOPE_FLOAT(cospi)
LANESCOPE_FLOAT(erfcx)
LANESCOPE_FLOAT(erfcinv)
LANESCOPE_FLOAT(erfinv)
LANESCOPE_FLOAT(normcdf)
LANESCOPE_FLOAT(normcdfinv)
LANESCOPE_FLOAT(cyl_bessel_i0)
LANESCOPE_FLOAT(cyl_bessel_i1)
#undef LANESCOPE_FLOAT
LANESCOPE_BOTH float rhypotf(float x, float y)
{
    return (float)rhypot((double)x, (double)y);
}
LANESCOPE_BOTH void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
LANESCOPE_BOTH void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
