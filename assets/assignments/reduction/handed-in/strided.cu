// Side by side, but the elements lie apart: bank conflicts.
#define BLOCK 256

__global__ void sum_kernel(int *result, const int *in, int n)
{
    __shared__ int part[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int place = 2 * step * threadIdx.x;
        if (place < BLOCK)
            part[place] += part[place + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(result, part[0]);
}

void sum(int *result, const int *in, int n)
{
    cudaMemset(result, 0, sizeof(int));
    if (n > 0)
        sum_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(result, in, n);
}
