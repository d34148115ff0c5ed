/* Allocation: device, managed, pinned, pitched memory, and questions about pointers. */
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/graph.h"
#include <string.h>

enum { PITCH = 512 };

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaMalloc);
    if (pointer)
        context_of_runtime(false);
    cudaError_t const refusal = capture_refuses_unsafe();
    return call_end(&call, refusal ? refusal : memory_allocate(pointer, size, ALLOCATION_DEVICE));
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    CALL_BEGIN(cudaMallocManaged);
    line_number("flags", flags);
    return call_end(&call, memory_allocate(pointer, size, ALLOCATION_MANAGED));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    CALL_BEGIN(cudaHostAlloc);
    line_number("flags", flags);
    return call_end(&call, memory_allocate(pointer, size, ALLOCATION_HOST));
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    CALL_BEGIN(cudaMallocHost);
    return call_end(&call, memory_allocate(pointer, size, ALLOCATION_HOST));
}

static cudaError_t allocate_rows(void **pointer, size_t *pitch, size_t width, size_t height, size_t depth)
{
    uint64_t rows, bytes;
    if (!pitch)
        return cudaErrorInvalidValue;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (*pitch < width || __builtin_mul_overflow(height, depth, &rows) || __builtin_mul_overflow(*pitch, rows, &bytes))
        return cudaErrorMemoryAllocation;
    line_number("pitch", *pitch);
    line_number("width", width);
    line_number("rows", rows);
    return memory_allocate(pointer, bytes, ALLOCATION_DEVICE);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CALL_BEGIN(cudaMallocPitch);
    return call_end(&call, allocate_rows(pointer, pitch, width, height, 1));
}

cudaError_t cudaMalloc3D(struct pitched *pointer, struct extent extent)
{
    CALL_BEGIN(cudaMalloc3D);
    if (!pointer)
        return call_end(&call, cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return call_end(&call, allocate_rows(&pointer->ptr, &pointer->pitch, extent.width, extent.height, extent.depth));
}

cudaError_t cudaFree(void *pointer)
{
    CALL_BEGIN(cudaFree);
    cudaError_t const refusal = pointer ? capture_refuses_unsafe() : cudaSuccess;
    return call_end(&call, refusal ? refusal : memory_release(pointer, ALLOCATION_DEVICE));
}

cudaError_t cudaFreeHost(void *pointer)
{
    CALL_BEGIN(cudaFreeHost);
    return call_end(&call, memory_release(pointer, ALLOCATION_HOST));
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
    CALL_BEGIN(cudaHostRegister);
    line_number("bytes", size);
    line_number("flags", flags);
    if (!pointer || !size)
        return call_end(&call, cudaErrorInvalidValue);
    if (space_find((uint64_t)(uintptr_t)pointer))
        return call_end(&call, cudaErrorHostMemoryAlreadyRegistered);
    struct allocation *allocation;
    cudaError_t const error = space_register(pointer, size, &allocation);
    if (!error)
        line_number("allocation", allocation->number);
    return call_end(&call, error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    CALL_BEGIN(cudaHostUnregister);
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    bool const fits = a && a->kind == ALLOCATION_REGISTERED && a->address == (uint64_t)(uintptr_t)pointer;
    line_pointer("pointer", pointer);
    if (fits)
        space_free(a);
    return call_end(&call, fits ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    CALL_BEGIN(cudaHostGetDevicePointer);
    const struct allocation *a = space_find((uint64_t)(uintptr_t)host);
    bool const fits =
        device && !flags && a && !a->freed && (a->kind == ALLOCATION_HOST || a->kind == ALLOCATION_REGISTERED);
    if (fits)
        *device = host;
    return call_end(&call, fits ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    enum { MAPPED = 2 };
    CALL_BEGIN(cudaHostGetFlags);
    const struct allocation *a = space_find((uint64_t)(uintptr_t)host);
    bool const fits = flags && a && (a->kind == ALLOCATION_HOST || a->kind == ALLOCATION_REGISTERED);
    if (fits)
        *flags = MAPPED;
    return call_end(&call, fits ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    CALL_BEGIN(cudaMemGetInfo);
    if (!free || !total)
        return call_end(&call, cudaErrorInvalidValue);
    return call_end(&call, runtime.backend->memory_info(free, total));
}

cudaError_t cudaPointerGetAttributes(struct pointer_attributes *attributes, const void *pointer)
{
    static const int types[] = {[ALLOCATION_DEVICE] = POINTER_DEVICE,
                                [ALLOCATION_MANAGED] = POINTER_MANAGED,
                                [ALLOCATION_HOST] = POINTER_HOST,
                                [ALLOCATION_REGISTERED] = POINTER_HOST,
                                [ALLOCATION_VARIABLE] = POINTER_DEVICE};
    CALL_BEGIN_WITHOUT_CONTEXT(cudaPointerGetAttributes);
    const struct allocation *a = space_pointed((uint64_t)(uintptr_t)pointer);
    if (!attributes)
        return call_end(&call, cudaErrorInvalidValue);
    union { /* the interface has a plain pointer where the program gave a constant one */
        const void *from;
        void *to;
    } const plain = {pointer};
    *attributes = (struct pointer_attributes){.device = -2, .host_pointer = plain.to};
    if (a) {
        attributes->type = types[a->kind];
        attributes->device = 0;
        attributes->device_pointer = plain.to;
        attributes->host_pointer = attributes->type == POINTER_DEVICE ? NULL : plain.to;
    }
    return call_end(&call, cudaSuccess);
}

/* Returns the error of a hint about memory. On the emulator hints change nothing. */
static cudaError_t hint(const void *pointer, size_t size)
{
    line_pointer("pointer", pointer);
    line_number("bytes", size);
    return space_pointed((uint64_t)(uintptr_t)pointer) ? runtime.sticky : cudaErrorInvalidValue;
}

enum { HOST = -1 }; /* in place of a device's number */

/* Returns the number of the device, or HOST. */
static int device_of(const struct location *location)
{
    return location->type == LOCATION_DEVICE ? location->number : HOST;
}

static cudaError_t prefetch(const struct call *call, const void *pointer, size_t size, int device, cudaStream_t stream)
{
    const struct stream *in = stream_of(stream);
    line_signed("device", device);
    cudaError_t error = in ? hint(pointer, size) : cudaErrorInvalidResourceHandle;
    if (!error && device != 0 && device != HOST)
        error = cudaErrorInvalidDevice;
    if (!error)
        error = runtime.backend->prefetch(pointer, size, device, in);
    return call_end(call, error);
}

static cudaError_t advise(const struct call *call, const void *pointer, size_t size, int advice, int device)
{
    line_signed("advice", advice);
    line_signed("device", device);
    cudaError_t error = hint(pointer, size);
    if (!error)
        error = runtime.backend->advise(pointer, size, advice, device);
    return call_end(call, error);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t size, struct location where, unsigned flags,
                                    cudaStream_t stream)
{
    CALL_BEGIN(cudaMemPrefetchAsync);
    line_number("flags", flags);
    return prefetch(&call, pointer, size, device_of(&where), stream);
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t size, int advice, struct location where)
{
    CALL_BEGIN(cudaMemAdvise);
    return advise(&call, pointer, size, advice, device_of(&where));
}

/* Up to CUDA 12 the third argument is a device, 0 or HOST, and the fourth the stream. From CUDA 13 on a program calls
 * the same name with a location, whose first half is its type, with flags and the stream. */
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, uint64_t where, void *fourth, void *fifth)
{
    CALL_BEGIN(cudaMemPrefetchAsync);
    struct location const place = {(int)(uint32_t)where, (int)(uint32_t)(where >> 32)};
    bool const located = place.type == LOCATION_DEVICE || place.type == LOCATION_HOST;
    return prefetch(&call, pointer, size, located ? device_of(&place) : place.type, located ? fifth : fourth);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t size, int advice, uint64_t where)
{
    CALL_BEGIN(cudaMemAdvise);
    struct location const place = {(int)(uint32_t)where, (int)(uint32_t)(where >> 32)};
    bool const located = place.type == LOCATION_DEVICE || place.type == LOCATION_HOST;
    return advise(&call, pointer, size, advice, located ? device_of(&place) : place.type);
}
