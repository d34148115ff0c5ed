// A counter in shared memory that was never set to zero.
extern "C" __global__ void unwritten_shared_counter(const int *in, int *out)
{
    __shared__ int count;
    if (in[threadIdx.x] % 3 == 0)
        atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = count;
}
