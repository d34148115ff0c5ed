// A shared halo without room on the left.
extern "C" __global__ void shared_negative(const int *in, int *out, int halo)
{
    __shared__ int s[64];
    s[(int)threadIdx.x - halo] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[in[threadIdx.x] / 2];
}
