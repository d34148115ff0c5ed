/* Handles, their settings, and copies of vectors and matrices between the host and the device. */
#include "cublas/cublas.h"
#include <stdlib.h>
#include <string.h>

#define BEGIN(name, handle) struct blas blas = blas_begin(#name, __builtin_return_address(0), handle)
static const struct handle plain; /* of a call that needs none */

API int cublasCreate_v2(struct handle **handle)
{
    BEGIN(cublasCreate, &plain);
    struct handle *new = calloc(1, sizeof *new);
    if (blas_require(&blas, handle, BLAS_INVALID_VALUE) && blas_require(&blas, new, BLAS_ALLOC_FAILED))
        *handle = new;
    else
        free(new);
    return blas_end(&blas);
}

API int cublasDestroy_v2(struct handle *handle)
{
    BEGIN(cublasDestroy, handle ? &plain : NULL);
    free(handle);
    return blas_end(&blas);
}

API int cublasGetVersion_v2(struct handle *handle, int *version)
{
    if (!handle || !version)
        return handle ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *version = 120400;
    return BLAS_SUCCESS;
}

API int cublasSetStream_v2(struct handle *handle, void *stream)
{
    BEGIN(cublasSetStream, handle);
    if (!blas.status)
        handle->stream = stream;
    return blas_end(&blas);
}

API int cublasGetStream_v2(struct handle *handle, void **stream)
{
    if (!handle || !stream)
        return handle ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *stream = handle->stream;
    return BLAS_SUCCESS;
}

API int cublasSetPointerMode_v2(struct handle *handle, int mode)
{
    BEGIN(cublasSetPointerMode, handle);
    if (blas_require(&blas, mode == POINTERS_HOST || mode == POINTERS_OF_DEVICE, BLAS_INVALID_VALUE))
        handle->pointers = mode;
    return blas_end(&blas);
}

API int cublasGetPointerMode_v2(struct handle *handle, int *mode)
{
    if (!handle || !mode)
        return handle ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *mode = handle->pointers;
    return BLAS_SUCCESS;
}

API int cublasSetMathMode(struct handle *handle, int mode)
{
    BEGIN(cublasSetMathMode, handle);
    if (!blas.status)
        handle->mathematics = mode;
    return blas_end(&blas);
}

API int cublasGetMathMode(struct handle *handle, int *mode)
{
    if (!handle || !mode)
        return handle ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *mode = handle->mathematics;
    return BLAS_SUCCESS;
}

/* ---- copies ---- */

/* Moves columns between the host's memory with gaps and packed ones. */
static void pack(char *packed, char *memory, size_t width, int64_t columns, size_t pitch, bool in)
{
    for (int64_t i = 0; i < columns; i++)
        memcpy(in ? packed + (size_t)i * width : memory + (size_t)i * pitch,
               in ? memory + (size_t)i * pitch : packed + (size_t)i * width, width);
}

static int set(struct blas *blas, int64_t rows, int64_t columns, size_t element, const void *host, int64_t host_leading,
               void *device, int64_t leading)
{
    bool const fits = rows >= 0 && columns >= 0 && element && host_leading >= rows && leading >= rows && leading > 0;
    char *packed = blas_require(blas, fits, BLAS_INVALID_VALUE) ? blas_room(blas, element, rows * columns) : NULL;
    if (packed) {
        pack(packed, (char *)(uintptr_t)host, (size_t)rows * element, columns, (size_t)host_leading * element, true);
        blas_give(blas, "to", device, element, rows, columns, leading, packed);
    }
    return blas_end(blas);
}

static int get(struct blas *blas, int64_t rows, int64_t columns, size_t element, const void *device, int64_t leading,
               void *host, int64_t host_leading)
{
    bool const fits = rows >= 0 && columns >= 0 && element && host_leading >= rows && leading >= rows && leading > 0;
    char *packed = blas_require(blas, fits, BLAS_INVALID_VALUE)
                       ? blas_take(blas, "from", device, element, rows, columns, leading)
                       : NULL;
    if (packed && !blas->status)
        pack(packed, host, (size_t)rows * element, columns, (size_t)host_leading * element, false);
    return blas_end(blas);
}

API int cublasSetMatrix(int rows, int columns, int element, const void *host, int host_leading, void *device,
                        int leading)
{
    BEGIN(cublasSetMatrix, &plain);
    return set(&blas, rows, columns, (size_t)element, host, host_leading, device, leading);
}

API int cublasGetMatrix(int rows, int columns, int element, const void *device, int leading, void *host,
                        int host_leading)
{
    BEGIN(cublasGetMatrix, &plain);
    return get(&blas, rows, columns, (size_t)element, device, leading, host, host_leading);
}

API int cublasSetVector(int count, int element, const void *host, int host_increment, void *device, int increment)
{
    BEGIN(cublasSetVector, &plain);
    return set(&blas, 1, count, (size_t)element, host, host_increment, device, increment);
}

API int cublasGetVector(int count, int element, const void *device, int increment, void *host, int host_increment)
{
    BEGIN(cublasGetVector, &plain);
    return get(&blas, 1, count, (size_t)element, device, increment, host, host_increment);
}

API const char *cublasGetStatusName(int status)
{
    switch (status) {
    case BLAS_SUCCESS:
        return "CUBLAS_STATUS_SUCCESS";
    case BLAS_NOT_INITIALIZED:
        return "CUBLAS_STATUS_NOT_INITIALIZED";
    case BLAS_ALLOC_FAILED:
        return "CUBLAS_STATUS_ALLOC_FAILED";
    case BLAS_INVALID_VALUE:
        return "CUBLAS_STATUS_INVALID_VALUE";
    case BLAS_EXECUTION_FAILED:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
    case BLAS_NOT_SUPPORTED:
        return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
        return "unknown status";
    }
}

API const char *cublasGetStatusString(int status)
{
    return cublasGetStatusName(status);
}
