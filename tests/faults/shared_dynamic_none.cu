// The launch forgets the dynamic shared memory altogether.
extern __shared__ int tile[];
extern "C" __global__ void shared_dynamic_none(const int *in, int *out)
{
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
