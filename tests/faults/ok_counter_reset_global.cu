// Each warp resets a counter of its own in global memory, and a __syncwarp orders its lanes.
extern "C" __global__ void ok_counter_reset_global(int *count)
{
    int *own = &count[(blockIdx.x * blockDim.x + threadIdx.x) / 32];
    if (threadIdx.x % 32 == 0)
        *own = 0;
    __syncwarp();
    atomicAdd(own, 1);
}
