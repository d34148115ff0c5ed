/* Attributes of streams, and questions about the one device and its kernels that few programs ask. */
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/module.h"
#include <string.h>
#include <strings.h>

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    CALL_BEGIN(cudaStreamGetFlags);
    const struct stream *stream = stream_of(handle);
    if (!stream || !flags)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *flags = stream->nonblocking;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    CALL_BEGIN(cudaStreamGetPriority);
    const struct stream *stream = stream_of(handle);
    if (!stream || !priority)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *priority = stream->priority;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *number)
{
    CALL_BEGIN(cudaStreamGetId);
    const struct stream *stream = stream_of(handle);
    if (!stream || !number)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *number = stream->number;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    CALL_BEGIN(cudaStreamGetDevice);
    if (!stream_of(handle) || !device)
        return call_end(&call, device ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *device = 0;
    return call_end(&call, cudaSuccess);
}

/* Copies an attribute's value between the stream and the program's cudaStreamAttrValue. */
static cudaError_t attribute(const struct call *call, cudaStream_t handle, int number, void *to, const void *from)
{
    struct stream *stream = stream_of(handle);
    line_signed("attribute", number);
    if (!stream || (!to && !from))
        return call_end(call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (number <= 0 || number >= STREAM_ATTRIBUTES)
        return call_end(call, cudaErrorInvalidValue);
    uint8_t *kept = stream->attributes[number];
    memcpy(to ? to : kept, to ? kept : from, sizeof stream->attributes[number]);
    return call_end(call, cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int number, const void *value)
{
    CALL_BEGIN(cudaStreamSetAttribute);
    return attribute(&call, stream, number, NULL, value);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int number, void *value)
{
    CALL_BEGIN(cudaStreamGetAttribute);
    return attribute(&call, stream, number, value, NULL);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    CALL_BEGIN(cudaStreamCopyAttributes);
    struct stream *target = stream_of(to);
    const struct stream *source = stream_of(from);
    if (!target || !source)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    memmove(target->attributes, source->attributes, sizeof target->attributes);
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    CALL_BEGIN(cudaCtxResetPersistingL2Cache);
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, int number, int from, int to)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetP2PAttribute);
    line_signed("attribute", number);
    (void)from, (void)to;
    return call_end(&call, value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *name)
{
    char own[32] = "";
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetByPCIBusId);
    runtime.backend->bus(own, sizeof own);
    unsigned parts[3];
    if (!device || !name || sscanf(name, "%x:%x:%x", &parts[0], &parts[1], &parts[2]) < 2)
        return call_end(&call, cudaErrorInvalidValue);
    *device = 0;
    return call_end(&call, strcasecmp(name, own) == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    CALL_BEGIN(cudaFuncGetName);
    const struct kernel *kernel = module_kernel(function);
    if (name && kernel)
        *name = kernel->name;
    return call_end(&call, !name ? cudaErrorInvalidValue : kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
