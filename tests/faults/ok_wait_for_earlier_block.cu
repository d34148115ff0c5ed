// A chained sum: each block waits for the one before it, with fences.
extern "C" __global__ void ok_wait_for_earlier_block(int *flags, int *sums)
{
    if (threadIdx.x == 0) {
        int sum = (int)blockIdx.x;
        if (blockIdx.x > 0) {
            while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
            }
            __threadfence();
            sum += sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = sum;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}
