// The teacher's program: scans arrays of each length among the arguments with the function that is handed in.
#include <cstdio>
#include <cstdlib>

#include "scan.cu"

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
    int *in = new int[n], *out = new int[n], *device_in, *device_out;
    for (int i = 0; i < n; i++)
        in[i] = 1 + i * 7919 % 1009;
    check(cudaMalloc(&device_in, bytes), "cudaMalloc");
    check(cudaMalloc(&device_out, bytes), "cudaMalloc");
    check(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_out, 0xFF, bytes), "cudaMemset");
    scan(device_out, device_in, n);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_in), "cudaFree");
    check(cudaFree(device_out), "cudaFree");
    bool right = true;
    for (int i = 0, due = 0; i < n && right; i++) {
        due += in[i];
        right = out[i] == due;
        if (!right)
            std::printf("FAILED: n = %d: out[%d] is %d, not %d\n", n, i, out[i], due);
    }
    delete[] in;
    delete[] out;
    return right;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!is_right(std::atoi(argv[i])))
            return 1;
    std::printf("PASSED\n");
    return 0;
}
