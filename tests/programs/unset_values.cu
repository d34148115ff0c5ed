// A value that one lane sets and a shuffle hands to all: what the other lanes hold before it is never used. A compiler
// that takes every argument for set would let every lane add.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void shuffled(int *counter)
{
    int first;
    if (threadIdx.x % 32 == 0)
        first = atomicAdd(counter, 32);
    first = __shfl_sync(0xffffffff, first, 0);
    counter[1 + first + threadIdx.x % 32] = 1;
}

__global__ void grouped(int *counter)
{
    auto group = cooperative_groups::coalesced_threads();
    int first;
    if (group.thread_rank() == 0)
        first = atomicAdd(counter, group.size());
    first = group.shfl(first, 0);
    counter[1 + first + group.thread_rank()] += 2;
}

int main()
{
    int *counter;
    cudaMallocManaged(&counter, 65 * sizeof(int));
    for (int i = 0; i < 65; i++)
        counter[i] = 0;
    shuffled<<<1, 64>>>(counter);
    cudaDeviceSynchronize();
    printf("%d\n", counter[0]);
    counter[0] = 0;
    grouped<<<1, 64>>>(counter);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 1; i < 65; i++)
        sum += counter[i];
    printf("%d %d\n", counter[0], sum);
    cudaFree(counter);
}
