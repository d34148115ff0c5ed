/* The distance of an approximate form's results from the exact function, and the error that PTX ISA 9.0 (9.7.3 to
 * 9.7.5) documents. */
#ifndef LANESCOPE_TESTS_INSTRUCTIONS_APPROXIMATE_H
#define LANESCOPE_TESTS_INSTRUCTIONS_APPROXIMATE_H
#include "instructions.h"
#include <math.h>

static inline double exact_reciprocal(double x, double y)
{
    (void)y;
    return 1 / x;
}

static inline double exact_reciprocal_root(double x, double y)
{
    (void)y;
    return 1 / sqrt(x);
}

static inline double exact_root(double x, double y)
{
    (void)y;
    return sqrt(x);
}

static inline double exact_sine(double x, double y)
{
    (void)y;
    return sin(x);
}

static inline double exact_cosine(double x, double y)
{
    (void)y;
    return cos(x);
}

static inline double exact_logarithm(double x, double y)
{
    (void)y;
    return log2(x);
}

static inline double exact_power(double x, double y)
{
    (void)y;
    return exp2(x);
}

static inline double exact_tangent(double x, double y)
{
    (void)y;
    return tanh(x);
}

static inline double exact_quotient(double x, double y)
{
    return x / y;
}

struct approximation {
    const char *opcode, *type;
    double (*exact)(double, double);
    double relative, absolute; /* as powers of 2; 0: none */
    double least, most;        /* magnitude of the last operand; 0, 0: all */
};

/* The first row that fits applies. */
static const struct approximation approximations[] = {
    {"rcp.", ".f32", exact_reciprocal, -23, 0, 0, 0},
    {"sqrt.", ".f32", exact_root, -23, 0, 0, 0},
    {"rsqrt.", ".f32", exact_reciprocal_root, -22.9, 0, 0, 0},
    {"div.full", ".f32", exact_quotient, -22, 0, 0, 0},
    {"div.approx", ".f32", exact_quotient, -22, 0, 0x1p-126, 0x1p126},
    {"sin.", ".f32", exact_sine, 0, -20.5, 0, 6.2831853},
    {"sin.", ".f32", exact_sine, 0, -14.7, 0, 314.159265},
    {"cos.", ".f32", exact_cosine, 0, -20.5, 0, 6.2831853},
    {"cos.", ".f32", exact_cosine, 0, -14.7, 0, 314.159265},
    {"lg2.", ".f32", exact_logarithm, 0, -22, 0.5, 2},
    {"lg2.", ".f32", exact_logarithm, -22, 0, 0, 0},
    {"ex2.", ".f32", exact_power, -22, 0, 0, 0},
    {"tanh.", ".f32", exact_tangent, -11, 0, 0, 0},
    {"ex2.", ".f16", exact_power, -9.9, 0, 0, 0},
    {"ex2.", ".bf16", exact_power, -7, 0, 0, 0},
    {"tanh.", ".f16", exact_tangent, 0, -10.987, 0, 0},
    {"tanh.", ".bf16", exact_tangent, 0, -8, 0, 0},
    {"rcp.", ".f64", exact_reciprocal, -20, 0, 0, 0}, /* PTX gives no figure: the upper word has 20 bits of fraction */
    {"rsqrt.approx.ftz", ".f64", exact_reciprocal_root, -20, 0, 0, 0}, /* the same */
    {"rsqrt.", ".f64", exact_reciprocal_root, -50, 0, 0, 0},           /* no figure either: the error of an H200 */
};

static inline const struct approximation *approximation_of(const char *form, double x)
{
    char type[8] = "";
    const char *text = form + INPUT_OPERANDS + 3, *end = strchr(text, ' '), *at = end;
    while (*at != '.')
        at--;
    snprintf(type, sizeof type, "%.*s", (int)(end - at), at);
    type[strcspn(type, "x")] = 0;
    for (size_t i = 0; i < sizeof approximations / sizeof *approximations; i++) {
        const struct approximation *row = &approximations[i];
        if (strncmp(text, row->opcode, strlen(row->opcode)) != 0 || strncmp(type, row->type, strlen(row->type)) != 0 ||
            strlen(row->type) > strlen(type))
            continue;
        if (row->most == 0 || (fabs(x) >= row->least && fabs(x) <= row->most))
            return row;
    }
    return NULL;
}

static inline double number_of(char result, uint64_t bits)
{
    double wide;
    float single;
    uint32_t word = (uint32_t)bits;
    unsigned exponent = bits >> 10 & 31;
    switch (result | 32) {
    case 'x': {
        double fraction = (double)(bits & 0x3ff);
        double magnitude = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
        magnitude = exponent < 31 ? magnitude : fraction != 0 ? (double)NAN : (double)INFINITY;
        return bits & 0x8000 ? -magnitude : magnitude;
    }
    case 'y':
        word <<= 16;
        break;
    default:
        if (result == 'A') {
            memcpy(&wide, &bits, 8);
            return wide;
        }
    }
    memcpy(&single, &word, 4);
    return (double)single;
}

struct approximation_error {
    double worst, allowed; /* the error closest to its bound, and that bound */
    double input;
    unsigned compared;
};

/* Checks results that are full-precision numbers against the exact values. result_class covers the other results. */
static inline void approximation_check(const char *form, const uint64_t *inputs, const uint64_t *results, unsigned half,
                                       const struct approximation *only, struct approximation_error *error)
{
    char result = form[INPUT_OPERANDS + 1];
    double smallest = result == 'A' ? 0x1p-1022 : (result | 32) == 'x' ? 0x1p-14 : 0x1p-126;
    for (unsigned i = 0; i < INPUT_THREADS; i++) {
        double x = number_of(result, inputs[INPUT_OPERANDS * i] >> 16 * half);
        double y = number_of(result, inputs[INPUT_OPERANDS * i + 1] >> 16 * half);
        double got = number_of(result, results[INPUT_RESULTS * i] >> 16 * half);
        const struct approximation *row = approximation_of(form, strncmp(form + 7, "div", 3) == 0 ? y : x);
        if (row != only)
            continue;
        double exact = row->exact(x, y);
        if (!isfinite(exact) || !isfinite(got) || (row->relative < 0 && fabs(exact) < smallest) || fabs(x) < smallest)
            continue;
        double off = fabs(got - exact) / (row->relative < 0 ? fabs(exact) : 1);
        error->allowed = exp2(row->relative < 0 ? row->relative : row->absolute);
        error->compared++;
        if (off > error->worst)
            error->worst = off, error->input = x;
    }
}
#endif
