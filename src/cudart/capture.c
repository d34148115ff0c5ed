/* The capture of streams: what their calls ask for becomes nodes of a graph. */
#include "cudart/graph.h"
#include "cudart/record.h"
#include <stdlib.h>

enum mode { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };
enum status { STATUS_NONE, STATUS_ACTIVE, STATUS_INVALIDATED };

static void begin_here(struct stream *stream, struct graph_node *node)
{
    stream->last.count = 0;
    node_set_add(&stream->last, node);
}

cudaError_t capture_work(const struct call *call, const struct work *work, struct stream *stream)
{
    struct graph *graph = stream->capture;
    line_drop();
    line_number("stream", stream->number);
    line_number("captured", 1);
    if (graph->invalid)
        return call_end(call, cudaErrorStreamCaptureInvalidated);
    struct graph_node *node = graph_add(graph, work, NULL, &stream->last);
    if (node)
        begin_here(stream, node);
    return call_end(call, node ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

/* Ends all captures that a call forbids. Returns the error of that call, or success where none was forbidden. */
static cudaError_t invalidate(const struct stream *only, bool blocking_alone, cudaError_t error)
{
    cudaError_t result = cudaSuccess;
    for (struct stream *s = runtime.streams; s; s = s->next) {
        if (!s->capture || (only && s != only) || (blocking_alone && s->nonblocking))
            continue;
        s->capture->invalid = true;
        result = error;
    }
    return result;
}

cudaError_t capture_refuses_work(const struct stream *stream)
{
    return stream == &runtime.default_stream ? invalidate(NULL, true, cudaErrorStreamCaptureImplicit) : cudaSuccess;
}

cudaError_t capture_refuses_waiting(const struct stream *stream)
{
    return invalidate(stream, stream == &runtime.default_stream, cudaErrorStreamCaptureUnsupported);
}

cudaError_t capture_refuses_unsafe(void)
{
    cudaError_t result = cudaSuccess;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture && s->capture->capture_mode == MODE_GLOBAL) {
            s->capture->invalid = true;
            result = cudaErrorStreamCaptureUnsupported;
        }
    return result;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, int mode)
{
    CALL_BEGIN(cudaStreamBeginCapture);
    struct stream *stream = stream_of(handle);
    line_signed("mode", mode);
    if (!stream || mode < MODE_GLOBAL || mode > MODE_RELAXED)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    if (stream == &runtime.default_stream || stream->capture)
        return call_end(&call, stream->capture ? cudaErrorIllegalState : cudaErrorStreamCaptureUnsupported);
    struct graph *graph = graph_new();
    if (!graph)
        return call_end(&call, cudaErrorMemoryAllocation);
    graph->captured_from = stream;
    graph->capture_mode = mode;
    stream->capture = graph;
    stream->last.count = 0;
    return call_end(&call, cudaSuccess);
}

static void mark_needs(struct node_set *reached, struct graph_node *node)
{
    size_t const before = reached->count;
    node_set_add(reached, node);
    if (reached->count > before)
        for (size_t i = 0; i < node->needs.count; i++)
            mark_needs(reached, node->needs.items[i]);
}

/* Returns whether everything that other streams captured comes before what the origin captured last. */
static bool is_joined(const struct stream *origin)
{
    struct node_set reached = {0};
    bool joined = true;
    for (size_t i = 0; i < origin->last.count; i++)
        mark_needs(&reached, origin->last.items[i]);
    size_t const before = reached.count;
    for (size_t i = 0; i < origin->capture->nodes.count; i++)
        node_set_add(&reached, origin->capture->nodes.items[i]);
    joined = reached.count == before;
    free(reached.items);
    return joined;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, struct graph **graph)
{
    CALL_BEGIN(cudaStreamEndCapture);
    struct stream *stream = stream_of(handle);
    if (!stream || !graph)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    struct graph *captured = stream->capture;
    *graph = NULL;
    if (!captured)
        return call_end(&call, cudaErrorIllegalState);
    if (captured->captured_from != stream)
        return call_end(&call, cudaErrorStreamCaptureUnmatched);
    cudaError_t const error = captured->invalid    ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(stream) ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
    line_number("nodes", captured->nodes.count);
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture == captured) {
            s->capture = NULL;
            s->last.count = 0;
        }
    for (struct event *e = runtime.events; e; e = e->next)
        if (e->capture == captured) {
            e->capture = NULL;
            e->recorded = false;
        }
    captured->captured_from = NULL;
    if (error)
        graph_destroy(captured);
    else
        *graph = captured;
    return call_end(&call, error);
}

static int status_of(const struct stream *stream)
{
    return !stream->capture ? STATUS_NONE : stream->capture->invalid ? STATUS_INVALIDATED : STATUS_ACTIVE;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, int *status)
{
    CALL_BEGIN(cudaStreamIsCapturing);
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = (int)status_of(stream);
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle, int *status, unsigned long long *number,
                                        struct graph **graph, struct graph_node *const **needs, size_t *count)
{
    CALL_BEGIN(cudaStreamGetCaptureInfo);
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return call_end(&call, stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = (int)status_of(stream);
    if (number)
        *number = stream->number;
    if (graph)
        *graph = stream->capture;
    if (needs)
        *needs = stream->last.items;
    if (count)
        *count = stream->last.count;
    return call_end(&call, cudaSuccess);
}

/* Calls of all threads are treated alike, so that the mode of a thread changes nothing. */
cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode)
{
    static __thread int current = MODE_GLOBAL;
    CALL_BEGIN(cudaThreadExchangeStreamCaptureMode);
    if (!mode || *mode < MODE_GLOBAL || *mode > MODE_RELAXED)
        return call_end(&call, cudaErrorInvalidValue);
    int const before = current;
    current = *mode;
    *mode = before;
    return call_end(&call, cudaSuccess);
}
