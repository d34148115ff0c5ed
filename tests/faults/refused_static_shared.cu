// 64 KB of static shared memory; more than 48 KB must be dynamic.
extern "C" __global__ void refused_static_shared(int *out)
{
    __shared__ int tile[16384];
    tile[threadIdx.x * 512] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[(31 - threadIdx.x) * 512];
}
