/* Physical memory is a file in memory, and a mapping maps it into the bytes of its range, so that mappings side by side
 * are one piece, and two mappings of the same memory have the same bytes. Which bytes were written is kept likewise. */
#include "cudart/layer/virtual.h"
#include "cudart/backend/emulator.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct physical {
    uint64_t size;
    int bytes, bits; /* files; bits -1: not kept */
    unsigned handles, mappings;
    struct physical *next;
};
struct range {
    uint64_t address, size, room; /* room: the most bytes that a later range has at its address */
    uint8_t *data;
    uint64_t *written; /* NULL: not kept */
    struct virtual_mapping *mappings;
    struct range *next;
};
static struct physical *memory;
static struct range *ranges, *released; /* released: for later ranges, when no other addresses are left */

static uint64_t bits_of(uint64_t bytes)
{
    return bytes / 8;
}

static struct range *range_at(uint64_t address)
{
    struct range *range = ranges;
    while (range && address - range->address >= range->size)
        range = range->next;
    return range;
}

static void *map_closed(uint64_t size)
{
    void *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? NULL : place;
}

static void unmap_range(const struct range *range)
{
    if (range->data)
        munmap(range->data, range->size + VIRTUAL_UNIT);
    if (range->written)
        munmap(range->written, bits_of(range->size));
}

/* Takes the least released range whose addresses serve, or NULL. */
static struct range *take_released(uint64_t size, uint64_t alignment)
{
    struct range **best = NULL;
    for (struct range **at = &released; *at; at = &(*at)->next)
        if ((*at)->room >= size && (!alignment || (*at)->address % alignment == 0) &&
            (!best || (*at)->room < (*best)->room))
            best = at;
    struct range *range = best ? *best : NULL;
    if (range)
        *best = range->next;
    return range;
}

static void put_released(struct range *range)
{
    range->data = NULL, range->written = NULL;
    range->next = released;
    released = range;
}

static enum status new_range(struct range **range, uint64_t size, uint64_t alignment)
{
    struct range made = {.room = size};
    enum status const status = emulator_reserve(&made.address, size, alignment);
    *range = status == STATUS_MEMORY_ALLOCATION ? take_released(size, alignment) : NULL;
    if (*range || status)
        return *range ? STATUS_SUCCESS : status;
    *range = malloc(sizeof made);
    if (*range)
        **range = made;
    return *range ? STATUS_SUCCESS : STATUS_MEMORY_ALLOCATION;
}

enum status virtual_reserve(uint64_t *address, uint64_t size, uint64_t alignment)
{
    if (!size || size % VIRTUAL_UNIT || (alignment & (alignment - 1)))
        return STATUS_INVALID_VALUE;
    struct range *range;
    enum status const status = new_range(&range, size, alignment);
    if (status)
        return status;
    range->size = size;
    range->data = map_closed(size + VIRTUAL_UNIT); /* an access may look behind the last byte */
    range->written = range->data && runtime.options.memory ? map_closed(bits_of(size)) : NULL;
    range->mappings = NULL;
    if (!range->data || (runtime.options.memory && !range->written)) {
        unmap_range(range);
        put_released(range);
        return STATUS_MEMORY_ALLOCATION;
    }
    range->next = ranges;
    ranges = range;
    *address = range->address;
    return STATUS_SUCCESS;
}

enum status virtual_release_range(uint64_t address, uint64_t size)
{
    struct range **at = &ranges;
    while (*at && (*at)->address != address)
        at = &(*at)->next;
    struct range *range = *at;
    if (!range || range->size != size || range->mappings)
        return STATUS_INVALID_VALUE;
    *at = range->next;
    unmap_range(range);
    put_released(range);
    return STATUS_SUCCESS;
}

static int new_file(uint64_t size)
{
    int const file = memfd_create("lanescope", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)size) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Frees memory that has neither a handle nor a mapping. */
static void drop_unused(struct physical *unused)
{
    struct physical **at = &memory;
    if (unused->handles || unused->mappings)
        return;
    while (*at != unused)
        at = &(*at)->next;
    *at = unused->next;
    close(unused->bytes);
    if (unused->bits >= 0)
        close(unused->bits);
    runtime.bytes_in_use -= unused->size;
    free(unused);
}

enum status virtual_create(struct physical **handle, uint64_t size)
{
    if (!size || size % VIRTUAL_UNIT)
        return STATUS_INVALID_VALUE;
    uint64_t const limit = runtime.options.device_bytes;
    if (size > limit || runtime.bytes_in_use > limit - size)
        return STATUS_MEMORY_ALLOCATION;
    struct physical const made = {.size = size,
                                  .bytes = new_file(size),
                                  .bits = runtime.options.memory ? new_file(bits_of(size)) : -1,
                                  .handles = 1,
                                  .next = memory};
    struct physical *new = made.bytes < 0 || (runtime.options.memory && made.bits < 0) ? NULL : malloc(sizeof *new);
    if (!new) {
        if (made.bytes >= 0)
            close(made.bytes);
        if (made.bits >= 0)
            close(made.bits);
        return STATUS_MEMORY_ALLOCATION;
    }
    *new = made;
    memory = *handle = new;
    runtime.bytes_in_use += size;
    return STATUS_SUCCESS;
}

bool virtual_is_handle(const struct physical *handle)
{
    const struct physical *found = memory;
    while (found && found != handle)
        found = found->next;
    return found && found->handles;
}

enum status virtual_release(struct physical *handle)
{
    if (!virtual_is_handle(handle))
        return STATUS_INVALID_VALUE;
    handle->handles--;
    drop_unused(handle);
    return STATUS_SUCCESS;
}

struct virtual_mapping *virtual_mapping_at(uint64_t address)
{
    const struct range *range = range_at(address);
    struct virtual_mapping *mapping = range ? range->mappings : NULL;
    while (mapping && address - mapping->address >= mapping->size)
        mapping = mapping->next;
    return mapping;
}

struct physical *virtual_retain(uint64_t address)
{
    struct virtual_mapping *mapping = virtual_mapping_at(address);
    if (!mapping)
        return NULL;
    mapping->physical->handles++;
    return mapping->physical;
}

struct virtual_mapping *virtual_mappings(uint64_t address, uint64_t size)
{
    struct virtual_mapping *first = virtual_mapping_at(address), *at = first;
    uint64_t there = address;
    while (at && at->address == there && there - address < size) {
        there += at->size;
        at = at->next;
    }
    return size && there - address == size ? first : NULL;
}

static bool map_file(void *place, uint64_t size, int file)
{
    return mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
}

static void close_bytes(void *place, uint64_t size)
{
    int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(place, size, PROT_NONE, flags, -1, 0) == MAP_FAILED)
        mprotect(place, size, PROT_NONE); /* there are too many mappings: the bytes stay, but out of reach */
}

static uint8_t *data_at(const struct range *range, uint64_t address)
{
    return range->data + (address - range->address);
}

static uint64_t *written_at(const struct range *range, uint64_t address)
{
    return range->written ? range->written + (address - range->address) / 64 : NULL;
}

enum status virtual_map(uint64_t address, uint64_t size, struct physical *handle)
{
    struct range *range = range_at(address);
    if (!range || !virtual_is_handle(handle) || !size || size % VIRTUAL_UNIT || address % VIRTUAL_UNIT ||
        size > handle->size || size > range->size - (address - range->address))
        return STATUS_INVALID_VALUE;
    struct virtual_mapping **at = &range->mappings;
    while (*at && (*at)->address + (*at)->size <= address)
        at = &(*at)->next;
    if (*at && (*at)->address < address + size)
        return STATUS_INVALID_VALUE;
    struct virtual_mapping *mapping = calloc(1, sizeof *mapping);
    bool good = mapping && map_file(data_at(range, address), size, handle->bytes);
    if (good && range->written && !map_file(written_at(range, address), bits_of(size), handle->bits)) {
        close_bytes(data_at(range, address), size);
        good = false;
    }
    if (!good) {
        free(mapping);
        return STATUS_MEMORY_ALLOCATION;
    }
    *mapping = (struct virtual_mapping){.address = address, .size = size, .physical = handle, .next = *at};
    *at = mapping;
    handle->mappings++;
    return STATUS_SUCCESS;
}

/* Ends the allocation; the bytes stay those of the physical memory. */
static void close_mapping(const struct virtual_mapping *mapping)
{
    struct allocation *a = space_find(mapping->address);
    if (mapping->rights == RIGHTS_NONE || !a || a->freed)
        return;
    space_free(a);
    runtime.bytes_in_use += mapping->size;
}

struct allocation *virtual_set_rights(struct virtual_mapping *mapping, enum virtual_rights rights)
{
    bool const opens = mapping->rights == RIGHTS_NONE && rights != RIGHTS_NONE;
    if (rights == RIGHTS_NONE)
        close_mapping(mapping);
    mapping->rights = rights;
    if (opens) {
        const struct range *range = range_at(mapping->address);
        space_forget_freed(mapping->address, mapping->size);
        space_place((struct allocation){.address = mapping->address,
                                        .size = mapping->size,
                                        .slot = mapping->size,
                                        .data = data_at(range, mapping->address),
                                        .written = written_at(range, mapping->address),
                                        .kind = ALLOCATION_DEVICE,
                                        .is_mapping = true});
        runtime.bytes_in_use -= mapping->size; /* the physical memory is counted */
    }
    struct allocation *a = rights == RIGHTS_NONE ? NULL : space_find(mapping->address);
    if (a)
        a->read_only = rights == RIGHTS_READ;
    return opens ? a : NULL;
}

void virtual_unmap(uint64_t address)
{
    struct range *range = range_at(address);
    struct virtual_mapping **at = &range->mappings, *mapping;
    while ((*at)->address != address)
        at = &(*at)->next;
    mapping = *at;
    close_mapping(mapping);
    *at = mapping->next;
    close_bytes(data_at(range, address), mapping->size);
    if (range->written)
        close_bytes(written_at(range, address), bits_of(mapping->size));
    mapping->physical->mappings--;
    drop_unused(mapping->physical);
    free(mapping);
}

bool virtual_overlaps(void)
{
    bool found = false;
    for (const struct physical *p = memory; p; p = p->next)
        found = found || p->mappings > 1;
    return found;
}

void virtual_reset(void)
{
    while (ranges) {
        while (ranges->mappings)
            virtual_unmap(ranges->mappings->address);
        virtual_release_range(ranges->address, ranges->size);
    }
    while (memory) {
        memory->handles = 0;
        drop_unused(memory);
    }
}
