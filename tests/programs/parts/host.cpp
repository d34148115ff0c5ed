#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

void show(int value, int result)
{
    dim3 const one(2);
    float4 const four = make_float4(0, 0, 0, (float)one.y);
    int count = 0;
    cudaGetDeviceCount(&count);
    result *= count * (int)four.w * (int)__half2float(__float2half(1.25f));
    std::printf("%d * %d = %.0f\n", value, FACTOR, std::fabs((double)result));
}
