// __syncthreads_or is a barrier as well.
extern "C" __global__ void ok_barrier_vote(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    int any = __syncthreads_or(in[threadIdx.x] == 40);
    out[threadIdx.x] = any ? s[63 - threadIdx.x] : 0;
}
