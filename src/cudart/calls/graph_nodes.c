/* Graphs that the program builds node by node, and questions about nodes. */
#include "cudart/calls/call.h"

cudaError_t cudaGraphCreate(struct graph **graph, unsigned flags)
{
    CALL_BEGIN(cudaGraphCreate);
    return call_end(&call, graph_create(graph, flags));
}

struct work kernel_node_work(const struct kernel_node *p, const void *from)
{
    struct shape const shape = {p->grid, p->block, p->shared};
    return (struct work){WORK_KERNEL, from,
                         .kernel = {.function = p->function, .shape = shape, .arguments = p->arguments}};
}

cudaError_t cudaGraphAddKernelNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                   size_t count, const struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphAddKernelNode);
    if (!parameters || (parameters->extra && !parameters->arguments))
        return call_end(&call, parameters ? cudaErrorNotSupported : cudaErrorInvalidValue);
    struct work const work = kernel_node_work(parameters, call.from);
    return call_end(&call, graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

cudaError_t cudaGraphKernelNodeGetParams(struct graph_node *node, struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphKernelNodeGetParams);
    if (!graph_node_of(node) || !parameters || node->work.kind != WORK_KERNEL)
        return call_end(&call, cudaErrorInvalidValue);
    const struct work_kernel *k = &node->work.kernel;
    *parameters =
        (struct kernel_node){k->function, k->shape.grid, k->shape.block, (unsigned)k->shape.shared, k->arguments, NULL};
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(struct graph_node *node, const struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphKernelNodeSetParams);
    if (!graph_node_of(node) || !parameters || node->work.kind != WORK_KERNEL)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = kernel_node_work(parameters, call.from);
    return call_end(&call, graph_set_kernel(node, &work) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGraphAddMemcpyNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                   size_t count, const struct copy_3d *parameters)
{
    CALL_BEGIN(cudaGraphAddMemcpyNode);
    struct work work;
    enum status const status = copy_3d_work(parameters, call.from, &work);
    return call_end(&call,
                    status ? status : graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

static struct work flat_copy(void *to, const void *from, size_t size, int direction, const void *place)
{
    struct rows const rows = {.width = size, .height = 1, .depth = 1};
    return (struct work){WORK_COPY, place, .copy = {.to = to, .source = from, .rows = rows, .kind = direction}};
}

cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                     size_t count, void *to, const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaGraphAddMemcpyNode1D);
    struct work const work = flat_copy(to, from, size, kind, call.from);
    return call_end(&call, graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct graph *instance, struct graph_node *node, void *to,
                                               const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaGraphExecMemcpyNodeSetParams1D);
    struct graph_node *changed = graph_instance_node(instance, node, WORK_COPY);
    if (!changed)
        return call_end(&call, cudaErrorInvalidValue);
    changed->work = flat_copy(to, from, size, kind, changed->work.from);
    return call_end(&call, cudaSuccess);
}

/* cudaMemsetParams: the width counts elements. */
struct fill_node {
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

cudaError_t cudaGraphAddMemsetNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                   size_t count, const struct fill_node *p)
{
    CALL_BEGIN(cudaGraphAddMemsetNode);
    if (!p || (p->element != 1 && p->element != 2 && p->element != 4))
        return call_end(&call, cudaErrorInvalidValue);
    struct rows const rows = {.width = p->width * p->element, .height = p->height, .depth = 1, .to_pitch = p->pitch};
    struct work const work = {WORK_FILL, call.from, .fill = {p->to, p->value, p->element, rows}};
    return call_end(&call, graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

cudaError_t cudaGraphAddHostNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                 size_t count, const struct work_host *parameters)
{
    CALL_BEGIN(cudaGraphAddHostNode);
    if (!parameters || !parameters->function)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = {WORK_HOST, call.from, .host = *parameters};
    return call_end(&call, graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

cudaError_t cudaGraphAddEmptyNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                  size_t count)
{
    CALL_BEGIN(cudaGraphAddEmptyNode);
    struct work const work = {.kind = WORK_EMPTY, .from = call.from};
    return call_end(&call, graph_add_node(node, graph, (struct graph_needs){needs, count}, &work, NULL));
}

cudaError_t cudaGraphAddChildGraphNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                       size_t count, struct graph *child)
{
    CALL_BEGIN(cudaGraphAddChildGraphNode);
    return call_end(&call, graph_add_child(node, graph, (struct graph_needs){needs, count}, child, call.from));
}

cudaError_t cudaGraphAddDependencies(struct graph *graph, struct graph_node *const *from, struct graph_node *const *to,
                                     size_t count)
{
    CALL_BEGIN(cudaGraphAddDependencies);
    return call_end(&call, graph_add_needs(graph, from, to, count));
}

/* ---- questions ---- */

cudaError_t cudaGraphGetNodes(struct graph *graph, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphGetNodes);
    return call_end(&call, graph_nodes(graph, false, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(struct graph *graph, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphGetRootNodes);
    return call_end(&call, graph_nodes(graph, true, nodes, count));
}

cudaError_t cudaGraphNodeGetDependencies(struct graph_node *node, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphNodeGetDependencies);
    return call_end(&call, graph_needs_of(node, nodes, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(struct graph_node *node, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphNodeGetDependentNodes);
    return call_end(&call, graph_needed_by(node, nodes, count));
}

cudaError_t cudaGraphGetEdges(struct graph *graph, struct graph_node **from, struct graph_node **to, size_t *count)
{
    CALL_BEGIN(cudaGraphGetEdges);
    return call_end(&call, graph_edges(graph, from, to, count));
}

cudaError_t cudaGraphNodeGetType(struct graph_node *node, int *type)
{
    CALL_BEGIN(cudaGraphNodeGetType);
    if (!graph_node_of(node) || !type)
        return call_end(&call, cudaErrorInvalidValue);
    *type = (int)node->work.kind;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(struct graph_node **node, struct graph_node *original, struct graph *copy)
{
    CALL_BEGIN(cudaGraphNodeFindInClone);
    const struct graph *g = graph_of(copy, false);
    for (size_t i = 0; g && node && i < g->nodes.count; i++)
        if (g->nodes.items[i]->original == original) {
            *node = g->nodes.items[i];
            return call_end(&call, cudaSuccess);
        }
    return call_end(&call, cudaErrorInvalidValue);
}
