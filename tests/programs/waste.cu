// Launches that each waste in a way of their own, and one that does not: tests/script/explain.py.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct particle {
    float x, y, z, mass;
};

__global__ void move(particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i].x += dt * p[i].mass;
}

__global__ void transpose(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

__global__ void rows(float *sums, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[row * n + k];
    sums[row] = sum;
}

__global__ void count(int *total, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2)
        atomicAdd(total, in[i]);
}

__global__ void add(float *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 256;
    particle *p;
    float *in, *out;
    int *total;
    cudaMalloc(&p, n * n * sizeof *p);
    cudaMalloc(&in, n * n * sizeof *in);
    cudaMalloc(&out, n * n * sizeof *out);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(p, 0, n * n * sizeof *p);
    cudaMemset(in, 1, n * n * sizeof *in);
    cudaMemset(total, 0, sizeof *total);
    for (int step = 0; step < 3; step++)
        move<<<n * n / 256, 256>>>(p, 0.1f, n * n);
    transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, n);
    rows<<<1, n>>>(out, in, n);
    count<<<n * n / 256, 256>>>(total, (int *)in, n * n);
    add<<<n * n / 256, 256>>>(out, in, in, n * n - 5);
    int host;
    cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(p);
    cudaFree(in);
    cudaFree(out);
    cudaFree(total);
}
