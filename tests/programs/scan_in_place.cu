// Threads of a block hand values over in global memory, between barriers.
// arguments: 14
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void scan(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int distance = 1; distance < 256; distance *= 2) {
        int value = threadIdx.x >= distance ? a[i - distance] : 0;
        __syncthreads();
        a[i] += value;
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? std::atoi(argv[1]) : 21), *a;
    cudaMallocManaged(&a, n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = 1;
    scan<<<n / 256, 256>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", a[255]);
}
