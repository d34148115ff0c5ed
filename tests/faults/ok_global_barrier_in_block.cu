// Warps of a block exchange data through global memory, with a barrier in between.
extern "C" __global__ void ok_global_barrier_in_block(int *scratch, int *out)
{
    int base = blockIdx.x * 64;
    scratch[base + threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[base + threadIdx.x] = scratch[base + 63 - threadIdx.x];
}
