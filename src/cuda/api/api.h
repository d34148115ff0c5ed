/* The driver's functions, for a process that uses the GPU itself: the child process of cuda.h, and the runtime that
 * whole programs link (src/cudart). */
#ifndef LANESCOPE_CUDA_API_API_H
#define LANESCOPE_CUDA_API_API_H
#include "base/error.h"
#include "cuda/api/values.h"
#include "trace/trace.h"

/* CUDA_MEMCPY3D: rows of bytes. */
struct cuda_copy_rows {
    size_t from_x, from_y, from_z, from_level;
    int from_type;
    const void *from_host;
    uint64_t from;
    void *from_array, *from_spare;
    size_t from_pitch, from_height; /* bytes from row to row; rows from slice to slice */
    size_t to_x, to_y, to_z, to_level;
    int to_type;
    void *to_host;
    uint64_t to;
    void *to_array, *to_spare;
    size_t to_pitch, to_height;
    size_t width, height, depth;
};

/* Each function returns 0 or an error's number. */
struct cuda_api {
#define CUDA_API(member, symbol, parameters) int(*member) parameters;
#include "cuda/api/api.def"
};
/* Loads the driver's library. Returns false, with all members NULL, when there is none or it lacks a function. */
bool cuda_api_load(struct cuda_api *api, struct error *error);

/* Returns true for code 0. Else the error says what the driver's error number means after `doing` ("copying the
 * buffers"). */
bool cuda_api_did(const struct cuda_api *api, int code, const char *doing, struct error *error);

/* Loads PTX into the current context. most_registers 0: as many as the PTX needs. Returns the driver's error number;
 * the error has its words. */
int cuda_api_load_module(const struct cuda_api *api, const char *ptx, unsigned most_registers, void **module,
                         struct error *error);

/* Allocates at least a byte for `what`. Where there is no room, the error has the sizes. */
bool cuda_api_allocate(const struct cuda_api *api, uint64_t bytes, const char *what, uint64_t *address,
                       struct error *error);

/* Memory that a kernel can reach. */
struct cuda_place {
    uint64_t address, bytes;
};
/* A launch in this process, with its real arguments. */
struct cuda_here {
    const struct cuda_api *api;
    void *driver_module, *kernel; /* without probes */
    const struct ptx_module *module;
    const struct launch *launch; /* of its buffers only names, sizes and addresses are used */
    void **arguments;            /* as the driver takes them */
    bool cooperative;
    const struct cuda_place *memory; /* everything that the kernel may change, to be restored */
    size_t memory_count;
    const char *device, *driver; /* for the trace */
};
/* Does what cuda_trace does, but with the memory of this process's context: launches the kernel with probes, as often
 * as its records need, and then restores all memory, so that the launch itself is still to be made. Nothing may run on
 * the GPU meanwhile. *code is the driver's error after which the context is lost, or 0. */
bool cuda_trace_here(const struct cuda_here *here, struct launch_blocks recorded, bool values,
                     const struct trace_listener *listener, struct trace **trace, int *code, struct error *error);
#endif
