/* Memory: of the device, managed, pinned, pools, and questions about pointers. */
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/pool.h"
#include <string.h>

enum { PITCH = 512, HOST_MAPPED = 2 };

static void *at(CUdeviceptr pointer)
{
    return (void *)(uintptr_t)pointer;
}

static enum status allocate(CUdeviceptr *pointer, size_t bytes, enum allocation_kind kind)
{
    void *made = NULL;
    line_number("bytes", bytes);
    if (!pointer || !bytes)
        return STATUS_INVALID_VALUE;
    enum status const status = memory_allocate(&made, bytes, kind);
    if (!status)
        *pointer = (uint64_t)(uintptr_t)made;
    return status;
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    DRIVER_BEGIN(cuMemGetInfo, "cudaMemGetInfo");
    size_t unused;
    return driver_end(&call, runtime.backend->memory_info(available ? available : &unused, total ? total : &unused));
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes)
{
    DRIVER_BEGIN(cuMemAlloc, "cudaMalloc");
    enum status const refusal = capture_refuses_unsafe();
    return driver_end(&call, refusal ? refusal : allocate(pointer, bytes, ALLOCATION_DEVICE));
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned element)
{
    DRIVER_BEGIN(cuMemAllocPitch, "cudaMallocPitch");
    size_t bytes;
    if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16))
        return driver_end(&call, STATUS_INVALID_VALUE);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    line_number("pitch", *pitch);
    line_number("width", width);
    line_number("rows", height);
    if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes))
        return driver_end(&call, STATUS_MEMORY_ALLOCATION);
    return driver_end(&call, allocate(pointer, bytes, ALLOCATION_DEVICE));
}

CUresult cuMemFree_v2(CUdeviceptr pointer)
{
    DRIVER_BEGIN_INITIALIZED(cuMemFree, "cudaFree");
    enum status const refusal = capture_refuses_unsafe();
    return driver_end(&call, refusal ? refusal : memory_release(at(pointer), ALLOCATION_DEVICE));
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr pointer)
{
    DRIVER_BEGIN(cuMemGetAddressRange, NULL);
    const struct allocation *a = space_pointed(pointer);
    if (!a)
        return driver_end(&call, STATUS_SYMBOL_NOT_FOUND);
    if (base)
        *base = a->address;
    if (bytes)
        *bytes = a->size;
    return driver_end(&call, STATUS_SUCCESS);
}

/* ---- memory of the host ---- */

static enum status allocate_host(void **pointer, size_t bytes)
{
    line_number("bytes", bytes);
    return pointer && bytes ? memory_allocate(pointer, bytes, ALLOCATION_HOST) : STATUS_INVALID_VALUE;
}

CUresult cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    DRIVER_BEGIN(cuMemAllocHost, "cudaMallocHost");
    return driver_end(&call, allocate_host(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    DRIVER_BEGIN(cuMemHostAlloc, "cudaHostAlloc");
    line_number("flags", flags);
    return driver_end(&call, allocate_host(pointer, bytes));
}

CUresult cuMemFreeHost(void *pointer)
{
    DRIVER_BEGIN_INITIALIZED(cuMemFreeHost, "cudaFreeHost");
    return driver_end(&call, pointer ? memory_release(pointer, ALLOCATION_HOST) : STATUS_INVALID_VALUE);
}

static const struct allocation *of_host(const void *pointer)
{
    const struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    return a && !a->freed && (a->kind == ALLOCATION_HOST || a->kind == ALLOCATION_REGISTERED) ? a : NULL;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags)
{
    DRIVER_BEGIN(cuMemHostGetDevicePointer, "cudaHostGetDevicePointer");
    if (!device || flags || !of_host(host))
        return driver_end(&call, STATUS_INVALID_VALUE);
    *device = (uint64_t)(uintptr_t)host;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    DRIVER_BEGIN(cuMemHostGetFlags, "cudaHostGetFlags");
    if (!flags || !of_host(host))
        return driver_end(&call, STATUS_INVALID_VALUE);
    *flags = HOST_MAPPED;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags)
{
    DRIVER_BEGIN(cuMemHostRegister, "cudaHostRegister");
    struct allocation *allocation;
    line_number("bytes", bytes);
    line_number("flags", flags);
    if (!pointer || !bytes)
        return driver_end(&call, STATUS_INVALID_VALUE);
    if (space_find((uint64_t)(uintptr_t)pointer))
        return driver_end(&call, STATUS_HOST_MEMORY_ALREADY_REGISTERED);
    enum status const status = space_register(pointer, bytes, &allocation);
    if (!status)
        line_number("allocation", allocation->number);
    return driver_end(&call, status);
}

CUresult cuMemHostUnregister(void *pointer)
{
    DRIVER_BEGIN_INITIALIZED(cuMemHostUnregister, "cudaHostUnregister");
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    bool const fits = a && a->kind == ALLOCATION_REGISTERED && a->address == (uint64_t)(uintptr_t)pointer;
    line_pointer("pointer", pointer);
    if (fits)
        space_free(a);
    return driver_end(&call, fits ? STATUS_SUCCESS : STATUS_HOST_MEMORY_NOT_REGISTERED);
}

/* ---- managed memory ---- */

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags)
{
    DRIVER_BEGIN(cuMemAllocManaged, "cudaMallocManaged");
    line_number("flags", flags);
    if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)
        return driver_end(&call, STATUS_INVALID_VALUE);
    return driver_end(&call, allocate(pointer, bytes, ALLOCATION_MANAGED));
}

static enum status hint(CUdeviceptr pointer, size_t bytes)
{
    line_pointer("pointer", at(pointer));
    line_number("bytes", bytes);
    return space_pointed(pointer) ? runtime.sticky : STATUS_INVALID_VALUE;
}

enum { THE_HOST = -1 }; /* in place of a device's number */

static CUresult prefetch(const struct call *call, CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream)
{
    const struct stream *in = stream_of(stream);
    enum status status = in ? hint(pointer, bytes) : STATUS_INVALID_RESOURCE_HANDLE;
    if (!status && device && device != THE_HOST)
        status = STATUS_INVALID_DEVICE;
    return driver_end(call, status ? status : runtime.backend->prefetch(at(pointer), bytes, device, in));
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream)
{
    DRIVER_BEGIN(cuMemPrefetchAsync, "cudaMemPrefetchAsync");
    return prefetch(&call, pointer, bytes, device, stream);
}

/* The forms of CUDA 12.2 name a place: the device, or memory of the host, of which there is one. */
static CUdevice device_at(struct driver_location location)
{
    return location.type == LOCATED_ON_DEVICE ? location.id : THE_HOST;
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, struct driver_location location, unsigned flags,
                               CUstream stream)
{
    DRIVER_BEGIN(cuMemPrefetchAsync, "cudaMemPrefetchAsync");
    return flags ? driver_end(&call, STATUS_INVALID_VALUE)
                 : prefetch(&call, pointer, bytes, device_at(location), stream);
}

static CUresult advise(const struct call *call, CUdeviceptr pointer, size_t bytes, int advice, CUdevice device)
{
    enum status const status = hint(pointer, bytes);
    return driver_end(call, status ? status : runtime.backend->advise(at(pointer), bytes, advice, device));
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, int advice, CUdevice device)
{
    DRIVER_BEGIN(cuMemAdvise, "cudaMemAdvise");
    return advise(&call, pointer, bytes, advice, device);
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, int advice, struct driver_location location)
{
    DRIVER_BEGIN(cuMemAdvise, "cudaMemAdvise");
    return advise(&call, pointer, bytes, advice, device_at(location));
}

/* ---- in the order of a stream ---- */

static enum status allocate_in(CUdeviceptr *pointer, size_t bytes, struct pool *pool, CUstream stream, const void *from)
{
    void *made = NULL;
    if (!pointer || !bytes)
        return STATUS_INVALID_VALUE;
    enum status const status = pool_allocate(&made, bytes, pool, stream_of(stream), from);
    if (!status)
        *pointer = (uint64_t)(uintptr_t)made;
    return status;
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemAllocAsync, "cudaMallocAsync");
    return driver_end(&call, allocate_in(pointer, bytes, pool_current, stream, call.from));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, struct pool *pool, CUstream stream)
{
    DRIVER_BEGIN(cuMemAllocFromPoolAsync, "cudaMallocFromPoolAsync");
    return driver_end(&call, allocate_in(pointer, bytes, pool_of(pool), stream, call.from));
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
    DRIVER_BEGIN(cuMemFreeAsync, "cudaFreeAsync");
    return driver_end(&call, pool_release(at(pointer), stream_of(stream), call.from));
}

CUresult cuMemPoolCreate(struct pool **pool, const void *properties)
{
    DRIVER_BEGIN_INITIALIZED(cuMemPoolCreate, "cudaMemPoolCreate");
    struct pool *new = pool &&properties ? pool_new() : NULL;
    if (new)
        *pool = new;
    return driver_end(&call, new ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuMemPoolDestroy(struct pool *pool)
{
    DRIVER_BEGIN_INITIALIZED(cuMemPoolDestroy, "cudaMemPoolDestroy");
    return driver_end(&call, pool_destroy(pool) ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuMemPoolSetAttribute(struct pool *pool, int attribute, void *value)
{
    DRIVER_BEGIN_INITIALIZED(cuMemPoolSetAttribute, "cudaMemPoolSetAttribute");
    return driver_end(&call, pool_attribute(pool, attribute, value, true));
}

CUresult cuMemPoolGetAttribute(struct pool *pool, int attribute, void *value)
{
    DRIVER_BEGIN_INITIALIZED(cuMemPoolGetAttribute, "cudaMemPoolGetAttribute");
    return driver_end(&call, pool_attribute(pool, attribute, value, false));
}

CUresult cuMemPoolTrimTo(struct pool *pool, size_t bytes)
{
    DRIVER_BEGIN_INITIALIZED(cuMemPoolTrimTo, "cudaMemPoolTrimTo");
    line_number("bytes", bytes);
    return driver_end(&call, pool_of(pool) ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

/* ---- questions about pointers ---- */

enum pointer_attribute { /* CUpointer_attribute */
                         POINTER_CONTEXT = 1,
                         POINTER_KIND,
                         POINTER_OF_DEVICE,
                         POINTER_OF_HOST,
                         POINTER_IS_MANAGED = 8,
                         POINTER_ORDINAL,
                         POINTER_RANGE_START = 11,
                         POINTER_RANGE_BYTES,
                         POINTER_MAPPED
};

static enum status tell(void *to, const void *value, size_t size)
{
    memcpy(to, value, size);
    return STATUS_SUCCESS;
}

static enum status attribute_of(void *value, int attribute, CUdeviceptr pointer)
{
    enum { HOST = 1, DEVICE = 2 };
    const struct allocation *a = space_pointed(pointer);
    if (!value || !a)
        return STATUS_INVALID_VALUE;
    bool const device = a->kind == ALLOCATION_DEVICE || a->kind == ALLOCATION_VARIABLE;
    bool const host = a->kind == ALLOCATION_HOST || a->kind == ALLOCATION_REGISTERED;
    unsigned const kind = host ? HOST : DEVICE, managed = a->kind == ALLOCATION_MANAGED, mapped = 1;
    int const ordinal = 0;
    void *const address = at(pointer), *const context = context_current();
    switch (attribute) {
    case POINTER_CONTEXT:
        return tell(value, &context, sizeof context);
    case POINTER_KIND:
        return tell(value, &kind, sizeof kind);
    case POINTER_OF_DEVICE:
        return tell(value, &pointer, sizeof pointer);
    case POINTER_OF_HOST:
        return device ? STATUS_INVALID_VALUE : tell(value, &address, sizeof address);
    case POINTER_IS_MANAGED:
        return tell(value, &managed, sizeof managed);
    case POINTER_ORDINAL:
        return tell(value, &ordinal, sizeof ordinal);
    case POINTER_RANGE_START:
        return tell(value, &a->address, sizeof a->address);
    case POINTER_RANGE_BYTES:
        return tell(value, &a->size, sizeof a->size);
    case POINTER_MAPPED:
        return tell(value, &mapped, sizeof mapped);
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer)
{
    DRIVER_BEGIN(cuPointerGetAttribute, "cudaPointerGetAttributes");
    line_signed("attribute", attribute);
    return driver_end(&call, attribute_of(value, attribute, pointer));
}

/* The bytes of a value, which a pointer that is none has as zeros. */
static size_t size_of(int attribute)
{
    return attribute == POINTER_KIND || attribute == POINTER_IS_MANAGED || attribute == POINTER_ORDINAL ||
                   attribute == POINTER_MAPPED
               ? 4
               : 8;
}

CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **values, CUdeviceptr pointer)
{
    DRIVER_BEGIN(cuPointerGetAttributes, "cudaPointerGetAttributes");
    if (!count || !attributes || !values)
        return driver_end(&call, STATUS_INVALID_VALUE);
    for (unsigned i = 0; i < count; i++)
        if (values[i] && attribute_of(values[i], attributes[i], pointer))
            memset(values[i], 0, size_of(attributes[i]));
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr pointer)
{
    DRIVER_BEGIN(cuPointerSetAttribute, NULL);
    line_signed("attribute", attribute);
    return driver_end(&call, value && space_pointed(pointer) ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}
