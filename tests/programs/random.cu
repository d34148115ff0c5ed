// cuRAND's sequences. The numbers equal those of CUDA 13's own curand_kernel.h, compiled for the host.
#include <cstdio>
#include <curand_kernel.h>

__global__ void draw(unsigned *out, float *real)
{
    int i = threadIdx.x;
    curandState xorwow;
    curandStatePhilox4_32_10_t philox;
    curand_init(1234ULL + (1ULL << 40), i * 977, i % 5, &xorwow);
    curand_init(99ULL, i, i, &philox);
    for (int n = 0; n < 5; n++) {
        out[i * 10 + n] = curand(&xorwow);
        out[i * 10 + 5 + n] = curand(&philox);
    }
    real[i * 4] = curand_uniform(&xorwow);
    real[i * 4 + 1] = curand_normal(&xorwow);
    real[i * 4 + 2] = curand_normal(&philox);
    real[i * 4 + 3] = (float)curand_uniform_double(&philox);
}

int main()
{
    unsigned *out;
    float *real;
    cudaMallocManaged(&out, 32 * 10 * sizeof(unsigned));
    cudaMallocManaged(&real, 32 * 4 * sizeof(float));
    draw<<<1, 32>>>(out, real);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i += 3) {
        for (int n = 0; n < 10; n++)
            printf("%u ", out[i * 10 + n]);
        for (int n = 0; n < 4; n++)
            printf("%.4f ", real[i * 4 + n]);
        puts("");
    }
}
