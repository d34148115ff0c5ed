// Half precision and brain floats: conversions, arithmetic and comparison in kernels as on the host, and against the
// definition of rounding.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int VALUES = 40, RESULTS = 40;
__managed__ float values[VALUES];
__managed__ double results[VALUES * VALUES][RESULTS];

template <typename T, typename T2> struct type;
#define TYPE(T, T2, WORD, WORD2)                                                                                       \
    template <> struct type<T, T2> {                                                                                   \
        __host__ __device__ static void conversions(float x, double *r)                                                \
        {                                                                                                              \
            float const small = fabsf(x) < 9000 ? x : 7.0f;                                                            \
            r[0] = (float)__float2##WORD##_rn(x), r[1] = (float)__float2##WORD##_rz(x);                                \
            r[2] = (float)__float2##WORD##_rd(x), r[3] = (float)__float2##WORD##_ru(x);                                \
            r[4] = (float)__double2##WORD(x * (1 + 1e-12)), r[5] = (float)__int2##WORD##_rz((int)small * 7);               \
            r[6] = (float)__ll2##WORD##_rn((long long)small * 1000003), r[7] = __##WORD##2int_rn(T(x));                    \
            r[8] = __##WORD##2ushort_rz(T(x)), r[9] = (double)__##WORD##2ull_ru(T(x));                                 \
            r[10] = __##WORD##2short_rd(T(x)), r[11] = (float)__ushort2##WORD##_ru((unsigned short)fabsf(small));          \
        }                                                                                                              \
        __host__ __device__ static void arithmetic(T a, T b, double *r)                                                \
        {                                                                                                              \
            T2 const p = __halves2##WORD2(a, b), q = __halves2##WORD2(b, a), s = p * q;                                \
            r[12] = (float)(a + b), r[13] = (float)(a - b), r[14] = (float)(a * b), r[15] = (float)(a / b);            \
            r[16] = (float)__hfma(a, b, a), r[17] = (float)__hmin(a, b), r[18] = (float)__hmax_nan(a, b);              \
            r[19] = __low2float(s) + 2 * __high2float(s), r[20] = (float)__hadd_sat(a, b);                             \
            r[21] = (float)__hfma_relu(a, b, b), r[22] = __low2float(__hcmadd(p, q, p));                               \
            r[23] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * __hneu(a, b) + 16 * __hgtu(a, b) + 32 * __hbge2(p, q); \
            r[24] = __hlt2_mask(p, q), r[25] = __low2float(__hge2(p, q)), r[26] = __hisinf(a) + 4 * __hisnan(b);       \
            r[27] = __high2float(__lows2##WORD2(p, q)) + __low2float(__high2##WORD2(p)), r[28] = (float)-a;            \
        }                                                                                                              \
    };
TYPE(__half, __half2, half, half2)
TYPE(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

template <typename T, typename T2> __global__ void compute()
{
    int const i = threadIdx.x, k = blockIdx.x;
    type<T, T2>::conversions(values[i], results[k * VALUES + i]);
    type<T, T2>::arithmetic(T(values[i]), T(values[k]), results[k * VALUES + i]);
}

template <typename T, typename T2> void compare(const char *name)
{
    int wrong = 0;
    compute<T, T2><<<VALUES, VALUES>>>();
    cudaDeviceSynchronize();
    for (int at = 0; at < VALUES * VALUES; at++) {
        double wanted[RESULTS] = {};
        float const x = values[at % VALUES];
        type<T, T2>::conversions(x, wanted);
        type<T, T2>::arithmetic(T(x), T(values[at / VALUES]), wanted);
        for (int i = 0; i < 29; i++)
            if (wanted[i] != results[at][i] && !(wanted[i] != wanted[i] && results[at][i] != results[at][i]) &&
                wrong++ < 5)
                printf("%s: result %d of %g and %g is %.17g, on the host %.17g\n", name, i, x, values[at / VALUES],
                       results[at][i], wanted[i]);
        // rz, rd and ru lie around the value, and rn is one of them
        if (wanted[2] > x || wanted[3] < x || fabs(wanted[1]) > fabs(x) || (wanted[0] != wanted[2] && wanted[0] != wanted[3]))
            printf("%s: %.9g is rounded to %.9g %.9g %.9g %.9g\n", name, x, wanted[0], wanted[1], wanted[2], wanted[3]);
    }
    printf("%s: wrong %d\n", name, wrong);
}

__global__ void together(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2)
{
    float const lane = threadIdx.x;
    atomicAdd(h, __float2half(1.0f));
    atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(b, __float2bfloat16(1.0f));
    atomicAdd(b2, __floats2bfloat162_rn(1.0f, 2.0f));
    __half const from_next = __shfl_down_sync(0xffffffff, __float2half(lane), 1);
    __nv_bfloat162 const from_other = __shfl_xor_sync(0xffffffff, __floats2bfloat162_rn(lane, -lane), 1);
    if (threadIdx.x == 4)
        printf("%g %g %g %g %g\n", __half2float(from_next), __low2float(from_other), __half2float(hexp2(__float2half(3))),
               __bfloat162float(htanh(__nv_bfloat16(0.5f))), __high2float(h2rcp(__floats2half2_rn(2, 8))));
}

int main()
{
    float const few[] = {0.0f,   -0.0f,     1.0f,  -1.0f, 0.1f,    3.14159f, -2.71828f, 65504.0f, 65519.0f, 65520.0f,
                         70000,  1e-5f,     6e-8f, 3e-8f, -2.9e-8f, 1e-7f,    2048.5f,   2049.0f,  -4099.0f, 0.333333f,
                         1e20f,  -3.39e38f, 5.5f,  0.5f,  1.5f,    2.5f,     -0.5f,     -1.5f,    255.5f,   257.0f};
    for (int i = 0; i < VALUES; i++)
        values[i] = i < 30 ? few[i] : i == 39 ? INFINITY : sinf((float)i) * ldexpf(1, i - 34);
    compare<__half, __half2>("half");
    compare<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    __half *h;
    __half2 *h2;
    __nv_bfloat16 *b;
    __nv_bfloat162 *b2;
    cudaMallocManaged(&h, sizeof *h);
    cudaMallocManaged(&h2, sizeof *h2);
    cudaMallocManaged(&b, sizeof *b);
    cudaMallocManaged(&b2, sizeof *b2);
    *h = 0.5f;
    *b = 0.5f;
    *h2 = __floats2half2_rn(0, 1);
    *b2 = __floats2bfloat162_rn(0, 1);
    together<<<1, 32>>>(h, h2, b, b2);
    cudaDeviceSynchronize();
    printf("%g %g %g %g %g %g\n", (float)*h, (float)*b, __low2float(*h2), __high2float(*h2), __low2float(*b2),
           __high2float(*b2));
    cudaFree(h);
    cudaFree(h2);
    cudaFree(b);
    cudaFree(b2);
}
