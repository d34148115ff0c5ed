/* Occupancy: how many blocks of a kernel are resident on one multiprocessor at a time, and which resource limits them.
 * The limits are those of a compute capability, from assets/compute_capabilities.yaml. */
#ifndef LANESCOPE_MODEL_OCCUPANCY_H
#define LANESCOPE_MODEL_OCCUPANCY_H
#include "base/arena.h"
#include "base/error.h"
#include <stdint.h>

/* The resources of one multiprocessor, and the units in which they are given to blocks. Shared memory is in bytes,
 * registers are of 32 bits. */
struct occupancy_limits {
    const char *capability; /* "9.0" */
    const char *source;
    uint64_t threads, blocks, barriers;
    uint64_t registers, registers_per_thread, registers_per_block;
    uint64_t register_unit; /* registers are given to a warp in multiples of this */
    uint64_t partitions;    /* parts of the register file; a warp's registers lie in one of them */
    uint64_t shared, shared_per_block;
    uint64_t shared_reserved; /* bytes that the system takes of each block's shared memory */
    uint64_t shared_unit;
    uint64_t l1_bytes;                /* of the array that shared memory and the L1 share; 0: the file does not say */
    const uint64_t *shared_shares_kb; /* the shares of it, in KB, that shared memory can have, the smallest first */
    unsigned shared_share_count;
    const char *l1_source; /* of the two; NULL: the file does not have them */
};

/* What one block needs. */
struct occupancy_needs {
    uint32_t threads;   /* in a block */
    uint32_t registers; /* of a thread; 0: unknown, and then no limit */
    uint32_t barriers;  /* used by the kernel, at least 1 where it has a __syncthreads() */
    uint64_t shared;    /* bytes of a block, static and dynamic, without the reserved ones */
};

/* In the order in which a tie is named: the first of the smallest limits. */
enum occupancy_limit {
    OCCUPANCY_BLOCKS,
    OCCUPANCY_THREADS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_BARRIERS,
    OCCUPANCY_LIMIT_COUNT
};

struct occupancy {
    uint32_t blocks;                    /* resident at a time; 0: the kernel cannot be launched */
    uint32_t warps, warps_max;          /* resident warps, and how many the multiprocessor can hold */
    uint32_t by[OCCUPANCY_LIMIT_COUNT]; /* blocks that each limit alone would allow */
    enum occupancy_limit limit;         /* the limit that binds */
    uint64_t block_registers;           /* given to a block, rounded up */
    uint64_t block_shared;              /* bytes given to a block, rounded up, with the reserved ones */
};

/* A kernel's blocks on one multiprocessor. */
struct occupancy_case {
    const struct occupancy_limits *limits; /* NULL: not known, and no other field is set */
    struct occupancy_needs needs;
    struct occupancy got;
};

/* Reads the limits of all compute capabilities of assets/compute_capabilities.yaml into the arena; *count of them. */
bool occupancy_read(struct arena *arena, const struct occupancy_limits **all, size_t *count, struct error *error);
/* Returns the limits of `capability`, "9.0", or NULL. */
const struct occupancy_limits *occupancy_find(const struct occupancy_limits *all, size_t count, const char *capability);
/* The shared memory counts as if the kernel had chosen the largest share of the L1 for it, as the driver does when a
 * block needs it. The results equal cudaOccupancyMaxActiveBlocksPerMultiprocessor (tests/silicon/occupancy.txt). */
struct occupancy occupancy_of(const struct occupancy_limits *limits, const struct occupancy_needs *needs);
#endif
