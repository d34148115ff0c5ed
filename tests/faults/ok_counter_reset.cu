// Thread 0 resets a shared counter; the others count it up behind a barrier.
extern "C" __global__ void ok_counter_reset(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = count;
}
