// A bin beyond the histogram.
extern "C" __global__ void bounds_atomic(const int *in, int *bins)
{
    atomicAdd(&bins[in[threadIdx.x]], 1);
}
