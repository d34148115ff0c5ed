// A remainder by a bucket count of zero.
extern "C" __global__ void remainder_by_zero(unsigned *io, unsigned buckets)
{
    io[threadIdx.x] = io[threadIdx.x] % buckets;
}
