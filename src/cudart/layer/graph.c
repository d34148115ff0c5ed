/* Graphs as data: nodes with copies of their work, the order of their needs, instances and their launch. */
#include "cudart/layer/graph_objects.h"
#include "cudart/layer/launch.h"
#include "cudart/layer/line.h"
#include "cudart/layer/module.h"
#include <stdlib.h>
#include <string.h>

static bool contains(const struct node_set *set, const struct graph_node *node)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == node)
            return true;
    return false;
}

void node_set_add(struct node_set *set, struct graph_node *node)
{
    if (!contains(set, node))
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

struct graph_node *graph_node_of(const struct graph_node *handle)
{
    for (const struct graph *g = runtime.graphs; g; g = g->next)
        for (size_t i = 0; i < g->nodes.count; i++)
            if (g->nodes.items[i] == handle)
                return g->nodes.items[i];
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
    for (unsigned i = 0; node->bodies && i < node->work.condition.bodies; i++)
        graph_destroy(node->bodies[i]);
    free(node->bodies);
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
    for (size_t i = 0; i < graph->nodes.count; i++) {
        if (graph->nodes.items[i]->work.kind == WORK_ALLOCATION)
            graph_memory_left(graph->nodes.items[i]->work.pointer);
        if (graph->nodes.items[i]->work.kind == WORK_CONDITION)
            condition_left(graph->nodes.items[i]->work.condition.handle);
        free_node(graph->nodes.items[i]);
    }
    free(graph->nodes.items);
    graph_drop_objects(graph);
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
    if (!function || !launch_has_arguments(function, given))
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

static struct graph **bodies_new(unsigned count)
{
    struct graph **bodies = calloc(count, sizeof *bodies);
    for (unsigned i = 0; bodies && i < count; i++)
        if ((bodies[i] = graph_new()))
            bodies[i]->of_node = true;
    return bodies;
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
    if (child && (node->child = graph_clone(child)))
        node->child->of_node = true;
    if (work->kind == WORK_CONDITION && !(node->bodies = bodies_new(work->condition.bodies))) {
        free(node);
        return NULL;
    }
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
        for (unsigned k = 0; new &&new->bodies &&k < node->work.condition.bodies; k++) {
            graph_destroy(new->bodies[k]);
            if ((new->bodies[k] = graph_clone(node->bodies[k])))
                new->bodies[k]->of_node = true;
        }
    }
    for (size_t i = 0; copy && i < copy->nodes.count; i++) {
        struct graph_node *new = copy->nodes.items[i];
        for (size_t k = 0; k < new->original->needs.count; k++) {
            struct graph_node *need = graph_clone_of(copy, new->original->needs.items[k]);
            if (need)
                node_set_add(&new->needs, need);
        }
    }
    if (copy)
        graph_share_objects(copy, graph);
    return copy;
}

/* Orders the graphs that nodes own. */
static bool order_owned(const struct graph *graph)
{
    bool ordered = true;
    for (size_t i = 0; i < graph->nodes.count && ordered; i++) {
        const struct graph_node *node = graph->nodes.items[i];
        ordered = !node->child || graph_order(node->child);
        for (unsigned k = 0; node->bodies && k < node->work.condition.bodies && ordered; k++)
            ordered = graph_order(node->bodies[k]);
    }
    return ordered;
}

bool graph_order(struct graph *graph)
{
    if (!order_owned(graph))
        return false;
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

/* ---- what the calls do ---- */

enum status graph_create(struct graph **graph, unsigned flags)
{
    if (!graph || flags)
        return STATUS_INVALID_VALUE;
    *graph = graph_new();
    return *graph ? STATUS_SUCCESS : STATUS_MEMORY_ALLOCATION;
}

enum status graph_copy(struct graph **copy, const struct graph *graph)
{
    if (!copy || !graph_of(graph, false))
        return STATUS_INVALID_VALUE;
    *copy = graph_clone(graph);
    return *copy ? STATUS_SUCCESS : STATUS_MEMORY_ALLOCATION;
}

enum status graph_drop(const struct graph *handle, bool instance)
{
    struct graph *graph = graph_of(handle, instance);
    if (!graph || graph->origin || graph->of_node)
        return STATUS_INVALID_VALUE;
    graph_destroy(graph);
    return STATUS_SUCCESS;
}

enum status graph_add_node(struct graph_node **node, struct graph *handle, struct graph_needs needs,
                           const struct work *work, const struct graph *child)
{
    struct graph *graph = graph_of(handle, false);
    struct node_set set = {0};
    bool fits = graph && node && (!needs.count || needs.items);
    for (size_t i = 0; i < needs.count && fits; i++) {
        fits = contains(&graph->nodes, needs.items[i]);
        node_set_add(&set, needs.items[i]);
    }
    struct graph_node *new = fits ? graph_add(graph, work, child, &set) : NULL;
    free(set.items);
    if (!fits)
        return STATUS_INVALID_VALUE;
    *node = new;
    return new ? STATUS_SUCCESS : STATUS_INVALID_DEVICE_FUNCTION;
}

enum status graph_add_child(struct graph_node **node, struct graph *graph, struct graph_needs needs,
                            const struct graph *child, const void *from)
{
    struct work const work = {.kind = WORK_GRAPH, .from = from};
    if (!graph_of(child, false) || child == graph)
        return STATUS_INVALID_VALUE;
    return graph_add_node(node, graph, needs, &work, child);
}

enum status graph_add_needs(const struct graph *handle, struct graph_node *const *from, struct graph_node *const *to,
                            size_t count)
{
    const struct graph *graph = graph_of(handle, false);
    bool fits = graph && (!count || (from && to));
    for (size_t i = 0; i < count && fits; i++)
        fits = contains(&graph->nodes, from[i]) && contains(&graph->nodes, to[i]) && from[i] != to[i] &&
               !contains(&to[i]->needs, from[i]);
    for (size_t i = 0; i < count && fits; i++)
        node_set_add(&to[i]->needs, from[i]);
    return fits ? STATUS_SUCCESS : STATUS_INVALID_VALUE;
}

enum status graph_instantiate(struct graph **instance, const struct graph *handle)
{
    const struct graph *graph = graph_of(handle, false);
    if (!instance || !graph)
        return STATUS_INVALID_VALUE;
    struct graph *new = graph_clone(graph);
    if (!new)
        return STATUS_MEMORY_ALLOCATION;
    new->instance = true;
    line_number("nodes", new->nodes.count);
    if (!graph_order(new)) {
        graph_destroy(new);
        return STATUS_INVALID_VALUE;
    }
    *instance = new;
    return STATUS_SUCCESS;
}

enum status graph_update(struct graph *instance, const struct graph *graph, bool *same)
{
    struct graph *old = graph_of(instance, true), *new = graph_of(graph, false) ? graph_clone(graph) : NULL;
    *same = false;
    if (old && new) {
        *same = graph_order(new) && new->nodes.count == old->nodes.count;
        for (size_t i = 0; i < new->nodes.count &&*same; i++)
            *same = new->nodes.items[i]->work.kind == old->nodes.items[i]->work.kind;
    }
    if (*same) {
        struct node_set const nodes = old->nodes;
        struct graph_objects const objects = old->objects;
        old->nodes = new->nodes;
        new->nodes = nodes;
        old->objects = new->objects;
        new->objects = objects;
    }
    if (new)
        graph_destroy(new);
    return !old || !new ? STATUS_INVALID_VALUE : *same ? STATUS_SUCCESS : STATUS_GRAPH_EXEC_UPDATE_FAILURE;
}

struct graph_node *graph_instance_node(const struct graph *handle, const struct graph_node *node, enum work_kind kind)
{
    const struct graph *instance = graph_of(handle, true);
    struct graph_node *found = instance ? graph_clone_of(instance, node) : NULL;
    return found && found->work.kind == kind ? found : NULL;
}

static enum status tell(const struct node_set *set, struct graph_node **nodes, size_t *count)
{
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < set->count ? set->items[i] : NULL;
    *count = set->count;
    return STATUS_SUCCESS;
}

enum status graph_nodes(const struct graph *handle, bool roots, struct graph_node **nodes, size_t *count)
{
    const struct graph *graph = graph_of(handle, false);
    struct node_set set = {0};
    if (!graph || !count)
        return STATUS_INVALID_VALUE;
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!roots || !graph->nodes.items[i]->needs.count)
            array_push(&set, graph->nodes.items[i]);
    enum status const status = tell(&set, nodes, count);
    free(set.items);
    return status;
}

enum status graph_needs_of(const struct graph_node *handle, struct graph_node **nodes, size_t *count)
{
    const struct graph_node *node = graph_node_of(handle);
    return node && count ? tell(&node->needs, nodes, count) : STATUS_INVALID_VALUE;
}

enum status graph_needed_by(const struct graph_node *handle, struct graph_node **nodes, size_t *count)
{
    const struct graph_node *node = graph_node_of(handle);
    struct node_set found = {0};
    if (!node || !count)
        return STATUS_INVALID_VALUE;
    for (size_t i = 0; i < node->graph->nodes.count; i++)
        if (contains(&node->graph->nodes.items[i]->needs, node))
            node_set_add(&found, node->graph->nodes.items[i]);
    enum status const status = tell(&found, nodes, count);
    free(found.items);
    return status;
}

enum status graph_edges(const struct graph *handle, struct graph_node **from, struct graph_node **to, size_t *count)
{
    const struct graph *graph = graph_of(handle, false);
    size_t edges = 0;
    if (!graph || !count || !from != !to)
        return STATUS_INVALID_VALUE;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct graph_node *node = graph->nodes.items[i];
        for (size_t k = 0; k < node->needs.count; k++, edges++)
            if (from && edges < *count) {
                from[edges] = node->needs.items[k];
                to[edges] = node;
            }
    }
    for (size_t i = edges; from && i < *count; i++)
        from[i] = to[i] = NULL;
    *count = edges;
    return STATUS_SUCCESS;
}

enum status graph_of_node(const struct graph_node *handle, struct graph **graph)
{
    const struct graph_node *node = graph_node_of(handle);
    if (!node || !graph || !node->child)
        return STATUS_INVALID_VALUE;
    *graph = node->child;
    return STATUS_SUCCESS;
}

enum status graph_capture(const struct graph *instance, struct stream *stream, const void *from)
{
    struct work const work = {.kind = WORK_GRAPH, .from = from};
    return capture_work(&work, instance, stream);
}
