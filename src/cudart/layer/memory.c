#include "cudart/layer/line.h"
#include "cudart/layer/pool.h"

enum status memory_allocate(void **pointer, uint64_t size, enum allocation_kind kind)
{
    struct allocation *allocation = NULL;
    line_number("bytes", size);
    if (!pointer)
        return STATUS_INVALID_VALUE;
    if (runtime.sticky)
        return runtime.sticky;
    *pointer = NULL;
    if (!size)
        return kind == ALLOCATION_MANAGED ? STATUS_INVALID_VALUE : STATUS_SUCCESS;
    enum status const error = space_allocate(kind, size, NULL, &allocation);
    if (error)
        return error;
    *pointer = (void *)(uintptr_t)allocation->address;
    line_number("allocation", allocation->number);
    line_number("base", allocation->address);
    line_number("in_use", runtime.bytes_in_use);
    return STATUS_SUCCESS;
}

enum status memory_attach(struct stream *stream, const void *pointer, uint64_t size, unsigned flags)
{
    const struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    bool const known = flags == ATTACH_GLOBAL || flags == ATTACH_HOST || flags == ATTACH_SINGLE;
    bool const whole = !a || a->kind != ALLOCATION_MANAGED || !size || size == a->size;
    line_pointer("pointer", pointer);
    line_number("bytes", size);
    line_number("flags", flags);
    if (!stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    if (!known || !whole || !pointer ||
        (a && (a->freed || a->kind == ALLOCATION_DEVICE || a->kind == ALLOCATION_ARRAY)) ||
        (flags == ATTACH_SINGLE && stream == &runtime.default_stream))
        return STATUS_INVALID_VALUE;
    return runtime.sticky;
}

enum status memory_release(void *pointer, enum allocation_kind kind)
{
    if (!pointer)
        return runtime.sticky;
    line_pointer("pointer", pointer);
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    bool const is_kind = a && (a->kind == ALLOCATION_MANAGED ? ALLOCATION_DEVICE : a->kind) == kind;
    bool const fits = is_kind && !a->freed && a->address == (uint64_t)(uintptr_t)pointer && !a->is_mapping;
    enum status const error = runtime_synchronize(); /* freeing waits for the device */
    if (error)
        return error;
    if (!fits || a->released || (a->captured && a->of_graph))
        return STATUS_INVALID_VALUE;
    line_number("bytes", a->size);
    if (a->captured) {
        a->released = true;
        return STATUS_SUCCESS;
    }
    pool_freed(a);
    space_free(a);
    line_number("in_use", runtime.bytes_in_use);
    return STATUS_SUCCESS;
}
