/* Graphs as data: nodes with copies of their work, the order of their needs, instances and their launch. */
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"
#include "cudart/layer/module.h"
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
        kernel && module_load(kernel->module) ? ptx_kernel(kernel->module->ptx_module, kernel->name) : NULL;
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
        node->child = graph_clone(child);
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

struct graph_node *graph_clone_of(const struct graph *graph, const struct graph_node *original)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.items[i]->original == original)
            return graph->nodes.items[i];
    return NULL;
}

struct graph *graph_clone(const struct graph *graph)
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
            struct graph_node *need = graph_clone_of(copy, new->original->needs.items[k]);
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

bool graph_order(struct graph *graph)
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
