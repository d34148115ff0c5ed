// Half of the warp shuffles with the mask of all; the other half waits elsewhere.
extern "C" __global__ void shuffle_in_a_branch(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (threadIdx.x < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1);
    else
        __syncwarp(0xffff0000u);
    out[threadIdx.x] = v;
    __syncwarp();
    out[threadIdx.x] += 1;
}
