// The kernel gets pointers of the host.
#define BLOCK 256

__global__ void add_kernel(float *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

void add(float *c, const float *a, const float *b, int n)
{
    if (n == 0)
        return;
    add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(c, a, b, n);
    cudaDeviceSynchronize();
}
