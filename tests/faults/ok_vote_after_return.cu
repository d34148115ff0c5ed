// Lanes that have ended are not waited for in a vote.
extern "C" __global__ void ok_vote_after_return(const int *in, unsigned *out)
{
    if (threadIdx.x >= 20)
        return;
    out[threadIdx.x] = __ballot_sync(0xfffffu, in[threadIdx.x] % 2);
}
