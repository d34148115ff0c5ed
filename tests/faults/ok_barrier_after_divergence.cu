// The warp diverges and reconverges before the barrier.
extern "C" __global__ void ok_barrier_after_divergence(const int *in, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x % 3 == 0)
        s[threadIdx.x] = in[threadIdx.x];
    else if (threadIdx.x % 3 == 1)
        for (int k = 0; k <= (int)threadIdx.x; k++)
            s[threadIdx.x] = in[k];
    else
        s[threadIdx.x] = -1;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
