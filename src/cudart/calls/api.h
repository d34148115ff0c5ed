/* The CUDA runtime API in C, as liblanescope_cudart exports it. Names, values and layouts are CUDA's interface; the
 * header for programs is assets/cuda/program/cuda_runtime_api.h. */
#ifndef LANESCOPE_CUDART_API_H
#define LANESCOPE_CUDART_API_H
#include "cudart/layer/work.h"
#include <stddef.h>

#define API __attribute__((visibility("default")))

enum {
#define STATUS(name, value, runtime_name, text) runtime_name = value,
#include "cudart/layer/status.def"
};
typedef unsigned cudaError_t;        /* as the enumeration of a program has it */
typedef struct stream *cudaStream_t; /* NULL, 1, 2: the default streams */
typedef struct event *cudaEvent_t;
typedef struct array_handle *cudaArray_t;

struct extent {
    size_t width, height, depth;
};
struct pitched {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct position {
    size_t x, y, z;
};
/* cudaChannelFormatDesc: the bits of each channel, 0 of those that an element does not have. */
struct channels {
    int bits[4], kind;
};
struct copy_3d {
    cudaArray_t from_array;
    struct position from_position;
    struct pitched from;
    cudaArray_t to_array;
    struct position to_position;
    struct pitched to;
    struct extent extent;
    int kind;
};

struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};
enum { POINTER_UNREGISTERED, POINTER_HOST, POINTER_DEVICE, POINTER_MANAGED };

struct function_attributes {
    size_t shared, constant, local;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared;
    int rest[16 + 7];
};

/* A place of memory, as CUDA 13 names it. */
struct location {
    int type, number;
};
enum { LOCATION_DEVICE = 1, LOCATION_HOST = 2 };

typedef void (*stream_callback)(cudaStream_t, cudaError_t, void *);
struct allocation_node;
struct configuration;
struct fill_node;
struct generator;
struct kernel_node;
struct pool_access;
struct properties;
struct properties_13;
struct user_object;

#define CALL(name, parameters, support, note) API cudaError_t name parameters;
#define VALUE(type, name, parameters, support, note) API type name parameters;
#define MISSING(name, note) API cudaError_t name(void);
#include "cudart/calls/calls.def"

/* What compiled host code calls by itself: to register its kernels and variables, and for <<<>>>. */
API void **__cudaRegisterFatBinary(void *binary);
API void __cudaRegisterFatBinaryEnd(void **handle);
API void __cudaUnregisterFatBinary(void **handle);
API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
                                void *thread, void *block, void *block_size, void *grid_size, int *warp_size);
API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                           int constant, int global);
API char __cudaInitModule(void **handle);
API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, cudaStream_t stream);
API cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream);
API cudaError_t __cudaGetKernel(const void **kernel, const void *function);
API cudaError_t __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments,
                                   size_t shared, cudaStream_t stream);
/* Likewise of host code that our prelude is part of (assets/cuda/program.cuh). */
API void lanescope_managed_variables(const char *begin, const char *end);
#endif
