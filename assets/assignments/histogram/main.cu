// The teacher's program: counts the values of arrays of each length among the arguments with the function that is handed
// in.
#include <cstdio>
#include <cstdlib>

#include "histogram.cu"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

static bool is_right(int n)
{
    enum { COUNT = 64 };
    unsigned char *in = new unsigned char[n], *device_in;
    unsigned got[COUNT], due[COUNT] = {0}, *device_bins;
    for (int i = 0; i < n; i++) {
        in[i] = static_cast<unsigned char>(i % 3 ? i * 7919 % 256 : 200); // one value in three is the same
        due[in[i] / 4]++;
    }
    check(cudaMalloc(&device_in, n), "cudaMalloc");
    check(cudaMalloc(&device_bins, sizeof got), "cudaMalloc");
    check(cudaMemcpy(device_in, in, n, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_bins, 0x55, sizeof got), "cudaMemset"); // nobody has set them to 0
    histogram(device_bins, device_in, n);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(got, device_bins, sizeof got, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_in), "cudaFree");
    check(cudaFree(device_bins), "cudaFree");
    int wrong = 0;
    while (wrong < COUNT && got[wrong] == due[wrong])
        wrong++;
    if (wrong < COUNT)
        std::printf("FAILED: n = %d: bin %d has %u, not %u\n", n, wrong, got[wrong], due[wrong]);
    delete[] in;
    return wrong == COUNT;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!is_right(std::atoi(argv[i])))
            return 1;
    std::printf("PASSED\n");
    return 0;
}
