// More ways to place the barrier of a block that reverses its part of an array.

// Only the first 48 threads reach the barrier: it stands in a condition that divides a warp.
extern "C" __global__ void reverse_partial(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    tile[i] = in[first + i];
    if (i < 48)
        __syncthreads();
    out[first + i] = tile[blockDim.x - 1 - i];
}

// __syncwarp() orders the accesses of one warp only.
extern "C" __global__ void reverse_synced(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    tile[i] = in[first + i];
    __syncwarp();
    out[first + i] = tile[blockDim.x - 1 - i];
}

// No barrier, and the last warp comes late.
extern "C" __global__ void reverse_late(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    if (i / 32 == (blockDim.x - 1) / 32)
        __nanosleep(1000);
    tile[i] = in[first + i];
    out[first + i] = tile[blockDim.x - 1 - i];
}
