// Mathematical functions in kernels against the host's C library, in units in the last place. Those that the library
// lacks are compared with what they are defined by.
#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int VALUES = 24;

__host__ __device__ double value_of(int i)
{
    double const values[VALUES] = {0.0,  0.1,   -0.25, 0.4999, 0.5,   0.75,  1.0,    -1.5, 1.9999, 2.5,    3.0,  -4.25,
                                   7.75, 12.25, 24.9,  25.1,   -31.5, 60.25, 123.75, 1e-9, 3e-200, -1e-10, 1e10, 150.5};
    return values[i];
}

template <typename Function> __global__ void each(Function function, double *results)
{
    results[threadIdx.x] = function(value_of(threadIdx.x));
}

static double *results;

static double ulps(double got, double wanted, bool single)
{
    if (got == wanted || (got != got && wanted != wanted))
        return 0;
    if (single)
        return fabs(got - wanted) / (nextafterf((float)fabs(wanted), INFINITY) - (float)fabs(wanted));
    return fabs(got - wanted) / (nextafter(fabs(wanted), INFINITY) - fabs(wanted));
}

template <typename Function>
void check(const char *name, Function function, double most, double from = -INFINITY, double to = INFINITY)
{
    bool const single = name[strlen(name) - 1] == 'f' && strcmp(name, "erf") != 0 && strcmp(name, "modf") != 0 &&
                        strcmp(name, "normcdf") != 0;
    each<<<1, VALUES>>>(function, results);
    cudaDeviceSynchronize();
    for (int i = 0; i < VALUES; i++) {
        double const x = value_of(i), wanted = function(x);
        if (x >= from && x <= to && !(ulps(results[i], wanted, single) <= most))
            printf("%s(%.17g) = %.17g, host %.17g\n", name, x, results[i], wanted);
    }
}

#define CHECK(NAME, ...) check(#NAME, [] __host__ __device__(double x) { return (double)NAME(x); }, __VA_ARGS__)
#define CHECK_AS(NAME, CALL, ...) check(NAME, [] __host__ __device__(double x) { return (double)(CALL); }, __VA_ARGS__)

static void parts_of_numbers()
{
    CHECK_AS("frexp", ({ int e; double m = frexp(x, &e); m + e; }), 0);
    CHECK_AS("frexpf", ({ int e; float m = std::frexp((float)x, &e); m + e; }), 0);
    CHECK_AS("modf", ({ double w; double f = std::modf(x, &w); f + 1000 * w; }), 0);
    CHECK_AS("modff", ({ float w; float f = modff((float)x, &w); f + 1000 * w; }), 0);
    CHECK_AS("ilogb", ilogb(x), 0);
    CHECK_AS("logb", logb(x), 0);
    CHECK_AS("scalbn", scalbn(x, -1040), 0);
    CHECK_AS("scalbln", std::scalbln(x, 5L), 0);
    CHECK_AS("nextafter", nextafter(x, 1.0), 0);
    CHECK_AS("nextafterf", std::nextafter((float)x, 1.0f), 0);
    CHECK_AS("fdim", fdim(x, 0.5), 0);
    CHECK_AS("remainder", remainder(x, 0.7), 0);
    CHECK_AS("remainderf", std::remainder((float)x, 0.5f), 0);
    CHECK_AS("remquo", ({ int q; double r = remquo(x, 1.5, &q); r + 100 * (q & 7); }), 0, -1e9, 1e9);
    CHECK_AS("whole", lrint(x) + 3.0 * llrint(x) + 5.0 * llround(x) + 7.0 * llrintf((float)x) + 9.0 * lround((float)x), 0);
    CHECK_AS("copysign", std::copysign(3.0f, (float)x), 0);
}

static void library_functions()
{
    CHECK(asinh, 4);
    CHECK(acosh, 4, 1);
    CHECK(atanh, 4, -1, 1);
    CHECK(erf, 4);
    CHECK(erfc, 16);
    CHECK(erff, 1);
    CHECK(erfcf, 1);
    CHECK(lgamma, 16, 0);
    CHECK_AS("lgamma below 0", lgamma(x), 2000, -100, 0);
    CHECK(tgamma, 64);
    CHECK(lgammaf, 1, 0);
    CHECK(tgammaf, 4);
    // near a zero the error is that of its place
    CHECK_AS("j0", j0(x) + 2, 4);
    CHECK_AS("j1", j1(x) + 2, 4);
    CHECK_AS("jn", jn(5, x) + jn(30, x) + 2, 8, -130, 130);
    CHECK_AS("y0", y0(x) + 2, 8, 1e-300);
    CHECK_AS("y1", y1(x) + 2, 8, 1e-9);
    CHECK_AS("yn", yn(4, x), 2000, 0.1, 130);
    CHECK_AS("j0f", j0f((float)x) + 2, 2e8);
    CHECK_AS("nan", nan("") != nan("") && nanf("") != nanf(""), 0);
}

static void cuda_functions()
{
    CHECK_AS("sinpi", sinpi(x) - sin(M_PI * (x - 2 * rint(x / 2))) + 3, 4);
    CHECK_AS("cospi", cospi(x) - cos(M_PI * (x - 2 * rint(x / 2))) + 3, 4);
    CHECK_AS("sincospi", ({ double s, c; sincospi(x, &s, &c); s * s + c * c; }), 4);
    CHECK_AS("half pi", sinpi(1.5) + cospi(0.5) + sinpif(2.0f) + cospif(3.0f), 0);
    CHECK_AS("rsqrt", rsqrt(x), 4, 0);
    CHECK_AS("rcbrt", rcbrt(x), 8);
    CHECK_AS("rhypot", rhypot(x, 3.0) * hypot(x, 3.0), 4);
    CHECK_AS("norm", ({ double v[] = {x, 1, 2}; norm(3, v) / norm3d(x, 1.0, 2.0); }), 4);
    CHECK_AS("norm4d", norm4d(x, 1.0, 2.0, 3.0) * rnorm4d(x, 1.0, 2.0, 3.0), 4);
    CHECK_AS("norm3df", norm3df((float)x, 1.0f, 2.0f) - sqrtf((float)(x * x + 5)), 0);
    CHECK_AS("erfcx", erfcx(x) * exp(-x * x), 1000, -5, 5);
    CHECK_AS("erfinv", erf(erfinv(x)), 16, -0.9999, 0.9999);
    CHECK_AS("erfcinv", erfc(erfcinv(x)), 64, 0, 1.99);
    CHECK_AS("normcdfinv", normcdf(normcdfinv(x)), 64, 0, 0.999);
    CHECK_AS("cyl_bessel_i0", cyl_bessel_i0(x), 200, -130, 130);
    CHECK_AS("cyl_bessel_i1", cyl_bessel_i1(x), 200, -130, 130);
    CHECK_AS("exp10", exp10(x), 400, -200, 200);
    CHECK_AS("fdividef", fdividef((float)x, 3.0f), 1);
    printf("%.6f %.6f %.6f %.6f %.6f\n", normcdfinv(0.975), erfcx(3.0), cyl_bessel_i0(1.0), cyl_bessel_i1f(30.0f) / 1e11,
           rsqrtf(2.0f));
}

int main()
{
    cudaMallocManaged(&results, VALUES * sizeof *results);
    parts_of_numbers();
    library_functions();
    cuda_functions();
    cudaFree(results);
    puts("done");
}
