// Blocks of 50 threads: the last warp of each is not full.
extern "C" __global__ void ok_partial_warp(const int *in, int *out)
{
    __shared__ int s[50];
    s[threadIdx.x] = in[blockIdx.x * 50 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 50 + threadIdx.x] = s[49 - threadIdx.x];
}
