#include "cublas/cublas.h"
#include <stdlib.h>
#include <string.h>

struct blas blas_begin(const char *name, const void *from, const struct handle *handle)
{
    bool const can = lanescope_library_begin(name, from, handle ? handle->stream : NULL);
    return (struct blas){.handle = handle,
                         .status = !handle ? BLAS_NOT_INITIALIZED
                                   : can   ? BLAS_SUCCESS
                                           : BLAS_EXECUTION_FAILED};
}

int blas_end(struct blas *blas)
{
    static const char *const names[] = {[BLAS_NOT_INITIALIZED] = "CUBLAS_STATUS_NOT_INITIALIZED",
                                        [BLAS_ALLOC_FAILED] = "CUBLAS_STATUS_ALLOC_FAILED",
                                        [BLAS_INVALID_VALUE] = "CUBLAS_STATUS_INVALID_VALUE",
                                        [BLAS_EXECUTION_FAILED] = "CUBLAS_STATUS_EXECUTION_FAILED",
                                        [BLAS_NOT_SUPPORTED] = "CUBLAS_STATUS_NOT_SUPPORTED"};
    for (unsigned i = 0; i < blas->count; i++)
        free(blas->buffers[i]);
    return lanescope_library_end(blas->status, names[blas->status]);
}

bool blas_require(struct blas *blas, bool condition, int status)
{
    if (!blas->status && !condition)
        blas->status = status;
    return !blas->status;
}

void *blas_room(struct blas *blas, size_t element, int64_t count)
{
    size_t bytes = 0;
    bool const fits = count >= 0 && !__builtin_mul_overflow((size_t)count, element, &bytes) && bytes < SIZE_MAX / 2;
    void *room = blas->status || !fits ? NULL : malloc(bytes + 1);
    if (blas_require(blas, room, BLAS_ALLOC_FAILED))
        blas->buffers[blas->count++] = room;
    return room;
}

/* The columns of a matrix as the rows of a copy. Columns without gaps are one row. */
struct span {
    size_t width, height, pitch;
};
static struct span span_of(size_t element, int64_t rows, int64_t columns, int64_t leading)
{
    struct span const span = {(size_t)rows * element, (size_t)columns, (size_t)leading * element};
    return span.width == span.pitch || columns == 1 ? (struct span){span.width * span.height, 1, 0} : span;
}

void *blas_take(struct blas *blas, const char *name, const void *memory, size_t element, int64_t rows, int64_t columns,
                int64_t leading)
{
    void *packed = rows > INT64_MAX / 64 / (columns ? columns : 1) ? NULL : blas_room(blas, element, rows * columns);
    struct span const span = span_of(element, rows, columns, leading);
    if (!blas_require(blas, packed, BLAS_ALLOC_FAILED) || !rows || !columns)
        return packed;
    blas_require(blas, lanescope_library_read(name, memory, span.width, span.height, span.pitch, packed),
                 BLAS_EXECUTION_FAILED);
    return packed;
}

void blas_give(struct blas *blas, const char *name, void *memory, size_t element, int64_t rows, int64_t columns,
               int64_t leading, const void *packed)
{
    struct span const span = span_of(element, rows, columns, leading);
    if (!blas->status && rows && columns)
        blas_require(blas, lanescope_library_write(name, memory, span.width, span.height, span.pitch, packed),
                     BLAS_EXECUTION_FAILED);
}

void *blas_take_vector(struct blas *blas, const char *name, const void *memory, size_t element, int64_t count,
                       int64_t increment)
{
    return increment ? blas_take(blas, name, memory, element, 1, count, increment < 0 ? -increment : increment)
                     : blas_take(blas, name, memory, element, 1, 1, 1);
}

void blas_give_vector(struct blas *blas, const char *name, void *memory, size_t element, int64_t count,
                      int64_t increment, const void *packed)
{
    if (increment)
        blas_give(blas, name, memory, element, 1, count, increment < 0 ? -increment : increment, packed);
    else
        blas_give(blas, name, memory, element, 1, 1, 1, packed);
}

void blas_scalar(struct blas *blas, const char *name, const void *pointer, size_t size, void *value)
{
    memset(value, 0, size);
    if (!blas_require(blas, pointer, BLAS_INVALID_VALUE))
        return;
    if (blas->handle->pointers == POINTERS_HOST)
        memcpy(value, pointer, size);
    else
        blas_require(blas, lanescope_library_read(name, pointer, size, 1, 0, value), BLAS_EXECUTION_FAILED);
}

void blas_result(struct blas *blas, void *pointer, size_t size, const void *value)
{
    if (!blas_require(blas, pointer, BLAS_INVALID_VALUE))
        return;
    if (blas->handle->pointers == POINTERS_HOST)
        memcpy(pointer, value, size);
    else
        blas_require(blas, lanescope_library_write("result", pointer, size, 1, 0, value), BLAS_EXECUTION_FAILED);
}
