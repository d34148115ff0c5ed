// Text from kernels, for tests/unit/emulator_printing.c. Regenerate printing.ptx with
//   nvcc -ptx -arch=compute_80 -lineinfo printing.cu
#include <cassert>
#include <cstdio>
__global__ void speak(int n, double x)
{
    if (threadIdx.x % 2 == 0)
        printf("block %d thread %u: %5.2f %s %llx %c%% %-4d|\n", blockIdx.x, threadIdx.x, x * threadIdx.x, "text",
               0x123456789abcdefULL, 'a' + (int)threadIdx.x, n);
}
__global__ void claim(int n) { assert((int)threadIdx.x < n); }
__global__ void allocate(int *out, int n)
{
    int *own = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        own[i] = threadIdx.x + i;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += own[i];
    out[threadIdx.x] = sum;
    free(own);
}
