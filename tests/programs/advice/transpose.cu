// first advice: down a column, array out
// first advice with SIDE=32: down a column, array out
#include <cuda_runtime.h>
#ifndef SIDE
#define SIDE 16
#endif

__global__ void transpose(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    transpose<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(out, in, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
