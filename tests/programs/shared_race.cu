// A missing barrier, and a kernel that reads what nothing wrote.
#include <cstdio>

__global__ void reverse(int *data)
{
    __shared__ int row[64];
    int i = threadIdx.x;
    row[i] = data[i];
    data[i] = row[63 - i];
}

__global__ void sum(const int *data, int *result)
{
    atomicAdd(result, data[threadIdx.x]);
}

int main()
{
    int *data, *result;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(data);
    sum<<<1, 64>>>(data, result);
    cudaDeviceSynchronize();
    puts("done");
    cudaFree(data);
    cudaFree(result);
}
