// One warp waits at the barrier, the other for a flag that is set after the barrier.
extern "C" __global__ void barrier_never_reached(int *flag)
{
    if (threadIdx.x < 32) {
        __syncthreads();
        *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0) {
        }
        __syncthreads();
    }
}
