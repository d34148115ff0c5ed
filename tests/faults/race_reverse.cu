// Written in order, read in reverse, without a barrier in between.
extern "C" __global__ void race_reverse(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
