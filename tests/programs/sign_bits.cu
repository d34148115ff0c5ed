// The sign chooses some bits: clang 14 makes a bit field of it that leaves the word.
#include <cstdio>

__global__ void step(unsigned long long *wide, unsigned *narrow)
{
    unsigned long long const w = wide[threadIdx.x];
    unsigned const n = narrow[threadIdx.x];
    wide[threadIdx.x] = (w << 1) ^ ((long long)w < 0 ? 7 : 0);
    narrow[threadIdx.x] = (n << 1) ^ ((int)n < 0 ? 7 : 0);
}

int main()
{
    unsigned long long wide[2] = {5, 0x8000000000000001}, *device_wide;
    unsigned narrow[2] = {5, 0x80000001}, *device_narrow;
    cudaMalloc(&device_wide, sizeof wide);
    cudaMalloc(&device_narrow, sizeof narrow);
    cudaMemcpy(device_wide, wide, sizeof wide, cudaMemcpyHostToDevice);
    cudaMemcpy(device_narrow, narrow, sizeof narrow, cudaMemcpyHostToDevice);
    step<<<1, 2>>>(device_wide, device_narrow);
    cudaMemcpy(wide, device_wide, sizeof wide, cudaMemcpyDeviceToHost);
    cudaMemcpy(narrow, device_narrow, sizeof narrow, cudaMemcpyDeviceToHost);
    printf("%llx %llx %x %x\n", wide[0], wide[1], narrow[0], narrow[1]);
    cudaFree(device_wide);
    cudaFree(device_narrow);
}
