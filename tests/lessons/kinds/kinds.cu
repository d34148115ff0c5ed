// Two warps exchange their values through shared memory, where the words of neighbours lie `stride` apart.
extern "C" __global__ void exchange(int *out, const int *in, int shift, int stride, int active)
{
    __shared__ int tile[64 * 8];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t * stride] = in[i + shift];
    __syncthreads();
    int value = tile[(t + 32) % 64 * stride];
    if (t % 32 < active)
        out[i] = value;
}

extern "C" __global__ void exchange_early(int *out, const int *in, int shift, int stride, int active)
{
    __shared__ int tile[64 * 8];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t * stride] = in[i + shift];
    int value = tile[(t + 32) % 64 * stride]; // is it there yet?
    if (t % 32 < active)
        out[i] = value;
}
