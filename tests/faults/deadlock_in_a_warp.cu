// Lane 0 waits for a flag; lane 1 sets it, but only after it has met lane 0.
extern "C" __global__ void deadlock_in_a_warp(int *flag)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)flag == 0) {
        }
        __syncwarp();
    } else {
        __syncwarp();
        *(volatile int *)flag = 1;
    }
}
