// The last steps of a reduction assume that a warp runs in lockstep: no __syncwarp.
extern "C" __global__ void race_warp_synchronous(const int *in, int *out)
{
    __shared__ volatile int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 32] = in[threadIdx.x + 32];
    s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];
    if (threadIdx.x < 16)
        s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 16];
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = s[0];
}
