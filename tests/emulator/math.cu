// CUDA's mathematical functions, one after another, in the order of the list in tests/unit/emulator/math.c:
// out[f * n + i] = f(x[i], y[i]). Regenerate math.ptx with
//   nvcc -ptx -arch=compute_80 math.cu
#define EACH_SINGLE(X)                                                                                                 \
    X(sinf(x)) X(cosf(x)) X(tanf(x)) X(asinf(x)) X(acosf(x)) X(atanf(x)) X(atan2f(x, y)) X(sinhf(x)) X(coshf(x))       \
    X(tanhf(x)) X(asinhf(x)) X(acoshf(x)) X(atanhf(x)) X(expf(x)) X(exp2f(x)) X(exp10f(x)) X(expm1f(x)) X(logf(x))     \
    X(log2f(x)) X(log10f(x)) X(log1pf(x)) X(powf(x, y)) X(sqrtf(x)) X(rsqrtf(x)) X(cbrtf(x)) X(hypotf(x, y))           \
    X(erff(x)) X(erfcf(x)) X(lgammaf(x)) X(tgammaf(x)) X(fmodf(x, y)) X(sinpif(x)) X(cospif(x)) X(j0f(x)) X(y1f(x))    \
    X(erfinvf(x)) X(normcdff(x)) X(x / y) X(rnorm3df(x, y, 1.0f)) X(__sinf(x)) X(__expf(x)) X(__logf(x))               \
    X(__powf(x, y)) X(__fdividef(x, y))
#define EACH_DOUBLE(X)                                                                                                 \
    X(sin(x)) X(cos(x)) X(tan(x)) X(asin(x)) X(acos(x)) X(atan(x)) X(atan2(x, y)) X(sinh(x)) X(tanh(x)) X(exp(x))      \
    X(exp2(x)) X(log(x)) X(log10(x)) X(log1p(x)) X(pow(x, y)) X(sqrt(x)) X(cbrt(x)) X(hypot(x, y)) X(erf(x))           \
    X(erfc(x)) X(lgamma(x)) X(tgamma(x)) X(fmod(x, y)) X(x / y) X(rsqrt(x))
#define PUT(function) out[n * f++ + i] = function;

extern "C" __global__ void singles(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, f = 0;
    if (i >= n)
        return;
    float x = in[2 * i], y = in[2 * i + 1];
    EACH_SINGLE(PUT)
}

extern "C" __global__ void doubles(double *out, const double *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, f = 0;
    if (i >= n)
        return;
    double x = in[2 * i], y = in[2 * i + 1];
    EACH_DOUBLE(PUT)
}
