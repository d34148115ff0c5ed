// The interface of cuBLAS 1.0, without handles: each file that includes it has one handle of its own.
#pragma once
#define CUBLAS_H_
#include "cublas_v2.h"
#define LANESCOPE_BLAS static inline __attribute__((unused)) LANESCOPE_API

LANESCOPE_BLAS cublasHandle_t *lanescope_blas_handle(void)
{
    static cublasHandle_t handle;
    return &handle;
}
LANESCOPE_BLAS cublasStatus_t *lanescope_blas_status(void)
{
    static cublasStatus_t status;
    return &status;
}
LANESCOPE_BLAS cublasOperation_t lanescope_blas_operation(char letter)
{
    return letter == 'n' || letter == 'N' ? CUBLAS_OP_N : letter == 'c' || letter == 'C' ? CUBLAS_OP_C : CUBLAS_OP_T;
}
LANESCOPE_BLAS cublasStatus_t cublasInit(void)
{
    return *lanescope_blas_handle() ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(lanescope_blas_handle());
}
LANESCOPE_BLAS cublasStatus_t cublasShutdown(void)
{
    cublasHandle_t const handle = *lanescope_blas_handle();
    *lanescope_blas_handle() = 0;
    return cublasDestroy_v2(handle);
}
LANESCOPE_BLAS cublasStatus_t cublasGetError(void)
{
    cublasStatus_t const status = *lanescope_blas_status();
    *lanescope_blas_status() = CUBLAS_STATUS_SUCCESS;
    return status;
}
LANESCOPE_BLAS cublasStatus_t cublasAlloc(int n, int size, void **memory)
{
    return cudaMalloc(memory, (size_t)n * (size_t)size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                       : CUBLAS_STATUS_ALLOC_FAILED;
}
LANESCOPE_BLAS cublasStatus_t cublasFree(void *memory)
{
    return cudaFree(memory) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
LANESCOPE_BLAS void cublasSaxpy(int n, float alpha, const float *x, int incx, float *y, int incy)
{
    *lanescope_blas_status() = cublasSaxpy_v2(*lanescope_blas_handle(), n, &alpha, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasSscal(int n, float alpha, float *x, int incx)
{
    *lanescope_blas_status() = cublasSscal_v2(*lanescope_blas_handle(), n, &alpha, x, incx);
}
LANESCOPE_BLAS void cublasScopy(int n, const float *x, int incx, float *y, int incy)
{
    *lanescope_blas_status() = cublasScopy_v2(*lanescope_blas_handle(), n, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasSswap(int n, float *x, int incx, float *y, int incy)
{
    *lanescope_blas_status() = cublasSswap_v2(*lanescope_blas_handle(), n, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasSgemv(char trans, int m, int n, float alpha, const float *A, int lda, const float *x,
                                int incx, float beta, float *y, int incy)
{
    *lanescope_blas_status() = cublasSgemv_v2(*lanescope_blas_handle(), lanescope_blas_operation(trans), m, n, &alpha,
                                              A, lda, x, incx, &beta, y, incy);
}
LANESCOPE_BLAS void cublasSger(int m, int n, float alpha, const float *x, int incx, const float *y, int incy, float *A,
                               int lda)
{
    *lanescope_blas_status() = cublasSger_v2(*lanescope_blas_handle(), m, n, &alpha, x, incx, y, incy, A, lda);
}
LANESCOPE_BLAS void cublasSgemm(char transa, char transb, int m, int n, int k, float alpha, const float *A, int lda,
                                const float *B, int ldb, float beta, float *C, int ldc)
{
    *lanescope_blas_status() =
        cublasSgemm_v2(*lanescope_blas_handle(), lanescope_blas_operation(transa), lanescope_blas_operation(transb), m,
                       n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);
}
LANESCOPE_BLAS float cublasSdot(int n, const float *x, int incx, const float *y, int incy)
{
    float result = 0;
    *lanescope_blas_status() = cublasSdot_v2(*lanescope_blas_handle(), n, x, incx, y, incy, &result);
    return result;
}
LANESCOPE_BLAS float cublasSnrm2(int n, const float *x, int incx)
{
    float result = 0;
    *lanescope_blas_status() = cublasSnrm2_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS float cublasSasum(int n, const float *x, int incx)
{
    float result = 0;
    *lanescope_blas_status() = cublasSasum_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS int cublasIsamax(int n, const float *x, int incx)
{
    int result = 0;
    *lanescope_blas_status() = cublasIsamax_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS int cublasIsamin(int n, const float *x, int incx)
{
    int result = 0;
    *lanescope_blas_status() = cublasIsamin_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS void cublasDaxpy(int n, double alpha, const double *x, int incx, double *y, int incy)
{
    *lanescope_blas_status() = cublasDaxpy_v2(*lanescope_blas_handle(), n, &alpha, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasDscal(int n, double alpha, double *x, int incx)
{
    *lanescope_blas_status() = cublasDscal_v2(*lanescope_blas_handle(), n, &alpha, x, incx);
}
LANESCOPE_BLAS void cublasDcopy(int n, const double *x, int incx, double *y, int incy)
{
    *lanescope_blas_status() = cublasDcopy_v2(*lanescope_blas_handle(), n, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasDswap(int n, double *x, int incx, double *y, int incy)
{
    *lanescope_blas_status() = cublasDswap_v2(*lanescope_blas_handle(), n, x, incx, y, incy);
}
LANESCOPE_BLAS void cublasDgemv(char trans, int m, int n, double alpha, const double *A, int lda, const double *x,
                                int incx, double beta, double *y, int incy)
{
    *lanescope_blas_status() = cublasDgemv_v2(*lanescope_blas_handle(), lanescope_blas_operation(trans), m, n, &alpha,
                                              A, lda, x, incx, &beta, y, incy);
}
LANESCOPE_BLAS void cublasDger(int m, int n, double alpha, const double *x, int incx, const double *y, int incy,
                               double *A, int lda)
{
    *lanescope_blas_status() = cublasDger_v2(*lanescope_blas_handle(), m, n, &alpha, x, incx, y, incy, A, lda);
}
LANESCOPE_BLAS void cublasDgemm(char transa, char transb, int m, int n, int k, double alpha, const double *A, int lda,
                                const double *B, int ldb, double beta, double *C, int ldc)
{
    *lanescope_blas_status() =
        cublasDgemm_v2(*lanescope_blas_handle(), lanescope_blas_operation(transa), lanescope_blas_operation(transb), m,
                       n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);
}
LANESCOPE_BLAS double cublasDdot(int n, const double *x, int incx, const double *y, int incy)
{
    double result = 0;
    *lanescope_blas_status() = cublasDdot_v2(*lanescope_blas_handle(), n, x, incx, y, incy, &result);
    return result;
}
LANESCOPE_BLAS double cublasDnrm2(int n, const double *x, int incx)
{
    double result = 0;
    *lanescope_blas_status() = cublasDnrm2_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS double cublasDasum(int n, const double *x, int incx)
{
    double result = 0;
    *lanescope_blas_status() = cublasDasum_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS int cublasIdamax(int n, const double *x, int incx)
{
    int result = 0;
    *lanescope_blas_status() = cublasIdamax_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
LANESCOPE_BLAS int cublasIdamin(int n, const double *x, int incx)
{
    int result = 0;
    *lanescope_blas_status() = cublasIdamin_v2(*lanescope_blas_handle(), n, x, incx, &result);
    return result;
}
