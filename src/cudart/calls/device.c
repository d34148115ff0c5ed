/* The one device: limits, attributes of kernels, occupancy. */
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/module.h"

enum { RUNTIME_VERSION = 12040 };

/* Ends a call that writes one number where the program wants it. */
static cudaError_t answer(const struct call *call, int *to, int value)
{
    if (to)
        *to = value;
    return call_end(call, to ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- which device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    CALL_BEGIN_ANYWHERE(cudaGetDeviceCount);
    return answer(&call, count, 1);
}

cudaError_t cudaGetDevice(int *number)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaGetDevice);
    return answer(&call, number, 0);
}

/* Calls that change nothing here, and whose device must exist. */
static cudaError_t of_device(const struct call *call, int number)
{
    line_signed("device", number);
    return call_end(call, number == 0 ? runtime.sticky : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDevice(int number)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaSetDevice);
    if (number == 0)
        context_of_runtime(true);
    return of_device(&call, number);
}

cudaError_t cudaInitDevice(int number, unsigned device_flags, unsigned flags)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaInitDevice);
    if (number == 0)
        context_activate();
    (void)device_flags, (void)flags;
    return of_device(&call, number);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    CALL_BEGIN(cudaSetDeviceFlags);
    line_number("flags", flags);
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaGetDeviceFlags);
    if (flags)
        *flags = 0;
    return call_end(&call, flags ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int *number, const void *properties)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaChooseDevice);
    if (number)
        *number = 0;
    return call_end(&call, number && properties ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize(void)
{
    CALL_BEGIN(cudaDeviceSynchronize);
    cudaError_t const refusal = capture_refuses_waiting(NULL);
    return call_end(&call, refusal ? refusal : runtime_synchronize());
}

cudaError_t cudaThreadSynchronize(void)
{
    CALL_BEGIN(cudaThreadSynchronize);
    cudaError_t const refusal = capture_refuses_waiting(NULL);
    return call_end(&call, refusal ? refusal : runtime_synchronize());
}

cudaError_t cudaDeviceReset(void)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceReset);
    context_reset();
    return call_end(&call, runtime_reset());
}

cudaError_t cudaThreadExit(void)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaThreadExit);
    context_reset();
    return call_end(&call, runtime_reset());
}

enum { LIMITS = 7 };

cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
    CALL_BEGIN(cudaDeviceGetLimit);
    line_signed("limit", limit);
    if (!value || limit < 0 || limit >= LIMITS)
        return call_end(&call, cudaErrorInvalidValue);
    return call_end(&call, runtime.backend->limit_get(value, limit));
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    CALL_BEGIN(cudaDeviceSetLimit);
    line_signed("limit", limit);
    line_number("value", value);
    return call_end(&call, limit < 0 ? cudaErrorInvalidValue : (cudaError_t)runtime.backend->limit_set(limit, value));
}

/* Returns from calls that only advise the hardware. */
static cudaError_t advice(const struct call *call, int value)
{
    line_signed("value", value);
    return call_end(call, runtime.sticky);
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
    CALL_BEGIN(cudaDeviceSetCacheConfig);
    return advice(&call, config);
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    CALL_BEGIN(cudaDeviceGetCacheConfig);
    return answer(&call, config, 0);
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    CALL_BEGIN(cudaDeviceSetSharedMemConfig);
    return advice(&call, config);
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    CALL_BEGIN(cudaDeviceGetSharedMemConfig);
    return answer(&call, config, 1); /* banks of four bytes */
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CALL_BEGIN(cudaDeviceGetStreamPriorityRange);
    return call_end(&call, runtime.backend->priorities(least, greatest));
}

cudaError_t cudaDeviceGetPCIBusId(char *name, int length, int number)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetPCIBusId);
    if (!name || length < 13)
        return call_end(&call, cudaErrorInvalidValue);
    if (runtime.backend->bus(name, length))
        snprintf(name, (size_t)length, "0000:00:00.0");
    return of_device(&call, number);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceCanAccessPeer);
    (void)peer;
    if (can)
        *can = 0;
    return of_device(&call, number);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CALL_BEGIN(cudaDeviceEnablePeerAccess);
    (void)flags;
    return call_end(&call, peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CALL_BEGIN(cudaDeviceDisablePeerAccess);
    (void)peer;
    return call_end(&call, cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int *number)
{
    CALL_BEGIN_ANYWHERE(cudaDriverGetVersion);
    return call_end(&call, number ? (cudaError_t)runtime.backend->version(number) : cudaErrorInvalidValue);
}

cudaError_t cudaRuntimeGetVersion(int *number)
{
    struct call const call = call_begin("cudaRuntimeGetVersion", __builtin_return_address(0));
    return answer(&call, number, RUNTIME_VERSION);
}

cudaError_t cudaProfilerStart(void)
{
    CALL_BEGIN(cudaProfilerStart);
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    CALL_BEGIN(cudaProfilerStop);
    return call_end(&call, cudaSuccess);
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    enum { DYNAMIC_SHARED = 8 };
    CALL_BEGIN(cudaFuncSetAttribute);
    line_signed("attribute", attribute);
    line_signed("value", value);
    struct kernel *kernel = module_kernel(host);
    const struct ptx_function *function = module_function(kernel);
    if (!function)
        return call_end(&call, cudaErrorInvalidDeviceFunction);
    if (attribute == DYNAMIC_SHARED && (value < 0 || (size_t)value + function->shared_bytes > LAUNCH_SHARED_MAX))
        return call_end(&call, cudaErrorInvalidValue);
    if (attribute == DYNAMIC_SHARED && (uint32_t)value > kernel->max_dynamic_shared)
        kernel->max_dynamic_shared = (uint32_t)value;
    return call_end(&call, runtime.backend->kernel_set(kernel, attribute, value));
}

cudaError_t cudaFuncGetAttributes(struct function_attributes *attributes, const void *host)
{
    CALL_BEGIN(cudaFuncGetAttributes);
    struct kernel *kernel = module_kernel(host);
    const struct ptx_function *function = module_function(kernel);
    if (!function || !attributes)
        return call_end(&call, attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *attributes = (struct function_attributes){
        .shared = function->shared_bytes,
        .local = function->local_bytes,
        .max_threads = (int)(launch_bound(function) ? launch_bound(function) : LAUNCH_THREADS_MAX),
        .ptx_version = (int)kernel->module->ptx_module->target,
        .binary_version = (int)kernel->module->ptx_module->target,
        .max_dynamic_shared = (int)kernel->max_dynamic_shared};
    int *const values[] = {
        &attributes->max_threads,   NULL, NULL, NULL, &attributes->registers, &attributes->ptx_version,
        &attributes->binary_version};
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        if (values[i])
            runtime.backend->kernel_attribute(values[i], i, kernel);
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    CALL_BEGIN(cudaFuncSetCacheConfig);
    (void)host;
    return advice(&call, config);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config)
{
    CALL_BEGIN(cudaFuncSetSharedMemConfig);
    (void)host;
    return advice(&call, config);
}

static cudaError_t active_blocks(const struct call *call, int *blocks, const void *host, int threads, size_t shared)
{
    struct kernel *kernel = module_kernel(host);
    const struct ptx_function *function = module_function(kernel);
    if (!blocks || threads <= 0)
        return call_end(call, cudaErrorInvalidValue);
    if (!function)
        return call_end(call, cudaErrorInvalidDeviceFunction);
    cudaError_t const error = runtime.backend->blocks_at_once(blocks, kernel, threads, shared);
    line_signed("blocks", *blocks);
    return call_end(call, error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared)
{
    CALL_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
    return active_blocks(&call, blocks, host, threads, shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads,
                                                                   size_t shared, unsigned flags)
{
    CALL_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
    line_number("flags", flags);
    return active_blocks(&call, blocks, host, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *host, int blocks, int threads)
{
    CALL_BEGIN(cudaOccupancyAvailableDynamicSMemPerBlock);
    struct kernel *kernel = module_kernel(host);
    const struct ptx_function *function = module_function(kernel);
    if (!size || blocks <= 0 || threads <= 0)
        return call_end(&call, cudaErrorInvalidValue);
    if (!function)
        return call_end(&call, cudaErrorInvalidDeviceFunction);
    return call_end(&call, runtime.backend->shared_at_once(size, kernel, blocks, threads));
}
