// Only half of the tile is loaded.
extern "C" __global__ void unwritten_shared(const int *in, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x < 32)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
