// Launch errors, templates, two dimensions, shared memory whose size the launch gives, and constant memory.
#include <cstdio>

__constant__ float weights[4];
__device__ int total;

template <typename T> __global__ void scale(T *data, T by)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

__global__ void weigh(float *data)
{
    extern __shared__ float row[];
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    row[i] = data[i];
    __syncthreads();
    data[i] = row[blockDim.x * blockDim.y - 1 - i] * weights[i % 4];
    atomicAdd(&total, 1);
}

int main()
{
    float values[64], w[4] = {1, 2, 3, 4}, *data;
    for (int i = 0; i < 64; i++)
        values[i] = float(i);
    cudaMalloc((void **)&data, sizeof values);
    cudaMemcpy(data, values, sizeof values, cudaMemcpyDefault);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    scale<<<2, 32>>>(data, 2.0f);
    weigh<<<dim3(1), dim3(16, 4), 64 * sizeof(float)>>>(data);
    weigh<<<0, 32>>>(data);
    printf("no blocks: %s\n", cudaGetErrorName(cudaGetLastError()));
    weigh<<<1, 2048>>>(data);
    printf("2048 threads: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("again: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
    weigh<<<1, 32, 100000>>>(data);
    printf("100000 bytes: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFuncSetAttribute(weigh, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    weigh<<<1, 32, 100000>>>(data);
    printf("allowed: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost);
    int count;
    cudaMemcpyFromSymbol(&count, total, sizeof count);
    printf("%g %g %g, %d\n", values[0], values[1], values[63], count);
    cudaFree(data);
}

#ifndef __DRIVER_TYPES_H__
#error helper_cuda.h of NVIDIA's samples needs this guard
#endif
