/* A driver without a GPU, as libcuda.so.1: memory is the host's, copies and fills are made, and the emulator runs the
 * kernels. Each call becomes a line of the file that FAKE_CUDA_LOG names. FAKE_CUDA_FAULT=N: the N-th launch fails, as
 * a fault does: the next calls that wait return its error. FAKE_CUDA_ERROR="cuInit 100": that function returns that
 * error. FAKE_CUDA_FREE=BYTES: so much memory is free. */
#include "cuda/api/api.h"
#include "device.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, MEMORY = 1 << 30 };

static struct {
    FILE *log;
    int handles, launches, fault;
} fake;

static void *handle(void)
{
    return (void *)(uintptr_t)(0x1000u + 16u * (unsigned)++fake.handles);
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static int say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int say(const char *format, ...)
{
    const char *path = getenv("FAKE_CUDA_LOG"), *chosen = getenv("FAKE_CUDA_ERROR");
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!fake.log && path)
        fake.log = fopen(path, "w");
    if (fake.log) {
        fprintf(fake.log, "%s\n", line);
        fflush(fake.log);
    }
    size_t const name = strcspn(line, " ,");
    bool const fails = chosen && strncmp(chosen, line, name) == 0 && chosen[name] == ' ';
    return fails ? atoi(chosen + name) : fake.fault;
}

/* Each function has the driver's name and the parameters of the table. */
#define CUDA_API(member, symbol, parameters) __attribute__((visibility("default"))) int symbol parameters;
#include "cuda/api/api.def"

int cuInit(unsigned flags)
{
    return say("cuInit %u", flags);
}

int cuDriverGetVersion(int *version)
{
    *version = 13000;
    return SUCCESS;
}

int cuGetErrorName(int code, const char **name)
{
    (void)code;
    *name = "CUDA_ERROR";
    return SUCCESS;
}

int cuGetErrorString(int code, const char **text)
{
    (void)code;
    *text = "an error";
    return SUCCESS;
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return SUCCESS;
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "Fake GPU");
    return SUCCESS;
}

int cuDeviceGetPCIBusId(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "0000:%02x:00.0", (unsigned)device + 1);
    return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    switch (attribute) {
    case CUDA_API_ATTRIBUTE_MAJOR:
        *value = 9;
        break;
    case CUDA_API_ATTRIBUTE_MINOR:
        *value = 0;
        break;
    case CUDA_API_ATTRIBUTE_MULTIPROCESSORS:
        *value = 4;
        break;
    case CUDA_API_ATTRIBUTE_CLOCK:
        *value = 1000000; /* the emulator's */
        break;
    case CUDA_API_ATTRIBUTE_L2:
        *value = 1 << 20;
        break;
    case CUDA_API_ATTRIBUTE_SHARED:
        *value = 48 << 10;
        break;
    case CUDA_API_ATTRIBUTE_SHARED_OPTIN:
        *value = 227 << 10;
        break;
    default:
        *value = 1000 + attribute;
    }
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    fake.fault = 0;
    *context = handle();
    return say("cuDevicePrimaryCtxRetain");
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return say("cuDevicePrimaryCtxRelease_v2");
}

int cuDevicePrimaryCtxReset_v2(int device)
{
    (void)device;
    return say("cuDevicePrimaryCtxReset_v2");
}

int cuCtxSetCurrent(void *context)
{
    return say("cuCtxSetCurrent%s", context ? "" : " NULL");
}

int cuCtxSynchronize(void)
{
    return say("cuCtxSynchronize");
}

int cuCtxGetLimit(size_t *value, int limit)
{
    *value = 77;
    return say("cuCtxGetLimit %d", limit);
}

int cuCtxSetLimit(int limit, size_t value)
{
    return say("cuCtxSetLimit %d %zu", limit, value);
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

int cuMemGetInfo_v2(size_t *available, size_t *total)
{
    const char *limit = getenv("FAKE_CUDA_FREE");
    *total = MEMORY;
    *available = limit ? (size_t)atol(limit) : *total / 2;
    return SUCCESS;
}

int cuMemAlloc_v2(uint64_t *address, size_t size)
{
    *address = size > MEMORY ? 0 : device_allocate(size);
    int const code = say("cuMemAlloc_v2 %zu", size);
    return *address ? code : CUDA_API_OUT_OF_MEMORY;
}

int cuMemAllocPitch_v2(uint64_t *address, size_t *pitch, size_t width, size_t height, unsigned element)
{
    *pitch = (width + 511) / 512 * 512;
    say("cuMemAllocPitch_v2 %zu x %zu, %u", width, height, element);
    return cuMemAlloc_v2(address, *pitch * height);
}

int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags)
{
    *address = device_allocate(size);
    return say("cuMemAllocManaged %zu %u", size, flags);
}

int cuMemHostAlloc(void **memory, size_t size, unsigned flags)
{
    *memory = at(device_allocate(size));
    return say("cuMemHostAlloc %zu %u", size, flags);
}

int cuMemFree_v2(uint64_t address)
{
    device_release(address);
    return say("cuMemFree_v2");
}

int cuMemFreeHost(void *memory)
{
    device_release((uint64_t)(uintptr_t)memory);
    return say("cuMemFreeHost");
}

int cuMemHostRegister_v2(void *memory, size_t size, unsigned flags)
{
    (void)memory;
    return say("cuMemHostRegister_v2 %zu %u", size, flags);
}

int cuMemHostUnregister(void *memory)
{
    (void)memory;
    return say("cuMemHostUnregister");
}

int cuMemcpy(uint64_t to, uint64_t from, size_t size)
{
    memmove(at(to), at(from), size);
    return say("cuMemcpy %zu", size);
}

int cuMemcpyAsync(uint64_t to, uint64_t from, size_t size, void *stream)
{
    memmove(at(to), at(from), size);
    return say("cuMemcpyAsync %zu%s", size, stream ? " in a stream" : "");
}

static void copy_rows(const struct cuda_copy_rows *r)
{
    for (size_t z = 0; z < r->depth; z++)
        for (size_t y = 0; y < r->height; y++)
            memmove(at(r->to + (z * r->to_height + y) * r->to_pitch),
                    at(r->from + (z * r->from_height + y) * r->from_pitch), r->width);
}

int cuMemcpy3D_v2(const struct cuda_copy_rows *rows)
{
    copy_rows(rows);
    return say("cuMemcpy3D_v2 %zu x %zu x %zu, pitch %zu to %zu", rows->width, rows->height, rows->depth,
               rows->from_pitch, rows->to_pitch);
}

int cuMemcpy3DAsync_v2(const struct cuda_copy_rows *rows, void *stream)
{
    copy_rows(rows);
    return say("cuMemcpy3DAsync_v2 %zu x %zu x %zu%s", rows->width, rows->height, rows->depth,
               stream ? " in a stream" : "");
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t size, void *stream)
{
    memset(at(address), value, size);
    return say("cuMemsetD8Async %u %zu%s", value, size, stream ? " in a stream" : "");
}

int cuMemsetD2D8Async(uint64_t address, size_t pitch, unsigned char value, size_t width, size_t height, void *stream)
{
    for (size_t y = 0; y < height; y++)
        memset(at(address + y * pitch), value, width);
    return say("cuMemsetD2D8Async %u %zu x %zu, pitch %zu%s", value, width, height, pitch,
               stream ? " in a stream" : "");
}

int cuMemsetD2D16Async(uint64_t address, size_t pitch, unsigned short value, size_t width, size_t height, void *stream)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            memcpy((char *)at(address + y * pitch) + 2 * x, &value, 2);
    return say("cuMemsetD2D16Async %u %zu x %zu%s", value, width, height, stream ? " in a stream" : "");
}

int cuMemsetD2D32Async(uint64_t address, size_t pitch, unsigned value, size_t width, size_t height, void *stream)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            memcpy((char *)at(address + y * pitch) + 4 * x, &value, 4);
    return say("cuMemsetD2D32Async %u %zu x %zu%s", value, width, height, stream ? " in a stream" : "");
}

int cuMemPrefetchAsync(uint64_t address, size_t size, int device, void *stream)
{
    (void)address;
    (void)stream;
    return say("cuMemPrefetchAsync %zu to %d", size, device);
}

int cuMemAdvise(uint64_t address, size_t size, int advice, int device)
{
    (void)address;
    return say("cuMemAdvise %zu %d %d", size, advice, device);
}

int cuModuleLoadDataEx(void **module, const void *ptx, unsigned option_count, int *options, void **values)
{
    char *log = NULL;
    size_t log_size = 0;
    for (unsigned i = 0; i < option_count; i++) {
        if (options[i] == CUDA_API_LOG)
            log = values[i];
        if (options[i] == CUDA_API_LOG_BYTES)
            log_size = (size_t)(uintptr_t)values[i];
    }
    *module = device_load(ptx, log, log_size);
    int const code = say("cuModuleLoadDataEx%s, options %u", strstr(ptx, ".version") ? " PTX" : "", option_count);
    return *module ? code : CUDA_API_INVALID_PTX;
}

int cuModuleUnload(void *module)
{
    device_unload(module);
    return say("cuModuleUnload");
}

int cuModuleGetFunction(void **kernel, void *module, const char *name)
{
    *kernel = device_kernel(module, name);
    int const code = say("cuModuleGetFunction %s", strstr(name, "window") ? "window" : name);
    return *kernel ? code : CUDA_API_NOT_FOUND;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *size, void *module, const char *name)
{
    return device_variable(module, name, address, size) ? SUCCESS : CUDA_API_NOT_FOUND;
}

int cuFuncGetAttribute(int *value, int attribute, void *kernel)
{
    (void)kernel;
    *value = 10 + attribute;
    return SUCCESS;
}

int cuFuncSetAttribute(void *kernel, int attribute, int value)
{
    (void)kernel;
    return say("cuFuncSetAttribute %d %d", attribute, value);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *kernel, int threads, size_t shared)
{
    (void)kernel;
    *blocks = 3;
    return say("cuOccupancyMaxActiveBlocksPerMultiprocessor %d %zu", threads, shared);
}

int cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, void *kernel, int blocks, int threads)
{
    (void)kernel;
    *shared = 4096;
    return say("cuOccupancyAvailableDynamicSMemPerBlock %d %d", blocks, threads);
}

static int launch(const char *name, const void *kernel, const unsigned grid[3], const unsigned block[3],
                  unsigned shared, const void *stream, void **arguments)
{
    const char *fault = getenv("FAKE_CUDA_FAULT");
    int const code = say("%s (%u %u %u) (%u %u %u) shared %u%s", name, grid[0], grid[1], grid[2], block[0], block[1],
                         block[2], shared, stream ? " in a stream" : "");
    if (!code)
        fake.fault = fault && ++fake.launches == atoi(fault) ? CUDA_API_ILLEGAL_ADDRESS
                                                             : device_launch(kernel, grid, block, shared, arguments);
    return code;
}

int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra)
{
    (void)extra;
    return launch("cuLaunchKernel", kernel, (unsigned[]){grid_x, grid_y, grid_z},
                  (unsigned[]){block_x, block_y, block_z}, shared, stream, arguments);
}

int cuLaunchCooperativeKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                              unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **arguments)
{
    return launch("cuLaunchCooperativeKernel", kernel, (unsigned[]){grid_x, grid_y, grid_z},
                  (unsigned[]){block_x, block_y, block_z}, shared, stream, arguments);
}

int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    *stream = handle();
    return say("cuStreamCreateWithPriority %u %d", flags, priority);
}

int cuStreamDestroy_v2(void *stream)
{
    (void)stream;
    return say("cuStreamDestroy_v2");
}

int cuStreamSynchronize(void *stream)
{
    (void)stream;
    return say("cuStreamSynchronize");
}

int cuStreamQuery(void *stream)
{
    (void)stream;
    return say("cuStreamQuery");
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    (void)stream;
    (void)event;
    return say("cuStreamWaitEvent %u", flags);
}

/* The function runs in the driver's thread. */
struct host_function {
    void (*function)(void *);
    void *data;
};
static void *run_host_function(void *of)
{
    ((struct host_function *)of)->function(((struct host_function *)of)->data);
    return NULL;
}
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data)
{
    struct host_function of = {function, data};
    pthread_t thread;
    (void)stream;
    if (pthread_create(&thread, NULL, run_host_function, &of) == 0)
        pthread_join(thread, NULL);
    return say("cuLaunchHostFunc");
}

/* Times are left out of the log: every piece of work has two events of its own. */
int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = handle();
    return fake.fault;
}

int cuEventDestroy_v2(void *event)
{
    (void)event;
    return fake.fault;
}

int cuEventRecord(void *event, void *stream)
{
    (void)event;
    (void)stream;
    return fake.fault;
}

int cuEventSynchronize(void *event)
{
    (void)event;
    return say("cuEventSynchronize");
}

int cuEventQuery(void *event)
{
    (void)event;
    return fake.fault;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
    (void)start;
    (void)end;
    *milliseconds = 0.25f;
    return fake.fault;
}
