#include "cudart/layer/pool.h"
#include "cudart/layer/graph_objects.h"
#include "cudart/layer/line.h"
#include <stdlib.h>
#include <string.h>

enum pool_attribute {
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
static struct pool first = {.values = {[REUSE_EVENTS] = 1, [REUSE_OPPORTUNISTIC] = 1, [REUSE_INTERNAL] = 1}};
struct pool *const pool_default = &first;
struct pool *pool_current = &first;
static struct pool *pools; /* the others */

struct pool *pool_of(struct pool *handle)
{
    if (handle == pool_default)
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

struct pool *pool_new(void)
{
    struct pool *new = malloc(sizeof *new);
    if (!new)
        return NULL;
    *new =
        (struct pool){.values = {[REUSE_EVENTS] = 1, [REUSE_OPPORTUNISTIC] = 1, [REUSE_INTERNAL] = 1}, .next = pools};
    return pools = new;
}

bool pool_destroy(struct pool *handle)
{
    for (struct pool **at = &pools; *at; at = &(*at)->next)
        if (*at == handle) {
            *at = handle->next;
            pool_current = pool_current == handle ? pool_default : pool_current;
            free(handle);
            return true;
        }
    return false;
}

/* The attributes up to the third are of 4 bytes, the others of 8. */
enum status pool_attribute(struct pool *handle, int number, void *value, bool set)
{
    struct pool *pool = pool_of(handle);
    bool const fits = pool && value && number >= REUSE_EVENTS && number < ATTRIBUTES;
    bool const is_short = number <= REUSE_INTERNAL;
    line_signed("attribute", number);
    if (!fits || (set && (number == RESERVED_CURRENT || number == USED_CURRENT)))
        return STATUS_INVALID_VALUE;
    if (!set) {
        memcpy(value, &pool->values[number], is_short ? 4 : 8);
        return STATUS_SUCCESS;
    }
    uint64_t given = 0;
    memcpy(&given, value, is_short ? 4 : 8);
    if (number > RELEASE_THRESHOLD && given) /* the highest so far can only be forgotten */
        return STATUS_INVALID_VALUE;
    pool->values[number] = number == RESERVED_HIGH || number == USED_HIGH ? pool->values[number - 1] : given;
    return STATUS_SUCCESS;
}

enum status pool_allocate(void **pointer, uint64_t size, struct pool *pool, struct stream *stream, const void *from)
{
    if (!stream || !pool)
        return stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE;
    line_number("stream", stream->number);
    enum status const status = memory_allocate(pointer, size, ALLOCATION_DEVICE);
    struct allocation *a = status || !size ? NULL : space_find((uint64_t)(uintptr_t)*pointer);
    if (a) {
        a->pool = pool;
        count_bytes(pool, a->size, 0);
    }
    if (status || !stream->capture)
        return status;
    if (a)
        graph_memory_allocated(a);
    struct work const work = {WORK_ALLOCATION, from, .pointer = *pointer}; /* memory of a graph is there from now on */
    return capture_work(&work, NULL, stream);
}

enum status pool_release(void *pointer, struct stream *stream, const void *from)
{
    if (!stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    if (!stream->capture)
        return memory_release(pointer, ALLOCATION_DEVICE);
    struct work const work = {WORK_FREE, from, .pointer = pointer};
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    if (a)
        a->of_graph = true;
    return capture_work(&work, NULL, stream);
}
