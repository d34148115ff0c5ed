// Two warps count; a lane of the first reads the sum after a __syncwarp, which does not wait for the second.
extern "C" __global__ void race_count_by_warps(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncwarp();
    if (threadIdx.x == 1)
        out[blockIdx.x] = count;
}
