// The last 8-byte element begins inside the buffer and ends outside.
extern "C" __global__ void bounds_straddle(int *out)
{
    ((long long *)out)[threadIdx.x] = threadIdx.x;
}
