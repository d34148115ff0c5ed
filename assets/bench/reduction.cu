// Sum of 16 Mi floats: a tree in shared memory for each block of 256.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sums(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24, blocks = (n + 255) / 256;
    std::vector<float> in(n), out(blocks);
    for (int i = 0; i < n; i++)
        in[i] = i % 3;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof *d_in);
    cudaMalloc(&d_out, blocks * sizeof *d_out);
    cudaMemcpy(d_in, in.data(), n * sizeof *d_in, cudaMemcpyHostToDevice);
    sums<<<blocks, 256>>>(d_out, d_in, n);
    cudaMemcpy(out.data(), d_out, blocks * sizeof *d_out, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float part : out)
        sum += part;
    printf("%g\n", sum);
    cudaFree(d_in);
    cudaFree(d_out);
}
