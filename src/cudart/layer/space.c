/* The memory that the device can reach, by address. Managed and pinned memory on the emulator is open to the host at
 * its own address, and closed while a GPU might still use it. */
#include "cudart/backend/backend.h"
#include "cudart/layer/virtual.h"
#include <string.h>
#include <sys/mman.h>

enum { BITS = 64 };

bool space_is_device_range(uint64_t address)
{
    return address >= runtime.backend->range_begin && address < runtime.backend->range_end;
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Returns the index of the first allocation behind an address. */
static size_t behind(uint64_t address)
{
    size_t low = 0, high = runtime.allocations.count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (runtime.allocations.items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct allocation *space_find(uint64_t address)
{
    size_t const index = behind(address);
    if (!index)
        return NULL;
    struct allocation *found = &runtime.allocations.items[index - 1];
    uint64_t const size = found->size ? found->size : 1;
    return address - found->address < size ? found : NULL;
}

struct allocation *space_pointed(uint64_t address)
{
    struct allocation *a = space_find(address);
    return a && !a->freed && a->kind != ALLOCATION_ARRAY ? a : NULL;
}

/* Returns the allocation behind this one, where both are mappings side by side; or NULL. */
static struct allocation *next_mapping(const struct allocation *a)
{
    struct allocation *next = a->is_mapping ? space_find(a->address + a->size) : NULL;
    return next && next->is_mapping && !next->freed ? next : NULL;
}

uint64_t space_reach(const struct allocation *a, uint64_t offset, bool writes)
{
    uint64_t reach = 0;
    for (; a && !(writes && a->read_only); a = next_mapping(a), offset = 0)
        reach += a->size - offset;
    return reach;
}

static struct allocation *insert(const struct allocation *allocation)
{
    size_t const index = behind(allocation->address);
    array_push(&runtime.allocations, *allocation);
    struct allocation *place = &runtime.allocations.items[index];
    memmove(place + 1, place, (runtime.allocations.count - 1 - index) * sizeof *place);
    *place = *allocation;
    return place;
}

uint64_t space_reuse(uint64_t slot, uint64_t *slot_taken)
{
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *old = &runtime.allocations.items[i];
        if (!old->freed || old->slot < slot || old->is_mapping) /* the addresses of a mapping are those of its range */
            continue;
        uint64_t const address = old->address;
        *slot_taken = old->slot;
        memmove(old, old + 1, (--runtime.allocations.count - i) * sizeof *old);
        return address;
    }
    return 0;
}

void space_forget_freed(uint64_t address, uint64_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (!a->freed || a->address + a->size <= address || a->address >= address + size)
            runtime.allocations.items[kept++] = *a;
    }
    runtime.allocations.count = kept;
}

struct allocation *space_place(struct allocation new)
{
    if (new.kind != ALLOCATION_VARIABLE)
        new.number = ++runtime.allocation_count;
    space_changed(&new);
    if (new.kind != ALLOCATION_REGISTERED)
        runtime.bytes_in_use += new.size;
    return insert(&new);
}

void space_forget_variables(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++)
        if (runtime.allocations.items[i].kind != ALLOCATION_VARIABLE)
            runtime.allocations.items[kept++] = runtime.allocations.items[i];
        else
            runtime.bytes_in_use -= runtime.allocations.items[i].size;
    runtime.allocations.count = kept;
}

enum status space_allocate(enum allocation_kind kind, uint64_t size, const char *name, struct allocation **allocation)
{
    struct allocation new = {.size = size, .kind = kind, .name = name};
    enum status const status = runtime.backend->allocate(&new);
    *allocation = status ? NULL : space_place(new);
    return status;
}

enum status space_register(void *pointer, uint64_t size, struct allocation **allocation)
{
    struct allocation const new = {
        .address = (uint64_t)(uintptr_t)pointer, .size = size, .data = pointer, .kind = ALLOCATION_REGISTERED};
    enum status const status = runtime.backend->host_register(pointer, size);
    *allocation = status ? NULL : space_place(new);
    return status;
}

void space_free(struct allocation *a)
{
    runtime.backend->release(a);
    if (a->kind == ALLOCATION_REGISTERED) {
        size_t const index = (size_t)(a - runtime.allocations.items);
        memmove(a, a + 1, (--runtime.allocations.count - index) * sizeof *a);
        return;
    }
    a->data = NULL;
    a->written = NULL;
    a->mapped = 0;
    a->freed = true;
    runtime.bytes_in_use -= a->size;
}

void space_free_all(void)
{
    virtual_reset();
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *a = &runtime.allocations.items[i];
        if (!a->freed && a->kind != ALLOCATION_VARIABLE && a->kind != ALLOCATION_REGISTERED)
            space_free(a);
    }
}

void space_changed(struct allocation *a)
{
    if (a)
        a->changed_at = ++runtime.changes;
    if (a && a->is_mapping) /* other mappings may have the same bytes, or go on where it ends */
        runtime.all_changed_at = runtime.changes;
}

void space_mark_written(struct allocation *a, uint64_t offset, uint64_t size)
{
    if (!a->written || offset > a->size)
        return;
    if (a->is_mapping && size > a->size - offset) {
        struct allocation *next = next_mapping(a);
        if (next)
            space_mark_written(next, 0, size - (a->size - offset));
    }
    uint64_t const end = size < a->size - offset ? offset + size : a->size;
    for (uint64_t at = offset; at < end;) {
        if (at % BITS == 0 && end - at >= BITS) {
            a->written[at / BITS] = UINT64_MAX;
            at += BITS;
        } else {
            a->written[at / BITS] |= UINT64_C(1) << at % BITS;
            at++;
        }
    }
}

static void protect(const struct allocation *a, bool close)
{
    mprotect(at(a->address), a->mapped, !close ? PROT_READ | PROT_WRITE : a->closed_reads ? PROT_NONE : PROT_READ);
}

void space_close(struct allocation *a, uint64_t offset, uint64_t size, bool reads)
{
    if (!a->mapped || !size || (a->kind != ALLOCATION_MANAGED && a->kind != ALLOCATION_HOST))
        return;
    uint64_t const end = offset + size;
    a->closed_from = a->closed && a->closed_from < offset ? a->closed_from : offset;
    a->closed_to = a->closed && a->closed_to > end ? a->closed_to : end;
    a->closed_reads = reads || (a->closed && a->closed_reads);
    a->closed = runtime.any_closed = true;
    protect(a, true);
}

void space_open(struct allocation *a)
{
    if (a->closed && !a->freed)
        protect(a, false);
    if (a->closed)
        a->changed_at = ++runtime.changes; /* from now on the host may write, unseen */
    a->closed = false;
}

void space_open_all(void)
{
    for (size_t i = 0; runtime.any_closed && i < runtime.allocations.count; i++)
        space_open(&runtime.allocations.items[i]);
    runtime.any_closed = false;
}

void space_pause(void)
{
    for (size_t i = 0; runtime.any_closed && i < runtime.allocations.count; i++)
        if (runtime.allocations.items[i].closed && !runtime.allocations.items[i].freed)
            protect(&runtime.allocations.items[i], false);
}

void space_resume(void)
{
    for (size_t i = 0; runtime.any_closed && i < runtime.allocations.count; i++)
        if (runtime.allocations.items[i].closed && !runtime.allocations.items[i].freed)
            protect(&runtime.allocations.items[i], true);
}
