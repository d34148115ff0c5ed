/* Contexts. The device has one memory and one set of modules, which all of them share; with the last of them both go.
 */
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/graph.h"

enum { API_VERSION = 3020 };

/* When no context is left, the device becomes as it was at first. */
static enum status forget(void)
{
    if (context_any())
        return STATUS_SUCCESS;
    for (struct module *module = runtime.modules, *next; module; module = next) {
        next = module->next;
        if (module->of_driver)
            module_drop(module);
    }
    return runtime_reset();
}

static enum status create(CUcontext *context, unsigned flags, CUdevice device)
{
    if (!context)
        return STATUS_INVALID_VALUE;
    if (device)
        return STATUS_INVALID_DEVICE;
    *context = context_new(flags);
    return *context ? runtime.sticky : STATUS_MEMORY_ALLOCATION;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxCreate, NULL);
    return driver_end(&call, create(context, flags, device));
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxCreate, NULL);
    return driver_end(&call, affinity && count ? STATUS_NOT_SUPPORTED : create(context, flags, device));
}

CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxCreate, NULL);
    (void)parameters;
    return driver_end(&call, create(context, flags, device));
}

static enum status destroy(CUcontext context)
{
    if (context == context_primary() || !context_is(context))
        return STATUS_DEVICE_UNINITIALIZED;
    enum status const status = runtime_synchronize();
    context_delete(context);
    enum status const forgotten = forget();
    return status ? status : forgotten;
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxDestroy, NULL);
    return driver_end(&call, destroy(context));
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    DRIVER_BEGIN(cuCtxAttach, NULL);
    if (!context || flags)
        return driver_end(&call, STATUS_INVALID_VALUE);
    *context = context_current();
    (*context)->attached++;
    return driver_end(&call, STATUS_SUCCESS);
}

/* Undoes cuCtxAttach, or destroys a context that is attached no more. */
CUresult cuCtxDetach(CUcontext context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxDetach, NULL);
    bool const attached = context_is(context) && context->attached;
    if (attached)
        context->attached--;
    return driver_end(&call, attached ? STATUS_SUCCESS : destroy(context));
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxPushCurrent, NULL);
    return driver_end(&call,
                      context_is(context) && context_push(context) ? STATUS_SUCCESS : STATUS_DEVICE_UNINITIALIZED);
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxPopCurrent, NULL);
    CUcontext const popped = context_pop();
    if (popped && context)
        *context = popped;
    return driver_end(&call, popped ? STATUS_SUCCESS : STATUS_DEVICE_UNINITIALIZED);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxSetCurrent, NULL);
    if (context && !context_is(context))
        return driver_end(&call, STATUS_DEVICE_UNINITIALIZED);
    context_pop();
    return driver_end(&call, !context || context_push(context) ? STATUS_SUCCESS : STATUS_MEMORY_ALLOCATION);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxGetCurrent, NULL);
    CUcontext const last = context_last(), current = context_current();
    if (context)
        *context = last == context_primary() ? last : current;
    return driver_end(&call, context ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    DRIVER_BEGIN(cuCtxGetDevice, "cudaGetDevice");
    if (device)
        *device = 0;
    return driver_end(&call, device ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    DRIVER_BEGIN(cuCtxGetFlags, NULL);
    if (flags)
        *flags = context_current()->flags;
    return driver_end(&call, flags ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuCtxSetFlags(unsigned flags)
{
    DRIVER_BEGIN(cuCtxSetFlags, NULL);
    context_current()->flags = flags;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxGetId, NULL);
    const struct context *of = context ? context : context_current();
    if (!id || !of || !context_is((CUcontext)(uintptr_t)of))
        return driver_end(&call, id ? STATUS_DEVICE_UNINITIALIZED : STATUS_INVALID_VALUE);
    *id = of->number;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    DRIVER_BEGIN_INITIALIZED(cuCtxGetApiVersion, NULL);
    if (!version || (context && !context_is(context)))
        return driver_end(&call, version ? STATUS_DEVICE_UNINITIALIZED : STATUS_INVALID_VALUE);
    *version = API_VERSION;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuCtxSynchronize(void)
{
    DRIVER_BEGIN(cuCtxSynchronize, "cudaDeviceSynchronize");
    enum status const refusal = capture_refuses_waiting(NULL);
    return driver_end(&call, refusal ? refusal : runtime_synchronize());
}

enum { LIMITS = 7 };

CUresult cuCtxGetLimit(size_t *value, int limit)
{
    DRIVER_BEGIN(cuCtxGetLimit, "cudaDeviceGetLimit");
    line_signed("limit", limit);
    if (!value || limit < 0 || limit >= LIMITS)
        return driver_end(&call, value ? STATUS_UNSUPPORTED_LIMIT : STATUS_INVALID_VALUE);
    return driver_end(&call, runtime.backend->limit_get(value, limit));
}

CUresult cuCtxSetLimit(int limit, size_t value)
{
    DRIVER_BEGIN(cuCtxSetLimit, "cudaDeviceSetLimit");
    line_signed("limit", limit);
    line_number("value", value);
    return driver_end(&call, limit < 0 || limit >= LIMITS ? STATUS_UNSUPPORTED_LIMIT
                                                          : runtime.backend->limit_set(limit, value));
}

static CUresult answer(const struct call *call, int *to, int value)
{
    if (to)
        *to = value;
    return driver_end(call, to ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

CUresult cuCtxGetCacheConfig(int *config)
{
    DRIVER_BEGIN(cuCtxGetCacheConfig, NULL);
    return answer(&call, config, 0);
}

CUresult cuCtxSetCacheConfig(int config)
{
    DRIVER_BEGIN(cuCtxSetCacheConfig, NULL);
    line_signed("value", config);
    return driver_end(&call, runtime.sticky);
}

CUresult cuCtxGetSharedMemConfig(int *config)
{
    DRIVER_BEGIN(cuCtxGetSharedMemConfig, NULL);
    return answer(&call, config, 1);
}

CUresult cuCtxSetSharedMemConfig(int config)
{
    DRIVER_BEGIN(cuCtxSetSharedMemConfig, NULL);
    line_signed("value", config);
    return driver_end(&call, runtime.sticky);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    DRIVER_BEGIN(cuCtxGetStreamPriorityRange, "cudaDeviceGetStreamPriorityRange");
    int unused;
    return driver_end(&call, runtime.backend->priorities(least ? least : &unused, greatest ? greatest : &unused));
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    DRIVER_BEGIN(cuCtxResetPersistingL2Cache, NULL);
    return driver_end(&call, runtime.sticky);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    DRIVER_BEGIN(cuCtxEnablePeerAccess, "cudaDeviceEnablePeerAccess");
    (void)flags;
    return driver_end(&call, context_is(peer) ? STATUS_PEER_ACCESS_UNSUPPORTED : STATUS_DEVICE_UNINITIALIZED);
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    DRIVER_BEGIN(cuCtxDisablePeerAccess, "cudaDeviceDisablePeerAccess");
    return driver_end(&call, context_is(peer) ? STATUS_PEER_ACCESS_NOT_ENABLED : STATUS_DEVICE_UNINITIALIZED);
}

/* ---- the primary context ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDevicePrimaryCtxRetain, NULL);
    if (!context || device)
        return driver_end(&call, device ? STATUS_INVALID_DEVICE : STATUS_INVALID_VALUE);
    context_retain();
    *context = context_primary();
    return driver_end(&call, runtime.sticky);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDevicePrimaryCtxRelease, NULL);
    if (device || !context_is(context_primary()))
        return driver_end(&call, device ? STATUS_INVALID_DEVICE : STATUS_DEVICE_UNINITIALIZED);
    context_release();
    return driver_end(&call, context_is(context_primary()) ? STATUS_SUCCESS : forget());
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuDevicePrimaryCtxReset, "cudaDeviceReset");
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : runtime_reset());
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    DRIVER_BEGIN_INITIALIZED(cuDevicePrimaryCtxSetFlags, NULL);
    if (!device)
        context_primary()->flags = flags;
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : STATUS_SUCCESS);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    DRIVER_BEGIN_INITIALIZED(cuDevicePrimaryCtxGetState, NULL);
    if (device || !flags || !active)
        return driver_end(&call, device ? STATUS_INVALID_DEVICE : STATUS_INVALID_VALUE);
    *flags = context_primary()->flags;
    *active = context_is(context_primary());
    return driver_end(&call, STATUS_SUCCESS);
}
