/* The nodes of graphs, and their parameters. */
#include "cudart/driver/driver.h"
#include "cudart/layer/graph_objects.h"

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

/* ---- nodes of any kind ---- */

/* CUgraphNodeParams. */
struct driver_node_params {
    int kind, reserved[3];
    union {
        struct driver_kernel_node_v2 kernel;
        struct {
            int flags, reserved;
            CUcontext context;
            uint64_t box[25]; /* CUDA_MEMCPY3D */
        } copy;
        struct {
            struct driver_fill_node v1;
            CUcontext context;
        } fill;
        struct work_host host;
        struct {
            CUgraph graph;
            int ownership; /* 0: the node gets a copy */
        } child;
        struct {
            struct work_condition condition;
            CUgraph *bodies; /* written */
            CUcontext context;
        } condition;
        struct allocation_node allocation;
        CUdeviceptr freed;
        long long room[29];
    };
    long long end;
};
_Static_assert(sizeof(struct driver_node_params) == 256, "the size of CUgraphNodeParams");

/* The work of a node of another kind than a kernel's or a graph's. */
static enum status node_work(const struct driver_node_params *p, const void *from, struct work *work)
{
    *work = (struct work){.kind = (enum work_kind)p->kind, .from = from};
    switch (p->kind) {
    case WORK_COPY:
        return context_is(p->copy.context) ? copy_box_work((const void *)p->copy.box, from, work)
                                           : STATUS_INVALID_VALUE;
    case WORK_FILL:
        return context_is(p->fill.context) ? fill_work(&p->fill.v1, from, work) : STATUS_INVALID_VALUE;
    case WORK_HOST:
        work->host = p->host;
        return p->host.function ? STATUS_SUCCESS : STATUS_INVALID_VALUE;
    case WORK_EMPTY:
        return STATUS_SUCCESS;
    default:
        fprintf(stderr, "lanescope: cuGraphAddNode: nodes of kind %d are not supported\n", p->kind);
        return STATUS_NOT_SUPPORTED;
    }
}

static CUresult add_condition(const struct call *call, CUgraphNode *node, CUgraph graph, struct graph_needs needs,
                              struct driver_node_params *p)
{
    enum { IF, WHILE, SWITCH };
    struct work const work = {.kind = WORK_CONDITION, .from = call->from, .condition = p->condition.condition};
    int const type = work.condition.type;
    unsigned const bodies = work.condition.bodies, most = type == IF ? 2 : type == WHILE ? 1 : 1024;
    if (!condition_is(work.condition.handle) || type < IF || type > SWITCH || !bodies || bodies > most || !node)
        return driver_end(call, STATUS_INVALID_VALUE);
    enum status const status = graph_add_node(node, graph, needs, &work, NULL);
    if (!status)
        p->condition.bodies = (*node)->bodies;
    return driver_end(call, status);
}

CUresult cuGraphConditionalHandleCreate(uint64_t *handle, CUgraph graph, CUcontext context, unsigned value,
                                        unsigned flags)
{
    DRIVER_BEGIN(cuGraphConditionalHandleCreate, "cudaGraphConditionalHandleCreate");
    return driver_end(&call, context && !context_is(context) ? STATUS_INVALID_VALUE
                                                             : condition_create(handle, graph, value, flags));
}

static CUresult add_any(const struct call *call, CUgraphNode *node, CUgraph graph, struct graph_needs needs,
                        struct driver_node_params *p)
{
    struct work work;
    if (!p)
        return driver_end(call, STATUS_INVALID_VALUE);
    line_signed("kind", p->kind);
    if (p->kind == WORK_KERNEL)
        return add_kernel(call, node, graph, needs, &p->kernel.v1, function_of(&p->kernel));
    if (p->kind == WORK_CONDITION)
        return add_condition(call, node, graph, needs, p);
    if (p->kind == WORK_ALLOCATION)
        return driver_end(call, graph_add_allocation(node, graph, needs, &p->allocation, call->from));
    if (p->kind == WORK_FREE)
        return driver_end(call, graph_add_free(node, graph, needs, (void *)(uintptr_t)p->freed, call->from));
    if (p->kind == WORK_GRAPH)
        return driver_end(call, p->child.ownership ? STATUS_NOT_SUPPORTED
                                                   : graph_add_child(node, graph, needs, p->child.graph, call->from));
    return add_work(call, node_work(p, call->from, &work), node, graph, needs, &work);
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                        struct driver_node_params *p)
{
    DRIVER_BEGIN(cuGraphAddNode, "cudaGraphAddNode");
    return add_any(&call, node, graph, (struct graph_needs){needs, count}, p);
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, const struct driver_edge *edges,
                           size_t count, struct driver_node_params *p)
{
    DRIVER_BEGIN(cuGraphAddNode, "cudaGraphAddNode");
    enum status const status = edges_plain(edges, needs, count);
    return status ? driver_end(&call, status) : add_any(&call, node, graph, (struct graph_needs){needs, count}, p);
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
