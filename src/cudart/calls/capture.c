/* The capture of streams. */
#include "cudart/calls/call.h"

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, int mode)
{
    CALL_BEGIN(cudaStreamBeginCapture);
    struct stream *stream = stream_of(handle);
    line_signed("mode", mode);
    if (!stream || mode < CAPTURE_GLOBAL || mode > CAPTURE_RELAXED)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    return call_end(&call, capture_begin(stream, (enum capture_mode)mode));
}

/* edges: of 8 bytes each; zeros are plain ones. */
static bool are_plain(const uint64_t *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++)
        if (edges[i])
            return false;
    return true;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, struct graph *graph, struct graph_node *const *needs,
                                          const uint64_t *edges, size_t count, int mode)
{
    CALL_BEGIN(cudaStreamBeginCaptureToGraph);
    struct stream *stream = stream_of(handle);
    line_signed("mode", mode);
    if (!stream || mode < CAPTURE_GLOBAL || mode > CAPTURE_RELAXED)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!are_plain(edges, count))
        return call_end(&call, cudaErrorNotSupported);
    line_number("stream", stream->number);
    return call_end(&call,
                    capture_begin_in(stream, graph, (struct graph_needs){needs, count}, (enum capture_mode)mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, struct graph **graph)
{
    CALL_BEGIN(cudaStreamEndCapture);
    struct stream *stream = stream_of(handle);
    if (!stream || !graph)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    return call_end(&call, capture_end(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, int *status)
{
    CALL_BEGIN(cudaStreamIsCapturing);
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = (int)capture_state(stream);
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle, int *status, unsigned long long *number,
                                        struct graph **graph, struct graph_node *const **needs, size_t *count)
{
    CALL_BEGIN(cudaStreamGetCaptureInfo);
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = (int)capture_state(stream);
    if (number)
        *number = stream->capture ? stream->capture->capture_number : 0;
    if (graph)
        *graph = stream->capture;
    if (needs)
        *needs = stream->last.items;
    if (count)
        *count = stream->last.count;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode)
{
    CALL_BEGIN(cudaThreadExchangeStreamCaptureMode);
    return call_end(&call, capture_exchange_mode(mode));
}
