/* Launches, as <<<>>> and the calls ask for them. */
#include "base/arena.h"
#include "cudart/calls/call.h"
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATIONS = 32 };

/* The configuration between <<<>>> and the call of the kernel's stub; nested when an argument launches, too. Each
 * thread that launches has its own. They are no variables of the thread, as a library that a host opens late has little
 * room for such. */
static __thread struct launch_configuration {
    struct shape shape;
    cudaStream_t stream;
    const void *from; /* the line of <<<>>> */
} * configurations;
static __thread unsigned configuration_count;
static __thread const void *launch_from;

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, cudaStream_t stream)
{
    if (!configurations)
        configurations = calloc(CONFIGURATIONS, sizeof *configurations);
    if (!configurations || configuration_count >= CONFIGURATIONS)
        return 1;
    configurations[configuration_count].shape = (struct shape){grid, block, shared};
    configurations[configuration_count].stream = stream;
    configurations[configuration_count++].from = __builtin_return_address(0);
    return 0;
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream)
{
    if (!configuration_count)
        return cudaErrorMissingConfiguration;
    const struct shape *shape = &configurations[--configuration_count].shape;
    *grid = shape->grid;
    *block = shape->block;
    *shared = shape->shared;
    memcpy(stream, &configurations[configuration_count].stream, sizeof(cudaStream_t));
    launch_from = configurations[configuration_count].from;
    return cudaSuccess;
}

void launch_children(struct work_children *children, struct stream *stream, const void *from)
{
    enum { TAIL_LAUNCH = 3 }; /* the stream's number: behind all others of the kernel */
    struct launch_children *list = &children->list;
    for (unsigned tail = 0; tail < 2; tail++)
        for (size_t i = 0; i < list->list.count; i++) {
            const struct launch_child *child = &list->list.items[i];
            struct work_children own = {.list = {.depth = list->depth + 1}};
            struct arena arena = {0};
            if ((child->stream == TAIL_LAUNCH) != (tail > 0))
                continue;
            struct call const call = call_begin("launch by a kernel", from);
            struct work const work = work_of_child(&arena, children, child);
            enum status const status = work_launch(&work, stream, &own);
            call_finish(&call, status, cudaGetErrorName((cudaError_t)status)); /* the host is not told */
            arena_free(&arena);
            launch_children(&own, stream, from);
        }
    launch_children_free(list);
}

static cudaError_t launch(const struct call *call, const void *function, struct shape shape, cudaStream_t stream,
                          void **arguments, bool cooperative)
{
    struct work const work = {
        WORK_KERNEL, call->from,
        .kernel = {.function = function, .shape = shape, .arguments = arguments, .cooperative = cooperative}};
    struct work_children children = {0};
    struct stream *where = stream_of(stream);
    cudaError_t const error = call_end(call, work_launch(&work, where, &children));
    launch_children(&children, where, call->from);
    return error;
}

cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream)
{
    struct call const call = call_begin("cudaLaunchKernel", launch_from ? launch_from : __builtin_return_address(0));
    context_initialized = true;
    context_of_runtime(false);
    launch_from = NULL;
    if (stream_host_runs())
        return call_end(&call, cudaErrorNotPermitted);
    return launch(&call, function, (struct shape){grid, block, shared}, stream, arguments, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream)
{
    CALL_BEGIN(cudaLaunchCooperativeKernel);
    return launch(&call, function, (struct shape){grid, block, shared}, stream, arguments, true);
}

/* cudaLaunchConfig_t, and an attribute of it with its first numbers. */
struct configuration {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const struct launch_attribute {
        int id, pad;
        union {
            int values[16];
        } value;
    } * attributes;
    unsigned attribute_count;
};

cudaError_t cudaLaunchKernelExC(const struct configuration *c, const void *function, void **arguments)
{
    enum { COOPERATIVE = 2, CLUSTER = 4 };
    CALL_BEGIN(cudaLaunchKernelExC);
    bool cooperative = false;
    if (!c)
        return call_end(&call, cudaErrorInvalidValue);
    for (unsigned i = 0; i < c->attribute_count; i++) {
        const int *values = c->attributes[i].value.values;
        if (c->attributes[i].id == CLUSTER && (values[0] > 1 || values[1] > 1 || values[2] > 1)) {
            fprintf(stderr, "lanescope: cudaLaunchKernelExC: clusters of several blocks are not supported\n");
            return call_end(&call, cudaErrorNotSupported);
        }
        cooperative = cooperative || (c->attributes[i].id == COOPERATIVE && values[0]);
    }
    return launch(&call, function, (struct shape){c->grid, c->block, c->shared}, c->stream, arguments, cooperative);
}

/* What host code of nvcc 13 calls in place of cudaLaunchKernel: a kernel's handle is its host address. */
cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
