/* CUDA's mathematical functions as nvcc 13 compiles them (tests/emulator/math.cu), over special numbers and all sizes.
 * Functions of exact instructions give the same bits as on an H200 (features.txt). Functions that use an approximate
 * instruction (ex2, rcp, rsqrt, sqrt) stay within the error that the CUDA C++ Programming Guide gives for their full
 * range, compared with the host's function in double precision. */
#include "../emulator/features.h"
#include "emulator_helper.h"
#include <stdio.h>

static double inverse_erf(double x, double y)
{
    (void)y;
    double root = fabs(x) < 1 ? 0 : x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
    /* Newton's method, damped where the slope is small */
    for (int step = 0; step < 60 && fabs(x) < 1 && x != 0; step++) {
        double slope = 1.1283791670955126 * exp(-root * root), change = (x - erf(root)) / slope;
        root += fmax(-0.5, fmin(0.5, change));
    }
    return x == 0 ? x : root;
}

#define OF(name, expression)                                                                                           \
    static double name(double x, double y)                                                                             \
    {                                                                                                                  \
        (void)y;                                                                                                       \
        return expression;                                                                                             \
    }
OF(tan_of, tan(x))
OF(asin_of, asin(x))
OF(acos_of, acos(x))
OF(atan_of, atan(x))
OF(sinh_of, sinh(x))
OF(cosh_of, cosh(x))
OF(tanh_of, tanh(x))
OF(asinh_of, asinh(x))
OF(atanh_of, atanh(x))
OF(exp_of, exp(x))
OF(exp2_of, exp2(x))
OF(exp10_of, pow(10, x))
OF(rsqrt_of, 1 / sqrt(x))
OF(cbrt_of, cbrt(x))
OF(erf_of, erf(x))
OF(erfc_of, erfc(x))
OF(lgamma_of, lgamma(x))
OF(tgamma_of, tgamma(x))
OF(j0_of, j0(x))
OF(y1_of, y1(x))
OF(normcdf_of, 0.5 * erfc(-x * 0.70710678118654752))
OF(rnorm3d_of, 1 / sqrt(x * x + y * y + 1))
OF(sin_of, sin(x))
OF(log_of, log(x))
OF(quotient_of, x / y)

/* Allowed error for |x| from low up to high: units in the last place of the true result, or an absolute error. */
static const struct row {
    unsigned function; /* index in EACH_SINGLE of math.cu */
    double (*reference)(double x, double y);
    double low, high, ulps, absolute;
} rows[] = {
    {2, tan_of, 0, INFINITY, 4, 0},
    {3, asin_of, 0, INFINITY, 2, 0},
    {4, acos_of, 0, INFINITY, 2, 0},
    {5, atan_of, 0, INFINITY, 2, 0},
    {7, sinh_of, 0, INFINITY, 3, 0},
    {8, cosh_of, 0, INFINITY, 2, 0},
    {9, tanh_of, 0, INFINITY, 2, 0},
    {10, asinh_of, 0, INFINITY, 3, 0},
    {12, atanh_of, 0, INFINITY, 3, 0},
    {13, exp_of, 0, INFINITY, 2, 0},
    {14, exp2_of, 0, INFINITY, 2, 0},
    {15, exp10_of, 0, INFINITY, 2, 0},
    {23, rsqrt_of, 0, INFINITY, 2, 0},
    {24, cbrt_of, 0, INFINITY, 1, 0},
    {26, erf_of, 0, INFINITY, 2, 0},
    {27, erfc_of, 0, INFINITY, 4, 0},
    {28, lgamma_of, 0, 2.2637, 6, 0}, /* the guide has no bound from -10.001 to -2.264 */
    {28, lgamma_of, 10.002, INFINITY, 6, 0},
    {29, tgamma_of, 0, INFINITY, 5, 0},
    {33, j0_of, 0, 8, 9, 0},
    {33, j0_of, 8, 1e6, 0, 2.2e-6},
    {34, y1_of, 0, 8, 9, 0},
    {34, y1_of, 8, 1e6, 0, 2.2e-6},
    {35, inverse_erf, 0, INFINITY, 4, 0},
    {36, normcdf_of, 0, INFINITY, 5, 0},
    {38, rnorm3d_of, 0, INFINITY, 2, 0},
    {39, sin_of, 0, 3.14159, 0, 0x1p-21}, /* intrinsics: __sinf, __expf, __logf, __fdividef */
    {40, exp_of, 0, 1, 3, 0},
    {40, exp_of, 10, 80, 96, 0},
    {41, log_of, 2.0001, INFINITY, 3, 0},
    {43, quotient_of, 0, INFINITY, 2, 0},
};
enum { EXPECTED = MATH_SINGLES + MATH_DOUBLES, POW_INTRINSIC = 42, DOUBLE_RSQRT = 24 }; /* the last two have no bound */

static double pairs[2 * MATH_INPUTS];
static float singles[2 * MATH_INPUTS], single_results[MATH_SINGLES * MATH_INPUTS];
static double double_results[MATH_DOUBLES * MATH_INPUTS];

static void run(struct bench *b, const char *kernel, enum ptx_type type, void *out, uint64_t functions, void *in)
{
    bench_launch(b, kernel, MATH_INPUTS / MATH_THREADS, MATH_THREADS);
    bench_buffer(b, type, out, functions * MATH_INPUTS);
    bench_buffer(b, type, in, 2 * (uint64_t)MATH_INPUTS);
    bench_scalar(b, PTX_S32, MATH_INPUTS);
    bench_run(b);
    assert_int_equal(trace_faults(b->result.trace), 0);
}

static bool has_row(unsigned function)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].function == function)
            return true;
    return function == POW_INTRINSIC;
}

static void exact_functions_give_the_gpus_bits(void **state)
{
    (void)state;
    char line[128], kind[16];
    unsigned compared = 0, wrong = 0, f, seen = 0;
    unsigned long long hash;
    FILE *file = fopen("emulator/features.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%llx %15s %u", &hash, kind, &f) != 3)
            continue;
        bool single = strcmp(kind, "singles") == 0;
        seen++;
        if (single ? has_row(f) : f == DOUBLE_RSQRT)
            continue;
        uint64_t own = single ? feature_hash(&single_results[f * MATH_INPUTS], MATH_INPUTS / 2)
                              : feature_hash(&double_results[f * MATH_INPUTS], MATH_INPUTS);
        compared++;
        wrong += own != hash;
        if (own != hash)
            print_error("not the GPU's results: %s", line);
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_int_equal(seen, EXPECTED);
    assert_int_equal(compared, 40);
}

static double ulp_of(double value)
{
    int exponent;
    frexp(value, &exponent);
    return ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

static void approximate_functions_stay_within_the_guides_error(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        unsigned compared = 0;
        double worst = 0, at = 0;
        for (unsigned i = 0; i < MATH_INPUTS; i++) {
            double x = (double)singles[2 * i], y = (double)singles[2 * i + 1];
            double got = (double)single_results[row->function * MATH_INPUTS + i], want = row->reference(x, y);
            if (fabs(x) < row->low || fabs(x) > row->high || fabs(want) > 3.4028234e38 || fabs(y) > 0x1p126)
                continue;
            assert_true(isnan(want) == isnan(got));
            double error = fabs(got - want) / (row->absolute > 0 ? row->absolute : row->ulps * ulp_of(want));
            compared += want == want;
            if (error > worst)
                worst = error, at = x;
        }
        print_message("function %u: %u compared, %.2f of what is allowed\n", row->function, compared, worst);
        if (worst > 1)
            fail_msg("function %u: %.2f times the error allowed at %.9g", row->function, worst, at);
        assert_true(compared > 100);
    }
}

static int start(void **state)
{
    bench_open(state, "emulator/math.ptx");
    math_fill(pairs);
    for (unsigned i = 0; i < 2 * MATH_INPUTS; i++)
        singles[i] = (float)pairs[i];
    run(*state, "singles", PTX_F32, single_results, MATH_SINGLES, singles);
    run(*state, "doubles", PTX_F64, double_results, MATH_DOUBLES, pairs);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_functions_give_the_gpus_bits),
        cmocka_unit_test(approximate_functions_stay_within_the_guides_error),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
