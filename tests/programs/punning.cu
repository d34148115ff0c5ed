// Values that are loaded and stored as another type of the same size, as kernels do for wide loads.
#include <cstdio>

template <typename Wide> __device__ void move(const float *from, float *to)
{
    *reinterpret_cast<Wide *>(to) = *reinterpret_cast<const Wide *>(from);
}

__global__ void twice(const float *in, float *out, int n)
{
    for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * gridDim.x * blockDim.x) {
        float values[4];
        move<uint4>(in + i, values);
        for (float &value : values)
            value *= 2;
        move<uint4>(values, out + i);
    }
}

int main()
{
    int const n = 1024;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    for (int i = 0; i < n; i++)
        in[i] = i;
    twice<<<2, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", out[1], out[514], out[1023]);
    cudaFree(in);
    cudaFree(out);
}
