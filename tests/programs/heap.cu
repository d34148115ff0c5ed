// The kernels' heap outlives a launch: what one kernel allocates, others use and free.
#include <cstdio>
#include <cstdlib>

__device__ int *kept[64];

__global__ void make(int value)
{
    int *mine = (int *)malloc(64 * sizeof(int));
    kept[threadIdx.x] = mine;
    for (int i = 0; mine && i < 64; i++)
        mine[i] = value + i;
}

__global__ void sum(int *out)
{
    int total = 0;
    for (int i = 0; i < 64; i++)
        total += kept[threadIdx.x][i];
    out[threadIdx.x] = total;
}

__global__ void release()
{
    free(kept[threadIdx.x]);
}

__global__ void ask(size_t bytes, int *out)
{
    kept[0] = (int *)malloc(bytes); // kept, so that the compiler cannot leave it out
    *out = kept[0] != nullptr;
}

int main()
{
    int *out, host[64];
    size_t limit;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("limit %zu\n", limit);
    cudaMalloc(&out, sizeof host);
    for (int round = 0; round < 70; round++) { // 1.1 MiB in all
        make<<<1, 64>>>(round);
        sum<<<1, 64>>>(out);
        release<<<1, 64>>>();
    }
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("sums %d %d\n", host[0], host[63]);
    ask<<<1, 1>>>(2 << 20, out);
    cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("more than the limit: %d\n", host[0]);
    printf("later: %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20)));
    make<<<1, 1>>>(0);
    release<<<1, 1>>>();
    sum<<<1, 1>>>(out);
    printf("freed: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
