// The teacher's program: copies matrices of rows, columns and pitch, three arguments each, with the function that is
// handed in.
#include <cstdio>
#include <cstdlib>

#include "copy.cu"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

static bool is_right(int rows, int columns, int pitch)
{
    size_t const read = size_t(rows) * pitch, written = size_t(rows) * columns;
    float *in = new float[read], *out = new float[written], *device_in, *device_out;
    for (size_t i = 0; i < read; i++)
        in[i] = float(i % 9973);
    check(cudaMalloc(&device_in, read * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&device_out, written * sizeof(float)), "cudaMalloc");
    check(cudaMemcpy(device_in, in, read * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_out, 0xFF, written * sizeof(float)), "cudaMemset");
    copy(device_out, device_in, rows, columns, pitch);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(out, device_out, written * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_in), "cudaFree");
    check(cudaFree(device_out), "cudaFree");
    bool right = true;
    for (int row = 0; row < rows && right; row++)
        for (int column = 0; column < columns && right; column++) {
            float const got = out[size_t(row) * columns + column], due = in[size_t(row) * pitch + column];
            right = got == due;
            if (!right)
                std::printf("FAILED: %d x %d, pitch %d: row %d, column %d is %g, not %g\n", rows, columns, pitch, row,
                            column, got, due);
        }
    delete[] in;
    delete[] out;
    return right;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3)
        if (!is_right(std::atoi(argv[i]), std::atoi(argv[i + 1]), std::atoi(argv[i + 2])))
            return 1;
    std::printf("PASSED\n");
    return 0;
}
