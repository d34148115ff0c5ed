/* The CUDA driver's interface in C: the face of the layer that hosts see which are no programs of the runtime, such as
 * Python's. `lanescope exec` puts it in front under the name libcuda.so.1. Names, values and layouts are those of
 * NVIDIA's documentation of the driver API; handles are the layer's own objects. */
#ifndef LANESCOPE_CUDART_DRIVER_H
#define LANESCOPE_CUDART_DRIVER_H
#include "cudart/layer/context.h"
#include "cudart/layer/line.h"
#include "cudart/layer/module.h"
#include "cudart/layer/work.h"
#include <stddef.h>
#include <stdint.h>

#define DRIVER_API __attribute__((visibility("default")))

typedef enum {
#define RESULT(name, value, text) name = value,
#include "cudart/driver/results.def"
} CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct kernel *CUfunction;
typedef struct link_state *CUlinkState;
typedef struct array_handle *CUarray;
typedef struct stream *CUstream; /* NULL, 1, 2: the default streams */
typedef struct event *CUevent;
typedef struct graph *CUgraph; /* or an instance: CUgraphExec */
typedef struct graph_node *CUgraphNode;
struct pool;
struct launch_config;
struct driver_array;
struct driver_array_3d;
struct driver_copy_2d;
struct driver_copy_3d;
struct driver_kernel_node;
struct driver_kernel_node_v2;
struct driver_fill_node;
struct driver_edge { /* CUgraphEdgeData; zeros: of a plain edge */
    unsigned char from_port, to_port, type, reserved[5];
};
struct driver_memory;
struct driver_access;
struct driver_location { /* CUmemLocation */
    int type, id;
};
enum { LOCATED_ON_DEVICE = 1 };
struct allocation_node;
struct driver_node_params;
struct user_object;
struct driver_copy_hints;
struct physical;

#define DRIVER(name, parameters, support, note) DRIVER_API CUresult name parameters;
#define REFUSED(name, note) DRIVER_API CUresult name(void);
#include "cudart/driver/driver.def"

/* ---- the frame of each call ---- */

/* Begins a call. `same`: the runtime's call that does the same, by which the checks of host code know it; NULL: none.
 */
#define DRIVER_BEGIN_ANYWHERE(name, same)                                                                              \
    struct call const call = driver_begin(#name, same, __builtin_return_address(0))
/* The same; the call is an error before cuInit. Or also without a context: what is freed or destroyed belongs to one,
 * so that the thread needs none. */
#define DRIVER_BEGIN_INITIALIZED(name, same)                                                                           \
    DRIVER_BEGIN_ANYWHERE(name, same);                                                                                 \
    if (driver_refuses(false))                                                                                         \
    return driver_end(&call, (enum status)driver_refuses(false))
#define DRIVER_BEGIN(name, same)                                                                                       \
    DRIVER_BEGIN_ANYWHERE(name, same);                                                                                 \
    if (driver_refuses(true))                                                                                          \
    return driver_end(&call, (enum status)driver_refuses(true))
struct call driver_begin(const char *name, const char *same, const void *from);
CUresult driver_refuses(bool without_context);
/* Ends the call; the layer's status becomes the driver's where the two differ. */
CUresult driver_end(const struct call *call, enum status status);
CUresult driver_result_of(enum status status);

/* module.c: returns the kernel of a handle, or NULL. */
struct kernel *kernel_of(CUfunction function);
/* launch.c: finds the pointers to a kernel's arguments, of which a launch gives `arguments` or `extra`. */
enum status launch_arguments(struct arena *arena, const struct kernel *kernel, void **arguments, void **extra,
                             void ***pointers);
/* graph.c: returns an error unless all edges are plain: the one node ends before the other begins. */
enum status edges_plain(const struct driver_edge *edges, const CUgraphNode *from, size_t count);
/* copy.c: the work of a copy of rows. */
enum status copy_box_work(const struct driver_copy_3d *copy, const void *from, struct work *work);
#endif
