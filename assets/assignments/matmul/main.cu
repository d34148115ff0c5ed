// The teacher's program: multiplies matrices of each size among the arguments with the function that is handed in.
#include <cstdio>
#include <cstdlib>

#include "product.cu"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

static bool is_right(int n)
{
    int const count = n * n;
    size_t const bytes = count * sizeof(float);
    float *a = new float[count], *b = new float[count], *c = new float[count], *device_a, *device_b, *device_c;
    for (int i = 0; i < count; i++) { // whole numbers, so that each order of additions has the same sum
        a[i] = float(i * 7 % 11);
        b[i] = float(i * 5 % 13);
    }
    check(cudaMalloc(&device_a, bytes), "cudaMalloc");
    check(cudaMalloc(&device_b, bytes), "cudaMalloc");
    check(cudaMalloc(&device_c, bytes), "cudaMalloc");
    check(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_c, 0xFF, bytes), "cudaMemset");
    product(device_c, device_a, device_b, n);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_a), "cudaFree");
    check(cudaFree(device_b), "cudaFree");
    check(cudaFree(device_c), "cudaFree");
    bool right = true;
    for (int i = 0; i < count && right; i++) {
        float due = 0;
        for (int k = 0; k < n; k++)
            due += a[i / n * n + k] * b[k * n + i % n];
        right = c[i] == due;
        if (!right)
            std::printf("FAILED: n = %d: row %d, column %d is %g, not %g\n", n, i / n, i % n, c[i], due);
    }
    delete[] a;
    delete[] b;
    delete[] c;
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
