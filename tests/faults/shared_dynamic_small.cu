// The launch gives 128 bytes of dynamic shared memory, the kernel uses 256.
extern __shared__ int tile[];
extern "C" __global__ void shared_dynamic_small(const int *in, int *out)
{
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
