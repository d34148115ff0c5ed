/* The frame of each function of the runtime, and what its files share. */
#ifndef LANESCOPE_CUDART_CALL_H
#define LANESCOPE_CUDART_CALL_H
#include "cudart/calls/api.h"
#include "cudart/layer/context.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"

/* Begins a call that is also permitted in a stream's host function; one that is an error there; or one that is an error
 * there and makes the primary context current where none is. */
#define CALL_BEGIN_ANYWHERE(name)                                                                                      \
    struct call const call = call_begin(#name, __builtin_return_address(0));                                           \
    context_initialized = true
#define CALL_BEGIN_WITHOUT_CONTEXT(name)                                                                               \
    CALL_BEGIN_ANYWHERE(name);                                                                                         \
    if (stream_host_runs())                                                                                            \
    return call_end(&call, cudaErrorNotPermitted)
#define CALL_BEGIN(name)                                                                                               \
    CALL_BEGIN_WITHOUT_CONTEXT(name);                                                                                  \
    context_of_runtime(false)
/* Ends the call and keeps an error as the thread's last one. Returns it. */
cudaError_t call_end(const struct call *call, cudaError_t error);

/* Does what a kernel launched, each as a call of its own: what a child launched comes before the next one. Releases the
 * list. */
void launch_children(struct work_children *children, struct stream *stream, const void *from);

/* Begins and ends the call of a node that a launch does: its work has the place in the program that asked for it. */
struct graph_calls {
    struct call (*begin)(enum work_kind kind, const void *from);
    int (*end)(const struct call *call, enum status status); /* returns 0 if the launch goes on */
};
/* Does the work of each node. Returns what `end` returned last. */
int graph_run(const struct graph *instance, struct stream *stream, const struct graph_calls *calls);

/* The work of a copy by 3D parameters. */
enum status copy_3d_work(const struct copy_3d *parameters, const void *from, struct work *work);

/* cudaKernelNodeParams */
struct kernel_node {
    const void *function;
    struct dim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};
struct work kernel_node_work(const struct kernel_node *parameters, const void *from);
#endif
