// One thread too many: `i <= n`. The error is sticky, as on a GPU.
#include <cstdio>

__global__ void copy(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        to[i] = from[i];
}

int main()
{
    int const n = 1000;
    float *from, *to;
    cudaMalloc(&from, n * sizeof(float));
    cudaMalloc(&to, n * sizeof(float));
    cudaMemset(from, 0, n * sizeof(float));
    copy<<<4, 256>>>(from, to, n);
    printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("synchronize: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("free: %s\n", cudaGetErrorName(cudaFree(from)));
    return 0;
}
