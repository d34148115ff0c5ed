// The two halves of a warp shuffle together, but with different masks.
extern "C" __global__ void shuffle_masks_differ(const int *in, int *out)
{
    if (in[threadIdx.x] < 16)
        out[threadIdx.x] = __shfl_sync(0xffffffffu, in[threadIdx.x], 3);
    else
        out[threadIdx.x] = __shfl_sync(0xffff0000u, in[threadIdx.x], 20);
}
