// Each thread adds to the result in global memory.
#define BLOCK 256

__global__ void sum_kernel(int *result, const int *in, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        atomicAdd(&result[0], in[i]);
}

void sum(int *result, const int *in, int n)
{
    cudaMemset(result, 0, sizeof(int));
    if (n > 0)
        sum_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(result, in, n);
}
