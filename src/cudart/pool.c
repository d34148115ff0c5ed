/* Memory in the order of a stream, and the pools that it is said to come from: a pool only counts its bytes. */
#include "cudart/gpu.h"
#include "cudart/graph.h"
#include "cudart/record.h"
#include <stdlib.h>
#include <string.h>

enum attribute {
    REUSE_EVENTS = 1,
    REUSE_OPPORTUNISTIC,
    REUSE_INTERNAL,
    RELEASE_THRESHOLD,
    RESERVED_CURRENT,
    RESERVED_HIGH,
    USED_CURRENT,
    USED_HIGH,
    ATTRIBUTES
};
struct pool {
    uint64_t values[ATTRIBUTES];
    struct pool *next;
};
static struct pool default_pool = {.values = {[REUSE_EVENTS] = 1, [REUSE_OPPORTUNISTIC] = 1, [REUSE_INTERNAL] = 1}};
static struct pool *pools, *current = &default_pool;

static struct pool *pool_of(struct pool *handle)
{
    if (handle == &default_pool)
        return handle;
    for (struct pool *p = pools; p; p = p->next)
        if (p == handle)
            return p;
    return NULL;
}

static void count_bytes(struct pool *pool, uint64_t more, uint64_t less)
{
    uint64_t *values = pool->values;
    values[USED_CURRENT] += more;
    values[USED_CURRENT] -= less < values[USED_CURRENT] ? less : values[USED_CURRENT];
    values[USED_HIGH] = values[USED_CURRENT] > values[USED_HIGH] ? values[USED_CURRENT] : values[USED_HIGH];
    values[RESERVED_CURRENT] = values[USED_CURRENT];
    values[RESERVED_HIGH] = values[USED_HIGH];
}

void pool_freed(const struct allocation *allocation)
{
    struct pool *pool = pool_of(allocation->pool);
    if (pool)
        count_bytes(pool, 0, allocation->size);
}

/* ---- allocation ---- */

static cudaError_t allocate_async(const struct call *call, void **pointer, size_t size, struct pool *pool,
                                  cudaStream_t stream)
{
    struct stream *in = stream_of(stream);
    if (!in || !pool)
        return call_end(call, in ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    line_number("stream", in->number);
    cudaError_t const error = memory_allocate(pointer, size, ALLOCATION_DEVICE);
    struct allocation *a = error || !size ? NULL : space_find((uint64_t)(uintptr_t)*pointer);
    if (a) {
        a->pool = pool;
        count_bytes(pool, a->size, 0);
    }
    if (!error && in->capture) { /* memory of a graph is there from now on */
        struct work const work = {WORK_ALLOCATION, call->from, .pointer = *pointer};
        return capture_work(call, &work, in);
    }
    return call_end(call, error);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    CALL_BEGIN(cudaMallocAsync);
    return allocate_async(&call, pointer, size, current, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, struct pool *pool, cudaStream_t stream)
{
    CALL_BEGIN(cudaMallocFromPoolAsync);
    return allocate_async(&call, pointer, size, pool_of(pool), stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    CALL_BEGIN(cudaFreeAsync);
    struct stream *in = stream_of(stream);
    if (!in)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    if (in->capture) {
        struct work const work = {WORK_FREE, call.from, .pointer = pointer};
        if (a)
            a->of_graph = true;
        return capture_work(&call, &work, in);
    }
    return call_end(&call, memory_release(pointer, false));
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
    CALL_BEGIN(cudaDeviceGetDefaultMemPool);
    return tell_pool(&call, pool, &default_pool, device);
}

cudaError_t cudaDeviceGetMemPool(struct pool **pool, int device)
{
    CALL_BEGIN(cudaDeviceGetMemPool);
    return tell_pool(&call, pool, current, device);
}

cudaError_t cudaDeviceSetMemPool(int device, struct pool *pool)
{
    CALL_BEGIN(cudaDeviceSetMemPool);
    if (device || !pool_of(pool))
        return call_end(&call, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    current = pool;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaMemPoolCreate(struct pool **pool, const void *properties)
{
    CALL_BEGIN(cudaMemPoolCreate);
    struct pool *new = pool &&properties ? malloc(sizeof *new) : NULL;
    if (!new)
        return call_end(&call, cudaErrorInvalidValue);
    *new =
        (struct pool){.values = {[REUSE_EVENTS] = 1, [REUSE_OPPORTUNISTIC] = 1, [REUSE_INTERNAL] = 1}, .next = pools};
    *pool = pools = new;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(struct pool *pool)
{
    CALL_BEGIN(cudaMemPoolDestroy);
    for (struct pool **at = &pools; *at; at = &(*at)->next)
        if (*at == pool) {
            *at = pool->next;
            current = current == pool ? &default_pool : current;
            free(pool);
            return call_end(&call, cudaSuccess);
        }
    return call_end(&call, cudaErrorInvalidValue);
}

/* The attributes up to the third are of 4 bytes, the others of 8. */
static cudaError_t attribute(const struct call *call, struct pool *handle, int number, void *value, bool set)
{
    struct pool *pool = pool_of(handle);
    bool const fits = pool && value && number >= REUSE_EVENTS && number < ATTRIBUTES;
    bool const is_short = number <= REUSE_INTERNAL;
    line_signed("attribute", number);
    if (!fits || (set && (number == RESERVED_CURRENT || number == USED_CURRENT)))
        return call_end(call, cudaErrorInvalidValue);
    if (!set) {
        memcpy(value, &pool->values[number], is_short ? 4 : 8);
        return call_end(call, cudaSuccess);
    }
    uint64_t given = 0;
    memcpy(&given, value, is_short ? 4 : 8);
    if (number > RELEASE_THRESHOLD && given) /* the highest so far can only be forgotten */
        return call_end(call, cudaErrorInvalidValue);
    pool->values[number] = number == RESERVED_HIGH || number == USED_HIGH ? pool->values[number - 1] : given;
    return call_end(call, cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(struct pool *pool, int number, void *value)
{
    CALL_BEGIN(cudaMemPoolSetAttribute);
    return attribute(&call, pool, number, value, true);
}

cudaError_t cudaMemPoolGetAttribute(struct pool *pool, int number, void *value)
{
    CALL_BEGIN(cudaMemPoolGetAttribute);
    return attribute(&call, pool, number, value, false);
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
