// One warp writes single bytes of words that another reads whole.
extern "C" __global__ void race_byte_of_word(const int *in, int *out)
{
    __shared__ int s[32];
    if (threadIdx.x < 32)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32)
        ((unsigned char *)s)[4 * threadIdx.x + 3] = 1;
    else
        out[threadIdx.x] = s[threadIdx.x - 32];
}
