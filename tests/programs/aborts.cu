// arguments: 3
// Host code that ends itself in a library is told at its own line.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

static void check(bool good)
{
    if (!good)
        throw "a wrong count";
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    fill<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    check(argc > 1 && atoi(argv[1]) == 4);
    cudaFree(out);
}
