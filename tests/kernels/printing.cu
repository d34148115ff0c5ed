#include <cassert>
#include <cstdio>

__global__ void hello(int limit, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < limit);
    printf("block %d thread %d says %f\n", blockIdx.x, threadIdx.x, i * scale);
    if (i == 0)
        printf("done\n");
}
