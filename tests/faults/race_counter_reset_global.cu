// Thread 0 of each block resets the block's counter in global memory; a __syncwarp orders one warp of two.
extern "C" __global__ void race_counter_reset_global(int *count)
{
    if (threadIdx.x == 0)
        count[blockIdx.x] = 0;
    __syncwarp();
    atomicAdd(&count[blockIdx.x], 1);
}
