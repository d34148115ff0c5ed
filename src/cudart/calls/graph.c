/* The launch of graphs, and their instances. */
#include "cudart/calls/call.h"
#include "cudart/layer/graph_objects.h"
#include <string.h>

/* ---- launch ---- */

static enum status do_work(const struct work *work, struct stream *stream, struct work_children *children)
{
    switch (work->kind) {
    case WORK_KERNEL:
        return work_launch(work, stream, children);
    case WORK_COPY:
        return work_copy(work, stream, false);
    case WORK_FILL:
        return work_fill(work, stream);
    case WORK_WAIT:
        return stream_wait_event(stream, work->event, 0, work->from);
    case WORK_RECORD:
        return event_record(work->event, stream, 0, work->from);
    default:
        return work_host(work, stream);
    }
}

/* Runs the graph that the condition chooses: one, once or as long as it holds. */
static int run_condition(const struct graph_node *node, struct stream *stream, const struct graph_calls *calls)
{
    enum { IF, WHILE, SWITCH };
    const struct work_condition *c = &node->work.condition;
    int result = 0;
    if (c->type == WHILE) {
        while (!result && !runtime.pending && !runtime.sticky && condition_value(c->handle))
            result = graph_run(node->bodies[0], stream, calls);
        return result;
    }
    unsigned const value = condition_value(c->handle), chosen = c->type == SWITCH ? value : value == 0;
    return chosen < c->bodies ? graph_run(node->bodies[chosen], stream, calls) : 0;
}

int graph_run(const struct graph *instance, struct stream *stream, const struct graph_calls *calls)
{
    int result = 0;
    for (size_t i = 0; i < instance->nodes.count && !result; i++) {
        const struct graph_node *node = instance->nodes.items[i];
        const struct work *work = &node->work;
        if (work->kind == WORK_GRAPH && node->child)
            result = graph_run(node->child, stream, calls);
        if (work->kind == WORK_ALLOCATION)
            graph_memory_launched(work->pointer);
        if (work->kind == WORK_CONDITION)
            result = run_condition(node, stream, calls);
        if (work->kind > WORK_HOST && work->kind != WORK_WAIT && work->kind != WORK_RECORD)
            continue;
        struct work_children children = {0};
        struct call const call = calls->begin(work->kind, work->from);
        result = calls->end(&call, do_work(work, stream, &children));
        launch_children(&children, stream, work->from);
    }
    return result;
}

static struct call begin_node(enum work_kind kind, const void *from)
{
    static const char *const names[] = {
        [WORK_KERNEL] = "cudaLaunchKernel", [WORK_COPY] = "cudaMemcpyAsync",     [WORK_FILL] = "cudaMemsetAsync",
        [WORK_HOST] = "cudaLaunchHostFunc", [WORK_WAIT] = "cudaStreamWaitEvent", [WORK_RECORD] = "cudaEventRecord"};
    return call_begin(names[kind], from);
}

static int end_node(const struct call *call, enum status status)
{
    return (int)call_end(call, (cudaError_t)status);
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
    if (stream->capture)
        return call_end(&call, graph_capture(graph, stream, call.from));
    static const struct graph_calls calls = {begin_node, end_node};
    conditions_begin(graph);
    cudaError_t const error = call_end(&call, runtime.sticky);
    return error ? error : (cudaError_t)graph_run(graph, stream, &calls);
}

/* In CUDA 11 the third parameter and the two behind it were places for the reason of a failure. */
cudaError_t cudaGraphInstantiate(struct graph **instance, struct graph *graph, unsigned long long flags)
{
    CALL_BEGIN(cudaGraphInstantiate);
    (void)flags;
    return call_end(&call, graph_instantiate(instance, graph));
}

cudaError_t cudaGraphInstantiateWithFlags(struct graph **instance, struct graph *graph, unsigned long long flags)
{
    CALL_BEGIN(cudaGraphInstantiateWithFlags);
    line_number("flags", flags);
    return call_end(&call, graph_instantiate(instance, graph));
}

cudaError_t cudaGraphUpload(struct graph *instance, struct stream *stream)
{
    CALL_BEGIN(cudaGraphUpload);
    return call_end(&call, graph_of(instance, true) && stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(struct graph **copy, struct graph *graph)
{
    CALL_BEGIN(cudaGraphClone);
    return call_end(&call, graph_copy(copy, graph));
}

cudaError_t cudaGraphDestroy(struct graph *graph)
{
    CALL_BEGIN(cudaGraphDestroy);
    return call_end(&call, graph_drop(graph, false));
}

cudaError_t cudaGraphExecDestroy(struct graph *instance)
{
    CALL_BEGIN(cudaGraphExecDestroy);
    return call_end(&call, graph_drop(instance, true));
}

cudaError_t cudaGraphExecUpdate(struct graph *instance, struct graph *graph, void *result)
{
    enum { UPDATED, FAILED };
    CALL_BEGIN(cudaGraphExecUpdate);
    bool same;
    enum status const status = graph_update(instance, graph, &same);
    if (result && status != STATUS_INVALID_VALUE)
        memcpy(result, &(int){same ? UPDATED : FAILED}, sizeof(int));
    return call_end(&call, status);
}

/* ---- nodes of an instance ---- */

cudaError_t cudaGraphExecKernelNodeSetParams(struct graph *instance, struct graph_node *node,
                                             const struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphExecKernelNodeSetParams);
    struct graph_node *changed = graph_instance_node(instance, node, WORK_KERNEL);
    if (!changed || !parameters)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = kernel_node_work(parameters, call.from);
    return call_end(&call, graph_set_kernel(changed, &work) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
