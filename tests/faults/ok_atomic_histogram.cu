// Bins in shared memory: cleared, barrier, counted with atomics, barrier, read.
extern "C" __global__ void ok_atomic_histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
