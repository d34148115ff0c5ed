// Histogram of 16 Mi bytes: each block of 256 threads counts 16 bytes a thread in shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void histogram(unsigned *counts, const unsigned char *in, int n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24;
    std::vector<unsigned char> in(n);
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = seed >> 24;
    }
    unsigned counts[256], *d_counts;
    unsigned char *d_in;
    cudaMalloc(&d_in, n);
    cudaMalloc(&d_counts, sizeof counts);
    cudaMemcpy(d_in, in.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, sizeof counts);
    histogram<<<(n / 16 + 255) / 256, 256>>>(d_counts, d_in, n);
    cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
    printf("%u %u\n", counts[0], counts[255]);
    cudaFree(d_in);
    cudaFree(d_counts);
}
