// first advice: atomics on one address, array out
#include <cuda_runtime.h>

__global__ void histogram(int *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[(int)in[i] % 4], 1);
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    histogram<<<n * n / 256, 256>>>((int *)out, in);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
