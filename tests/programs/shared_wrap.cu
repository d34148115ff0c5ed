// Shared memory has addresses of 32 bits: an unsigned index that counts backwards from the end of an array wraps there.
#include <cstdio>

__global__ void backwards(int *out)
{
    __shared__ int values[64];
    values[threadIdx.x] = 10 * threadIdx.x;
    __syncthreads();
    unsigned const from_end = threadIdx.x + 1;
    out[threadIdx.x] = (values + 64 + 1)[~from_end];
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    backwards<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%d %d %d\n", out[0], out[1], out[63]);
    cudaFree(out);
}
