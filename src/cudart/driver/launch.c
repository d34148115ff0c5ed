/* Kernels: their attributes, occupancy and launches. */
#include "cudart/layer/launch.h"
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/device.h"
#include <string.h>

/* ---- attributes ---- */

enum {
    MAX_THREADS,
    SHARED,
    CONSTANT,
    LOCAL,
    REGISTERS,
    PTX_VERSION,
    BINARY_VERSION,
    CACHE_MODE,
    DYNAMIC_SHARED,
    CARVEOUT,
    ATTRIBUTES = 16
}; /* CUfunction_attribute */

static enum status attribute_of(int *value, int attribute, struct kernel *kernel)
{
    const struct ptx_function *function = module_function(kernel);
    if (!value || attribute < 0 || attribute >= ATTRIBUTES)
        return STATUS_INVALID_VALUE;
    if (!function)
        return STATUS_INVALID_RESOURCE_HANDLE;
    int const known[ATTRIBUTES] = {[MAX_THREADS] =
                                       (int)(launch_bound(function) ? launch_bound(function) : LAUNCH_THREADS_MAX),
                                   [SHARED] = (int)function->shared_bytes,
                                   [LOCAL] = (int)function->local_bytes,
                                   [PTX_VERSION] = (int)kernel->module->ptx_module->target,
                                   [BINARY_VERSION] = (int)kernel->module->ptx_module->target,
                                   [DYNAMIC_SHARED] = (int)kernel->max_dynamic_shared,
                                   [CARVEOUT] = -1};
    *value = known[attribute];
    if (attribute == MAX_THREADS || (attribute >= REGISTERS && attribute <= BINARY_VERSION))
        runtime.backend->kernel_attribute(value, attribute, kernel);
    return runtime.sticky;
}

static enum status set_attribute(struct kernel *kernel, int attribute, int value)
{
    const struct ptx_function *function = module_function(kernel);
    line_signed("attribute", attribute);
    line_signed("value", value);
    if (!function)
        return STATUS_INVALID_RESOURCE_HANDLE;
    if (attribute != DYNAMIC_SHARED && attribute != CARVEOUT)
        return STATUS_INVALID_VALUE;
    if (attribute == DYNAMIC_SHARED && (value < 0 || (size_t)value + function->shared_bytes > LAUNCH_SHARED_MAX))
        return STATUS_INVALID_VALUE;
    if (attribute == DYNAMIC_SHARED && (uint32_t)value > kernel->max_dynamic_shared)
        kernel->max_dynamic_shared = (uint32_t)value;
    return runtime.backend->kernel_set(kernel, attribute, value);
}

static enum status parameter_of(const struct kernel *kernel, size_t index, size_t *offset, size_t *size)
{
    const struct ptx_function *function = module_function(kernel);
    if (!function)
        return STATUS_INVALID_RESOURCE_HANDLE;
    if (!offset || index >= function->parameter_count)
        return STATUS_INVALID_VALUE;
    *offset = function->parameters[index].offset;
    if (size)
        *size = function->parameters[index].size;
    return STATUS_SUCCESS;
}

static enum status name_of(const char **name, const struct kernel *kernel)
{
    if (name && kernel)
        *name = kernel->name;
    return !name ? STATUS_INVALID_VALUE : kernel ? STATUS_SUCCESS : STATUS_INVALID_RESOURCE_HANDLE;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
    DRIVER_BEGIN(cuFuncGetAttribute, NULL);
    return driver_end(&call, attribute_of(value, attribute, kernel_of(function)));
}

CUresult cuKernelGetAttribute(int *value, int attribute, CUfunction kernel, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuKernelGetAttribute, NULL);
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : attribute_of(value, attribute, kernel_of(kernel)));
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
    DRIVER_BEGIN(cuFuncSetAttribute, "cudaFuncSetAttribute");
    return driver_end(&call, set_attribute(kernel_of(function), attribute, value));
}

CUresult cuKernelSetAttribute(int attribute, int value, CUfunction kernel, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuKernelSetAttribute, "cudaFuncSetAttribute");
    return driver_end(&call, device ? STATUS_INVALID_DEVICE : set_attribute(kernel_of(kernel), attribute, value));
}

/* Calls that only advise the hardware. */
static CUresult advice(const struct call *call, CUfunction function, int value)
{
    line_signed("value", value);
    return driver_end(call, kernel_of(function) ? runtime.sticky : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config)
{
    DRIVER_BEGIN(cuFuncSetCacheConfig, "cudaFuncSetCacheConfig");
    return advice(&call, function, config);
}

CUresult cuKernelSetCacheConfig(CUfunction kernel, int config, CUdevice device)
{
    DRIVER_BEGIN_INITIALIZED(cuKernelSetCacheConfig, "cudaFuncSetCacheConfig");
    return device ? driver_end(&call, STATUS_INVALID_DEVICE) : advice(&call, kernel, config);
}

/* For cuLaunch, which is not there; cuLaunchKernel has a block and a size of its own. */
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    DRIVER_BEGIN(cuFuncSetBlockShape, NULL);
    return x < 1 || y < 1 || z < 1 ? driver_end(&call, STATUS_INVALID_VALUE) : advice(&call, function, 0);
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
    DRIVER_BEGIN(cuFuncSetSharedSize, NULL);
    (void)bytes;
    return advice(&call, function, 0);
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config)
{
    DRIVER_BEGIN(cuFuncSetSharedMemConfig, NULL);
    return advice(&call, function, config);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    DRIVER_BEGIN(cuFuncGetModule, NULL);
    const struct kernel *kernel = kernel_of(function);
    if (module && kernel)
        *module = kernel->module;
    return driver_end(&call, !module ? STATUS_INVALID_VALUE : kernel ? STATUS_SUCCESS : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    DRIVER_BEGIN(cuFuncGetName, NULL);
    return driver_end(&call, name_of(name, kernel_of(function)));
}

CUresult cuKernelGetName(const char **name, CUfunction kernel)
{
    DRIVER_BEGIN_INITIALIZED(cuKernelGetName, NULL);
    return driver_end(&call, name_of(name, kernel_of(kernel)));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    DRIVER_BEGIN(cuFuncGetParamInfo, NULL);
    return driver_end(&call, parameter_of(kernel_of(function), index, offset, size));
}

CUresult cuKernelGetParamInfo(CUfunction kernel, size_t index, size_t *offset, size_t *size)
{
    DRIVER_BEGIN_INITIALIZED(cuKernelGetParamInfo, NULL);
    return driver_end(&call, parameter_of(kernel_of(kernel), index, offset, size));
}

CUresult cuKernelGetFunction(CUfunction *function, CUfunction kernel)
{
    DRIVER_BEGIN(cuKernelGetFunction, NULL);
    if (function && kernel_of(kernel))
        *function = kernel;
    return driver_end(&call, !function           ? STATUS_INVALID_VALUE
                             : kernel_of(kernel) ? STATUS_SUCCESS
                                                 : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuFuncIsLoaded(int *state, CUfunction function)
{
    DRIVER_BEGIN(cuFuncIsLoaded, NULL);
    if (state)
        *state = 1;
    return driver_end(&call, !state                ? STATUS_INVALID_VALUE
                             : kernel_of(function) ? STATUS_SUCCESS
                                                   : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuFuncLoad(CUfunction function)
{
    DRIVER_BEGIN(cuFuncLoad, NULL);
    return driver_end(&call, kernel_of(function) ? STATUS_SUCCESS : STATUS_INVALID_RESOURCE_HANDLE);
}

/* ---- occupancy ---- */

static enum status blocks_of(int *blocks, CUfunction function, int threads, size_t shared)
{
    struct kernel *kernel = kernel_of(function);
    if (!blocks || threads <= 0)
        return STATUS_INVALID_VALUE;
    return kernel ? runtime.backend->blocks_at_once(blocks, kernel, threads, shared) : STATUS_INVALID_RESOURCE_HANDLE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared)
{
    DRIVER_BEGIN(cuOccupancyMaxActiveBlocksPerMultiprocessor, NULL);
    return driver_end(&call, blocks_of(blocks, function, threads, shared));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned flags)
{
    DRIVER_BEGIN(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, NULL);
    line_number("flags", flags);
    return driver_end(&call, blocks_of(blocks, function, threads, shared));
}

/* The block with the most resident threads, the largest of such; the grid fills the device once. */
static enum status best_block(int *grid, int *block, CUfunction function, size_t (*shared_of)(int), size_t shared,
                              int most)
{
    int limit = 0, best = 0;
    if (!grid || !block)
        return STATUS_INVALID_VALUE;
    enum status status = attribute_of(&limit, MAX_THREADS, kernel_of(function));
    limit = most > 0 && most < limit ? most : limit;
    int const first = (limit + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    for (int size = first; size > 0 && !status; size -= WARP_LANES) {
        int blocks = 0, const_size = size < limit ? size : limit;
        status = blocks_of(&blocks, function, const_size, shared_of ? shared_of(const_size) : shared);
        if (status || blocks * const_size <= best)
            continue;
        best = blocks * const_size;
        *block = const_size;
        *grid = blocks * (int)device_fact("multiprocessors", 1);
        if (best == (int)device_limits()->threads)
            break;
    }
    return status;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, size_t (*shared_of)(int),
                                          size_t shared, int most)
{
    DRIVER_BEGIN(cuOccupancyMaxPotentialBlockSize, NULL);
    return driver_end(&call, best_block(grid, block, function, shared_of, shared, most));
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function, size_t (*shared_of)(int),
                                                   size_t shared, int most, unsigned flags)
{
    DRIVER_BEGIN(cuOccupancyMaxPotentialBlockSizeWithFlags, NULL);
    line_number("flags", flags);
    return driver_end(&call, best_block(grid, block, function, shared_of, shared, most));
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int threads)
{
    DRIVER_BEGIN(cuOccupancyAvailableDynamicSMemPerBlock, NULL);
    struct kernel *kernel = kernel_of(function);
    if (!bytes || blocks <= 0 || threads <= 0)
        return driver_end(&call, STATUS_INVALID_VALUE);
    return driver_end(&call, kernel ? runtime.backend->shared_at_once(bytes, kernel, blocks, threads)
                                    : STATUS_INVALID_RESOURCE_HANDLE);
}

/* ---- launches ---- */

/* Fills the pointers to the arguments from the block of bytes that `extra` names. */
static enum status unpack(const struct ptx_function *function, void **extra, void **pointers)
{
    enum { POINTER = 1, SIZE = 2 }; /* CU_LAUNCH_PARAM_BUFFER_ */
    uint8_t *bytes = NULL;
    size_t size = 0;
    for (; *extra; extra += 2)
        if ((uintptr_t)*extra == POINTER)
            bytes = extra[1];
        else if ((uintptr_t)*extra == SIZE)
            memcpy(&size, extra[1], sizeof size);
        else
            return STATUS_INVALID_VALUE;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct ptx_variable *parameter = &function->parameters[i];
        if (!bytes || parameter->offset + parameter->size > size)
            return STATUS_INVALID_VALUE;
        pointers[i] = bytes + parameter->offset;
    }
    return STATUS_SUCCESS;
}

enum status launch_arguments(struct arena *arena, const struct kernel *kernel, void **arguments, void **extra,
                             void ***pointers)
{
    const struct ptx_function *function = module_function(kernel);
    if (!function)
        return STATUS_INVALID_RESOURCE_HANDLE;
    *pointers = arguments;
    if (arguments && extra)
        return STATUS_INVALID_VALUE;
    if (extra) {
        *pointers = arena_array(arena, void *, (size_t)function->parameter_count + 1);
        return unpack(function, extra, *pointers);
    }
    return launch_has_arguments(function, arguments) ? STATUS_SUCCESS : STATUS_INVALID_VALUE;
}

static CUresult launch(const struct call *call, CUfunction function, const struct shape *shape, CUstream stream,
                       void **arguments, void **extra, bool cooperative)
{
    struct arena arena = {0};
    struct work_children children = {0};
    const struct kernel *kernel = kernel_of(function);
    struct work work = {
        WORK_KERNEL, call->from,
        .kernel = {.function = kernel ? kernel->host : NULL, .shape = *shape, .cooperative = cooperative}};
    struct stream *in = stream_of(stream);
    enum status status = launch_arguments(&arena, kernel, arguments, extra, &work.kernel.arguments);
    if (!status)
        status = work_launch(&work, in, &children);
    CUresult const result = driver_end(call, status);
    launch_children(&children, in, call->from);
    arena_free(&arena);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **arguments,
                        void **extra)
{
    DRIVER_BEGIN(cuLaunchKernel, "cudaLaunchKernel");
    struct shape const shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    return launch(&call, function, &shape, stream, arguments, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void **arguments)
{
    DRIVER_BEGIN(cuLaunchCooperativeKernel, "cudaLaunchCooperativeKernel");
    struct shape const shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    return launch(&call, function, &shape, stream, arguments, NULL, true);
}

/* CUlaunchConfig, and an attribute of it with its first numbers. */
struct launch_config {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    const struct driver_launch_attribute {
        int id, pad;
        union {
            int values[16];
        } value;
    } * attributes;
    unsigned attribute_count;
};

enum { COOPERATIVE = 2, CLUSTER = 4 }; /* CUlaunchAttributeID */

/* Returns the error of a configuration that is none, or that has clusters of several blocks. */
static enum status check_config(const struct launch_config *config, const char *name)
{
    if (!config || (config->attribute_count && !config->attributes))
        return STATUS_INVALID_VALUE;
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const int *values = config->attributes[i].value.values;
        if (config->attributes[i].id == CLUSTER && (values[0] > 1 || values[1] > 1 || values[2] > 1)) {
            fprintf(stderr, "lanescope: %s: clusters of several blocks are not supported\n", name);
            return STATUS_NOT_SUPPORTED;
        }
    }
    return STATUS_SUCCESS;
}

/* A cluster is one block, so that as many fit as blocks do. */
CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const struct launch_config *config)
{
    DRIVER_BEGIN(cuOccupancyMaxActiveClusters, "cudaOccupancyMaxActiveClusters");
    enum status status = clusters ? check_config(config, "cuOccupancyMaxActiveClusters") : STATUS_INVALID_VALUE;
    if (status)
        return driver_end(&call, status);
    uint64_t const threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
    status = blocks_of(clusters, function, threads <= INT32_MAX ? (int)threads : 0, config->shared);
    if (!status)
        *clusters *= (int)device_fact("multiprocessors", 1);
    return driver_end(&call, status);
}

CUresult cuLaunchKernelEx(const struct launch_config *config, CUfunction function, void **arguments, void **extra)
{
    DRIVER_BEGIN(cuLaunchKernelEx, "cudaLaunchKernelExC");
    bool cooperative = false;
    enum status const status = check_config(config, "cuLaunchKernelEx");
    if (status)
        return driver_end(&call, status);
    for (unsigned i = 0; i < config->attribute_count; i++)
        cooperative = cooperative || (config->attributes[i].id == COOPERATIVE && config->attributes[i].value.values[0]);
    const unsigned *g = config->grid, *b = config->block;
    struct shape const shape = {{g[0], g[1], g[2]}, {b[0], b[1], b[2]}, config->shared};
    return launch(&call, function, &shape, config->stream, arguments, extra, cooperative);
}

CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data)
{
    DRIVER_BEGIN(cuLaunchHostFunc, "cudaLaunchHostFunc");
    struct work const work = {WORK_HOST, call.from, .host = {function, data}};
    return driver_end(&call, work_host(&work, stream_of(stream)));
}
