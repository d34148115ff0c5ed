// Thread 0 resets a shared counter that all threads, thread 0 too, count up at once: its own atomicAdd hides nothing.
extern "C" __global__ void race_counter_reset(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = count;
}
