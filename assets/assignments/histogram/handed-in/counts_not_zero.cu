// The counts in shared memory are not set to 0.
#define BLOCK 256
#define BINS 64

__global__ void histogram_kernel(unsigned *bins, const unsigned char *in, int n)
{
    __shared__ unsigned counts[BINS];
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&counts[in[i] / 4], 1);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(unsigned *bins, const unsigned char *in, int n)
{
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    histogram_kernel<<<8, BLOCK>>>(bins, in, n);
}
