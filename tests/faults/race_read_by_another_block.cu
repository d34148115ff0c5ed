// Every thread reads the total; behind its block's barrier one thread of the last block changes it.
extern "C" __global__ void race_read_by_another_block(int *total, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = *total;
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *total = 7;
}
