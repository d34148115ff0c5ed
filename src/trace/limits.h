/* What the hardware allows of a launch, and the check that all rooms share. What differs between GPUs is the figure of
 * compute capability 9.0; assets/compute_capabilities.yaml has the others for the occupancy of a GPU.
 * Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
#ifndef LANESCOPE_TRACE_LIMITS_H
#define LANESCOPE_TRACE_LIMITS_H
#include "base/error.h"
#include "ptx/module.h"

enum { WARP_LANES = 32 };
enum {
    LAUNCH_THREADS_MAX = 1024, /* of a block, and of a block in x and in y */
    LAUNCH_WARPS_MAX = LAUNCH_THREADS_MAX / WARP_LANES,
    LAUNCH_BLOCK_Z_MAX = 64,
    LAUNCH_GRID_X_MAX = INT32_MAX,
    LAUNCH_GRID_YZ_MAX = 65535,
    LAUNCH_STATIC_SHARED_MAX = 48 << 10, /* bytes of a block; of dynamic shared memory without asking for more */
    LAUNCH_SHARED_MAX = 227 << 10,       /* bytes of a block, static and dynamic; compute capability 9.0 */
    LAUNCH_CONSTANT_MAX = 64 << 10,      /* bytes of constant memory */
    LAUNCH_PARAMETERS_MAX = 32764,       /* bytes; Volta and later */
    LAUNCH_BARRIERS_MAX = 16,            /* of a block */
    LAUNCH_REGISTERS_MAX = 255,          /* of a thread */
    LAUNCH_BLOCK_REGISTERS_MAX = 65536
};
/* Of a multiprocessor of compute capability 9.0. */
enum { SM_WARPS_MAX = 64, SM_BLOCKS_MAX = 32, SM_SHARED = 228 << 10, SM_SHARED_RESERVED = 1 << 10 /* of a block */ };

/* Why a launch is refused, in the order of the checks. */
enum launch_refusal {
    LAUNCH_FITS,
    LAUNCH_EMPTY,         /* no block, or no thread */
    LAUNCH_THREADS,       /* more threads in a block than LAUNCH_THREADS_MAX */
    LAUNCH_BLOCK_Z,       /* a block deeper than LAUNCH_BLOCK_Z_MAX */
    LAUNCH_GRID,          /* a grid above LAUNCH_GRID_X_MAX or LAUNCH_GRID_YZ_MAX */
    LAUNCH_OTHER_BLOCK,   /* not the block that the kernel was compiled for */
    LAUNCH_BOUNDS,        /* more threads than the kernel was compiled for */
    LAUNCH_STATIC_SHARED, /* the kernel declares more than LAUNCH_STATIC_SHARED_MAX */
    LAUNCH_SHARED         /* static and dynamic shared memory above LAUNCH_SHARED_MAX */
};
/* Returns the first limit that a launch exceeds. kernel: NULL checks the shape alone. */
enum launch_refusal launch_check(const struct ptx_function *kernel, const uint32_t grid[3], const uint32_t block[3],
                                 uint64_t dynamic_shared);
/* Sets the error of LAUNCH_OTHER_BLOCK. file: the kernel's, or "". */
bool launch_other_block(const char *file, const struct ptx_function *kernel, const uint32_t block[3],
                        struct error *error);
/* Fills the error with the sentence for it, and returns true if there is none. */
struct launch;
bool launch_allowed(const struct ptx_function *kernel, const struct launch *launch, struct error *error);
/* Returns x * y * z, UINT64_MAX if it is larger. */
uint64_t launch_count(const uint32_t size[3]);
/* Returns the threads of a block that the kernel was compiled for at most; 0: it does not say. */
uint64_t launch_bound(const struct ptx_function *kernel);
#endif
