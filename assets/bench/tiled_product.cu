// Product of two square matrices, 512 x 512, through tiles of 16 x 16 in shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { TILE = 16 };

__global__ void product(float *c, const float *a, const float *b, int n)
{
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        of_a[y][x] = a[row * n + t + x];
        of_b[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += of_a[y][k] * of_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    float *d_a, *d_b, *d_c;
    size_t bytes = a.size() * sizeof *d_a;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    product<<<grid, block>>>(d_c, d_a, d_b, n);
    cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", c[n * n - 1]);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
