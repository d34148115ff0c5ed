/* The one device: properties, limits, attributes of kernels, occupancy. The figures are those of the GPU that the model
 * clock has (assets/gpus), so that a program chooses the launches that it would choose there. */
#include "cudart/device.h"
#include "cudart/gpu.h"
#include "cudart/graph.h"
#include "cudart/module.h"
#include "cudart/record.h"
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

enum { RUNTIME_VERSION = 12040 };

static struct {
    bool read;
    struct arena arena;
    struct gpu gpu;
    struct clock_figures clock;
    const struct occupancy_limits *limits; /* NULL: not known */
    char capability[16];                   /* of the GPU that the program runs on */
} device;

/* The limits of the GPU that the program runs on. The units in which registers and shared memory are given are not
 * asked for, because its driver computes the occupancy. */
static void read_gpu(void)
{
    static struct occupancy_limits limits;
    limits = (struct occupancy_limits){.threads = (uint64_t)gpu_attribute(39),
                                       .blocks = (uint64_t)gpu_attribute(106),
                                       .registers = (uint64_t)gpu_attribute(82),
                                       .registers_per_block = (uint64_t)gpu_attribute(12),
                                       .shared = (uint64_t)gpu_attribute(81),
                                       .shared_per_block = (uint64_t)gpu_attribute(97),
                                       .shared_reserved = (uint64_t)gpu_attribute(111)};
    snprintf(device.capability, sizeof device.capability, "%d.%d", gpu_attribute(75), gpu_attribute(76));
    device.gpu.name = gpu_name();
    device.gpu.compute_capability = device.capability;
    device.limits = &limits;
}

static void read_device(void)
{
    struct error error;
    const char *name = getenv("LANESCOPE_PROGRAM_GPU");
    if (device.read)
        return;
    device.read = true;
    device.gpu.name = "GPU";
    device.clock.gpu = "";
    if (!gpu_read(&device.arena, name && *name ? name : GPU_DEFAULT, &device.gpu, &error))
        return;
    gpu_figures(&device.gpu, &device.clock, &error);
    if (!gpu_limits(&device.arena, &device.gpu, &device.limits, &error))
        device.limits = NULL;
    if (gpu_on())
        read_gpu();
}

const struct clock_figures *device_clock(void)
{
    read_device();
    return &device.clock;
}

const char *device_name(void)
{
    read_device();
    return device.gpu.name;
}

const char *device_capability(void)
{
    read_device();
    return device.gpu.compute_capability ? device.gpu.compute_capability : "9.0";
}

const struct occupancy_limits *device_limits(void)
{
    static const struct occupancy_limits unknown = {.threads = 2048, .blocks = 32};
    read_device();
    return device.limits ? device.limits : &unknown;
}

double device_fact(const char *name, double otherwise)
{
    static const struct {
        const char *name;
        int attribute;
        double unit;
    } asked[] = {{"multiprocessors", 16, 1},
                 {"clock_mhz", 13, 1000},
                 {"memory_clock_mhz", 36, 1000},
                 {"memory_bus_bits", 37, 1},
                 {"l2_bytes", 38, 1}};
    read_device();
    for (size_t i = 0; gpu_on() && i < sizeof asked / sizeof *asked; i++)
        if (strcmp(asked[i].name, name) == 0)
            return gpu_attribute(asked[i].attribute) / asked[i].unit;
    const struct gpu_fact *fact = gpu_find(&device.gpu, name);
    return fact && fact->value > 0 ? fact->value : otherwise;
}

static int multiprocessors(void)
{
    return (int)device_fact("multiprocessors", 1);
}

uint32_t device_blocks(const struct ptx_function *kernel, uint32_t threads, uint64_t dynamic_shared)
{
    read_device();
    struct occupancy_needs const needs = {
        .threads = threads, .barriers = 1, .shared = kernel->shared_bytes + dynamic_shared};
    if (!threads || threads > LAUNCH_THREADS_MAX || !device.limits)
        return 0;
    return occupancy_of(device.limits, &needs).blocks;
}

cudaError_t device_cooperative_fits(const struct ptx_function *kernel, const struct dim3 *grid,
                                    const struct dim3 *block, uint64_t dynamic_shared)
{
    uint64_t const most =
        (uint64_t)device_blocks(kernel, block->x * block->y * block->z, dynamic_shared) * (uint64_t)multiprocessors();
    return (uint64_t)grid->x * grid->y * grid->z > most ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

/* ---- which device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    CALL_BEGIN(cudaGetDeviceCount);
    if (count)
        *count = 1;
    return call_end(&call, count ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetDevice(int *number)
{
    CALL_BEGIN(cudaGetDevice);
    if (number)
        *number = 0;
    return call_end(&call, number ? cudaSuccess : cudaErrorInvalidValue);
}

/* Calls that change nothing here, and whose device must exist. */
static cudaError_t of_device(const struct call *call, int number)
{
    line_signed("device", number);
    return call_end(call, number == 0 ? runtime.sticky : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDevice(int number)
{
    CALL_BEGIN(cudaSetDevice);
    return of_device(&call, number);
}

cudaError_t cudaInitDevice(int number, unsigned device_flags, unsigned flags)
{
    CALL_BEGIN(cudaInitDevice);
    (void)device_flags, (void)flags;
    return of_device(&call, number);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    CALL_BEGIN(cudaSetDeviceFlags);
    line_number("flags", flags);
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    CALL_BEGIN(cudaGetDeviceFlags);
    if (flags)
        *flags = 0;
    return call_end(&call, flags ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int *number, const void *properties)
{
    CALL_BEGIN(cudaChooseDevice);
    if (number)
        *number = 0;
    return call_end(&call, number && properties ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize(void)
{
    CALL_BEGIN(cudaDeviceSynchronize);
    cudaError_t const refusal = capture_refuses_waiting(NULL);
    return call_end(&call, refusal ? refusal : runtime_synchronize());
}

cudaError_t cudaThreadSynchronize(void)
{
    CALL_BEGIN(cudaThreadSynchronize);
    cudaError_t const refusal = capture_refuses_waiting(NULL);
    return call_end(&call, refusal ? refusal : runtime_synchronize());
}

/* Frees all memory and forgets a lost context. Variables have their initial values again. */
static cudaError_t reset(const struct call *call)
{
    if (runtime.options.gpu && !gpu_on())
        return call_end(call, runtime.sticky);
    runtime_synchronize();
    space_free_all();
    space_free_heap();
    runtime.sticky = runtime.pending = cudaSuccess;
    if (gpu_on())
        return call_end(call, gpu_reset());
    for (struct module *module = runtime.modules; module; module = module->next)
        if (module->program && !module->failed)
            module_reset(module);
    return call_end(call, cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    CALL_BEGIN(cudaDeviceReset);
    return reset(&call);
}

cudaError_t cudaThreadExit(void)
{
    CALL_BEGIN(cudaThreadExit);
    return reset(&call);
}

/* ---- limits and settings ---- */

enum { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMITS = 7 };
static size_t limits[LIMITS] = {
    [LIMIT_STACK] = 1024, [LIMIT_PRINTF] = 1 << 20, [LIMIT_HEAP] = 8 << 20, [3] = 2, [4] = 2048, [5] = 128};

size_t device_heap_limit(void)
{
    return limits[LIMIT_HEAP];
}

cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
    CALL_BEGIN(cudaDeviceGetLimit);
    line_signed("limit", limit);
    if (!value || limit < 0 || limit >= LIMITS)
        return call_end(&call, cudaErrorInvalidValue);
    if (gpu_on())
        return call_end(&call, gpu_error(gpu_api()->limit_get(value, limit)));
    *value = limits[limit];
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    CALL_BEGIN(cudaDeviceSetLimit);
    line_signed("limit", limit);
    line_number("value", value);
    if (limit < 0)
        return call_end(&call, cudaErrorInvalidValue);
    if (gpu_on())
        return call_end(&call, gpu_error(gpu_api()->limit_set(limit, value)));
    if (limit == LIMIT_HEAP && runtime.heap.data) /* kernels use it already */
        return call_end(&call, cudaErrorInvalidValue);
    if (limit < LIMITS)
        limits[limit] = value;
    return call_end(&call, runtime.sticky);
}

/* Returns from calls that only advise the hardware. */
static cudaError_t advice(const struct call *call, int value)
{
    line_signed("value", value);
    return call_end(call, runtime.sticky);
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
    CALL_BEGIN(cudaDeviceSetCacheConfig);
    return advice(&call, config);
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    CALL_BEGIN(cudaDeviceGetCacheConfig);
    if (config)
        *config = 0;
    return call_end(&call, config ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    CALL_BEGIN(cudaDeviceSetSharedMemConfig);
    return advice(&call, config);
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    CALL_BEGIN(cudaDeviceGetSharedMemConfig);
    if (config)
        *config = 1; /* banks of four bytes */
    return call_end(&call, config ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CALL_BEGIN(cudaDeviceGetStreamPriorityRange);
    if (gpu_on())
        return call_end(&call, gpu_error(gpu_api()->priorities(least, greatest)));
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *name, int length, int number)
{
    CALL_BEGIN(cudaDeviceGetPCIBusId);
    if (!name || length < 13)
        return call_end(&call, cudaErrorInvalidValue);
    if (!gpu_on() || gpu_api()->device_bus(name, length, 0))
        snprintf(name, (size_t)length, "0000:00:00.0");
    return of_device(&call, number);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
    CALL_BEGIN(cudaDeviceCanAccessPeer);
    (void)peer;
    if (can)
        *can = 0;
    return of_device(&call, number);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CALL_BEGIN(cudaDeviceEnablePeerAccess);
    (void)peer, (void)flags;
    return call_end(&call, cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CALL_BEGIN(cudaDeviceDisablePeerAccess);
    (void)peer;
    return call_end(&call, cudaErrorInvalidDevice);
}

static cudaError_t version(const struct call *call, int *version)
{
    if (version)
        *version = RUNTIME_VERSION;
    return call_end(call, version ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *number)
{
    CALL_BEGIN(cudaDriverGetVersion);
    if (gpu_on() && number)
        return call_end(&call, gpu_error(gpu_api()->version(number)));
    return version(&call, number);
}

cudaError_t cudaRuntimeGetVersion(int *number)
{
    CALL_BEGIN(cudaRuntimeGetVersion);
    return version(&call, number);
}

cudaError_t cudaProfilerStart(void)
{
    CALL_BEGIN(cudaProfilerStart);
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    CALL_BEGIN(cudaProfilerStop);
    return call_end(&call, cudaSuccess);
}

/* ---- kernels ---- */

static const struct ptx_function *function_of(const void *host, struct kernel **kernel)
{
    *kernel = module_kernel(host);
    return *kernel && module_load((*kernel)->module) ? ptx_kernel((*kernel)->module->program, (*kernel)->name) : NULL;
}

cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    enum { DYNAMIC_SHARED = 8 };
    struct kernel *kernel;
    CALL_BEGIN(cudaFuncSetAttribute);
    line_signed("attribute", attribute);
    line_signed("value", value);
    const struct ptx_function *function = function_of(host, &kernel);
    if (!function)
        return call_end(&call, cudaErrorInvalidDeviceFunction);
    if (attribute == DYNAMIC_SHARED && (value < 0 || (size_t)value + function->shared_bytes > LAUNCH_SHARED_MAX))
        return call_end(&call, cudaErrorInvalidValue);
    if (attribute == DYNAMIC_SHARED && (uint32_t)value > kernel->max_dynamic_shared)
        kernel->max_dynamic_shared = (uint32_t)value;
    if (gpu_on() && gpu_kernel(kernel))
        return call_end(&call, gpu_error(gpu_api()->kernel_set(kernel->driver, attribute, value)));
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaFuncGetAttributes(struct function_attributes *attributes, const void *host)
{
    struct kernel *kernel;
    CALL_BEGIN(cudaFuncGetAttributes);
    const struct ptx_function *function = function_of(host, &kernel);
    if (!function || !attributes)
        return call_end(&call, attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *attributes = (struct function_attributes){
        .shared = function->shared_bytes,
        .local = function->local_bytes,
        .max_threads = (int)(launch_bound(function) ? launch_bound(function) : LAUNCH_THREADS_MAX),
        .ptx_version = (int)kernel->module->program->target,
        .binary_version = (int)kernel->module->program->target,
        .max_dynamic_shared = (int)kernel->max_dynamic_shared};
    if (gpu_on() && gpu_kernel(kernel)) {
        int *const values[] = {
            &attributes->max_threads,   NULL, NULL, NULL, &attributes->registers, &attributes->ptx_version,
            &attributes->binary_version};
        for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
            if (values[i])
                gpu_api()->kernel_attribute(values[i], i, kernel->driver);
    }
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    CALL_BEGIN(cudaFuncSetCacheConfig);
    (void)host;
    return advice(&call, config);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config)
{
    CALL_BEGIN(cudaFuncSetSharedMemConfig);
    (void)host;
    return advice(&call, config);
}

static cudaError_t active_blocks(const struct call *call, int *blocks, const void *host, int threads, size_t shared)
{
    struct kernel *kernel;
    const struct ptx_function *function = function_of(host, &kernel);
    if (!blocks || threads <= 0)
        return call_end(call, cudaErrorInvalidValue);
    if (!function)
        return call_end(call, cudaErrorInvalidDeviceFunction);
    cudaError_t error = cudaSuccess;
    if (gpu_on() && gpu_kernel(kernel))
        error = gpu_error(gpu_api()->blocks_at_once(blocks, kernel->driver, threads, shared));
    else
        *blocks = (int)device_blocks(function, (uint32_t)threads, shared);
    line_signed("blocks", *blocks);
    return call_end(call, error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared)
{
    CALL_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
    return active_blocks(&call, blocks, host, threads, shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads,
                                                                   size_t shared, unsigned flags)
{
    CALL_BEGIN(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
    line_number("flags", flags);
    return active_blocks(&call, blocks, host, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *host, int blocks, int threads)
{
    struct kernel *kernel;
    CALL_BEGIN(cudaOccupancyAvailableDynamicSMemPerBlock);
    const struct ptx_function *function = function_of(host, &kernel);
    if (!size || blocks <= 0 || threads <= 0)
        return call_end(&call, cudaErrorInvalidValue);
    if (!function)
        return call_end(&call, cudaErrorInvalidDeviceFunction);
    if (gpu_on() && gpu_kernel(kernel))
        return call_end(&call, gpu_error(gpu_api()->shared_at_once(size, kernel->driver, blocks, threads)));
    uint64_t low = 0, high = device.limits ? device.limits->shared_per_block : LAUNCH_STATIC_SHARED_MAX;
    while (low < high) { /* the largest size with which so many blocks are resident */
        uint64_t const middle = (low + high + 1) / 2;
        if (device_blocks(function, (uint32_t)threads, middle) >= (uint32_t)blocks)
            low = middle;
        else
            high = middle - 1;
    }
    *size = low;
    return call_end(&call, cudaSuccess);
}
