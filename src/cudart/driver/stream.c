/* Streams, host functions in them, and events. */
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/graph.h"
#include <stdlib.h>

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    DRIVER_BEGIN(cuStreamCreate, "cudaStreamCreateWithFlags");
    return driver_end(&call, stream_create(stream, flags, 0));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    DRIVER_BEGIN(cuStreamCreateWithPriority, "cudaStreamCreateWithPriority");
    line_signed("priority", priority);
    return driver_end(&call, stream_create(stream, flags, priority));
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    DRIVER_BEGIN_INITIALIZED(cuStreamDestroy, "cudaStreamDestroy");
    return driver_end(&call, stream_destroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    DRIVER_BEGIN(cuStreamSynchronize, "cudaStreamSynchronize");
    const struct stream *of = stream_of(stream);
    if (!of)
        return driver_end(&call, STATUS_INVALID_RESOURCE_HANDLE);
    line_number("stream", of->number);
    enum status const refusal = capture_refuses_waiting(of);
    return driver_end(&call, refusal ? refusal : runtime.backend->stream_wait(of));
}

CUresult cuStreamQuery(CUstream stream)
{
    DRIVER_BEGIN(cuStreamQuery, "cudaStreamQuery");
    const struct stream *of = stream_of(stream);
    if (!of)
        return driver_end(&call, STATUS_INVALID_RESOURCE_HANDLE);
    enum status const refusal = capture_refuses_waiting(of);
    return driver_end(&call, refusal ? refusal : runtime.backend->stream_query(of));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    DRIVER_BEGIN(cuStreamWaitEvent, "cudaStreamWaitEvent");
    return driver_end(&call, stream_wait_event(stream, event, flags, call.from));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned flags)
{
    DRIVER_BEGIN(cuStreamAttachMemAsync, "cudaStreamAttachMemAsync");
    return driver_end(&call, memory_attach(stream_of(stream), (void *)(uintptr_t)pointer, bytes, flags));
}

struct driver_callback {
    void (*function)(CUstream, CUresult, void *);
    CUstream stream;
    CUresult result; /* of the work before it */
    void *data;
};
static void call_back(void *context)
{
    struct driver_callback const callback = *(struct driver_callback *)context;
    free(context);
    callback.function(callback.stream, callback.result, callback.data);
}

CUresult cuStreamAddCallback(CUstream stream, void (*callback)(CUstream, CUresult, void *), void *data, unsigned flags)
{
    DRIVER_BEGIN(cuStreamAddCallback, "cudaStreamAddCallback");
    const struct stream *in = stream_of(stream);
    if (!in || !callback || flags)
        return driver_end(&call, in ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    if (in->capture)
        return driver_end(&call, capture_refuses_waiting(in));
    struct driver_callback *kept = malloc(sizeof *kept);
    if (!kept)
        return driver_end(&call, STATUS_MEMORY_ALLOCATION);
    *kept = (struct driver_callback){callback, stream, driver_result_of(runtime.pending), data};
    enum status const status = stream_host(in, call_back, kept);
    if (status)
        free(kept);
    return driver_end(&call, status);
}

/* Answers a question about a stream, or is an error. */
static CUresult about(const struct call *call, CUstream stream, const void *to)
{
    return driver_end(call, !to                 ? STATUS_INVALID_VALUE
                            : stream_of(stream) ? STATUS_SUCCESS
                                                : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    DRIVER_BEGIN(cuStreamGetFlags, "cudaStreamGetFlags");
    if (flags && stream_of(stream))
        *flags = stream_of(stream)->nonblocking;
    return about(&call, stream, flags);
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    DRIVER_BEGIN(cuStreamGetPriority, "cudaStreamGetPriority");
    if (priority && stream_of(stream))
        *priority = stream_of(stream)->priority;
    return about(&call, stream, priority);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    DRIVER_BEGIN(cuStreamGetCtx, NULL);
    if (context && stream_of(stream))
        *context = context_current();
    return about(&call, stream, context);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **green)
{
    DRIVER_BEGIN(cuStreamGetCtx, NULL);
    if (context && stream_of(stream))
        *context = context_current();
    if (green)
        *green = NULL; /* the stream is of no part of the device */
    return about(&call, stream, context);
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    DRIVER_BEGIN(cuStreamGetId, "cudaStreamGetId");
    if (id && stream_of(stream))
        *id = stream_of(stream)->number;
    return about(&call, stream, id);
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    DRIVER_BEGIN(cuEventCreate, "cudaEventCreateWithFlags");
    return driver_end(&call, event_create(event, flags));
}

CUresult cuEventDestroy_v2(CUevent event)
{
    DRIVER_BEGIN_INITIALIZED(cuEventDestroy, "cudaEventDestroy");
    return driver_end(&call, event_destroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    DRIVER_BEGIN(cuEventRecord, "cudaEventRecord");
    return driver_end(&call, event_record(event, stream_of(stream), 0, call.from));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    DRIVER_BEGIN(cuEventRecordWithFlags, "cudaEventRecord");
    line_number("flags", flags);
    return driver_end(&call, event_record(event, stream_of(stream), flags, call.from));
}

CUresult cuEventSynchronize(CUevent event)
{
    DRIVER_BEGIN(cuEventSynchronize, "cudaEventSynchronize");
    const struct event *e = event_of(event);
    if (!e || e->capture)
        return driver_end(&call, e ? STATUS_CAPTURED_EVENT : STATUS_INVALID_RESOURCE_HANDLE);
    line_number("event", e->number);
    return driver_end(&call, e->recorded ? runtime.backend->event_wait(e) : STATUS_SUCCESS);
}

CUresult cuEventQuery(CUevent event)
{
    DRIVER_BEGIN(cuEventQuery, "cudaEventQuery");
    const struct event *e = event_of(event);
    if (!e || e->capture)
        return driver_end(&call, e ? STATUS_CAPTURED_EVENT : STATUS_INVALID_RESOURCE_HANDLE);
    return driver_end(&call, runtime.backend->event_query(e));
}

static CUresult elapsed(const struct call *call, float *milliseconds, CUevent start, CUevent end)
{
    const struct event *a = event_of(start), *b = event_of(end);
    if (!milliseconds)
        return driver_end(call, STATUS_INVALID_VALUE);
    if (!a || !b || !a->recorded || !b->recorded || !a->timed || !b->timed)
        return driver_end(call, STATUS_INVALID_RESOURCE_HANDLE);
    line_number("start", a->number);
    line_number("end", b->number);
    return driver_end(call, runtime.backend->event_elapsed(milliseconds, a, b));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    DRIVER_BEGIN(cuEventElapsedTime, "cudaEventElapsedTime");
    return elapsed(&call, milliseconds, start, end);
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    DRIVER_BEGIN(cuEventElapsedTime, "cudaEventElapsedTime");
    return elapsed(&call, milliseconds, start, end);
}
