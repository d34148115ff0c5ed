// Calls of cuBLAS on small matrices, in columns.
#include <cstdio>
#include <cublas_v2.h>
#include <initializer_list>

static cublasHandle_t blas;

template <typename T> static T *device(std::initializer_list<T> values)
{
    T *memory;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cublasSetVector((int)values.size(), sizeof(T), values.begin(), 1, memory, 1);
    return memory;
}

template <typename T> static void show(const char *what, int status, const T *memory, int count)
{
    T host[8];
    cublasGetVector(count, sizeof(T), memory, 1, host, 1);
    printf("%s %d", what, status);
    for (int i = 0; i < count; i++)
        printf(" %g", (double)host[i]);
    printf("\n");
}

int main()
{
    float const one = 1, zero = 0, two = 2;
    float *a = device<float>({1, 3, 2, 4}), *b = device<float>({5, 7, 6, 8}), *c = device<float>({0, 0, 0, 0});
    double const d_one = 1, d_zero = 0;
    double *x = device<double>({1, 3, 2, 4}), *y = device<double>({3, 4}), *z = device<double>({0, 0}), *sum;
    double result;
    int place, least;
    cublasCreate(&blas);
    show("gemm", cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2), c, 4);
    show("transposed", cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2), c, 4);
    show("batched",
         cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, 0, b, 2, 0, &zero, c, 2, 0, 2), c,
         4);
    show("geam", cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &two, a, 2, &zero, b, 2, c, 2), c, 4);
    show("gemv", cublasDgemv(blas, CUBLAS_OP_N, 2, 2, &d_one, x, 2, y, 1, &d_zero, z, 1), z, 2);
    show("ger", cublasDger(blas, 2, 2, &d_one, y, 1, y, 1, x, 2), x, 4);
    show("axpy", cublasDaxpy(blas, 2, &d_one, y, 1, z, 1), z, 2);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cudaMalloc(&sum, sizeof *sum);
    show("dot", cublasDdot(blas, 2, y, 1, y, -1, sum), sum, 1);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST);
    printf("nrm2 %d", cublasDnrm2(blas, 2, y, 1, &result));
    printf(" %g\n", result);
    printf("asum %d", cublasDasum(blas, 2, y, 1, &result));
    printf(" %g\n", result);
    printf("amax %d", cublasIdamax(blas, 2, y, 1, &place));
    cublasIdamin(blas, 2, y, 1, &least);
    printf(" %d %d\n", place, least);
    printf("leading %d\n", cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, b, 2, &zero, c, 2));
    printf("handle %d\n", cublasSetStream(nullptr, 0));
    printf("beyond %d\n", cublasDscal(blas, 3, &d_one, y, 1));
    double *unwritten;
    cudaMalloc(&unwritten, 2 * sizeof *unwritten);
    if (cublasDscal(blas, 2, &d_one, unwritten, 1))
        printf("failed\n");
    cublasDestroy(blas);
    for (void *memory : {(void *)a, (void *)b, (void *)c, (void *)x, (void *)y, (void *)z, (void *)sum, (void *)unwritten})
        cudaFree(memory);
}
