// A shared copy guards its load but not its store: a length that is no multiple of the block writes past the end.
extern "C" __global__ void bounds_tail_store(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = threadIdx.x > 0 && i < n ? s[threadIdx.x] - s[threadIdx.x - 1] : 0;
}
