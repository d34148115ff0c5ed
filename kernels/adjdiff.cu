// Adjacent difference: b[i] = a[i] - a[i - 1], and b[0] = a[0].

extern "C" __global__ void adjdiff_global(float *b, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float before = 0;
        if (i > 0)
            before = a[i - 1];
        b[i] = a[i] - before;
    }
}

extern "C" __global__ void adjdiff_shared(float *b, const float *a, int n)
{
    __shared__ float tile[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = a[i];
    __syncthreads();

    if (i < n) {
        float before = 0;
        if (threadIdx.x > 0)
            before = tile[threadIdx.x - 1];
        else if (i > 0)
            before = a[i - 1]; // it belongs to the block before this one
        b[i] = tile[threadIdx.x] - before;
    }
}
