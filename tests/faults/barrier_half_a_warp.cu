// The barrier is in a branch that splits the warp; both halves go on.
extern "C" __global__ void barrier_half_a_warp(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] += s[threadIdx.x];
}
