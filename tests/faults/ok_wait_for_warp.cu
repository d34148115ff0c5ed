// One warp waits for a flag that another sets, with fences.
extern "C" __global__ void ok_wait_for_warp(int *flag, int *value, int *out)
{
    if (threadIdx.x == 32) {
        *value = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else if (threadIdx.x < 32) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        out[threadIdx.x] = *value;
    }
}
