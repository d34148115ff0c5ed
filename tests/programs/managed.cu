// The host reads managed memory before it synchronises; and again after.
#include <cstdio>

__global__ void fill(int *data, int value)
{
    data[threadIdx.x] = value;
}

int main()
{
    int *data, *other, early;
    cudaMallocManaged(&data, 32 * sizeof(int));
    cudaMallocManaged(&other, 32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        data[i] = other[i] = i;
    fill<<<1, 32>>>(data, 7);
    other[3] = 5;
    early = data[3];
    cudaDeviceSynchronize();
    printf("%d %d\n", data[3], other[3]);
    cudaFree(data);
    cudaFree(other);
    return early == 0;
}
