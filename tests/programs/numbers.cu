// Half precision, brain floats, atomic_ref, assert and std functions in kernels and on the host.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits>

__host__ __device__ float blend(float a, float b)
{
    return fmaxf(a, b) + std::sqrt(a) * sinf(b) + std::fabs(a - b) + pow(a, 2);
}

__global__ void compute(const __half *a, __half *b, float *c, unsigned *count)
{
    int i = threadIdx.x;
    assert(i < 32);
    __half x = a[i] * __float2half(2.0f) + a[i];
    __half2 two = __hadd2(__halves2half2(x, x), __half2half2(a[i]));
    b[i] = __hfma(__high2half(two), a[i], x);
    __nv_bfloat16 rough = __float2bfloat16(1.0f + i / 1000.0f) * __nv_bfloat16(3.0f);
    c[i] = blend((float)i, __bfloat162float(rough));
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(*count);
    ref.fetch_add(1, cuda::memory_order_relaxed);
    if (c[i] == std::numeric_limits<float>::infinity())
        printf("never\n");
}

// Directed rounding and conversions between types.
__global__ void convert(double *out)
{
    out[0] = __double2int_rd(-1.5) + 10.0 * __double2ll_ru(1.5) + 100.0 * __float2ull_rn(2.5f);
    out[1] = __ll2double_rn(7) + __dsqrt_rn(4) + __drcp_rn(2) + __int2double_rn(-1) + __dsub_rn(3, 1);
    out[2] = (__fadd_ru(1, 1e-20f) > 1) + (__fadd_rd(1, 1e-20f) == 1) + (__ddiv_ru(1, 3) > __ddiv_rd(1, 3));
    out[3] = __shfl_xor_sync(1u, threadIdx.x == 0, 0) + __half2float(__shfl_sync(1u, __float2half(4), 0));
}

int main()
{
    __half *a, *b;
    float *c;
    unsigned *count;
    cudaMallocManaged(&a, 32 * sizeof(__half));
    cudaMallocManaged(&b, 32 * sizeof(__half));
    cudaMallocManaged(&c, 32 * sizeof(float));
    cudaMallocManaged(&count, sizeof(unsigned));
    *count = 0;
    for (int i = 0; i < 32; i++)
        a[i] = __float2half(i * 0.5f);
    compute<<<1, 32>>>(a, b, c, count);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 32; i++) {
        __half x = a[i] * __float2half(2.0f) + a[i];
        float const rough = __bfloat162float(__float2bfloat16(1.0f + i / 1000.0f) * __nv_bfloat16(3.0f));
        wrong += __half2float(b[i]) != __half2float(__hfma(__hadd(x, a[i]), a[i], x));
        wrong += std::fabs(c[i] - blend((float)i, rough)) > 1e-4f * std::fabs(c[i]) + 1e-5f;
    }
    printf("%u threads, wrong %d, %g %g\n", *count, wrong, __half2float(b[7]), (float)__half(65520.0f));
    double *converted;
    cudaMallocManaged(&converted, 4 * sizeof(double));
    convert<<<1, 1>>>(converted);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", converted[0], converted[1], converted[2], converted[3]);
}
