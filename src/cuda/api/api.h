/* The driver's functions for a process that has a CUDA context of its own: src/cudart, the runtime that whole programs
 * link. cuda.h is for everything else; it leaves the GPU to a child process. */
#ifndef LANESCOPE_CUDA_API_API_H
#define LANESCOPE_CUDA_API_API_H
#include "base/error.h"
#include "trace/trace.h"

enum { /* results that are asked for by number; those of the runtime are the same */
       CUDA_API_NOT_READY = 600,
       CUDA_API_COPY_UNIFIED = 4,    /* a memory type: the address says where the memory lies */
       CUDA_API_DYNAMIC_SHARED = 8,  /* an attribute of kernels */
       CUDA_API_MANAGED_GLOBAL = 1,  /* managed memory that every stream may use */
       CUDA_API_HOST_PORTABLE = 1,   /* pinned memory for all contexts */
       CUDA_API_HOST_MAPPED = 2,     /* pinned memory that kernels reach at its own address */
       CUDA_API_ATTRIBUTE_CLOCK = 13 /* of the device, in kHz */
};

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

/* Loads PTX into the current context. most_registers 0: as many as the PTX needs. Returns the driver's error number;
 * the error has its words. */
int cuda_api_load_module(const struct cuda_api *api, const char *ptx, unsigned most_registers, void **module,
                         struct error *error);

/* Memory that a kernel can reach. */
struct cuda_place {
    uint64_t address, bytes;
};
/* A launch in this process, with its real arguments. */
struct cuda_here {
    const struct cuda_api *api;
    void *module, *kernel; /* without probes */
    const struct ptx_program *program;
    const struct launch *launch; /* of its buffers only names, sizes and addresses are used */
    void **arguments;            /* as the driver takes them */
    bool cooperative;
    const struct cuda_place *memory; /* everything that the kernel may change, to be restored */
    size_t memory_count;
    const char *device, *driver; /* for the trace */
};
/* Does what cuda_trace does, but with the memory of this process's context: launches the kernel with probes, as often
 * as its records need, and then restores all memory, so that the launch itself is still to be made. Nothing may run on
 * the GPU meanwhile. *code is the driver's error where the kernel failed; the context is lost then. */
bool cuda_trace_here(const struct cuda_here *here, struct launch_blocks recorded, bool values,
                     const struct trace_listener *listener, struct trace **trace, int *code, struct error *error);
#endif
