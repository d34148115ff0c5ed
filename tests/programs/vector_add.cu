// The first program of every course, with the C++ library.
#include <cmath>
#include <cuda_runtime.h>
#include <iostream>
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
    if (i == 0)
        printf("kernel: %d elements\n", n);
}

int main()
{
    int const n = 1000;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = std::sin(float(i)) * std::sin(float(i));
        b[i] = std::cos(float(i)) * std::cos(float(i));
    }
    float *da, *db, *dc;
    cudaMalloc(&da, n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMalloc(&dc, n * sizeof(float));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    cudaDeviceSynchronize();
    cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0;
    for (float value : c)
        worst = std::max(worst, std::fabs(value - 1.0f));
    std::cout << (worst < 1e-5f ? "PASSED" : "FAILED") << std::endl;
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
