// The first block waits for the last: on hardware both are resident.
extern "C" __global__ void ok_wait_for_later_block(int *flag, int *out)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 1) {
            atomicExch(flag, 1);
        } else {
            while (atomicAdd(flag, 0) == 0) {
            }
            *out = 1;
        }
    }
}
