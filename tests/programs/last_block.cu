// A sum whose last block adds up the sums of the others: blocks depend on each other.
// arguments: 18
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ unsigned done;

__device__ float block_sum(float *sums, float value)
{
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    return sums[0];
}

__global__ void sum(const float *in, float *parts, float *out, int n)
{
    __shared__ float sums[256];
    __shared__ bool last;
    float value = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        value += in[i];
    float part = block_sum(sums, value);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    value = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 256)
        value += parts[i];
    value = block_sum(sums, value);
    if (threadIdx.x == 0)
        *out = value;
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? std::atoi(argv[1]) : 26);
    float *in, *parts, *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&parts, 1024 * sizeof *parts);
    cudaMallocManaged(&out, sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = i % 4;
    sum<<<1024, 256>>>(in, parts, out, n);
    cudaDeviceSynchronize();
    printf("%f\n", *out);
}
