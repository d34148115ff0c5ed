// The last block alone reads the total, and behind its barrier one of its threads changes it.
extern "C" __global__ void ok_read_by_one_block(int *total, int *out)
{
    if (blockIdx.x != gridDim.x - 1)
        return;
    out[threadIdx.x] = *total;
    __syncthreads();
    if (threadIdx.x == 0)
        *total = 7;
}
