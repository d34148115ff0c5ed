// A filter's tap that counts down past the array's first element.
extern "C" __global__ void shared_descending(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[16 - (int)threadIdx.x];
}
