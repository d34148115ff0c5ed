// Mean of 5 x 5 pixels in a picture of 2048 x 2048, blocks of 32 x 8.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void mean(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += in[(y + dy) * n + x + dx];
    out[y * n + x] = sum / 25;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    std::vector<float> in(n * n), out(n * n);
    for (int i = 0; i < n * n; i++)
        in[i] = i % 11;
    float *d_in, *d_out;
    size_t bytes = in.size() * sizeof *d_in;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, bytes);
    dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    mean<<<grid, block>>>(d_out, d_in, n);
    cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", out[(n / 2) * n + n / 2]);
    cudaFree(d_in);
    cudaFree(d_out);
}
