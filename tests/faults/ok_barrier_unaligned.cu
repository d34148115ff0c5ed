// Odd and even lanes arrive separately at a barrier of the kind that allows it.
extern "C" __global__ void ok_barrier_unaligned(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x % 2) {
        asm volatile("barrier.sync 0;" ::: "memory");
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        asm volatile("barrier.sync 0;" ::: "memory");
        out[threadIdx.x] = 2 * s[63 - threadIdx.x];
    }
}
