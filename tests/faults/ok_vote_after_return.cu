// A vote does not wait for lanes that have ended.
extern "C" __global__ void ok_vote_after_return(const int *in, unsigned *out)
{
    if (threadIdx.x >= 20)
        return;
    out[threadIdx.x] = __ballot_sync(0xfffffu, in[threadIdx.x] % 2);
}
