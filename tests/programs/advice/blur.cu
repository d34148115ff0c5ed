// first advice: windows that overlap, array in
// first advice with EXCHANGED=1: x and y exchanged, array in
#include <cuda_runtime.h>

__global__ void blur(float *out, const float *in, int n)
{
#ifdef EXCHANGED
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
#else
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    if (row < 1 || col < 1 || row >= n - 1 || col >= n - 1)
        return;
    float sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += in[(row + j) * n + col + i];
    out[row * n + col] = sum / 9;
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    blur<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out, in, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
