/* cuBLAS's calls for programs, a shared library of its own: the host does the work with OpenBLAS. Names, values and the
 * order of columns are cuBLAS's interface; the header for programs is assets/cuda/program/cublas_v2.h. */
#ifndef LANESCOPE_CUBLAS_H
#define LANESCOPE_CUBLAS_H
#include "cudart/calls/library.h"
#include <stdint.h>

enum {
    BLAS_SUCCESS = 0,
    BLAS_NOT_INITIALIZED = 1,
    BLAS_ALLOC_FAILED = 3,
    BLAS_INVALID_VALUE = 7,
    BLAS_EXECUTION_FAILED = 13,
    BLAS_NOT_SUPPORTED = 15
};
enum { BLAS_N, BLAS_T, BLAS_C };            /* cublasOperation_t */
enum { POINTERS_HOST, POINTERS_OF_DEVICE }; /* cublasPointerMode_t */

struct handle {
    void *stream;
    int pointers, mathematics;
};

/* One call, from blas_begin to blas_end. Buffers live until its end; after a failure every function does nothing. */
struct blas {
    const struct handle *handle;
    int status;
    void *buffers[8];
    unsigned count;
};
struct blas blas_begin(const char *name, const void *from, const struct handle *handle);
int blas_end(struct blas *blas);
/* Notes an error, if there is none yet, when the condition does not hold. Returns whether the call goes on. */
bool blas_require(struct blas *blas, bool condition, int status);
/* A packed copy of a matrix in columns, `leading` elements apart, or new memory for it. */
void *blas_take(struct blas *blas, const char *name, const void *memory, size_t element, int64_t rows, int64_t columns,
                int64_t leading);
void *blas_room(struct blas *blas, size_t element, int64_t count);
void blas_give(struct blas *blas, const char *name, void *memory, size_t element, int64_t rows, int64_t columns,
               int64_t leading, const void *packed);
/* The same of a vector, whose elements are |increment| apart; of one element if the increment is 0. */
void *blas_take_vector(struct blas *blas, const char *name, const void *memory, size_t element, int64_t count,
                       int64_t increment);
void blas_give_vector(struct blas *blas, const char *name, void *memory, size_t element, int64_t count,
                      int64_t increment, const void *packed);
/* A scalar, on the side that the handle's pointer mode says. */
void blas_scalar(struct blas *blas, const char *name, const void *pointer, size_t size, void *value);
void blas_result(struct blas *blas, void *pointer, size_t size, const void *value);
#endif
