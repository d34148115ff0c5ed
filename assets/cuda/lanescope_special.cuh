// The functions of the C library that are rarer than those of lanescope_math.cuh: parts of a number, whole results,
// error functions, gamma, Bessel functions. Included by lanescope_math.cuh.
#pragma once

// ---- parts of a number ----
LANESCOPE_FN double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0.0 || !(fabs(x) < __builtin_huge_val()))
        return x;
    bool const small = fabs(x) < 2.2250738585072014e-308;
    long long const bits = __double_as_longlong(small ? x * 18014398509481984.0 : x);
    *exponent = (int)(bits >> 52 & 0x7ff) - 1022 - (small ? 54 : 0);
    return __longlong_as_double((bits & ~(0x7ffll << 52)) | 0x3fell << 52);
}
LANESCOPE_FN float frexpf(float x, int *exponent)
{
    return (float)frexp((double)x, exponent);
}
LANESCOPE_FN double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(fabs(x) < __builtin_huge_val() || x != x ? x - *whole : 0.0, x);
}
LANESCOPE_FN float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(fabsf(x) < __builtin_huge_valf() || x != x ? x - *whole : 0.0f, x);
}
LANESCOPE_FN int ilogb(double x)
{
    int exponent;
    if (x == 0.0 || x != x)
        return -2147483647 - 1;
    if (fabs(x) == __builtin_huge_val())
        return 2147483647;
    frexp(x, &exponent);
    return exponent - 1;
}
LANESCOPE_FN int ilogbf(float x)
{
    return ilogb((double)x);
}
LANESCOPE_FN double logb(double x)
{
    return x == 0.0 ? -__builtin_huge_val() : fabs(x) < __builtin_huge_val() ? (double)ilogb(x) : x * x;
}
LANESCOPE_FN float logbf(float x)
{
    return (float)logb((double)x);
}
LANESCOPE_FN double scalbn(double x, int k)
{
    return ldexp(x, k);
}
LANESCOPE_FN float scalbnf(float x, int k)
{
    return ldexpf(x, k);
}
LANESCOPE_FN double scalbln(double x, long k)
{
    return ldexp(x, k > 4000 ? 4000 : k < -4000 ? -4000 : (int)k);
}
LANESCOPE_FN float scalblnf(float x, long k)
{
    return (float)scalbln((double)x, k);
}
LANESCOPE_FN double nextafter(double x, double y)
{
    long long const bits = __double_as_longlong(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(__longlong_as_double(1), y);
    return __longlong_as_double((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
LANESCOPE_FN float nextafterf(float x, float y)
{
    int const bits = __float_as_int(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return copysignf(__int_as_float(1), y);
    return __int_as_float((x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}
LANESCOPE_FN double nan(const char *)
{
    return __longlong_as_double(0x7fffffffffffffffll);
}
LANESCOPE_FN float nanf(const char *)
{
    return __int_as_float(0x7fffffff);
}
LANESCOPE_FN double fdim(double a, double b)
{
    return a > b ? a - b : a != a || b != b ? a + b : 0.0;
}
// Returns x - n y, where n is the whole number nearest to x / y; the last bits of n in *quotient.
LANESCOPE_FN double remquo(double x, double y, int *quotient)
{
    double const size = fabs(x), by = fabs(y);
    *quotient = 0;
    if (x != x || y != y || by == 0.0 || size == __builtin_huge_val())
        return __builtin_nan("");
    if (by == __builtin_huge_val())
        return x;
    double rest = by < 1e307 ? fmod(size, 8.0 * by) : size; // below 32 |y|
    int count = 0;
    for (int bit = 16; bit; bit /= 2)
        if (rest >= bit * by) {
            rest -= bit * by;
            count += bit;
        }
    if (rest > by - rest || (rest == by - rest && (count & 1))) {
        rest -= by;
        count++;
    }
    *quotient = (x < 0) != (y < 0) ? -(count & 7) : count & 7;
    return rest == 0.0 ? copysign(0.0, x) : x < 0 ? -rest : rest;
}
LANESCOPE_FN float remquof(float x, float y, int *quotient)
{
    return (float)remquo((double)x, (double)y, quotient);
}
LANESCOPE_FN double remainder(double x, double y)
{
    int quotient;
    return remquo(x, y, &quotient);
}

// ---- whole results ----
LANESCOPE_FN long lrint(double x)
{
    return (long)rint(x);
}
LANESCOPE_FN long long llrint(double x)
{
    return (long long)rint(x);
}
LANESCOPE_FN long long llrintf(float x)
{
    return (long long)rintf(x);
}
LANESCOPE_FN long long llround(double x)
{
    return (long long)round(x);
}
LANESCOPE_FN long long llroundf(float x)
{
    return (long long)roundf(x);
}

// ---- circular and hyperbolic functions ----
LANESCOPE_FN double asinh(double x)
{
    double const size = fabs(x);
    if (size > 1e9)
        return copysign(log(size) + 0.6931471805599453, x);
    return x != x ? x : copysign(log1p(size + size * size / (1.0 + sqrt(fma(size, size, 1.0)))), x);
}
LANESCOPE_FN double acosh(double x)
{
    double const above = x - 1.0;
    if (x > 1e9)
        return log(x) + 0.6931471805599453;
    return x < 1.0 ? __builtin_nan("") : log1p(above + sqrt(above * (x + 1.0)));
}
LANESCOPE_FN double atanh(double x)
{
    double const size = fabs(x);
    return size > 1.0 ? __builtin_nan("") : copysign(0.5 * log1p(2.0 * size / (1.0 - size)), x);
}

// ---- error functions ----
// Returns erfc(x) e^(x^2) for x >= 0.5: the trapezoidal rule with steps of 1/2 for its integral, and the rule's own
// error, which is known.
LANESCOPE_FN double lanescope_erfcx(double x)
{
    constexpr double weights[] = {0.77880078307140488,    0.36787944117144233,    0.10539922456186433,
                                  0.018315638888734179,   0.0019304541362277093,  0.00012340980408667956,
                                  4.7851173921290088e-06, 1.1253517471925912e-07, 1.6052280551856116e-09,
                                  1.3887943864964021e-11, 7.2877240958196922e-14, 2.3195228302435696e-16};
    double const square = x * x;
    double sum = 0.0;
#pragma unroll
    for (int i = 11; i >= 0; i--)
        sum += weights[i] / (0.25 * (i + 1) * (i + 1) + square);
    double const known = x < 6.0 ? 2.0 * exp(square) / (1.0 - exp(12.566370614359172 * x)) : 0.0;
    return 0.3183098861837907 * x * (sum + 0.5 / square) + known;
}
// Returns e^(-x^2); the rounding of the square is made up for.
LANESCOPE_FN double lanescope_bell(double x)
{
    double const square = x * x, rest = fma(x, x, -square);
    return square > 750.0 ? 0.0 : exp(-square) * (1.0 - rest);
}
LANESCOPE_FN double erf(double x)
{
    double const size = fabs(x), square = x * x;
    if (size < 0.5) {
        double sum = 0.0;
#pragma unroll
        for (int i = 12; i >= 0; i--) // the series' quotients: x^(2i) (-1)^i / (i! (2i + 1))
            sum = fma(-square / (i + 1), sum, 1.0 / (2 * i + 1));
        return x * 1.1283791670955126 * sum;
    }
    return x != x ? x : copysign(size > 6.0 ? 1.0 : 1.0 - lanescope_erfcx(size) * lanescope_bell(size), x);
}
LANESCOPE_FN double erfc(double x)
{
    if (!(x >= 0.5))
        return x <= -0.5 ? 2.0 - (x < -6.0 ? 0.0 : lanescope_erfcx(-x) * lanescope_bell(x)) : 1.0 - erf(x);
    return x > 27.5 ? 0.0 : lanescope_erfcx(x) * lanescope_bell(x);
}
// ---- gamma ----
// Returns the sum of (zeta(k) - 1) (-z)^k / k from k = 2 on, for |z| <= 0.5. ln gamma(2 + z) is this and 0.4227... z.
LANESCOPE_FN double lanescope_gamma_series(double z)
{
    constexpr double terms[] = {
        0.3224670334241132,     0.067352301053198102,   0.020580808427784546,   0.0073855510286739857,
        0.0028905103307415234,  0.001192753911703261,   0.00050966952474304245, 0.00022315475845357939,
        9.9457512781808531e-05, 4.4926236738133142e-05, 2.0507212775670691e-05, 9.4394882752683967e-06,
        4.3748667899074882e-06, 2.0392157538013662e-06, 9.5514121304074194e-07, 4.4924691987645662e-07,
        2.1207184805554665e-07, 1.0043224823968099e-07, 4.7698101693639804e-08, 2.2711094608943164e-08,
        1.0838659214896955e-08, 5.1834750419700466e-09, 2.4836745438024785e-09, 1.1921401405860912e-09};
    double sum = 0.0;
#pragma unroll
    for (int i = 23; i >= 0; i--)
        sum = fma(sum, -z, terms[i]);
    return z * fma(z, sum, 0.42278433509846713);
}
LANESCOPE_FN double lgamma(double x)
{
    double const size = fabs(x);
    if (x != x || size == __builtin_huge_val())
        return size;
    if (x <= 0.0 && x == trunc(x))
        return __builtin_huge_val();
    double value;
    if (size < 0.5) { // gamma(1 + |x|) / |x|
        value = lanescope_gamma_series(size) - log1p(size) - log(size);
    } else if (size < 1.5) {
        value = lanescope_gamma_series(size - 1.0) - log1p(size - 1.0);
    } else if (size < 12.0) {
        double product = 1.0, rest = size;
        for (; rest >= 2.5; product *= rest)
            rest -= 1.0;
        value = log(product) + lanescope_gamma_series(rest - 2.0);
    } else { // Stirling's series
        double const over = 1.0 / size, square = over * over;
        double sum = 6.4102564102564103e-03;
        sum = fma(-sum, square, 1.9175269175269176e-03);
        sum = fma(-sum, square, 8.4175084175084175e-04);
        sum = fma(-sum, square, 5.9523809523809524e-04);
        sum = fma(-sum, square, 7.9365079365079365e-04);
        sum = fma(-sum, square, 2.7777777777777778e-03);
        sum = fma(-sum, square, 8.3333333333333333e-02);
        value = fma(size - 0.5, log(size) - 1.0, fma(sum, over, 0.41893853320467274));
    }
    return x > 0.0 ? value : log(3.141592653589793 / (size * fabs(sin(3.141592653589793 * (size - rint(size)))))) - value;
}
// gamma(2 + z) for |z| <= 0.5, and from there by its recurrence.
LANESCOPE_FN double tgamma(double x)
{
    double product = 1.0, rest = x;
    if (!(x < 172.0))
        return x != x ? x : __builtin_huge_val();
    if (x == 0.0)
        return copysign(__builtin_huge_val(), x);
    if (x < 0.0 && x == trunc(x))
        return __builtin_nan("");
    if (x < -185.0)
        return 0.0;
    for (; rest >= 2.5; product *= rest)
        rest -= 1.0;
    double under = 1.0;
    for (; rest < 1.5; rest += 1.0)
        under *= rest;
    return exp(lanescope_gamma_series(rest - 2.0)) * product / under;
}

// ---- Bessel functions ----
struct lanescope_bessel {
    double j, j0, j1, y0, y1;
};
// J of order n, J and Y of orders 0 and 1, for x > 0, by Miller's recurrence from high orders down, scaled by
// J0 + 2 J2 + 2 J4 + ... = 1. The sums for Y are Neumann's.
LANESCOPE_FN lanescope_bessel lanescope_bessel_down(int n, double x)
{
    double above = 0.0, here = 1e-290, scale = 0.0, wanted = 0.0, even = 0.0, odd = 0.0, j1 = 0.0;
    if (x < 1e-8) {
        double const half = 0.5 * x, log_term = log(half) + 0.57721566490153287;
        double power = 1.0;
        for (int i = 1; i <= n && power > 0.0; i++)
            power *= half / i;
        return {power, 1.0, half, 0.6366197723675814 * log_term, -0.6366197723675814 / x};
    }
    int const top = 2 * (int)(0.8 * (x > n ? x : n) + 12.0);
    for (int order = top; order >= 0; order--) {
        // here is J of this order, as yet without its scale
        if (order == n)
            wanted = here;
        if (order & 1) {
            int const k = (order - 1) / 2;
            odd += k ? (k & 1 ? -here : here) * (2 * k + 1) / ((double)k * (k + 1)) : 0.0;
        } else {
            int const k = order / 2;
            even += k ? (k & 1 ? here : -here) / k : 0.0;
            scale += order ? 2.0 * here : here;
        }
        if (order == 0)
            break;
        double const below = 2.0 * order / x * here - above;
        above = here;
        here = below;
        if (order == 1)
            j1 = above;
        if (fabs(here) > 1e200) {
            above *= 1e-250;
            here *= 1e-250;
            wanted *= 1e-250;
            even *= 1e-250;
            odd *= 1e-250;
            scale *= 1e-250;
            j1 *= 1e-250;
        }
    }
    double const over = 1.0 / scale, log_term = log(0.5 * x) + 0.57721566490153287;
    double const j0 = here * over;
    j1 *= over;
    return {wanted * over, j0, j1, 0.6366197723675814 * (log_term * j0 + 2.0 * even * over),
            0.6366197723675814 * (-j0 / x + (log_term - 1.0) * j1 - odd * over)};
}
// Hankel's expansion of order 0 or 1, for x >= 25: J and Y.
LANESCOPE_FN double2 lanescope_bessel_far(int n, double x)
{
    double p = 1.0, q = 0.0, term = 1.0;
    for (int k = 1; k <= 24; k++) {
        term *= (4.0 * n * n - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x);
        double const part = k & 2 ? -term : term;
        if (k & 1)
            q += part;
        else
            p += part;
    }
    double const s = sin(x), c = cos(x), size = sqrt(0.3183098861837907 / x);
    double const cosine = n ? s - c : c + s, sine = n ? -(s + c) : s - c; // of x - pi / 4 or x - 3 pi / 4, by sqrt 2
    return make_double2(size * (p * cosine - q * sine), size * (p * sine + q * cosine));
}
LANESCOPE_FN double j0(double x)
{
    return x != x ? x : fabs(x) > 1e15 ? 0.0 : fabs(x) < 25.0 ? (x == 0.0 ? 1.0 : lanescope_bessel_down(0, fabs(x)).j0)
                                                              : lanescope_bessel_far(0, fabs(x)).x;
}
LANESCOPE_FN double j1(double x)
{
    if (x == 0.0 || x != x)
        return x;
    double const value = fabs(x) > 1e15   ? 0.0
                         : fabs(x) < 25.0 ? lanescope_bessel_down(1, fabs(x)).j1
                                          : lanescope_bessel_far(1, fabs(x)).x;
    return x < 0.0 ? -value : value;
}
LANESCOPE_FN double jn(int n, double x)
{
    double const size = fabs(x);
    if (n < 0)
        return __builtin_nan("");
    if (x == 0.0 || x != x)
        return n && x == x ? 0.0 : x != x ? x : 1.0;
    double value;
    if (n < 2) {
        value = n ? j1(size) : j0(size);
    } else if (size < 25.0 || n > size) {
        value = lanescope_bessel_down(n, size).j;
    } else {
        double before = j0(size);
        value = j1(size);
        for (int i = 1; i < n; i++) {
            double const next = 2.0 * i / size * value - before;
            before = value;
            value = next;
        }
    }
    return x < 0.0 && (n & 1) ? -value : value;
}
LANESCOPE_FN double y0(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_huge_val() : __builtin_nan("");
    return x > 1e15 ? 0.0 : x < 25.0 ? lanescope_bessel_down(0, x).y0 : lanescope_bessel_far(0, x).y;
}
LANESCOPE_FN double y1(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_huge_val() : __builtin_nan("");
    return x > 1e15 ? 0.0 : x < 25.0 ? lanescope_bessel_down(1, x).y1 : lanescope_bessel_far(1, x).y;
}
LANESCOPE_FN double yn(int n, double x)
{
    if (n < 0)
        return __builtin_nan("");
    double before = y0(x), value = n ? y1(x) : before;
    for (int i = 1; i < n && value > -__builtin_huge_val(); i++) {
        double const next = 2.0 * i / x * value - before;
        before = value;
        value = next;
    }
    return value;
}
// ---- the same of float ----
#define LANESCOPE_FLOAT(NAME)                                                                                          \
    LANESCOPE_FN float NAME##f(float x)                                                                                \
    {                                                                                                                  \
        return (float)NAME((double)x);                                                                                 \
    }
#define LANESCOPE_FLOAT_STD(NAME) /* with the overload that C++ has */                                                 \
    LANESCOPE_FLOAT(NAME)                                                                                              \
    LANESCOPE_FN float NAME(float x)                                                                                   \
    {                                                                                                                  \
        return NAME##f(x);                                                                                             \
    }
LANESCOPE_FLOAT(j0)
LANESCOPE_FLOAT(j1)
LANESCOPE_FLOAT(y0)
LANESCOPE_FLOAT(y1)
LANESCOPE_FLOAT_STD(asinh)
LANESCOPE_FLOAT_STD(acosh)
LANESCOPE_FLOAT_STD(atanh)
LANESCOPE_FLOAT_STD(erf)
LANESCOPE_FLOAT_STD(erfc)
LANESCOPE_FLOAT_STD(lgamma)
LANESCOPE_FLOAT_STD(tgamma)
#undef LANESCOPE_FLOAT
#undef LANESCOPE_FLOAT_STD
LANESCOPE_FN float jnf(int n, float x)
{
    return (float)jn(n, (double)x);
}
LANESCOPE_FN float ynf(int n, float x)
{
    return (float)yn(n, (double)x);
}
LANESCOPE_FN float remainderf(float x, float y)
{
    return (float)remainder((double)x, (double)y);
}
// Overloads of C++ for float.
#define LANESCOPE_OVERLOAD(RESULT, NAME, PARAMETERS, ...)                                                              \
    LANESCOPE_FN RESULT NAME PARAMETERS                                                                                \
    {                                                                                                                  \
        return NAME##f(__VA_ARGS__);                                                                                   \
    }
LANESCOPE_OVERLOAD(float, frexp, (float x, int *exponent), x, exponent)
LANESCOPE_OVERLOAD(float, modf, (float x, float *whole), x, whole)
LANESCOPE_OVERLOAD(int, ilogb, (float x), x)
LANESCOPE_OVERLOAD(float, logb, (float x), x)
LANESCOPE_OVERLOAD(float, scalbn, (float x, int k), x, k)
LANESCOPE_OVERLOAD(float, scalbln, (float x, long k), x, k)
LANESCOPE_OVERLOAD(float, ldexp, (float x, int k), x, k)
LANESCOPE_OVERLOAD(float, nextafter, (float x, float y), x, y)
LANESCOPE_OVERLOAD(float, fdim, (float x, float y), x, y)
LANESCOPE_OVERLOAD(float, remainder, (float x, float y), x, y)
LANESCOPE_OVERLOAD(float, remquo, (float x, float y, int *quotient), x, y, quotient)
LANESCOPE_OVERLOAD(float, copysign, (float x, float y), x, y)
LANESCOPE_OVERLOAD(long, lrint, (float x), x)
LANESCOPE_OVERLOAD(long, lround, (float x), x)
LANESCOPE_OVERLOAD(long long, llrint, (float x), x)
LANESCOPE_OVERLOAD(long long, llround, (float x), x)
#undef LANESCOPE_OVERLOAD
