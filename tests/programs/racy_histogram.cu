// A histogram without atomics: a race.
// arguments: 14
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < 8; k++)
        sum += in[(i + k * 4096) % n];
    bins[sum & 63]++;
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? std::atoi(argv[1]) : 23), *in, *bins;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&bins, 64 * sizeof *bins);
    for (int i = 0; i < n; i++)
        in[i] = i;
    for (int i = 0; i < 64; i++)
        bins[i] = 0;
    histogram<<<n / 256, 256>>>(in, bins, n);
    cudaDeviceSynchronize();
    printf("%d\n", bins[0]);
}
