/* The CUDA runtime API in C, as liblanescope_cudart exports it. Names, values and layouts are CUDA's interface; the
 * header for programs is assets/cuda/program/cuda_runtime_api.h. */
#ifndef LANESCOPE_CUDART_API_H
#define LANESCOPE_CUDART_API_H
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

enum {
#define ERROR_CODE(name, value, text) name = value,
#include "cudart/errors.def"
};
typedef int cudaError_t;
API const char *cudaGetErrorName(cudaError_t error);
typedef struct stream *cudaStream_t; /* NULL, 1, 2: the default streams */
typedef struct event *cudaEvent_t;

struct dim3 {
    uint32_t x, y, z;
};
enum copy_kind { COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST, COPY_DEVICE_TO_DEVICE, COPY_DEFAULT };

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
struct copy_3d {
    void *from_array;
    struct position from_position;
    struct pitched from;
    void *to_array;
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
#endif
