// Threads take places in a queue, by results of atomics.
// arguments: 16
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void select(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[atomicAdd(count, 1)] = in[i];
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? std::atoi(argv[1]) : 25), *in, *out, *count;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&count, sizeof *count);
    for (int i = 0; i < n; i++)
        in[i] = i;
    *count = 0;
    select<<<n / 256, 256>>>(in, out, count, n);
    cudaDeviceSynchronize();
    printf("%d\n", *count);
}
