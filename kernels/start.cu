// Each thread takes a number from global memory, puts it into shared memory, and writes twice that number.
extern "C" __global__ void start_double(float *out, const float *in, int stride)
{
    __shared__ float tile[64 * 8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float number = in[i * stride];
    tile[threadIdx.x * stride] = number;
    __syncthreads();
    out[i] = 2 * tile[threadIdx.x * stride];
}
