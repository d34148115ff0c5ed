// A warp overwrites indices in shared memory before a slower warp reads them; the slower warp then uses a wrong index.
extern "C" __global__ void race_then_bounds(const int *in, int *out)
{
    __shared__ int next[64];
    int i = threadIdx.x, sum = 0;
    next[i] = 63 - i;
    __syncthreads();
    for (int k = 0; k < i; k++)
        sum += in[k];
    int from = next[63 - i];
    next[i] = 64 + sum;
    out[i] = in[from];
}
