// The index belongs to the long buffer, the store to the short one.
extern "C" __global__ void bounds_wrong_buffer(const float *in, float *sums)
{
    sums[threadIdx.x] = in[threadIdx.x] + 1;
}
