// One lane of each group of active lanes adds for all.
extern "C" __global__ void ok_warp_aggregated(const int *in, int *count)
{
    if (in[blockIdx.x * 64 + threadIdx.x] == 1) {
        unsigned here = __activemask();
        if (threadIdx.x % 32 == __ffs(here) - 1)
            atomicAdd(count, __popc(here));
    }
}
