// Two warps of a block exchange data through global memory without a barrier.
extern "C" __global__ void race_global_in_block(int *scratch, int *out)
{
    scratch[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = scratch[63 - threadIdx.x];
}
