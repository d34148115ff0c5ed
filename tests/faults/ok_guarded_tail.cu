// The tail is guarded at both ends.
extern "C" __global__ void ok_guarded_tail(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        s[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = threadIdx.x > 0 ? s[threadIdx.x] - s[threadIdx.x - 1] : 0;
}
