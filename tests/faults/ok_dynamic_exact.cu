// Dynamic shared memory of exactly the size used, behind a static array.
extern __shared__ int tile[];
extern "C" __global__ void ok_dynamic_exact(const int *in, int *out)
{
    __shared__ int other[64];
    tile[threadIdx.x] = in[threadIdx.x];
    other[threadIdx.x] = 2 * in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x] + other[63 - threadIdx.x];
}
