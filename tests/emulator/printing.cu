// Text from kernels, for tests/unit/emulator/printing.c. Regenerate printing.ptx with
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

// Its output on an H200 is in printing.txt: n 42, big 123456789012345678, x 1234.5678.
extern "C" __global__ void formats(int n, long long big, double x)
{
    if (threadIdx.x)
        return;
    char word[6] = {'l', 'o', 'c', 'a', 'l', 0};
    printf("plain text, 100%%\n");
    printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d]\n", n, -n, n, n, n, n, n);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08x]\n", n, n, n, n, n, n, -n);
    printf("[%ld] [%lu] [%lld] [%llu] [%llx] [%20lld] [%-20lld]\n", big, big, big, big, big, big, -big);
    printf("[%c] [%5c] [%-5c]\n", 'a' + n % 10, 'z', 'y');
    printf("[%f] [%.3f] [%10.2f] [%-10.1f] [%+.0f] [%010.3f] [%#.0f]\n", x, x, x, x, x, -x, x);
    printf("[%e] [%.2E] [%g] [%G] [%.10g] [%a] [%A]\n", x, x, x, x * 1e20, x, x, x);
    printf("[%f] [%f] [%e] [%g] [%f]\n", x / 0 , -x / 0, x * 1e300, 0.0 * x / 0, 1e-5f);
    printf("[%s] [%10s] [%-10s] [%.3s] [%s]\n", "text", "right", "left", "cut off", word);
    printf("[%*d] [%-*d]\n", 7, n, 7, n);
    printf("[%*.3f] [%+5d%%] [%5%] [%q] [%d]\n", 12, x, n, 9, 8);
    printf("%d %s %c %lld %f %d\n", 1, "mixed", '!', big, (float)x, -1);
    printf("[%p]\n", (void *)(size_t)0x7f12345678);
    int returned = printf("%d %d\n", 1, 2);
    printf("returned %d and %d\n", returned, printf(""));
    printf("no arguments: %d\n", printf("none\n"));
}
