// The threads of a block exchange their values, the first with the last.
extern "C" __global__ void turned(int *out, const int *in, int shift)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t + shift];
    __syncthreads();
    out[t] = tile[63 - t];
}

extern "C" __global__ void turned_early(int *out, const int *in, int shift)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t + shift];
    out[t] = tile[63 - t]; // is it there yet?
}
