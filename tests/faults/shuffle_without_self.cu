// Lanes 16 to 31 shuffle with a mask that does not name them.
extern "C" __global__ void shuffle_without_self(const int *in, int *out, unsigned mask)
{
    out[threadIdx.x] = __shfl_down_sync(mask, in[threadIdx.x], 1);
}
