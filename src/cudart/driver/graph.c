/* Graphs, and the capture of streams. Their nodes: graph_nodes.c. */
#include "cudart/calls/call.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/graph_objects.h"
#include <string.h>

/* ---- graphs ---- */

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
    DRIVER_BEGIN(cuGraphCreate, "cudaGraphCreate");
    return driver_end(&call, graph_create(graph, flags));
}

CUresult cuGraphClone(CUgraph *copy, CUgraph graph)
{
    DRIVER_BEGIN(cuGraphClone, "cudaGraphClone");
    return driver_end(&call, graph_copy(copy, graph));
}

CUresult cuGraphDestroy(CUgraph graph)
{
    DRIVER_BEGIN(cuGraphDestroy, "cudaGraphDestroy");
    return driver_end(&call, graph_drop(graph, false));
}

/* ---- questions ---- */

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    DRIVER_BEGIN(cuGraphGetNodes, "cudaGraphGetNodes");
    return driver_end(&call, graph_nodes(graph, false, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    DRIVER_BEGIN(cuGraphGetRootNodes, "cudaGraphGetRootNodes");
    return driver_end(&call, graph_nodes(graph, true, nodes, count));
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    DRIVER_BEGIN(cuGraphGetEdges, "cudaGraphGetEdges");
    return driver_end(&call, graph_edges(graph, from, to, count));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    DRIVER_BEGIN(cuGraphNodeGetDependencies, "cudaGraphNodeGetDependencies");
    return driver_end(&call, graph_needs_of(node, nodes, count));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    DRIVER_BEGIN(cuGraphNodeGetDependentNodes, "cudaGraphNodeGetDependentNodes");
    return driver_end(&call, graph_needed_by(node, nodes, count));
}

/* The forms of CUDA 12.3 tell what kind each edge is. Here all edges are plain: the one node ends before the other
 * begins. An edge on which a kernel's node lets the other begin earlier is not supported, and no other node has one. */
enum status edges_plain(const struct driver_edge *edges, const CUgraphNode *from, size_t count)
{
    static const struct driver_edge plain;
    for (size_t i = 0; edges && i < count; i++) {
        const struct graph_node *node = from ? graph_node_of(from[i]) : NULL;
        if (memcmp(&edges[i], &plain, sizeof plain) != 0)
            return node && node->work.kind == WORK_KERNEL ? STATUS_NOT_SUPPORTED : STATUS_INVALID_VALUE;
    }
    return STATUS_SUCCESS;
}

/* Writes the kinds of as many edges as nodes were written. */
static enum status tell_plain(struct driver_edge *edges, const size_t *count, size_t most, enum status status)
{
    if (!status && edges && count)
        memset(edges, 0, (*count < most ? *count : most) * sizeof *edges);
    return status;
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const struct driver_edge *edges, size_t count)
{
    DRIVER_BEGIN(cuGraphAddDependencies, "cudaGraphAddDependencies");
    enum status const status = edges_plain(edges, from, count);
    return driver_end(&call, status ? status : graph_add_needs(graph, from, to, count));
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, struct driver_edge *edges, size_t *count)
{
    DRIVER_BEGIN(cuGraphGetEdges, "cudaGraphGetEdges");
    if (edges && count)
        memset(edges, 0, *count * sizeof *edges); /* the rest, too */
    return driver_end(&call, graph_edges(graph, from, to, count));
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, struct driver_edge *edges, size_t *count)
{
    DRIVER_BEGIN(cuGraphNodeGetDependencies, "cudaGraphNodeGetDependencies");
    size_t const most = count ? *count : 0;
    return driver_end(&call, tell_plain(edges, count, most, graph_needs_of(node, nodes, count)));
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, struct driver_edge *edges, size_t *count)
{
    DRIVER_BEGIN(cuGraphNodeGetDependentNodes, "cudaGraphNodeGetDependentNodes");
    size_t const most = count ? *count : 0;
    return driver_end(&call, tell_plain(edges, count, most, graph_needed_by(node, nodes, count)));
}

CUresult cuGraphNodeGetType(CUgraphNode handle, int *type)
{
    DRIVER_BEGIN(cuGraphNodeGetType, "cudaGraphNodeGetType");
    const struct graph_node *node = graph_node_of(handle);
    if (node && type)
        *type = (int)node->work.kind;
    return driver_end(&call, node && type ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

/* ---- instances ---- */

CUresult cuGraphInstantiateWithFlags(CUgraph *instance, CUgraph graph, unsigned long long flags)
{
    DRIVER_BEGIN(cuGraphInstantiateWithFlags, "cudaGraphInstantiateWithFlags");
    line_number("flags", flags);
    return driver_end(&call, graph_instantiate(instance, graph));
}

CUresult cuGraphInstantiate_v2(CUgraph *instance, CUgraph graph, CUgraphNode *culprit, char *log, size_t size)
{
    DRIVER_BEGIN(cuGraphInstantiate, "cudaGraphInstantiate");
    if (culprit)
        *culprit = NULL;
    if (log && size)
        *log = '\0';
    return driver_end(&call, graph_instantiate(instance, graph));
}

CUresult cuGraphUpload(CUgraph instance, CUstream stream)
{
    DRIVER_BEGIN(cuGraphUpload, "cudaGraphUpload");
    return driver_end(&call, graph_of(instance, true) && stream_of(stream) ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

static struct call begin_node(enum work_kind kind, const void *from)
{
    static const char *const names[][2] = {[WORK_KERNEL] = {"cuLaunchKernel", "cudaLaunchKernel"},
                                           [WORK_COPY] = {"cuMemcpyAsync", "cudaMemcpyAsync"},
                                           [WORK_FILL] = {"cuMemsetD8Async", "cudaMemsetAsync"},
                                           [WORK_HOST] = {"cuLaunchHostFunc", "cudaLaunchHostFunc"},
                                           [WORK_WAIT] = {"cuStreamWaitEvent", "cudaStreamWaitEvent"},
                                           [WORK_RECORD] = {"cuEventRecord", "cudaEventRecord"}};
    return driver_begin(names[kind][0], names[kind][1], from);
}

static int end_node(const struct call *call, enum status status)
{
    return (int)driver_end(call, status);
}

CUresult cuGraphLaunch(CUgraph handle, CUstream in)
{
    DRIVER_BEGIN(cuGraphLaunch, "cudaGraphLaunch");
    const struct graph *instance = graph_of(handle, true);
    struct stream *stream = stream_of(in);
    if (!instance || !stream)
        return driver_end(&call, instance ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE);
    line_number("stream", stream->number);
    line_number("nodes", instance->nodes.count);
    if (stream->capture)
        return driver_end(&call, graph_capture(instance, stream, call.from));
    static const struct graph_calls calls = {begin_node, end_node};
    conditions_begin(instance);
    CUresult const result = driver_end(&call, runtime.sticky);
    return result ? result : (CUresult)graph_run(instance, stream, &calls);
}

CUresult cuGraphExecDestroy(CUgraph instance)
{
    DRIVER_BEGIN(cuGraphExecDestroy, "cudaGraphExecDestroy");
    return driver_end(&call, graph_drop(instance, true));
}

/* CUgraphExecUpdateResultInfo begins with the kind of the result. */
CUresult cuGraphExecUpdate_v2(CUgraph instance, CUgraph graph, void *result)
{
    enum { UPDATED, FAILED };
    DRIVER_BEGIN(cuGraphExecUpdate, "cudaGraphExecUpdate");
    bool same;
    enum status const status = graph_update(instance, graph, &same);
    if (result && status != STATUS_INVALID_VALUE)
        memcpy(result, &(int){same ? UPDATED : FAILED}, sizeof(int));
    return driver_end(&call, status);
}

/* ---- capture ---- */

CUresult cuStreamBeginCapture_v2(CUstream handle, int mode)
{
    DRIVER_BEGIN(cuStreamBeginCapture, "cudaStreamBeginCapture");
    struct stream *stream = stream_of(handle);
    line_signed("mode", mode);
    if (!stream || mode < CAPTURE_GLOBAL || mode > CAPTURE_RELAXED)
        return driver_end(&call, stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    line_number("stream", stream->number);
    return driver_end(&call, capture_begin(stream, (enum capture_mode)mode));
}

CUresult cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph, const CUgraphNode *needs,
                                     const struct driver_edge *edges, size_t count, int mode)
{
    DRIVER_BEGIN(cuStreamBeginCaptureToGraph, "cudaStreamBeginCaptureToGraph");
    struct stream *stream = stream_of(handle);
    line_signed("mode", mode);
    if (!stream || mode < CAPTURE_GLOBAL || mode > CAPTURE_RELAXED)
        return driver_end(&call, stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    enum status const status = edges_plain(edges, needs, count);
    if (status)
        return driver_end(&call, status);
    line_number("stream", stream->number);
    return driver_end(&call,
                      capture_begin_in(stream, graph, (struct graph_needs){needs, count}, (enum capture_mode)mode));
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph)
{
    DRIVER_BEGIN(cuStreamEndCapture, "cudaStreamEndCapture");
    struct stream *stream = stream_of(handle);
    if (!stream || !graph)
        return driver_end(&call, stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    line_number("stream", stream->number);
    return driver_end(&call, capture_end(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream handle, int *status)
{
    DRIVER_BEGIN(cuStreamIsCapturing, "cudaStreamIsCapturing");
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return driver_end(&call, stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    *status = (int)capture_state(stream);
    return driver_end(&call, STATUS_SUCCESS);
}

static CUresult tell_capture(const struct call *call, CUstream handle, int *status, unsigned long long *number,
                             CUgraph *graph, const CUgraphNode **needs, size_t *count)
{
    const struct stream *stream = stream_of(handle);
    if (!stream || !status)
        return driver_end(call, stream ? STATUS_INVALID_VALUE : STATUS_INVALID_RESOURCE_HANDLE);
    *status = (int)capture_state(stream);
    if (number)
        *number = stream->capture ? stream->capture->capture_number : 0;
    if (graph)
        *graph = stream->capture;
    if (needs)
        *needs = stream->last.items;
    if (count)
        *count = stream->last.count;
    return driver_end(call, STATUS_SUCCESS);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, unsigned long long *number, CUgraph *graph,
                                   const CUgraphNode **needs, size_t *count)
{
    DRIVER_BEGIN(cuStreamGetCaptureInfo, "cudaStreamGetCaptureInfo");
    return tell_capture(&call, stream, status, number, graph, needs, count);
}

/* edges: NULL, which stands for plain ones. */
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *number, CUgraph *graph,
                                   const CUgraphNode **needs, const struct driver_edge **edges, size_t *count)
{
    DRIVER_BEGIN(cuStreamGetCaptureInfo, "cudaStreamGetCaptureInfo");
    if (edges)
        *edges = NULL;
    return tell_capture(&call, stream, status, number, graph, needs, count);
}

static CUresult set_needs(const struct call *call, CUstream handle, struct graph_needs needs, unsigned flags)
{
    struct stream *stream = stream_of(handle);
    return driver_end(call, stream ? capture_set_needs(stream, needs, flags) : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, const CUgraphNode *needs, size_t count, unsigned flags)
{
    DRIVER_BEGIN(cuStreamUpdateCaptureDependencies, "cudaStreamUpdateCaptureDependencies");
    return set_needs(&call, stream, (struct graph_needs){needs, count}, flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, const CUgraphNode *needs,
                                              const struct driver_edge *edges, size_t count, unsigned flags)
{
    DRIVER_BEGIN(cuStreamUpdateCaptureDependencies, "cudaStreamUpdateCaptureDependencies");
    enum status const status = edges_plain(edges, needs, count);
    return status ? driver_end(&call, status) : set_needs(&call, stream, (struct graph_needs){needs, count}, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    DRIVER_BEGIN_ANYWHERE(cuThreadExchangeStreamCaptureMode, "cudaThreadExchangeStreamCaptureMode");
    return driver_end(&call, capture_exchange_mode(mode));
}
