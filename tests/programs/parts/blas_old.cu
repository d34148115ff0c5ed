// The interface of cuBLAS 1.0.
#include <cstdio>
#include <cublas.h>

int main()
{
    float const a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8};
    float c[4], *device[3];
    cublasInit();
    for (float *&memory : device)
        cublasAlloc(4, sizeof *memory, (void **)&memory);
    cublasSetMatrix(2, 2, sizeof *a, a, 2, device[0], 2);
    cublasSetMatrix(2, 2, sizeof *b, b, 2, device[1], 2);
    cublasSgemm('n', 'N', 2, 2, 2, 1, device[0], 2, device[1], 2, 0, device[2], 2);
    cublasGetMatrix(2, 2, sizeof *c, device[2], 2, c, 2);
    printf("%d %g %g %g %g, %g, %d\n", cublasGetError(), c[0], c[1], c[2], c[3], cublasSasum(4, device[0], 1),
           cublasIsamax(4, device[0], 1));
    for (float *memory : device)
        cublasFree(memory);
    cublasShutdown();
}
