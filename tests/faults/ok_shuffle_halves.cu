// The halves of a warp shuffle separately, each with its own mask.
extern "C" __global__ void ok_shuffle_halves(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (v < 16)
        v = __shfl_xor_sync(0xffffu, v, 1);
    else
        v = __shfl_xor_sync(0xffff0000u, v, 2) + 1;
    out[threadIdx.x] = v;
}
