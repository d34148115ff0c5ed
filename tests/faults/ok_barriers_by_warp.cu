// Whole warps meet at barriers in two places: what counts is how many have come.
extern "C" __global__ void ok_barriers_by_warp(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 0;" ::: "memory");
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        asm volatile("bar.sync 0;" ::: "memory");
        out[threadIdx.x] = 2 * s[63 - threadIdx.x];
    }
}
