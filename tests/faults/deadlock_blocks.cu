// A block waits for a flag that no block sets.
extern "C" __global__ void deadlock_blocks(int *flags)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)&flags[1 - blockIdx.x] == 0) {
        }
        *(volatile int *)&flags[blockIdx.x] = 1;
    }
}
