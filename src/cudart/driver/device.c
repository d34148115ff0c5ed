/* The one device. */
#include "cudart/layer/device.h"
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/pool.h"
#include <string.h>
#include <strings.h>

enum { UUID_BYTES = 16, BUS_BYTES = 13 };

/* Ends a call that answers a question about a device. */
static CUresult about(const struct call *call, CUdevice device, enum status status)
{
    return driver_end(call, device ? STATUS_INVALID_DEVICE : status);
}

CUresult cuDeviceGetCount(int *count)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetCount, "cudaGetDeviceCount");
    if (count)
        *count = 1;
    return driver_end(&call, count ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGet, NULL);
    if (device && !ordinal)
        *device = 0;
    return driver_end(&call, !device ? STATUS_INVALID_VALUE : ordinal ? STATUS_INVALID_DEVICE : STATUS_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetName, NULL);
    if (!name || size <= 0)
        return driver_end(&call, STATUS_INVALID_VALUE);
    if (!device)
        snprintf(name, (size_t)size, runtime.backend->gpu ? "%s" : "%s (Lanescope emulator)", device_name());
    return about(&call, device, STATUS_SUCCESS);
}

static CUresult uuid(const struct call *call, void *to, CUdevice device)
{
    if (to && !device)
        memset(to, 0, UUID_BYTES);
    return about(call, device, to ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuDeviceGetUuid(void *to, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetUuid, NULL);
    return uuid(&call, to, device);
}

CUresult cuDeviceGetUuid_v2(void *to, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetUuid, NULL);
    return uuid(&call, to, device);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceTotalMem, NULL);
    if (bytes && !device)
        *bytes = runtime.backend->memory_total();
    return about(&call, device, bytes ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetAttribute, "cudaDeviceGetAttribute");
    line_signed("attribute", attribute);
    if (!value)
        return driver_end(&call, STATUS_INVALID_VALUE);
    return about(&call, device, device ? STATUS_SUCCESS : runtime.backend->attribute(value, attribute));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceComputeCapability, NULL);
    if (!major || !minor)
        return driver_end(&call, STATUS_INVALID_VALUE);
    *major = device_capability(false);
    *minor = device_capability(true);
    return about(&call, device, STATUS_SUCCESS);
}

CUresult cuDeviceGetPCIBusId(char *name, int size, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetPCIBusId, "cudaDeviceGetPCIBusId");
    if (!name || size < BUS_BYTES)
        return driver_end(&call, STATUS_INVALID_VALUE);
    return about(&call, device, runtime.backend->bus(name, size));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *name)
{
    char own[32] = "";
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetByPCIBusId, "cudaDeviceGetByPCIBusId");
    if (!device || !name)
        return driver_end(&call, STATUS_INVALID_VALUE);
    runtime.backend->bus(own, sizeof own);
    *device = 0;
    return driver_end(&call, strcasecmp(name, own) == 0 ? STATUS_SUCCESS : STATUS_INVALID_DEVICE);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceCanAccessPeer, "cudaDeviceCanAccessPeer");
    if (can)
        *can = 0;
    return about(&call, device ? device : peer, can ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetP2PAttribute, "cudaDeviceGetP2PAttribute");
    (void)from, (void)to, (void)attribute;
    return driver_end(&call, value ? STATUS_INVALID_DEVICE : STATUS_INVALID_VALUE);
}

static CUresult tell_pool(const struct call *call, struct pool **to, struct pool *pool, CUdevice device)
{
    if (to && !device)
        *to = pool;
    return about(call, device, to ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuDeviceGetDefaultMemPool(struct pool **pool, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetDefaultMemPool, "cudaDeviceGetDefaultMemPool");
    return tell_pool(&call, pool, pool_default, device);
}

CUresult cuDeviceGetMemPool(struct pool **pool, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceGetMemPool, "cudaDeviceGetMemPool");
    return tell_pool(&call, pool, pool_current, device);
}

CUresult cuDeviceSetMemPool(CUdevice device, struct pool *pool)
{
    DRIVER_BEGIN_INITIALIZED(cuDeviceSetMemPool, "cudaDeviceSetMemPool");
    if (!device && pool_of(pool))
        pool_current = pool;
    return about(&call, device, pool_of(pool) ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}
