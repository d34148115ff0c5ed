/* What the program keeps in a graph beside its nodes, and questions about it. */
#include "cudart/layer/graph_objects.h"
#include "cudart/driver/driver.h"

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    DRIVER_BEGIN(cuGraphChildGraphNodeGetGraph, "cudaGraphChildGraphNodeGetGraph");
    return driver_end(&call, graph_of_node(node, graph));
}

/* ---- memory ---- */

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                                struct allocation_node *parameters)
{
    DRIVER_BEGIN(cuGraphAddMemAllocNode, "cudaGraphAddMemAllocNode");
    return driver_end(&call,
                      graph_add_allocation(node, graph, (struct graph_needs){needs, count}, parameters, call.from));
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *needs, size_t count,
                               CUdeviceptr pointer)
{
    DRIVER_BEGIN(cuGraphAddMemFreeNode, "cudaGraphAddMemFreeNode");
    return driver_end(
        &call, graph_add_free(node, graph, (struct graph_needs){needs, count}, (void *)(uintptr_t)pointer, call.from));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, struct allocation_node *parameters)
{
    DRIVER_BEGIN(cuGraphMemAllocNodeGetParams, "cudaGraphMemAllocNodeGetParams");
    return driver_end(&call, graph_memory_parameters(node, parameters));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *pointer)
{
    uint64_t size;
    void *found = NULL;
    DRIVER_BEGIN(cuGraphMemFreeNodeGetParams, "cudaGraphMemFreeNodeGetParams");
    enum status const status = pointer ? graph_memory_of_node(node, WORK_FREE, &found, &size) : STATUS_INVALID_VALUE;
    if (!status)
        *pointer = (uint64_t)(uintptr_t)found;
    return driver_end(&call, status);
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, uint64_t *value)
{
    DRIVER_BEGIN(cuDeviceGetGraphMemAttribute, "cudaDeviceGetGraphMemAttribute");
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : graph_memory_attribute(attribute, value, false));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, uint64_t *value)
{
    DRIVER_BEGIN(cuDeviceSetGraphMemAttribute, "cudaDeviceSetGraphMemAttribute");
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : graph_memory_attribute(attribute, value, true));
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    DRIVER_BEGIN(cuDeviceGraphMemTrim, "cudaDeviceGraphMemTrim");
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : runtime.sticky);
}

/* ---- objects of the program ---- */

CUresult cuUserObjectCreate(struct user_object **object, void *data, void (*destroy)(void *), unsigned references,
                            unsigned flags)
{
    DRIVER_BEGIN(cuUserObjectCreate, "cudaUserObjectCreate");
    return driver_end(&call, object_create(object, data, destroy, references, flags));
}

CUresult cuUserObjectRetain(struct user_object *object, unsigned count)
{
    DRIVER_BEGIN(cuUserObjectRetain, "cudaUserObjectRetain");
    return driver_end(&call, object_retain(object, count));
}

CUresult cuUserObjectRelease(struct user_object *object, unsigned count)
{
    DRIVER_BEGIN(cuUserObjectRelease, "cudaUserObjectRelease");
    return driver_end(&call, object_release(object, count));
}

CUresult cuGraphRetainUserObject(CUgraph graph, struct user_object *object, unsigned count, unsigned flags)
{
    DRIVER_BEGIN(cuGraphRetainUserObject, "cudaGraphRetainUserObject");
    return driver_end(&call, graph_retain_object(graph, object, count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph graph, struct user_object *object, unsigned count)
{
    DRIVER_BEGIN(cuGraphReleaseUserObject, "cudaGraphReleaseUserObject");
    return driver_end(&call, graph_release_object(graph, object, count));
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags)
{
    DRIVER_BEGIN(cuGraphDebugDotPrint, "cudaGraphDebugDotPrint");
    line_number("flags", flags);
    return driver_end(&call, graph_write(graph, path));
}
