/* Streams, host functions in them, and events. */
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/graph.h"
#include <stdlib.h>

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    CALL_BEGIN(cudaStreamCreate);
    return call_end(&call, stream_create(stream, 0, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    CALL_BEGIN(cudaStreamCreateWithFlags);
    return call_end(&call, stream_create(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    CALL_BEGIN(cudaStreamCreateWithPriority);
    line_signed("priority", priority);
    return call_end(&call, stream_create(stream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamDestroy);
    return call_end(&call, stream_destroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamSynchronize);
    const struct stream *of = stream_of(stream);
    if (!of)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("stream", of->number);
    cudaError_t const refusal = capture_refuses_waiting(of);
    return call_end(&call, refusal ? refusal : (cudaError_t)runtime.backend->stream_wait(of));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamQuery);
    const struct stream *of = stream_of(stream);
    if (!of)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    cudaError_t const refusal = capture_refuses_waiting(of);
    return call_end(&call, refusal ? refusal : (cudaError_t)runtime.backend->stream_query(of));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    CALL_BEGIN(cudaStreamWaitEvent);
    return call_end(&call, stream_wait_event(stream, event, flags, call.from));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size, unsigned flags)
{
    CALL_BEGIN(cudaStreamAttachMemAsync);
    return call_end(&call, memory_attach(stream_of(stream), pointer, size, flags));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data)
{
    CALL_BEGIN(cudaLaunchHostFunc);
    struct work const work = {WORK_HOST, call.from, .host = {function, data}};
    return call_end(&call, work_host(&work, stream_of(stream)));
}

struct callback {
    stream_callback function;
    cudaStream_t stream;
    cudaError_t error; /* of the work before it */
    void *data;
};
static void call_back(void *context)
{
    struct callback const callback = *(struct callback *)context;
    free(context);
    callback.function(callback.stream, callback.error, callback.data);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, stream_callback callback, void *data, unsigned flags)
{
    CALL_BEGIN(cudaStreamAddCallback);
    const struct stream *in = stream_of(stream);
    if (!in || !callback || flags)
        return call_end(&call, cudaErrorInvalidValue);
    if (in->capture)
        return call_end(&call, capture_refuses_waiting(in));
    struct callback *kept = malloc(sizeof *kept);
    if (!kept)
        return call_end(&call, cudaErrorMemoryAllocation);
    *kept = (struct callback){callback, stream, (cudaError_t)runtime.pending, data};
    cudaError_t const error = (cudaError_t)stream_host(in, call_back, kept);
    if (error)
        free(kept);
    return call_end(&call, error);
}

/* ---- events ---- */

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    CALL_BEGIN(cudaEventCreate);
    return call_end(&call, event_create(event, 0));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    CALL_BEGIN(cudaEventCreateWithFlags);
    return call_end(&call, event_create(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    CALL_BEGIN(cudaEventDestroy);
    return call_end(&call, event_destroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CALL_BEGIN(cudaEventRecord);
    return call_end(&call, event_record(event, stream_of(stream), 0, call.from));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    CALL_BEGIN(cudaEventRecordWithFlags);
    line_number("flags", flags);
    return call_end(&call, event_record(event, stream_of(stream), flags, call.from));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CALL_BEGIN_ANYWHERE(cudaEventSynchronize);
    const struct event *e = event_of(event);
    if (!e)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("event", e->number);
    if (e->capture)
        return call_end(&call, cudaErrorCapturedEvent);
    return call_end(&call, e->recorded ? (cudaError_t)runtime.backend->event_wait(e) : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    CALL_BEGIN_ANYWHERE(cudaEventQuery);
    const struct event *e = event_of(event);
    if (!e || e->capture)
        return call_end(&call, e ? cudaErrorCapturedEvent : cudaErrorInvalidResourceHandle);
    return call_end(&call, runtime.backend->event_query(e));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    CALL_BEGIN_ANYWHERE(cudaEventElapsedTime);
    const struct event *a = event_of(start), *b = event_of(end);
    if (!milliseconds)
        return call_end(&call, cudaErrorInvalidValue);
    if (!a || !b || !a->recorded || !b->recorded || !a->timed || !b->timed)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("start", a->number);
    line_number("end", b->number);
    return call_end(&call, runtime.backend->event_elapsed(milliseconds, a, b));
}
