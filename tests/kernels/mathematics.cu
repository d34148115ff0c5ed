#include <math.h>

__global__ void math_float(float *out, const float *in)
{
    float x = in[threadIdx.x], s, c;
    sincosf(x, &s, &c);
    out[0] = expf(x) + exp2f(x) + logf(x) + log2f(x) + log10f(x) + log1pf(x) + expm1f(x);
    out[1] = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, 2.0f) + s + c;
    out[2] = sinhf(x) + coshf(x) + tanhf(x) + powf(x, 1.5f) + sqrtf(x) + rsqrtf(x) + cbrtf(x) + hypotf(x, 3.0f);
    out[3] = fabsf(x) + floorf(x) + ceilf(x) + roundf(x) + truncf(x) + rintf(x) + fmodf(x, 1.25f) + copysignf(x, -1.0f);
    out[4] = fminf(x, 1.0f) + fmaxf(x, 2.0f) + fmaf(x, x, x) + erff(x) + fdimf(x, 1.0f) + M_PI;
    out[5] = __expf(x) + __logf(x) + __sinf(x) + __cosf(x) + __powf(x, 2.0f) + __fdividef(x, 3.0f) + __saturatef(x);
    out[6] = __fadd_rn(x, 1.0f) + __fmul_rz(x, 1.1f) + __frcp_rn(x) + __fsqrt_rn(x) + __fdiv_rn(x, 3.0f);
    out[7] = isnan(x) || isinf(x) || !isfinite(x) ? INFINITY : (float)__float2int_rn(x) + __int2float_rn(threadIdx.x);
}

__global__ void math_double(double *out, const double *in)
{
    double x = in[threadIdx.x];
    out[0] = exp(x) + log(x) + pow(x, 1.5) + sqrt(x) + rsqrt(x) + cbrt(x);
    out[1] = sin(x) + cos(x) + tan(x) + atan2(x, 2.0) + asin(x) + acos(x) + sinh(x) + cosh(x) + tanh(x);
    out[2] = fabs(x) + floor(x) + ceil(x) + round(x) + fmod(x, 1.25) + fma(x, x, x) + fmin(x, 1.0) + fmax(x, 2.0);
}

__global__ void math_integer(int *out, const int *in)
{
    int x = in[threadIdx.x];
    unsigned u = x;
    out[0] = __popc(u) + __clz(x) + __ffs(x) + __brev(u) + __mulhi(x, 77) + __umulhi(u, 77u) + __mul24(x, 3);
    out[1] = min(x, 3) + max(x, 4) + abs(x) + __byte_perm(u, 1, 0x3210) + __funnelshift_l(u, 3, 4) + x / 7 + x % 7;
    out[2] = __popcll((unsigned long long)x * x) + __clzll(x) + __sad(x, 3, 1u) + __float_as_int(1.5f);
}
