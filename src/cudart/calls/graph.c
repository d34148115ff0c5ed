/* The launch of graphs, and their instances. */
#include "cudart/layer/graph.h"
#include "cudart/calls/call.h"
#include <string.h>

/* ---- launch ---- */

/* Does the work of each node as a call of its own, from the line that asked for it. */
static cudaError_t run(const struct graph *graph, struct stream *stream)
{
    static const char *const names[] = {[WORK_KERNEL] = "cudaLaunchKernel",
                                        [WORK_COPY] = "cudaMemcpyAsync",
                                        [WORK_FILL] = "cudaMemsetAsync",
                                        [WORK_HOST] = "cudaLaunchHostFunc"};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->nodes.count && !error; i++) {
        const struct graph_node *node = graph->nodes.items[i];
        const struct work *work = &node->work;
        if (work->kind == WORK_GRAPH && node->child)
            error = run(node->child, stream);
        if (work->kind > WORK_HOST)
            continue;
        struct work_children children = {0};
        struct call const call = call_begin(names[work->kind], work->from);
        error = call_end(&call, work->kind == WORK_KERNEL ? work_launch(work, stream, &children)
                                : work->kind == WORK_COPY ? work_copy(work, stream, false)
                                : work->kind == WORK_FILL ? work_fill(work, stream)
                                                          : work_host(work, stream));
        launch_children(&children, stream, work->from);
    }
    return error;
}

cudaError_t cudaGraphLaunch(struct graph *instance, struct stream *handle)
{
    CALL_BEGIN(cudaGraphLaunch);
    struct graph *graph = graph_of(instance, true);
    struct stream *stream = stream_of(handle);
    if (!graph || !stream)
        return call_end(&call, graph ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    line_number("stream", stream->number);
    line_number("nodes", graph->nodes.count);
    if (stream->capture) { /* it becomes a part of that graph */
        struct work const work = {.kind = WORK_GRAPH, .from = call.from};
        return call_end(&call, capture_work(&work, graph, stream));
    }
    cudaError_t const error = call_end(&call, runtime.sticky);
    return error ? error : run(graph, stream);
}

static cudaError_t instantiate(const struct call *call, struct graph **instance, struct graph *handle)
{
    const struct graph *graph = graph_of(handle, false);
    if (!instance || !graph)
        return call_end(call, cudaErrorInvalidValue);
    struct graph *new = graph_clone(graph);
    if (!new)
        return call_end(call, cudaErrorMemoryAllocation);
    new->instance = true;
    line_number("nodes", new->nodes.count);
    if (!graph_order(new)) {
        graph_destroy(new);
        return call_end(call, cudaErrorInvalidValue);
    }
    *instance = new;
    return call_end(call, cudaSuccess);
}

/* In CUDA 11 the third parameter and the two behind it were places for the reason of a failure. */
cudaError_t cudaGraphInstantiate(struct graph **instance, struct graph *graph, unsigned long long flags)
{
    CALL_BEGIN(cudaGraphInstantiate);
    (void)flags;
    return instantiate(&call, instance, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(struct graph **instance, struct graph *graph, unsigned long long flags)
{
    CALL_BEGIN(cudaGraphInstantiateWithFlags);
    line_number("flags", flags);
    return instantiate(&call, instance, graph);
}

cudaError_t cudaGraphUpload(struct graph *instance, struct stream *stream)
{
    CALL_BEGIN(cudaGraphUpload);
    return call_end(&call, graph_of(instance, true) && stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(struct graph **copy, struct graph *graph)
{
    CALL_BEGIN(cudaGraphClone);
    if (!copy || !graph_of(graph, false))
        return call_end(&call, cudaErrorInvalidValue);
    *copy = graph_clone(graph);
    return call_end(&call, *copy ? cudaSuccess : cudaErrorMemoryAllocation);
}

static cudaError_t destroy(const struct call *call, const struct graph *handle, bool instance)
{
    struct graph *graph = graph_of(handle, instance);
    if (!graph || graph->origin)
        return call_end(call, cudaErrorInvalidValue);
    graph_destroy(graph);
    return call_end(call, cudaSuccess);
}

cudaError_t cudaGraphDestroy(struct graph *graph)
{
    CALL_BEGIN(cudaGraphDestroy);
    return destroy(&call, graph, false);
}

cudaError_t cudaGraphExecDestroy(struct graph *instance)
{
    CALL_BEGIN(cudaGraphExecDestroy);
    return destroy(&call, instance, true);
}

/* The instance takes the parameters of a graph that has the same nodes. */
cudaError_t cudaGraphExecUpdate(struct graph *instance, struct graph *graph, void *result)
{
    enum { UPDATED, FAILED };
    CALL_BEGIN(cudaGraphExecUpdate);
    struct graph *old = graph_of(instance, true), *new = graph_of(graph, false) ? graph_clone(graph) : NULL;
    if (!old || !new)
        return call_end(&call, cudaErrorInvalidValue);
    bool same = graph_order(new) && new->nodes.count == old->nodes.count;
    for (size_t i = 0; i < new->nodes.count &&same; i++)
        same = new->nodes.items[i]->work.kind == old->nodes.items[i]->work.kind;
    if (result)
        memcpy(result, &(int){same ? UPDATED : FAILED}, sizeof(int));
    if (same) {
        struct node_set const nodes = old->nodes;
        old->nodes = new->nodes;
        new->nodes = nodes;
    }
    graph_destroy(new);
    return call_end(&call, same ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

/* ---- nodes of an instance ---- */

cudaError_t cudaGraphExecKernelNodeSetParams(struct graph *instance, struct graph_node *node,
                                             const struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphExecKernelNodeSetParams);
    const struct graph *graph = graph_of(instance, true);
    struct graph_node *changed = graph ? graph_clone_of(graph, node) : NULL;
    if (!changed || changed->work.kind != WORK_KERNEL || !parameters)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = kernel_node_work(parameters, call.from);
    return call_end(&call, graph_set_kernel(changed, &work) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
