/* Virtual memory, on the emulator. */
#include "cudart/layer/virtual.h"
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/line.h"
#include <string.h>

struct driver_memory {
    int type, shared_with; /* processes */
    struct driver_location location;
    void *windows;
    struct {
        uint8_t compression, direct;
        uint16_t usage;
        uint8_t reserved[4];
    } flags;
};
struct driver_access {
    struct driver_location location;
    int flags;
};

/* A call that the back end has. On a GPU it is refused in words. */
#define BEGIN(name)                                                                                                    \
    DRIVER_BEGIN_INITIALIZED(name, NULL);                                                                              \
    if (refuses(#name))                                                                                                \
    return driver_end(&call, STATUS_NOT_SUPPORTED)

static bool refuses(const char *name)
{
    if (runtime.backend->gpu)
        fprintf(stderr, "lanescope: %s: virtual memory is there on the emulator alone\n", name);
    return runtime.backend->gpu != NULL;
}

static enum status check_location(struct driver_location location)
{
    if (location.type != LOCATED_ON_DEVICE)
        return location.type > LOCATED_ON_DEVICE ? STATUS_NOT_SUPPORTED : STATUS_INVALID_VALUE; /* memory of the host */
    return location.id ? STATUS_INVALID_DEVICE : STATUS_SUCCESS;
}

static enum status check_memory(const struct driver_memory *memory)
{
    enum { PINNED = 1 };
    return !memory || memory->type != PINNED ? STATUS_INVALID_VALUE : check_location(memory->location);
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const struct driver_memory *memory, int option)
{
    enum { RECOMMENDED = 1 };
    BEGIN(cuMemGetAllocationGranularity);
    enum status const status =
        bytes && option >= 0 && option <= RECOMMENDED ? check_memory(memory) : STATUS_INVALID_VALUE;
    if (!status)
        *bytes = VIRTUAL_UNIT;
    return driver_end(&call, status);
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags)
{
    BEGIN(cuMemAddressReserve);
    (void)wish; /* which need not be granted */
    line_number("bytes", bytes);
    return driver_end(&call, address && !flags ? virtual_reserve(address, bytes, alignment) : STATUS_INVALID_VALUE);
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    BEGIN(cuMemAddressFree);
    line_number("bytes", bytes);
    return driver_end(&call, virtual_release_range(address, bytes));
}

CUresult cuMemCreate(struct physical **handle, size_t bytes, const struct driver_memory *memory,
                     unsigned long long flags)
{
    BEGIN(cuMemCreate);
    line_number("bytes", bytes);
    enum status const status = handle && !flags ? check_memory(memory) : STATUS_INVALID_VALUE;
    return driver_end(&call, status ? status : virtual_create(handle, bytes));
}

CUresult cuMemRelease(struct physical *handle)
{
    BEGIN(cuMemRelease);
    return driver_end(&call, virtual_release(handle));
}

CUresult cuMemRetainAllocationHandle(struct physical **handle, void *address)
{
    BEGIN(cuMemRetainAllocationHandle);
    struct physical *found = handle ? virtual_retain((uint64_t)(uintptr_t)address) : NULL;
    if (found)
        *handle = found;
    return driver_end(&call, found ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuMemGetAllocationPropertiesFromHandle(struct driver_memory *memory, struct physical *handle)
{
    BEGIN(cuMemGetAllocationPropertiesFromHandle);
    if (!memory || !virtual_is_handle(handle))
        return driver_end(&call, STATUS_INVALID_VALUE);
    *memory = (struct driver_memory){.type = 1, .location = {1, 0}};
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, struct physical *handle, unsigned long long flags)
{
    BEGIN(cuMemMap);
    line_number("bytes", bytes);
    return driver_end(&call, offset || flags ? STATUS_INVALID_VALUE : virtual_map(address, bytes, handle));
}

/* Writes the lines of the mappings, each as one of the runtime's calls, all but the last, which the call itself has. */
static void next_line(struct call *call, const char *name, const char *same, const void *from)
{
    line_write(call, STATUS_SUCCESS, NULL);
    *call = driver_begin(name, same, from);
}

static void open_mapping(struct virtual_mapping *mapping, enum virtual_rights rights)
{
    const struct allocation *a = virtual_set_rights(mapping, rights);
    if (!a)
        return;
    line_text("as", "cudaMalloc");
    line_number("bytes", a->size);
    line_number("allocation", a->number);
    line_number("base", a->address);
    line_number("in_use", runtime.bytes_in_use);
}

static void close_line(const struct virtual_mapping *mapping)
{
    if (mapping->rights == RIGHTS_NONE)
        return;
    line_text("as", "cudaFree");
    line_pointer("pointer", (const void *)(uintptr_t)mapping->address);
    line_number("bytes", mapping->size);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const struct driver_access *access, size_t count)
{
    struct driver_access wanted = {.flags = RIGHTS_NONE};
    BEGIN(cuMemSetAccess);
    struct call last = call;
    struct virtual_mapping *mapping = virtual_mappings(address, bytes);
    enum status status = mapping && access && count ? STATUS_SUCCESS : STATUS_INVALID_VALUE;
    for (size_t i = 0; !status && i < count; i++) {
        wanted = access[i];
        bool const known = wanted.flags == RIGHTS_NONE || wanted.flags == RIGHTS_READ || wanted.flags == RIGHTS_ALL;
        status = known ? check_location(wanted.location) : STATUS_INVALID_VALUE;
    }
    status = status ? status : runtime_synchronize();
    for (bool first = true; !status && mapping && mapping->address < address + bytes; mapping = mapping->next) {
        if (!first)
            next_line(&last, "cuMemSetAccess", NULL, call.from);
        first = false;
        if (wanted.flags == RIGHTS_NONE)
            close_line(mapping);
        open_mapping(mapping, (enum virtual_rights)wanted.flags);
    }
    return driver_end(&last, status);
}

CUresult cuMemGetAccess(unsigned long long *flags, const struct driver_location *location, CUdeviceptr address)
{
    BEGIN(cuMemGetAccess);
    const struct virtual_mapping *mapping = virtual_mapping_at(address);
    enum status const status = flags && location && mapping ? check_location(*location) : STATUS_INVALID_VALUE;
    if (!status)
        *flags = mapping->rights;
    return driver_end(&call, status);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    BEGIN(cuMemUnmap);
    struct call last = call;
    struct virtual_mapping *mapping = virtual_mappings(address, bytes);
    enum status const status = mapping ? runtime_synchronize() : STATUS_INVALID_VALUE;
    for (bool first = true; !status && mapping && mapping->address < address + bytes; first = false) {
        struct virtual_mapping *next = mapping->next;
        if (!first)
            next_line(&last, "cuMemUnmap", NULL, call.from);
        close_line(mapping);
        virtual_unmap(mapping->address);
        mapping = next;
    }
    return driver_end(&last, status);
}
