// Threads of two warps write the same value to one place in shared memory.
extern "C" __global__ void ok_same_value_shared(const int *in, int *found)
{
    __shared__ int any;
    if (threadIdx.x == 0)
        any = 0;
    __syncthreads();
    if (in[threadIdx.x] == 7)
        any = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *found = any;
}
