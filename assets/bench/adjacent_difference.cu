// Adjacent difference of 16 Mi floats.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void difference(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        out[i] = in[i] - in[i - 1];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = i % 1000 * 0.125f;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof *d_in);
    cudaMalloc(&d_out, n * sizeof *d_out);
    cudaMemcpy(d_in, in.data(), n * sizeof *d_in, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, n * sizeof *d_out);
    difference<<<(n + 255) / 256, 256>>>(d_out, d_in, n);
    cudaMemcpy(out.data(), d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost);
    printf("%g\n", out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
