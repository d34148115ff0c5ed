/* The device's addresses: one reserved range of this process, closed to the host. The bytes of device memory lie
 * elsewhere in the process, so a host access to a device pointer raises SIGSEGV (signals.c), and the emulator uses the
 * bytes. Managed and pinned memory is open to the host at its own address. Addresses are not used again while others
 * are left, so a pointer to freed memory is still known. */
#include "cudart/gpu.h"
#include "emulator/emulator.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SLOT = 2 << 20, GUARD = 1 << 20, PAGE = 4096, BEYOND = 64, BITS = 64 };

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

bool space_is_device_range(uint64_t address)
{
    return !gpu_on() && address >= EMULATOR_PLACED_BASE && address < EMULATOR_PLACED_END;
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static bool reserve_range(void)
{
    if (runtime.range_reserved)
        return true;
    size_t const size = EMULATOR_PLACED_END - EMULATOR_PLACED_BASE;
    void *place = mmap(at(EMULATOR_PLACED_BASE), size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place != MAP_FAILED && place != at(EMULATOR_PLACED_BASE)) { /* an older kernel ignored the flag */
        munmap(place, size);
        place = MAP_FAILED;
    }
    runtime.range_reserved = place != MAP_FAILED;
    runtime.next_address = EMULATOR_PLACED_BASE;
    return runtime.range_reserved;
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

static struct allocation *insert(const struct allocation *allocation)
{
    size_t const index = behind(allocation->address);
    array_push(&runtime.allocations, *allocation);
    struct allocation *place = &runtime.allocations.items[index];
    memmove(place + 1, place, (runtime.allocations.count - 1 - index) * sizeof *place);
    *place = *allocation;
    return place;
}

/* Takes the slot of a freed allocation, when the range has been used up. Returns 0 when none fits. */
static uint64_t reuse(uint64_t slot, uint64_t *slot_taken)
{
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *old = &runtime.allocations.items[i];
        if (!old->freed || old->slot < slot)
            continue;
        uint64_t const address = old->address;
        *slot_taken = old->slot;
        memmove(old, old + 1, (--runtime.allocations.count - i) * sizeof *old);
        return address;
    }
    return 0;
}

static bool map_bytes(struct allocation *a)
{
    a->mapped = round_up(a->size + BEYOND, PAGE);
    bool const open = a->kind == ALLOCATION_MANAGED || a->kind == ALLOCATION_HOST;
    int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (open ? MAP_FIXED : 0);
    void *bytes = mmap(open ? at(a->address) : NULL, a->mapped, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (bytes == MAP_FAILED)
        return false;
    a->data = bytes;
    if (!runtime.options.memory || a->kind == ALLOCATION_VARIABLE || open) /* the host writes unseen */
        return true;
    void *bits = mmap(NULL, (a->size / BITS + 1) * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    a->written = bits == MAP_FAILED ? NULL : bits;
    return true;
}

/* The driver gives addresses anew: freed memory there is no longer known. */
static void forget_freed(uint64_t address, uint64_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (!a->freed || a->address + a->size <= address || a->address >= address + size)
            runtime.allocations.items[kept++] = *a;
    }
    runtime.allocations.count = kept;
}

struct allocation *space_place(enum allocation_kind kind, uint64_t address, uint64_t size, const char *name)
{
    bool const open = kind == ALLOCATION_MANAGED || kind == ALLOCATION_HOST;
    struct allocation const new = {.address = address,
                                   .size = size,
                                   .data = open ? at(address) : NULL,
                                   .kind = kind,
                                   .number = kind == ALLOCATION_VARIABLE ? 0 : ++runtime.allocation_count,
                                   .name = name};
    forget_freed(address, size);
    runtime.bytes_in_use += size;
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

cudaError_t space_allocate(enum allocation_kind kind, uint64_t size, const char *name, struct allocation **allocation)
{
    struct allocation new = {.size = size, .kind = kind, .name = name};
    if (gpu_on()) {
        cudaError_t const error = gpu_allocate(kind, size, &new.address);
        *allocation = error ? NULL : space_place(kind, new.address, size, name);
        return error;
    }
    if (!reserve_range())
        return cudaErrorInitializationError;
    if (size > runtime.options.device_bytes || runtime.bytes_in_use > runtime.options.device_bytes - size)
        return cudaErrorMemoryAllocation;
    new.slot = round_up(size + GUARD, SLOT);
    if (new.slot <= EMULATOR_PLACED_END - runtime.next_address) {
        new.address = runtime.next_address;
        runtime.next_address += new.slot;
    } else {
        new.address = reuse(new.slot, &new.slot);
    }
    if (!new.address || !map_bytes(&new))
        return cudaErrorMemoryAllocation;
    if (kind != ALLOCATION_VARIABLE)
        new.number = ++runtime.allocation_count;
    runtime.bytes_in_use += size;
    *allocation = insert(&new);
    return cudaSuccess;
}

struct allocation *space_register(void *pointer, uint64_t size)
{
    struct allocation const new = {.address = (uint64_t)(uintptr_t)pointer,
                                   .size = size,
                                   .data = pointer,
                                   .kind = ALLOCATION_REGISTERED,
                                   .number = ++runtime.allocation_count};
    return insert(&new);
}

void space_free(struct allocation *a)
{
    bool const open = a->kind == ALLOCATION_MANAGED || a->kind == ALLOCATION_HOST;
    if (gpu_on())
        gpu_free(a);
    if (a->kind == ALLOCATION_REGISTERED) {
        size_t const index = (size_t)(a - runtime.allocations.items);
        memmove(a, a + 1, (--runtime.allocations.count - index) * sizeof *a);
        return;
    }
    if (gpu_on())
        a->mapped = 0;
    else if (!open)
        munmap(a->data, a->mapped);
    else if (mmap(at(a->address), a->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                  0) == MAP_FAILED)
        munmap(at(a->address), a->mapped); /* closed to the host as well, only not reserved */
    if (a->written)
        munmap(a->written, (a->size / BITS + 1) * sizeof(uint64_t));
    a->data = NULL;
    a->written = NULL;
    a->freed = true;
    runtime.bytes_in_use -= a->size;
}

void space_free_all(void)
{
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *a = &runtime.allocations.items[i];
        if (!a->freed && a->kind != ALLOCATION_VARIABLE && a->kind != ALLOCATION_REGISTERED)
            space_free(a);
    }
}

static const uint64_t heap_space = UINT64_C(1) << 30; /* of addresses */

static void *map_zeros(uint64_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

bool space_make_heap(uint64_t limit)
{
    struct launch_heap *heap = &runtime.heap;
    if (heap->data)
        return true;
    heap->bytes = limit > heap_space ? limit : heap_space;
    heap->limit = limit;
    heap->data = map_zeros(heap->bytes + BEYOND);
    heap->state = map_zeros(heap->bytes + 1);
    return heap->data && heap->state;
}

void space_free_heap(void)
{
    struct launch_heap *heap = &runtime.heap;
    if (heap->data)
        munmap(heap->data, heap->bytes + BEYOND);
    if (heap->state)
        munmap(heap->state, heap->bytes + 1);
    launch_heap_free(heap);
    *heap = (struct launch_heap){0};
}

void space_mark_written(struct allocation *a, uint64_t offset, uint64_t size)
{
    if (!a->written || offset > a->size)
        return;
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
    if (gpu_on() || a->freed || !size || (a->kind != ALLOCATION_MANAGED && a->kind != ALLOCATION_HOST))
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
