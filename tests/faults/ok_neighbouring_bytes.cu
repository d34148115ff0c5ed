// Threads of two warps write neighbouring bytes of the same words.
extern "C" __global__ void ok_neighbouring_bytes(const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char s[64];
    int i = threadIdx.x % 32 * 2 + threadIdx.x / 32;
    s[i] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
