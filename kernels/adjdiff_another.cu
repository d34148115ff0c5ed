// Adjacent difference through shared memory, by another author.
extern "C" __global__ void adjdiff_another(float *b, const float *a, int n)
{
    __shared__ float tile[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own = 0, before = 0;
    if (i < n) {
        own = a[i];
        tile[threadIdx.x] = own;
    }
    __syncthreads();

    if (i < n) {
        if (threadIdx.x > 0)
            before = tile[threadIdx.x - 1];
        else if (i > 0)
            before = a[i - 1]; // it belongs to the block before this one
    }
    b[i] = own - before;
}
