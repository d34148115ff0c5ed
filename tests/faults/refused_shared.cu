// More dynamic shared memory than a multiprocessor has for one block.
extern __shared__ int tile[];
extern "C" __global__ void refused_shared(int *out)
{
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
