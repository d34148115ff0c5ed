// The store leaves its buffer by so much that it may hit the next one.
extern "C" __global__ void bounds_next_allocation(int *a, int *b)
{
    a[128 + threadIdx.x] = b[threadIdx.x];
}
