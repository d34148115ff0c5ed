// Lane 0 waits for a flag that lane 1 sets only after it reconverges with lane 0.
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
