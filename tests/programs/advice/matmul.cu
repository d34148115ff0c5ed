// first advice: loaded again and again, array a
// first advice with X=8 Y=8: loaded again and again, array a
// first advice with X=32 Y=32: loaded again and again, array a
// first advice with EXCHANGED=1: x and y exchanged, array a
// first advice with EXCHANGED=1 X=8 Y=8: x and y exchanged, array a
// first advice with EXCHANGED=1 X=32 Y=32: x and y exchanged, array a
// first advice with EXCHANGED=1 X=32 Y=8: x and y exchanged, array a
#include <cuda_runtime.h>
#ifndef X
#define X 16
#define Y 16
#endif

__global__ void matmul(float *c, const float *a, const float *b, int n)
{
#ifdef EXCHANGED
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
#else
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    matmul<<<dim3(n / X, n / Y), dim3(X, Y)>>>(out, in, in + n * n, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
