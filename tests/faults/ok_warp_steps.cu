// The last steps of a reduction in one warp: read, __syncwarp, write, __syncwarp.
extern "C" __global__ void ok_warp_steps(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncwarp();
    for (int half = 32; half > 0; half /= 2) {
        int sum = s[threadIdx.x] + s[(threadIdx.x + half) % 64];
        __syncwarp();
        s[threadIdx.x] = sum;
        __syncwarp();
    }
    if (threadIdx.x == 0)
        out[0] = s[0];
}
