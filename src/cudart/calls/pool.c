/* Memory in the order of a stream, and its pools. */
#include "cudart/layer/pool.h"
#include "cudart/calls/call.h"

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    CALL_BEGIN(cudaMallocAsync);
    return call_end(&call, pool_allocate(pointer, size, pool_current, stream_of(stream), call.from));
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, struct pool *pool, cudaStream_t stream)
{
    CALL_BEGIN(cudaMallocFromPoolAsync);
    return call_end(&call, pool_allocate(pointer, size, pool_of(pool), stream_of(stream), call.from));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    CALL_BEGIN(cudaFreeAsync);
    return call_end(&call, pool_release(pointer, stream_of(stream), call.from));
}

/* ---- pools ---- */

static cudaError_t tell_pool(const struct call *call, struct pool **pool, struct pool *which, int device)
{
    if (!pool || device)
        return call_end(call, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = which;
    return call_end(call, cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(struct pool **pool, int device)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetDefaultMemPool);
    return tell_pool(&call, pool, pool_default, device);
}

cudaError_t cudaDeviceGetMemPool(struct pool **pool, int device)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetMemPool);
    return tell_pool(&call, pool, pool_current, device);
}

cudaError_t cudaDeviceSetMemPool(int device, struct pool *pool)
{
    CALL_BEGIN(cudaDeviceSetMemPool);
    if (device || !pool_of(pool))
        return call_end(&call, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    pool_current = pool;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaMemPoolCreate(struct pool **pool, const void *properties)
{
    CALL_BEGIN(cudaMemPoolCreate);
    struct pool *new = pool &&properties ? pool_new() : NULL;
    if (new)
        *pool = new;
    return call_end(&call, new ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolDestroy(struct pool *pool)
{
    CALL_BEGIN(cudaMemPoolDestroy);
    return call_end(&call, pool_destroy(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(struct pool *pool, int number, void *value)
{
    CALL_BEGIN(cudaMemPoolSetAttribute);
    return call_end(&call, pool_attribute(pool, number, value, true));
}

cudaError_t cudaMemPoolGetAttribute(struct pool *pool, int number, void *value)
{
    CALL_BEGIN(cudaMemPoolGetAttribute);
    return call_end(&call, pool_attribute(pool, number, value, false));
}

cudaError_t cudaMemPoolTrimTo(struct pool *pool, size_t size)
{
    CALL_BEGIN(cudaMemPoolTrimTo);
    line_number("bytes", size);
    return call_end(&call, pool_of(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

enum { READ_AND_WRITE = 3 };
struct pool_access {
    struct location location;
    int flags;
};

cudaError_t cudaMemPoolSetAccess(struct pool *pool, const struct pool_access *list, size_t count)
{
    CALL_BEGIN(cudaMemPoolSetAccess);
    bool fits = pool_of(pool) && (list || !count);
    for (size_t i = 0; i < count && fits; i++) /* the pool's own device alone */
        fits =
            list[i].location.type == LOCATION_DEVICE && list[i].location.number == 0 && list[i].flags == READ_AND_WRITE;
    return call_end(&call, fits ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(int *flags, struct pool *pool, const struct location *location)
{
    CALL_BEGIN(cudaMemPoolGetAccess);
    bool const fits = flags && location && pool_of(pool);
    if (fits)
        *flags = location->type == LOCATION_DEVICE && location->number == 0 ? READ_AND_WRITE : 0;
    return call_end(&call, fits ? cudaSuccess : cudaErrorInvalidValue);
}
