/* What the program keeps in a graph beside its nodes, and questions about it. */
#include "cudart/layer/graph_objects.h"
#include "cudart/calls/call.h"

cudaError_t cudaGraphChildGraphNodeGetGraph(struct graph_node *node, struct graph **graph)
{
    CALL_BEGIN(cudaGraphChildGraphNodeGetGraph);
    return call_end(&call, graph_of_node(node, graph));
}

/* ---- memory ---- */

cudaError_t cudaGraphAddMemAllocNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                     size_t count, struct allocation_node *parameters)
{
    CALL_BEGIN(cudaGraphAddMemAllocNode);
    return call_end(&call,
                    graph_add_allocation(node, graph, (struct graph_needs){needs, count}, parameters, call.from));
}

cudaError_t cudaGraphAddMemFreeNode(struct graph_node **node, struct graph *graph, struct graph_node *const *needs,
                                    size_t count, void *pointer)
{
    CALL_BEGIN(cudaGraphAddMemFreeNode);
    return call_end(&call, graph_add_free(node, graph, (struct graph_needs){needs, count}, pointer, call.from));
}

cudaError_t cudaGraphMemAllocNodeGetParams(struct graph_node *node, struct allocation_node *parameters)
{
    CALL_BEGIN(cudaGraphMemAllocNodeGetParams);
    return call_end(&call, graph_memory_parameters(node, parameters));
}

cudaError_t cudaGraphMemFreeNodeGetParams(struct graph_node *node, void **pointer)
{
    uint64_t size;
    CALL_BEGIN(cudaGraphMemFreeNodeGetParams);
    return call_end(&call, pointer ? graph_memory_of_node(node, WORK_FREE, pointer, &size) : STATUS_INVALID_VALUE);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value)
{
    CALL_BEGIN(cudaDeviceGetGraphMemAttribute);
    return call_end(&call, device ? STATUS_INVALID_DEVICE : graph_memory_attribute(attribute, value, false));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute, uint64_t *value)
{
    CALL_BEGIN(cudaDeviceSetGraphMemAttribute);
    return call_end(&call, device ? STATUS_INVALID_DEVICE : graph_memory_attribute(attribute, value, true));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    CALL_BEGIN(cudaDeviceGraphMemTrim);
    return call_end(&call, device ? STATUS_INVALID_DEVICE : runtime.sticky);
}

/* ---- objects of the program ---- */

cudaError_t cudaUserObjectCreate(struct user_object **object, void *data, void (*destroy)(void *), unsigned references,
                                 unsigned flags)
{
    CALL_BEGIN(cudaUserObjectCreate);
    return call_end(&call, object_create(object, data, destroy, references, flags));
}

cudaError_t cudaUserObjectRetain(struct user_object *object, unsigned count)
{
    CALL_BEGIN(cudaUserObjectRetain);
    return call_end(&call, object_retain(object, count));
}

cudaError_t cudaUserObjectRelease(struct user_object *object, unsigned count)
{
    CALL_BEGIN(cudaUserObjectRelease);
    return call_end(&call, object_release(object, count));
}

cudaError_t cudaGraphRetainUserObject(struct graph *graph, struct user_object *object, unsigned count, unsigned flags)
{
    CALL_BEGIN(cudaGraphRetainUserObject);
    return call_end(&call, graph_retain_object(graph, object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(struct graph *graph, struct user_object *object, unsigned count)
{
    CALL_BEGIN(cudaGraphReleaseUserObject);
    return call_end(&call, graph_release_object(graph, object, count));
}

cudaError_t cudaGraphDebugDotPrint(struct graph *graph, const char *path, unsigned flags)
{
    CALL_BEGIN(cudaGraphDebugDotPrint);
    line_number("flags", flags);
    return call_end(&call, graph_write(graph, path));
}

cudaError_t cudaGraphConditionalHandleCreate(uint64_t *handle, struct graph *graph, unsigned value, unsigned flags)
{
    CALL_BEGIN(cudaGraphConditionalHandleCreate);
    return call_end(&call, condition_create(handle, graph, value, flags));
}
