/* Graphs, and the capture of streams. */
#include "cudart/layer/graph.h"
#include "cudart/calls/call.h"
#include "cudart/driver/driver.h"
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

/* ---- nodes ---- */

/* CUDA_KERNEL_NODE_PARAMS of version 1; that of version 2 goes on with a kernel, which may stand in place of the
 * function, and a context. */
struct driver_kernel_node {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
};
struct driver_kernel_node_v2 {
    struct driver_kernel_node v1;
    CUfunction kernel;
    CUcontext context;
};
struct driver_fill_node { /* CUDA_MEMSET_NODE_PARAMS; the width counts elements */
    CUdeviceptr to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

/* The work of a kernel node; the pointers to arguments that lie in one block are the arena's. */
static enum status kernel_work(struct arena *arena, const struct driver_kernel_node *p, CUfunction function,
                               const void *from, struct work *work)
{
    const struct kernel *kernel = p ? kernel_of(function) : NULL;
    if (!kernel)
        return p && function ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE;
    *work = (struct work){WORK_KERNEL, from, .kernel = {.function = kernel->host}};
    work->kernel.shape =
        (struct shape){{p->grid[0], p->grid[1], p->grid[2]}, {p->block[0], p->block[1], p->block[2]}, p->shared};
    return launch_arguments(arena, kernel, p->arguments, p->extra, &work->kernel.arguments);
}

static CUfunction function_of(const struct driver_kernel_node_v2 *p)
{
    return p && p->v1.function ? p->v1.function : p ? p->kernel : NULL;
}

static CUresult add_kernel(const struct call *call, CUgraphNode *node, CUgraph graph, struct graph_needs needs,
                           const struct driver_kernel_node *p, CUfunction function)
{
    struct arena arena = {0};
    struct work work;
    enum status status = kernel_work(&arena, p, function, call->from, &work);
    if (!status)
        status = graph_add_node(node, graph, needs, &work, NULL);
    CUresult const result = driver_end(call, status);
    arena_free(&arena);
    return result;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                              const struct driver_kernel_node *p)
{
    DRIVER_BEGIN(cuGraphAddKernelNode, "cudaGraphAddKernelNode");
    return add_kernel(&call, node, graph, (struct graph_needs){needs, count}, p, p ? p->function : NULL);
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                                 const struct driver_kernel_node_v2 *p)
{
    DRIVER_BEGIN(cuGraphAddKernelNode, "cudaGraphAddKernelNode");
    return add_kernel(&call, node, graph, (struct graph_needs){needs, count}, p ? &p->v1 : NULL, function_of(p));
}

/* Ends the call with a node for the work, where the status allows it. */
static CUresult add_work(const struct call *call, enum status status, CUgraphNode *node, CUgraph graph,
                         struct graph_needs needs, const struct work *work)
{
    return driver_end(call, status ? status : graph_add_node(node, graph, needs, work, NULL));
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                              const struct driver_copy_3d *copy, CUcontext context)
{
    DRIVER_BEGIN(cuGraphAddMemcpyNode, "cudaGraphAddMemcpyNode");
    struct work work;
    enum status const status = context_is(context) ? copy_box_work(copy, call.from, &work) : STATUS_INVALID_VALUE;
    return add_work(&call, status, node, graph, (struct graph_needs){needs, count}, &work);
}

static enum status fill_work(const struct driver_fill_node *p, const void *from, struct work *work)
{
    if (!p || (p->element != 1 && p->element != 2 && p->element != 4) || p->to % p->element)
        return STATUS_INVALID_VALUE;
    struct rows const rows = {.width = p->width * p->element, .height = p->height, .depth = 1, .to_pitch = p->pitch};
    *work = (struct work){WORK_FILL, from, .fill = {(void *)(uintptr_t)p->to, p->value, p->element, rows}};
    return STATUS_SUCCESS;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                              const struct driver_fill_node *fill, CUcontext context)
{
    DRIVER_BEGIN(cuGraphAddMemsetNode, "cudaGraphAddMemsetNode");
    struct work work;
    enum status const status = context_is(context) ? fill_work(fill, call.from, &work) : STATUS_INVALID_VALUE;
    return add_work(&call, status, node, graph, (struct graph_needs){needs, count}, &work);
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                            const struct work_host *host)
{
    DRIVER_BEGIN(cuGraphAddHostNode, "cudaGraphAddHostNode");
    if (!host || !host->function)
        return driver_end(&call, STATUS_INVALID_VALUE);
    struct work const work = {WORK_HOST, call.from, .host = *host};
    return add_work(&call, STATUS_SUCCESS, node, graph, (struct graph_needs){needs, count}, &work);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count)
{
    DRIVER_BEGIN(cuGraphAddEmptyNode, "cudaGraphAddEmptyNode");
    struct work const work = {.kind = WORK_EMPTY, .from = call.from};
    return add_work(&call, STATUS_SUCCESS, node, graph, (struct graph_needs){needs, count}, &work);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                                  CUgraph child)
{
    DRIVER_BEGIN(cuGraphAddChildGraphNode, "cudaGraphAddChildGraphNode");
    return driver_end(&call, graph_add_child(node, graph, (struct graph_needs){needs, count}, child, call.from));
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    DRIVER_BEGIN(cuGraphAddDependencies, "cudaGraphAddDependencies");
    return driver_end(&call, graph_add_needs(graph, from, to, count));
}

/* ---- parameters of kernel nodes ---- */

static enum status get_kernel(CUgraphNode handle, struct driver_kernel_node *p)
{
    const struct graph_node *node = graph_node_of(handle);
    if (!node || !p || node->work.kind != WORK_KERNEL)
        return STATUS_INVALID_VALUE;
    const struct work_kernel *k = &node->work.kernel;
    const struct dim3 *g = &k->shape.grid, *b = &k->shape.block;
    *p = (struct driver_kernel_node){module_kernel(k->function), {g->x, g->y, g->z}, {b->x, b->y, b->z},
                                     (unsigned)k->shape.shared,  k->arguments,       NULL};
    return STATUS_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, struct driver_kernel_node *p)
{
    DRIVER_BEGIN(cuGraphKernelNodeGetParams, "cudaGraphKernelNodeGetParams");
    return driver_end(&call, get_kernel(node, p));
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, struct driver_kernel_node_v2 *p)
{
    DRIVER_BEGIN(cuGraphKernelNodeGetParams, "cudaGraphKernelNodeGetParams");
    if (p)
        *p = (struct driver_kernel_node_v2){.context = context_current()};
    return driver_end(&call, get_kernel(node, p ? &p->v1 : NULL));
}

static CUresult set_kernel(const struct call *call, struct graph_node *node, const struct driver_kernel_node *p,
                           CUfunction function)
{
    struct arena arena = {0};
    struct work work;
    enum status status = node && node->work.kind == WORK_KERNEL ? kernel_work(&arena, p, function, call->from, &work)
                                                                : STATUS_INVALID_VALUE;
    if (!status && !graph_set_kernel(node, &work))
        status = STATUS_INVALID_DEVICE_FUNCTION;
    CUresult const result = driver_end(call, status);
    arena_free(&arena);
    return result;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const struct driver_kernel_node *p)
{
    DRIVER_BEGIN(cuGraphKernelNodeSetParams, "cudaGraphKernelNodeSetParams");
    return set_kernel(&call, graph_node_of(node), p, p ? p->function : NULL);
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const struct driver_kernel_node_v2 *p)
{
    DRIVER_BEGIN(cuGraphKernelNodeSetParams, "cudaGraphKernelNodeSetParams");
    return set_kernel(&call, graph_node_of(node), p ? &p->v1 : NULL, function_of(p));
}

CUresult cuGraphExecKernelNodeSetParams(CUgraph instance, CUgraphNode node, const struct driver_kernel_node *p)
{
    DRIVER_BEGIN(cuGraphExecKernelNodeSetParams, "cudaGraphExecKernelNodeSetParams");
    return set_kernel(&call, graph_instance_node(instance, node, WORK_KERNEL), p, p ? p->function : NULL);
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraph instance, CUgraphNode node, const struct driver_kernel_node_v2 *p)
{
    DRIVER_BEGIN(cuGraphExecKernelNodeSetParams, "cudaGraphExecKernelNodeSetParams");
    return set_kernel(&call, graph_instance_node(instance, node, WORK_KERNEL), p ? &p->v1 : NULL, function_of(p));
}

/* Gives a copy or a fill of an instance other work of its kind. */
static enum status set_work(struct graph_node *node, enum status status, const struct work *work)
{
    if (!node || status)
        return status ? status : STATUS_INVALID_VALUE;
    const void *from = node->work.from;
    node->work = *work;
    node->work.from = from;
    return STATUS_SUCCESS;
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraph instance, CUgraphNode node, const struct driver_copy_3d *copy,
                                        CUcontext context)
{
    DRIVER_BEGIN(cuGraphExecMemcpyNodeSetParams, "cudaGraphExecMemcpyNodeSetParams");
    struct work work;
    enum status const status = context_is(context) ? copy_box_work(copy, call.from, &work) : STATUS_INVALID_VALUE;
    return driver_end(&call, set_work(graph_instance_node(instance, node, WORK_COPY), status, &work));
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraph instance, CUgraphNode node, const struct driver_fill_node *fill,
                                        CUcontext context)
{
    DRIVER_BEGIN(cuGraphExecMemsetNodeSetParams, "cudaGraphExecMemsetNodeSetParams");
    struct work work;
    enum status const status = context_is(context) ? fill_work(fill, call.from, &work) : STATUS_INVALID_VALUE;
    return driver_end(&call, set_work(graph_instance_node(instance, node, WORK_FILL), status, &work));
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
 * begins. Returns whether what the program gives is. */
static bool are_plain(const struct driver_edge *edges, size_t count)
{
    static const struct driver_edge plain;
    for (size_t i = 0; edges && i < count; i++)
        if (memcmp(&edges[i], &plain, sizeof plain) != 0)
            return false;
    return true;
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
    return driver_end(&call, are_plain(edges, count) ? graph_add_needs(graph, from, to, count) : STATUS_NOT_SUPPORTED);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, struct driver_edge *edges, size_t *count)
{
    DRIVER_BEGIN(cuGraphGetEdges, "cudaGraphGetEdges");
    size_t const most = count ? *count : 0;
    return driver_end(&call, tell_plain(edges, count, most, graph_edges(graph, from, to, count)));
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
                                           [WORK_HOST] = {"cuLaunchHostFunc", "cudaLaunchHostFunc"}};
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
        *number = stream->number;
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
    return are_plain(edges, count) ? set_needs(&call, stream, (struct graph_needs){needs, count}, flags)
                                   : driver_end(&call, STATUS_NOT_SUPPORTED);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    DRIVER_BEGIN_ANYWHERE(cuThreadExchangeStreamCaptureMode, "cudaThreadExchangeStreamCaptureMode");
    return driver_end(&call, capture_exchange_mode(mode));
}
