// The teacher's program: adds up arrays of each length among the arguments with the function that is handed in.
#include <cstdio>
#include <cstdlib>

#include "sum.cu"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

static bool is_right(int n)
{
    size_t const bytes = n * sizeof(int);
    int *in = new int[n], *device_in, *device_result, got = 0, due = 0;
    for (int i = 0; i < n; i++) {
        in[i] = 100003 + i * 7919 % 1009;
        due += in[i];
    }
    check(cudaMalloc(&device_in, bytes), "cudaMalloc");
    check(cudaMalloc(&device_result, sizeof(int)), "cudaMalloc");
    check(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_result, 0x55, sizeof(int)), "cudaMemset"); // nobody has set it to 0
    sum(device_result, device_in, n);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(&got, device_result, sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_in), "cudaFree");
    check(cudaFree(device_result), "cudaFree");
    if (got != due)
        std::printf("FAILED: n = %d: the sum is %d, not %d\n", n, got, due);
    delete[] in;
    return got == due;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!is_right(std::atoi(argv[i])))
            return 1;
    std::printf("PASSED\n");
    return 0;
}
