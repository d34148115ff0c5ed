#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__constant__ float factor;

__global__ void scale(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status = (call);                                                                                   \
        if (status != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s\n", cudaGetErrorString(status));                                                       \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t size = n * sizeof(float);
    float *host = (float *)malloc(size), *device, two = 2.0f, time = 0.0f;
    for (int i = 0; i < n; i++)
        host[i] = (float)rand() / RAND_MAX + fabs(-1.0 * i);
    CHECK(cudaMalloc(&device, size));
    CHECK(cudaMalloc((void **)&device, size));
    CHECK(cudaMemcpyToSymbol(factor, &two, sizeof two));
    CHECK(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    dim3 block(256), grid((n + 255) / 256);
    scale<<<grid, block>>>(device, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&time, begin, end);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost));
    printf("%f in %f ms\n", host[0], time);
    cudaFree(device);
    free(host);
    return 0;
}
