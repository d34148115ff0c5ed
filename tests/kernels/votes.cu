__global__ void votes(unsigned *out, const int *in)
{
    int value = in[threadIdx.x];
    unsigned everyone = 0xffffffff;
    out[0] = __ballot_sync(everyone, value > 0);
    out[1] = __any_sync(everyone, value > 5) + __all_sync(everyone, value > 1);
    out[2] = __match_any_sync(everyone, value);
    if (value & 1)
        out[3 + threadIdx.x] = __popc(__activemask());
    out[40] = __syncthreads_count(value > 2) + __syncthreads_or(value) + __syncthreads_and(value);
    __syncwarp();
}
