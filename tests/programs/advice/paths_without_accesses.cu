// first advice: divergent branch
#include <cuda_runtime.h>

__global__ void work(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (threadIdx.x % 2)
        for (int k = 0; k < 32; k++)
            v = v * 1.5f + k;
    else
        for (int k = 0; k < 32; k++)
            v = v * 0.5f - k;
    out[i] = v;
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    work<<<n * n / 256, 256>>>(out, in);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
