// first advice: strided, array in
#include <cuda_runtime.h>

struct body {
    float x, y, z, mass;
};

__global__ void push(body *out, const body *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i].x = in[i].x + in[i].mass;
}

int main()
{
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, 4 * n * n * sizeof *in);
    cudaMalloc(&out, 4 * n * n * sizeof *out);
    cudaMemset(in, 0, 4 * n * n * sizeof *in);
    cudaMemset(out, 0, 4 * n * n * sizeof *out);
    push<<<n * n / 256, 256>>>((body *)out, (const body *)in);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
