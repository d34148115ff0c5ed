#include "emulator/lanes/rounded.h"
#include "emulator/lanes/numeric.h"
#include <math.h>

__extension__ typedef unsigned __int128 wide;

struct exact { /* mantissa * 2^exponent, with its sign apart */
    wide mantissa;
    int exponent;
    bool negative;
};

enum { FULL = 126 }; /* bits of a mantissa that is shifted up: a sum of two still fits */

static struct exact exact_of(double x)
{
    uint64_t const bits = bits_of64(x), fraction = bits & ((UINT64_C(1) << 52) - 1);
    int const biased = (int)(bits >> 52 & 2047);
    return (struct exact){biased ? fraction | UINT64_C(1) << 52 : fraction, (biased ? biased : 1) - 1075,
                          (bits >> 63) != 0};
}

static int length_of(wide mantissa)
{
    uint64_t const high = (uint64_t)(mantissa >> 64), low = (uint64_t)mantissa;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static struct exact shifted_up(struct exact x)
{
    int const by = FULL - length_of(x.mantissa);
    return (struct exact){x.mantissa << by, x.exponent - by, x.negative};
}

/* Bits that are lost make the last one 1: far below the last bit of a result, they only tell that something is there.
 */
static wide shifted_down(wide mantissa, int by)
{
    if (by > 127)
        return mantissa != 0;
    wide const kept = mantissa >> by;
    return kept | (wide)(kept << by != mantissa);
}

static double rounded(struct exact x, unsigned mode, enum precision precision)
{
    int const digits = precision == SINGLE ? 24 : 53, least = precision == SINGLE ? -149 : -1074;
    double const most = precision == SINGLE ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    int const highest = x.exponent + length_of(x.mantissa) - digits, last = highest > least ? highest : least;
    int const by = last - x.exponent;
    wide kept = by <= 0 ? x.mantissa << -by : by > 127 ? 0 : x.mantissa >> by;
    wide const lost = by <= 0 ? 0 : by > 127 ? x.mantissa : x.mantissa - (kept << by);
    wide const half = by <= 0 || by > 127 ? 0 : (wide)1 << (by - 1);
    bool up = false, stays = false; /* stays: below infinity */
    switch (mode) {
    case ROUND_ZERO:
        stays = true;
        break;
    case ROUND_DOWN:
        up = x.negative && lost;
        stays = !x.negative;
        break;
    case ROUND_UP:
        up = !x.negative && lost;
        stays = x.negative;
        break;
    default:
        up = half && (lost > half || (lost == half && (kept & 1)));
    }
    kept += up;
    double result = ldexp((double)(uint64_t)kept, last);
    if (result > most)
        result = stays ? most : INFINITY;
    return x.negative ? -result : result;
}

static double zero_of(bool first_negative, bool second_negative, unsigned mode)
{
    bool const negative = first_negative == second_negative ? first_negative : mode == ROUND_DOWN;
    return negative ? -0.0 : 0.0;
}

static double sum_of(struct exact x, struct exact y, unsigned mode, enum precision precision)
{
    if (!x.mantissa && !y.mantissa)
        return zero_of(x.negative, y.negative, mode);
    if (!x.mantissa)
        return rounded(y, mode, precision);
    if (!y.mantissa)
        return rounded(x, mode, precision);
    x = shifted_up(x);
    y = shifted_up(y);
    if (x.exponent < y.exponent) {
        struct exact const lower = x;
        x = y;
        y = lower;
    }
    wide const other = shifted_down(y.mantissa, x.exponent - y.exponent);
    if (x.negative == y.negative) {
        x.mantissa += other;
    } else if (x.mantissa >= other) {
        x.mantissa -= other;
    } else {
        x.mantissa = other - x.mantissa;
        x.negative = y.negative;
    }
    return x.mantissa ? rounded(x, mode, precision) : zero_of(false, true, mode);
}

static struct exact product_of(double x, double y)
{
    struct exact const a = exact_of(x), b = exact_of(y);
    return (struct exact){a.mantissa * b.mantissa, a.exponent + b.exponent, a.negative != b.negative};
}

double rounded_fused(double x, double y, double z, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || !isfinite(y) || !isfinite(z))
        return fma(x, y, z);
    return sum_of(product_of(x, y), exact_of(z), mode, precision);
}

double rounded_sum(double x, double y, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || !isfinite(y))
        return x + y;
    return sum_of(exact_of(x), exact_of(y), mode, precision);
}

double rounded_product(double x, double y, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0)
        return x * y;
    return rounded(product_of(x, y), mode, precision);
}

double rounded_quotient(double x, double y, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0)
        return x / y;
    struct exact const a = shifted_up(exact_of(x)), b = exact_of(y);
    wide const whole = a.mantissa / b.mantissa;
    return rounded((struct exact){whole | (wide)(whole * b.mantissa != a.mantissa), a.exponent - b.exponent,
                                  a.negative != b.negative},
                   mode, precision);
}

double rounded_root(double x, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || !(x > 0))
        return sqrt(x);
    struct exact a = shifted_up(exact_of(x));
    if (a.exponent % 2) {
        a.mantissa >>= 1; /* its lower half is zeros */
        a.exponent++;
    }
    uint64_t root = (uint64_t)sqrt((double)a.mantissa);
    root = (uint64_t)((root + a.mantissa / root) / 2); /* off by one at most */
    while ((wide)root * root > a.mantissa)
        root--;
    while ((wide)(root + 1) * (root + 1) <= a.mantissa)
        root++;
    return rounded((struct exact){root | (uint64_t)((wide)root * root != a.mantissa), a.exponent / 2, false}, mode,
                   precision);
}

double rounded_number(double x, unsigned mode, enum precision precision)
{
    if (!isfinite(x) || x == 0)
        return x;
    return rounded(exact_of(x), mode, precision);
}

double rounded_integer(uint64_t x, unsigned mode, enum precision precision)
{
    return x ? rounded((struct exact){x, 0, false}, mode, precision) : 0;
}
