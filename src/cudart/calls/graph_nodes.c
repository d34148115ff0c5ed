/* Graphs that the program builds node by node, and questions about nodes. */
#include "cudart/calls/call.h"
#include "cudart/layer/graph.h"
#include <stdlib.h>

cudaError_t cudaGraphCreate(struct graph **graph, unsigned flags)
{
    CALL_BEGIN(cudaGraphCreate);
    if (!graph || flags)
        return call_end(&call, cudaErrorInvalidValue);
    *graph = graph_new();
    return call_end(&call, *graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

static bool belongs(const struct graph *graph, const struct graph_node *node)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.items[i] == node)
            return true;
    return false;
}

/* Where the nodes that a new node needs are given. */
struct needs {
    struct graph_node *const *items;
    size_t count;
};

static cudaError_t add_node(const struct call *call, struct graph_node **node, struct graph *handle, struct needs needs,
                            const struct work *work, const struct graph *child)
{
    struct graph *graph = graph_of(handle, false);
    struct node_set set = {0};
    bool fits = graph && node && (!needs.count || needs.items);
    for (size_t i = 0; i < needs.count && fits; i++) {
        fits = belongs(graph, needs.items[i]);
        node_set_add(&set, needs.items[i]);
    }
    struct graph_node *new = fits ? graph_add(graph, work, child, &set) : NULL;
    free(set.items);
    if (!fits)
        return call_end(call, cudaErrorInvalidValue);
    *node = new;
    return call_end(call, new ? cudaSuccess : cudaErrorInvalidDeviceFunction);
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
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

cudaError_t cudaGraphKernelNodeGetParams(struct graph_node *node, struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphKernelNodeGetParams);
    if (!node || !parameters || node->work.kind != WORK_KERNEL)
        return call_end(&call, cudaErrorInvalidValue);
    const struct work_kernel *k = &node->work.kernel;
    *parameters =
        (struct kernel_node){k->function, k->shape.grid, k->shape.block, (unsigned)k->shape.shared, k->arguments, NULL};
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(struct graph_node *node, const struct kernel_node *parameters)
{
    CALL_BEGIN(cudaGraphKernelNodeSetParams);
    if (!node || !parameters || node->work.kind != WORK_KERNEL)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = kernel_node_work(parameters, call.from);
    return call_end(&call, graph_set_kernel(node, &work) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGraphAddMemcpyNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                   size_t count, const struct copy_3d *parameters)
{
    CALL_BEGIN(cudaGraphAddMemcpyNode);
    struct work work = {.from = call.from};
    if (!parameters || !copy_3d_work(parameters, &work))
        return call_end(&call, parameters ? cudaErrorNotSupported : cudaErrorInvalidValue);
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

static struct work flat_copy(void *to, const void *from, size_t size, int direction, const void *place)
{
    return (struct work){WORK_COPY, place, .copy = {to, from, {.width = size, .height = 1, .depth = 1}, direction}};
}

cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                     size_t count, void *to, const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaGraphAddMemcpyNode1D);
    struct work const work = flat_copy(to, from, size, kind, call.from);
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct graph *instance, struct graph_node *node, void *to,
                                               const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaGraphExecMemcpyNodeSetParams1D);
    const struct graph *graph = graph_of(instance, true);
    for (size_t i = 0; graph && i < graph->nodes.count; i++) {
        struct graph_node *changed = graph->nodes.items[i];
        if (changed->original != node || changed->work.kind != WORK_COPY)
            continue;
        changed->work = flat_copy(to, from, size, kind, changed->work.from);
        return call_end(&call, cudaSuccess);
    }
    return call_end(&call, cudaErrorInvalidValue);
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
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

cudaError_t cudaGraphAddHostNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                 size_t count, const struct work_host *parameters)
{
    CALL_BEGIN(cudaGraphAddHostNode);
    if (!parameters || !parameters->function)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = {WORK_HOST, call.from, .host = *parameters};
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

cudaError_t cudaGraphAddEmptyNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                  size_t count)
{
    CALL_BEGIN(cudaGraphAddEmptyNode);
    struct work const work = {.kind = WORK_EMPTY, .from = call.from};
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, NULL);
}

cudaError_t cudaGraphAddChildGraphNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                       size_t count, struct graph *child)
{
    CALL_BEGIN(cudaGraphAddChildGraphNode);
    struct work const work = {.kind = WORK_GRAPH, .from = call.from};
    if (!graph_of(child, false) || child == graph)
        return call_end(&call, cudaErrorInvalidValue);
    return add_node(&call, node, graph, (struct needs){needs, count}, &work, child);
}

cudaError_t cudaGraphAddDependencies(struct graph *graph, struct graph_node *const *from, struct graph_node *const *to,
                                     size_t count)
{
    CALL_BEGIN(cudaGraphAddDependencies);
    const struct graph *g = graph_of(graph, false);
    bool fits = g && (!count || (from && to));
    for (size_t i = 0; i < count && fits; i++)
        fits = belongs(g, from[i]) && belongs(g, to[i]) && from[i] != to[i];
    for (size_t i = 0; i < count && fits; i++)
        node_set_add(&to[i]->needs, from[i]);
    return call_end(&call, fits ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- questions ---- */

/* Writes up to *count nodes of a set, and how many it has. */
static cudaError_t tell_nodes(const struct call *call, const struct node_set *set, struct graph_node **nodes,
                              size_t *count)
{
    if (!set || !count)
        return call_end(call, cudaErrorInvalidValue);
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < set->count ? set->items[i] : NULL;
    *count = set->count;
    return call_end(call, cudaSuccess);
}

cudaError_t cudaGraphGetNodes(struct graph *graph, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphGetNodes);
    const struct graph *g = graph_of(graph, false);
    return tell_nodes(&call, g ? &g->nodes : NULL, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(struct graph *graph, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphGetRootNodes);
    const struct graph *g = graph_of(graph, false);
    struct node_set roots = {0};
    for (size_t i = 0; g && i < g->nodes.count; i++)
        if (!g->nodes.items[i]->needs.count)
            node_set_add(&roots, g->nodes.items[i]);
    cudaError_t const error = tell_nodes(&call, g ? &roots : NULL, nodes, count);
    free(roots.items);
    return error;
}

cudaError_t cudaGraphNodeGetDependencies(struct graph_node *node, struct graph_node **nodes, size_t *count)
{
    CALL_BEGIN(cudaGraphNodeGetDependencies);
    return tell_nodes(&call, node ? &node->needs : NULL, nodes, count);
}

cudaError_t cudaGraphGetEdges(struct graph *graph, struct graph_node **from, struct graph_node **to, size_t *count)
{
    CALL_BEGIN(cudaGraphGetEdges);
    const struct graph *g = graph_of(graph, false);
    size_t edges = 0;
    if (!g || !count)
        return call_end(&call, cudaErrorInvalidValue);
    for (size_t i = 0; i < g->nodes.count; i++) {
        struct graph_node *node = g->nodes.items[i];
        for (size_t k = 0; k < node->needs.count; k++, edges++)
            if (from && to && edges < *count) {
                from[edges] = node->needs.items[k];
                to[edges] = node;
            }
    }
    *count = edges;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(struct graph_node *node, int *type)
{
    CALL_BEGIN(cudaGraphNodeGetType);
    if (!node || !type)
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
