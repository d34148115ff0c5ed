/* The capture of streams: what their calls ask for becomes nodes of a graph. */
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"
#include <stdlib.h>

enum status capture_work(const struct work *work, const struct graph *child, struct stream *stream)
{
    struct graph *graph = stream->capture;
    if (!child) { /* of other work the record says only that it was captured */
        line_drop();
        line_number("stream", stream->number);
        line_number("captured", 1);
    }
    if (graph->invalid)
        return STATUS_STREAM_CAPTURE_INVALIDATED;
    struct graph_node *node = graph_add(graph, work, child, &stream->last);
    if (!node)
        return STATUS_INVALID_DEVICE_FUNCTION;
    stream->last.count = 0;
    node_set_add(&stream->last, node);
    return STATUS_SUCCESS;
}

/* Ends all captures that a call forbids. Returns the error of that call, or success where none was forbidden. */
static enum status invalidate(const struct stream *only, bool blocking_alone, enum status error)
{
    enum status result = STATUS_SUCCESS;
    for (struct stream *s = runtime.streams; s; s = s->next) {
        if (!s->capture || (only && s != only) || (blocking_alone && s->nonblocking))
            continue;
        s->capture->invalid = true;
        result = error;
    }
    return result;
}

enum status capture_refuses_work(const struct stream *stream)
{
    return stream == &runtime.default_stream ? invalidate(NULL, true, STATUS_STREAM_CAPTURE_IMPLICIT) : STATUS_SUCCESS;
}

enum status capture_refuses_waiting(const struct stream *stream)
{
    return invalidate(stream, stream == &runtime.default_stream, STATUS_STREAM_CAPTURE_UNSUPPORTED);
}

enum status capture_refuses_unsafe(void)
{
    enum status result = STATUS_SUCCESS;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture && s->capture->capture_mode == CAPTURE_GLOBAL) {
            s->capture->invalid = true;
            result = STATUS_STREAM_CAPTURE_UNSUPPORTED;
        }
    return result;
}

static enum status begin(struct stream *stream, struct graph *graph, enum capture_mode mode)
{
    static uint64_t captures;
    if (!graph)
        return STATUS_MEMORY_ALLOCATION;
    graph->origin = stream;
    graph->capture_mode = mode;
    graph->capture_number = ++captures;
    graph->invalid = false;
    graph->known = graph->nodes.count;
    stream->capture = graph;
    stream->last.count = 0;
    return STATUS_SUCCESS;
}

static enum status check_begin(const struct stream *stream)
{
    return stream->capture                     ? STATUS_ILLEGAL_STATE
           : stream == &runtime.default_stream ? STATUS_STREAM_CAPTURE_UNSUPPORTED
                                               : STATUS_SUCCESS;
}

enum status capture_begin(struct stream *stream, enum capture_mode mode)
{
    enum status const status = check_begin(stream);
    return status ? status : begin(stream, graph_new(), mode);
}

enum status capture_begin_in(struct stream *stream, struct graph *handle, struct graph_needs needs,
                             enum capture_mode mode)
{
    enum { SET = 1 };
    struct graph *graph = graph_of(handle, false);
    enum status status = check_begin(stream);
    if (!status && (!graph || graph->origin || (needs.count && !needs.items)))
        status = STATUS_INVALID_VALUE;
    if (!status)
        status = begin(stream, graph, mode);
    if (status)
        return status;
    graph->is_programs = true;
    status = capture_set_needs(stream, needs, SET);
    if (!status)
        return STATUS_SUCCESS;
    stream->capture = NULL;
    graph->origin = NULL;
    return status;
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
    for (size_t i = origin->capture->known; i < origin->capture->nodes.count; i++)
        node_set_add(&reached, origin->capture->nodes.items[i]);
    joined = reached.count == before;
    free(reached.items);
    return joined;
}

enum status capture_end(struct stream *stream, struct graph **graph)
{
    struct graph *captured = stream->capture;
    *graph = NULL;
    if (!captured)
        return STATUS_ILLEGAL_STATE;
    if (captured->origin != stream)
        return STATUS_STREAM_CAPTURE_UNMATCHED;
    enum status const status = captured->invalid    ? STATUS_STREAM_CAPTURE_INVALIDATED
                               : !is_joined(stream) ? STATUS_STREAM_CAPTURE_UNJOINED
                                                    : STATUS_SUCCESS;
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
    captured->origin = NULL;
    if (status && !captured->is_programs)
        graph_destroy(captured);
    if (!status)
        *graph = captured;
    return status;
}

enum status capture_set_needs(struct stream *stream, struct graph_needs needs, unsigned flags)
{
    enum { ADD, SET, FLAGS };
    if (!stream->capture)
        return STATUS_ILLEGAL_STATE;
    if (stream->capture->invalid)
        return STATUS_STREAM_CAPTURE_INVALIDATED;
    if (flags >= FLAGS || (needs.count && !needs.items))
        return STATUS_INVALID_VALUE;
    for (size_t i = 0; i < needs.count; i++) {
        const struct graph_node *node = graph_node_of(needs.items[i]);
        if (!node || node->graph != stream->capture)
            return STATUS_INVALID_VALUE;
    }
    if (flags == SET)
        stream->last.count = 0;
    for (size_t i = 0; i < needs.count; i++)
        node_set_add(&stream->last, needs.items[i]);
    return STATUS_SUCCESS;
}

enum capture_state capture_state(const struct stream *stream)
{
    return !stream->capture ? CAPTURE_NONE : stream->capture->invalid ? CAPTURE_INVALIDATED : CAPTURE_ACTIVE;
}

enum status capture_exchange_mode(int *mode)
{
    static __thread int current = CAPTURE_GLOBAL;
    if (!mode || *mode < CAPTURE_GLOBAL || *mode > CAPTURE_RELAXED)
        return STATUS_INVALID_VALUE;
    int const before = current;
    current = *mode;
    *mode = before;
    return STATUS_SUCCESS;
}
