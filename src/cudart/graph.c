/* Graphs as data: nodes with copies of their work, the order of their needs, instances and their launch. */
#include "cudart/graph.h"
#include "cudart/module.h"
#include "cudart/record.h"
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

void node_set_add(struct node_set *set, struct graph_node *node)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == node)
            return;
    array_push(set, node);
}

struct graph *graph_new(void)
{
    struct graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->next = runtime.graphs;
    runtime.graphs = graph;
    return graph;
}

struct graph *graph_of(const struct graph *handle, bool instance)
{
    for (struct graph *g = runtime.graphs; g; g = g->next)
        if (g == handle)
            return g->instance == instance ? g : NULL;
    return NULL;
}

static void free_arguments(struct work *work)
{
    free(work->kernel.arguments ? work->kernel.arguments[0] : NULL);
    free(work->kernel.arguments);
    work->kernel.arguments = NULL;
}

static void free_node(struct graph_node *node)
{
    if (node->work.kind == WORK_KERNEL)
        free_arguments(&node->work);
    if (node->child)
        graph_destroy(node->child);
    free(node->needs.items);
    free(node);
}

void graph_destroy(struct graph *graph)
{
    for (struct graph **at = &runtime.graphs; *at; at = &(*at)->next)
        if (*at == graph) {
            *at = graph->next;
            break;
        }
    for (struct event *e = runtime.events; e; e = e->next)
        if (e->capture == graph)
            e->capture = NULL;
    for (size_t i = 0; i < graph->nodes.count; i++)
        free_node(graph->nodes.items[i]);
    free(graph->nodes.items);
    free(graph);
}

/* Copies the bytes of a kernel's arguments, of which the caller has pointers, into one block behind new pointers.
 * Returns false if the kernel is not known. */
static bool keep_arguments(struct work *work)
{
    struct kernel *kernel = module_kernel(work->kernel.function);
    const struct ptx_function *function =
        kernel && module_load(kernel->module) ? ptx_kernel(kernel->module->program, kernel->name) : NULL;
    void **given = work->kernel.arguments;
    size_t size = 0;
    if (!function || (function->parameter_count && !given))
        return false;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        size += (function->parameters[i].size + 15) & ~(size_t)15;
    work->kernel.arguments = calloc(function->parameter_count + 1, sizeof *given);
    uint8_t *bytes = calloc(size + 1, 1);
    if (!work->kernel.arguments || !bytes)
        abort();
    work->kernel.arguments[0] = bytes;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        work->kernel.arguments[i] = bytes;
        memcpy(bytes, given[i], function->parameters[i].size);
        bytes += (function->parameters[i].size + 15) & ~(size_t)15;
    }
    return true;
}

static struct graph *clone(const struct graph *graph);

struct graph_node *graph_add(struct graph *graph, const struct work *work, const struct graph *child,
                             const struct node_set *needs)
{
    struct graph_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->work = *work;
    node->graph = graph;
    if (work->kind == WORK_KERNEL && !keep_arguments(&node->work)) {
        free(node);
        return NULL;
    }
    if (child)
        node->child = clone(child);
    for (size_t i = 0; needs && i < needs->count; i++)
        node_set_add(&node->needs, needs->items[i]);
    array_push(&graph->nodes, node);
    return node;
}

bool graph_set_kernel(struct graph_node *node, const struct work *work)
{
    struct work kept = *work;
    if (!keep_arguments(&kept))
        return false;
    free_arguments(&node->work);
    kept.from = node->work.from;
    node->work = kept;
    return true;
}

static struct graph_node *clone_of(const struct graph *graph, const struct graph_node *original)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.items[i]->original == original)
            return graph->nodes.items[i];
    return NULL;
}

static struct graph *clone(const struct graph *graph)
{
    struct graph *copy = graph_new();
    for (size_t i = 0; copy && i < graph->nodes.count; i++) {
        const struct graph_node *node = graph->nodes.items[i];
        struct graph_node *new = graph_add(copy, &node->work, node->child, NULL);
        if (new)
            new->original = node;
    }
    for (size_t i = 0; copy && i < copy->nodes.count; i++) {
        struct graph_node *new = copy->nodes.items[i];
        for (size_t k = 0; k < new->original->needs.count; k++) {
            struct graph_node *need = clone_of(copy, new->original->needs.items[k]);
            if (need)
                node_set_add(&new->needs, need);
        }
    }
    return copy;
}

static bool contains(const struct node_set *set, const struct graph_node *node)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == node)
            return true;
    return false;
}

/* Orders the nodes so that each comes after what it needs. Returns false if there is a circle. */
static bool order(struct graph *graph)
{
    struct node_set ordered = {0};
    for (bool more = true; more && ordered.count < graph->nodes.count;) {
        more = false;
        for (size_t i = 0; i < graph->nodes.count; i++) {
            struct graph_node *node = graph->nodes.items[i];
            bool ready = !contains(&ordered, node);
            for (size_t k = 0; k < node->needs.count && ready; k++)
                ready = contains(&ordered, node->needs.items[k]);
            if (ready) {
                array_push(&ordered, node);
                more = true;
            }
        }
    }
    bool const whole = ordered.count == graph->nodes.count;
    free(whole ? graph->nodes.items : ordered.items);
    if (whole)
        graph->nodes = ordered;
    return whole;
}

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
        struct work const *work = &node->work;
        if (work->kind == WORK_GRAPH && node->child)
            error = run(node->child, stream);
        if (work->kind > WORK_HOST)
            continue;
        struct call const call = call_begin(names[work->kind], work->from);
        error = work->kind == WORK_KERNEL ? work_launch(&call, work, stream)
                : work->kind == WORK_COPY ? work_copy(&call, work, stream)
                : work->kind == WORK_FILL ? work_fill(&call, work, stream)
                                          : work_host(&call, work, stream);
    }
    return error;
}

cudaError_t cudaGraphLaunch(struct graph *instance, cudaStream_t handle)
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
        struct graph_node *node = graph_add(stream->capture, &work, graph, &stream->last);
        stream->last.count = 0;
        if (node)
            node_set_add(&stream->last, node);
        return call_end(&call, node ? cudaSuccess : cudaErrorMemoryAllocation);
    }
    cudaError_t const error = call_end(&call, runtime.sticky);
    return error ? error : run(graph, stream);
}

static cudaError_t instantiate(const struct call *call, struct graph **instance, struct graph *handle)
{
    const struct graph *graph = graph_of(handle, false);
    if (!instance || !graph)
        return call_end(call, cudaErrorInvalidValue);
    struct graph *new = clone(graph);
    if (!new)
        return call_end(call, cudaErrorMemoryAllocation);
    new->instance = true;
    line_number("nodes", new->nodes.count);
    if (!order(new)) {
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

cudaError_t cudaGraphUpload(struct graph *instance, cudaStream_t stream)
{
    CALL_BEGIN(cudaGraphUpload);
    return call_end(&call, graph_of(instance, true) && stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(struct graph **copy, struct graph *graph)
{
    CALL_BEGIN(cudaGraphClone);
    if (!copy || !graph_of(graph, false))
        return call_end(&call, cudaErrorInvalidValue);
    *copy = clone(graph);
    return call_end(&call, *copy ? cudaSuccess : cudaErrorMemoryAllocation);
}

static cudaError_t destroy(const struct call *call, const struct graph *handle, bool instance)
{
    struct graph *graph = graph_of(handle, instance);
    if (!graph || graph->captured_from)
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
    struct graph *old = graph_of(instance, true), *new = graph_of(graph, false) ? clone(graph) : NULL;
    if (!old || !new)
        return call_end(&call, cudaErrorInvalidValue);
    bool same = order(new) && new->nodes.count == old->nodes.count;
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
    struct graph_node *changed = graph ? clone_of(graph, node) : NULL;
    if (!changed || changed->work.kind != WORK_KERNEL || !parameters)
        return call_end(&call, cudaErrorInvalidValue);
    struct work const work = work_of_kernel_node(parameters, call.from);
    return call_end(&call, graph_set_kernel(changed, &work) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
