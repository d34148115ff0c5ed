// Whole warps wait at barriers in two places: hardware counts them together, the language does not.
extern "C" __global__ void barrier_by_warp(const int *in, int *out)
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
