// first advice: x and y exchanged, array a
#include <cuda_runtime.h>

__global__ void matmul(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
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
    matmul<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, in + n * n, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
