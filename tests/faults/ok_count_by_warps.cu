// Each warp counts for itself and reads its own sum after a __syncwarp.
extern "C" __global__ void ok_count_by_warps(int *out)
{
    __shared__ int count[2];
    if (threadIdx.x < 2)
        count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&count[threadIdx.x / 32], 1);
    __syncwarp();
    if (threadIdx.x % 32 == 1)
        out[threadIdx.x / 32] = count[threadIdx.x / 32];
}
