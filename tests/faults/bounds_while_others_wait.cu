// The last block leaves its buffer before it reaches the grid barrier at which the others wait.
extern "C" __global__ void bounds_while_others_wait(unsigned *arrived, int *out)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1)
            out[gridDim.x] = 1;
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {
        }
    }
    __syncthreads();
}
