// The mask of a shuffle is a ballot taken before the branch.
extern "C" __global__ void ok_ballot_of_who_is_here(const int *in, int *out)
{
    unsigned here = __ballot_sync(0xffffffffu, in[threadIdx.x] != 0);
    if (in[threadIdx.x] != 0)
        out[threadIdx.x] = __shfl_sync(here, in[threadIdx.x], __ffs(here) - 1);
}
