// cuComplex.h and cuda_fp8.h: on the device as on the host, and fp8 against all the numbers that it has.
#include <cmath>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_fp8.h>

__host__ __device__ void complex_numbers(float x, float y, double *r)
{
    cuFloatComplex const a = make_cuFloatComplex(x, y), b = make_cuComplex(y - 2, x + 1);
    cuDoubleComplex const c = cuComplexFloatToDouble(a), d = cuComplexFloatToDouble(b);
    r[0] = cuCrealf(cuCmulf(a, b)), r[1] = cuCimagf(cuCdivf(a, b)), r[2] = cuCabsf(cuCsubf(a, cuConjf(b)));
    r[3] = cuCreal(cuCfma(c, d, c)), r[4] = cuCabs(cuCdiv(c, d)), r[5] = cuCimag(cuCadd(c, d));
}

__global__ void on_device(double *r, unsigned char *bytes, const float *values, int n)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        complex_numbers(1.5f, -2.25f, r);
    if (i >= n)
        return;
    bytes[2 * i] = __nv_fp8_e4m3(values[i]).__x;
    bytes[2 * i + 1] = __nv_cvt_float_to_fp8(values[i], __NV_NOSAT, __NV_E5M2);
}

// The byte whose number is nearest; of two equally near ones the even byte.
static unsigned nearest(float value, __nv_fp8_interpretation_t kind, unsigned most)
{
    unsigned best = 0;
    double distance = INFINITY;
    for (unsigned code = 0; code <= most; code++) {
        double const far = fabs(lanescope_fp8_to_float((unsigned char)code, kind) - fabs((double)value));
        if (far < distance || (far == distance && code % 2 == 0)) {
            distance = far;
            best = code;
        }
    }
    return best | (std::signbit(value) ? 0x80 : 0);
}

int main()
{
    enum { N = 3000 };
    double *r, wanted[6];
    unsigned char *bytes;
    float *values;
    cudaMallocManaged(&r, sizeof wanted);
    cudaMallocManaged(&bytes, 2 * N);
    cudaMallocManaged(&values, N * sizeof *values);
    for (int i = 0; i < N; i++)
        values[i] = i % 3 ? sinf((float)i) * ldexpf(1, i % 26 - 17)
                          : lanescope_fp8_to_float((unsigned char)(i / 3 & 0x7e), __NV_E4M3) * (1 + (i % 5) / 32.0f);
    on_device<<<(N + 255) / 256, 256>>>(r, bytes, values, N);
    cudaDeviceSynchronize();
    complex_numbers(1.5f, -2.25f, wanted);
    int wrong = 0;
    for (int i = 0; i < 6; i++)
        wrong += fabs(r[i] - wanted[i]) > 1e-6;
    for (int i = 0; i < N; i++)
        wrong += bytes[2 * i] != nearest(values[i], __NV_E4M3, 0x7e) || bytes[2 * i + 1] != nearest(values[i], __NV_E5M2, 0x7c);
    printf("wrong: %d, |3 + 4i| = %g\n", wrong, cuCabsf(make_cuComplex(3, 4)));
    float4 const four = (float4)__nv_fp8x4_e4m3(make_float4(1, -2.1f, 1e9f, 0.07f));
    printf("%g %g %g %g, %x %x %x %x\n", four.x, four.y, four.z, four.w, __nv_fp8_e5m2(1e9f).__x,
           __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2), __nv_cvt_float_to_fp8(-470, __NV_NOSAT, __NV_E4M3),
           __nv_fp8_e4m3(NAN).__x);
    printf("%g %g\n", (float)__nv_fp8_e5m2(3.3f), __low2float((__half2)__nv_fp8x2_e4m3(make_float2(3.3f, 2))));
    cudaFree(r);
    cudaFree(bytes);
    cudaFree(values);
}
