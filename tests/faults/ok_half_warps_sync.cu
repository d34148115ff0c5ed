// Each half of a warp waits for itself only.
extern "C" __global__ void ok_half_warps_sync(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16) {
        __syncwarp(0xffffu);
        out[threadIdx.x] = s[15 - threadIdx.x];
    } else {
        __syncwarp(0xffff0000u);
        out[threadIdx.x] = s[47 - threadIdx.x];
    }
}
