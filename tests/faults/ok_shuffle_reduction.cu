// A reduction by shuffles, then across warps through shared memory.
extern "C" __global__ void ok_shuffle_reduction(const int *in, int *out)
{
    __shared__ int sums[4];
    int v = in[threadIdx.x];
    for (int half = 16; half > 0; half /= 2)
        v += __shfl_down_sync(0xffffffffu, v, half);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 4) {
        v = sums[threadIdx.x];
        v += __shfl_down_sync(0xfu, v, 2);
        v += __shfl_down_sync(0xfu, v, 1);
        if (threadIdx.x == 0)
            out[0] = v;
    }
}
