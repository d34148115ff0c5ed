// The teacher's program: adds vectors of each length among the arguments with the function that is handed in.
#include <cstdio>
#include <cstdlib>

#include "add.cu"

static bool is_right(int n)
{
    float *a = new float[n], *b = new float[n], *c = new float[n];
    for (int i = 0; i < n; i++) {
        a[i] = float(i % 101);
        b[i] = float(1000 * (i % 7));
        c[i] = -1;
    }
    add(c, a, b, n);
    int wrong = 0;
    while (wrong < n && c[wrong] == a[wrong] + b[wrong])
        wrong++;
    if (wrong < n)
        std::printf("FAILED: n = %d: c[%d] is %g, not %g\n", n, wrong, c[wrong], a[wrong] + b[wrong]);
    delete[] a;
    delete[] b;
    delete[] c;
    return wrong == n;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!is_right(std::atoi(argv[i])))
            return 1;
    cudaError_t const error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        std::printf("FAILED: %s\n", cudaGetErrorString(error));
    else
        std::printf("PASSED\n");
    return error != cudaSuccess;
}
