// A shared variable that one thread writes before a barrier or fence: every thread reads its new value behind it.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void by_barrier(int *sums, const int *first)
{
    __shared__ int base;
    if (threadIdx.x == 0)
        base = first[blockIdx.x];
    __syncthreads();
    sums[blockIdx.x * blockDim.x + threadIdx.x] += base;
}

__global__ void by_group(int *sums, const int *first)
{
    __shared__ int base;
    if (threadIdx.x == 0)
        base = first[blockIdx.x];
    cooperative_groups::this_thread_block().sync();
    sums[blockIdx.x * blockDim.x + threadIdx.x] += base;
}

__global__ void by_count(int *sums, const int *first)
{
    __shared__ int base;
    if (threadIdx.x == 0)
        base = first[blockIdx.x];
    if (__syncthreads_count(threadIdx.x < 3) == 3)
        sums[blockIdx.x * blockDim.x + threadIdx.x] += base;
}

__global__ void by_warp(int *sums, const int *first)
{
    __shared__ int base;
    if (threadIdx.x == 0)
        base = first[blockIdx.x];
    __syncwarp();
    if (threadIdx.x < 32)
        sums[blockIdx.x * blockDim.x + threadIdx.x] += base;
}

int main()
{
    int const blocks = 4, threads = 64;
    int *sums, *first;
    cudaMallocManaged(&sums, blocks * threads * sizeof(int));
    cudaMallocManaged(&first, blocks * sizeof(int));
    for (int i = 0; i < blocks * threads; i++)
        sums[i] = 0;
    for (int i = 0; i < blocks; i++)
        first[i] = 100 + i;
    by_barrier<<<blocks, threads>>>(sums, first);
    by_group<<<blocks, threads>>>(sums, first);
    by_count<<<blocks, threads>>>(sums, first);
    by_warp<<<blocks, threads>>>(sums, first);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", sums[0], sums[1], sums[63], sums[3 * threads + 31]);
    cudaFree(sums);
    cudaFree(first);
}
