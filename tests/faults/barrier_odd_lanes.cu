// Odd and even lanes meet at different barriers.
extern "C" __global__ void barrier_odd_lanes(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x % 2) {
        __syncthreads();
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        __syncthreads();
        out[threadIdx.x] = s[threadIdx.x];
    }
}
