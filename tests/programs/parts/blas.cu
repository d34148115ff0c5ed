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
         cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, 0, b, 2, 0, &zero, c, 2, 0, 2),
         c, 4);
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
    unsigned short *h = device<unsigned short>({0x3c00, 0x4200, 0x4000, 0x4400, 0x4500, 0x4700, 0x4600, 0x4800});
    show("halves to floats",
         cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, h, CUDA_R_16F, 2, h + 4, CUDA_R_16F, 2, &zero, c,
                      CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
         c, 4);
    show("transposed floats, kept",
         cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_32F, 2, b, CUDA_R_32F, 2, &one, c,
                      CUDA_R_32F, 2, CUDA_R_32F, CUBLAS_GEMM_DFALT),
         c, 4);
    show("doubles",
         cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &d_one, y, CUDA_R_64F, 1, y, CUDA_R_64F, 2, &d_zero, z,
                      CUDA_R_64F, 1, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT),
         z, 1);
    unsigned short const half_one = 0x3c00, half_zero = 0;
    unsigned short *results = device<unsigned short>({0, 0, 0, 0, 0, 0, 0, 0});
    show("batched halves",
         cublasGemmStridedBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 1, &half_one, h, CUDA_R_16F, 2, 2, h + 4,
                                    CUDA_R_16F, 1, 0, &half_zero, results, CUDA_R_16F, 2, 4, 2, CUBLAS_COMPUTE_16F,
                                    CUBLAS_GEMM_DEFAULT),
         results, 8);
    printf("rounded");
    for (float scale :
         {2049.0f, 2051.0f, 65519.0f, 65520.0f, 0x3p-25f, 0x1p-25f, -0x1.8p-15f, 1 + 0x1p-8f, 1 + 0x3p-8f}) {
        static int number;
        unsigned short *one_of = device<unsigned short>({0x3c00, 0x3f80}), bits;
        bool const brain = ++number > 7;
        cudaDataType const type = brain ? CUDA_R_16BF : CUDA_R_16F;
        cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &scale, one_of + brain, type, 1, one_of + brain, type, 1,
                     &zero, results, type, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
        cublasGetVector(1, sizeof bits, results, 1, &bits, 1);
        printf(" %x", bits);
        cudaFree(one_of);
    }
    printf("\ntypes %d\n", cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, h, CUDA_R_16F, 1, h, CUDA_R_8I,
                                        1, &zero, c, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    cudaFree(h);
    cudaFree(results);
    printf("leading %d\n", cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, b, 2, &zero, c, 2));
    printf("handle %d\n", cublasSetStream(nullptr, 0));
    printf("beyond %d\n", cublasDscal(blas, 3, &d_one, y, 1));
    double *unwritten;
    cudaMalloc(&unwritten, 2 * sizeof *unwritten);
    if (cublasDscal(blas, 2, &d_one, unwritten, 1))
        printf("failed\n");
    cublasDestroy(blas);
    for (void *memory :
         {(void *)a, (void *)b, (void *)c, (void *)x, (void *)y, (void *)z, (void *)sum, (void *)unwritten})
        cudaFree(memory);
}
