// Each byte is counted in global memory.
#define BLOCK 256
#define BINS 64

__global__ void histogram_kernel(unsigned *bins, const unsigned char *in, int n)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&bins[in[i] / 4], 1);
}

void histogram(unsigned *bins, const unsigned char *in, int n)
{
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    histogram_kernel<<<8, BLOCK>>>(bins, in, n);
}
