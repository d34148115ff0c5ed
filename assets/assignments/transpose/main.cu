// The teacher's program: transposes a matrix of rows by columns with the function that is handed in, and compares.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "transpose.cu"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

int main(int argc, char **argv)
{
    int const rows = argc > 1 ? std::atoi(argv[1]) : 64, columns = argc > 2 ? std::atoi(argv[2]) : rows;
    size_t const count = size_t(rows) * columns, bytes = count * sizeof(float);
    std::vector<float> in(count), out(count);
    for (size_t i = 0; i < count; i++)
        in[i] = float(i * 2654435761u % 9973);

    float *device_in, *device_out;
    check(cudaMalloc(&device_in, bytes), "cudaMalloc");
    check(cudaMalloc(&device_out, bytes), "cudaMalloc");
    check(cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(device_out, 0, bytes), "cudaMemset");
    transpose(device_out, device_in, rows, columns);
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    check(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_in), "cudaFree");
    check(cudaFree(device_out), "cudaFree");

    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            float const got = out[size_t(column) * rows + row], due = in[size_t(row) * columns + column];
            if (got != due) {
                std::printf("FAILED: out[%d][%d] is %g, not %g\n", column, row, got, due);
                return 1;
            }
        }
    std::printf("PASSED\n");
    return 0;
}
