/* CUDA arrays and copies of their rows. */
#include "cudart/layer/array.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/graph.h"

/* CUDA_ARRAY_DESCRIPTOR and CUDA_ARRAY3D_DESCRIPTOR */
struct driver_array {
    size_t width, height;
    int format;
    unsigned channels;
};
struct driver_array_3d {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

static CUresult create(const struct call *call, CUarray *array, const struct array_request *request)
{
    enum status status = request && array ? capture_refuses_unsafe() : STATUS_INVALID_VALUE;
    if (!status)
        status = array_create(array, request);
    return driver_end(call, status);
}

CUresult cuArrayCreate_v2(CUarray *array, const struct driver_array *d)
{
    DRIVER_BEGIN(cuArrayCreate, "cudaMallocArray");
    struct array_request request;
    if (d)
        request = (struct array_request){d->width, d->height, 0, d->format, d->channels, 0};
    return create(&call, array, d ? &request : NULL);
}

CUresult cuArray3DCreate_v2(CUarray *array, const struct driver_array_3d *d)
{
    DRIVER_BEGIN(cuArray3DCreate, "cudaMalloc3DArray");
    struct array_request request;
    if (d)
        request = (struct array_request){d->width, d->height, d->depth, d->format, d->channels, d->flags};
    return create(&call, array, d ? &request : NULL);
}

CUresult cuArrayDestroy(CUarray array)
{
    DRIVER_BEGIN_INITIALIZED(cuArrayDestroy, "cudaFreeArray");
    bool const exists = array_of(array);
    enum status const refusal = capture_refuses_unsafe();
    enum status const status = refusal ? refusal : array_destroy(array);
    return driver_end(&call, exists || refusal ? status : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuArrayGetDescriptor_v2(struct driver_array *d, CUarray array)
{
    DRIVER_BEGIN(cuArrayGetDescriptor, NULL);
    const struct array *a = array_of(array);
    if (!a || !d)
        return driver_end(&call, a ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    *d = (struct driver_array){a->width, a->height, a->format, a->channels};
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuArray3DGetDescriptor_v2(struct driver_array_3d *d, CUarray array)
{
    DRIVER_BEGIN(cuArray3DGetDescriptor, "cudaArrayGetInfo");
    const struct array *a = array_of(array);
    if (!a || !d)
        return driver_end(&call, a ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    *d = (struct driver_array_3d){a->width, a->height, a->depth, a->format, a->channels, a->flags};
    return driver_end(&call, STATUS_SUCCESS);
}

/* ---- copies of a part of the first row ---- */

static struct work work_of(const struct call *call, size_t bytes, enum copy_kind kind)
{
    return (struct work){WORK_COPY, call->from,
                         .copy = {.rows = {.width = bytes, .height = 1, .depth = 1}, .kind = (int)kind}};
}

/* Copies where the sides of the work are arrays as far as `to` and `from` name one. */
static CUresult copy(const struct call *call, struct work *work, const struct array_place *to,
                     const struct array_place *from, struct stream *stream, bool waits)
{
    enum status status = to ? array_side(to, true, &work->copy) : STATUS_SUCCESS;
    if (!status && from)
        status = array_side(from, false, &work->copy);
    return driver_end(call, status ? status : work_copy(work, stream, waits));
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyHtoA, "cudaMemcpyToArray");
    struct work work = work_of(&call, bytes, COPY_HOST_TO_DEVICE);
    work.copy.source = from;
    return copy(&call, &work, &(struct array_place){to, offset, 0, 0}, NULL, &runtime.default_stream, true);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyHtoAAsync, "cudaMemcpyToArrayAsync");
    struct work work = work_of(&call, bytes, COPY_HOST_TO_DEVICE);
    work.copy.source = from;
    return copy(&call, &work, &(struct array_place){to, offset, 0, 0}, NULL, stream_of(stream), false);
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyAtoH, "cudaMemcpyFromArray");
    struct work work = work_of(&call, bytes, COPY_DEVICE_TO_HOST);
    work.copy.to = to;
    return copy(&call, &work, NULL, &(struct array_place){from, offset, 0, 0}, &runtime.default_stream, true);
}

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyAtoHAsync, "cudaMemcpyFromArrayAsync");
    struct work work = work_of(&call, bytes, COPY_DEVICE_TO_HOST);
    work.copy.to = to;
    return copy(&call, &work, NULL, &(struct array_place){from, offset, 0, 0}, stream_of(stream), false);
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyDtoA, "cudaMemcpyToArray");
    struct work work = work_of(&call, bytes, COPY_DEVICE_TO_DEVICE);
    work.copy.source = (const void *)(uintptr_t)from;
    return copy(&call, &work, &(struct array_place){to, offset, 0, 0}, NULL, &runtime.default_stream, true);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyAtoD, "cudaMemcpyFromArray");
    struct work work = work_of(&call, bytes, COPY_DEVICE_TO_DEVICE);
    work.copy.to = (void *)(uintptr_t)to;
    return copy(&call, &work, NULL, &(struct array_place){from, offset, 0, 0}, &runtime.default_stream, true);
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyAtoA, "cudaMemcpyArrayToArray");
    struct work work = work_of(&call, bytes, COPY_DEVICE_TO_DEVICE);
    const struct array *a = array_of(to), *b = array_of(from);
    if (a && b && a->element != b->element)
        return driver_end(&call, STATUS_INVALID_VALUE);
    return copy(&call, &work, &(struct array_place){to, to_offset, 0, 0},
                &(struct array_place){from, from_offset, 0, 0}, &runtime.default_stream, true);
}
