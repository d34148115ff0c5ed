/* What the probes write on the GPU and how the host reads it. Memory for records is cut into chunks, chunks are grouped
 * in pools. A lane that leads its group (the lowest active lane) owns the chunk it writes to, so that no record needs
 * an atomic: one is needed for a new chunk only, on the counter of the block's pool. Two divergent groups of a warp
 * have two leaders and cannot meet. The layouts here are the ones that probe_site.c writes, field by field. */
#ifndef LANESCOPE_CUDA_RECORD_H
#define LANESCOPE_CUDA_RECORD_H
#include "trace/trace.h"

enum record_kind {
    RECORD_NONE, /* memory nobody wrote */
    RECORD_CHUNK,
    RECORD_AFFINE,  /* 16 bytes follow: the first lane's address, 8 bytes, and 8 that mean nothing. Lane i is at
                       address + other * (i - first) */
    RECORD_LANES32, /* 32 addresses of 4 bytes follow */
    RECORD_LANES64, /* 32 addresses of 8 bytes follow */
    RECORD_ARRIVE,
    RECORD_RELEASE,
    RECORD_BRANCH /* other: the lanes that take it */
};

struct record {
    uint32_t tag;   /* kind in the top 8 bits, site below */
    uint32_t mask;  /* lanes */
    uint32_t other; /* see enum record_kind */
    uint32_t clock; /* low half of %clock64: less than 2^32 cycles, some seconds, lie between two records of a chunk */
};

struct record_chunk { /* the first 32 bytes of a chunk */
    uint32_t tag;     /* RECORD_CHUNK in the top 8 bits, the warp in its block below */
    uint32_t sm;      /* %smid */
    uint64_t block;   /* linear */
    uint64_t timer;   /* %globaltimer, nanoseconds, when the chunk was taken */
    uint64_t clock;   /* %clock64 of its first record */
};

/* A variable of the probed module, filled in by the host before the launch. */
struct record_control {
    uint64_t first, span; /* blocks recorded: first .. first + span */
    uint64_t chunks;      /* where the memory for chunks starts, a multiple of 16 */
    uint64_t pools;       /* where the pools' counters start */
    uint64_t pool_chunks; /* chunks in each pool */
    uint32_t chunk_bytes;
    uint32_t pool_mask; /* number of pools, less one */
};

struct record_pool { /* counters of one pool, a line of cache to themselves */
    uint64_t taken;  /* chunks asked for; more than pool_chunks once the pool is dry */
    uint64_t lost;   /* records that found no room */
    uint64_t spare[6];
};

/* What the module's own little kernel finds out: where the windows of shared and local memory lie. */
struct record_windows {
    uint32_t shared_base, spare; /* of the first byte a block has, in the .shared window */
    uint64_t shared_generic;     /* the .shared window in generic addresses */
    uint64_t local_generic;
};
#define RECORD_WINDOW_BYTES (UINT64_C(1) << 24) /* both windows are 16 MiB, aligned to it (PTX ISA: isspacep) */

#define RECORD_SITE_MASK UINT32_C(0x00ffffff)
#define RECORD_TAG(kind, site) ((uint32_t)(kind) << 24 | ((site)&RECORD_SITE_MASK))

/* How much memory for how many warps: chunks small when warps are many, the whole within limit bytes. */
struct record_plan {
    uint32_t chunk_bytes, pools;
    uint64_t pool_chunks;
};
struct record_plan record_plan(uint64_t blocks, uint32_t warps, uint64_t limit);

struct record_batch {
    const uint8_t *chunks; /* chunk_count of them, those that were taken */
    uint64_t chunk_count;
    uint32_t chunk_bytes;
    struct record_windows windows;
    uint32_t clock_khz; /* of the multiprocessors: sets the clocks of two of them side by side */
};
/* Adds the records to the trace in the order of time and tells the listener, block by block, each block's in the order
 * of its clock. A lane's exit is put right behind its last record: a probe before `ret` would change where lanes meet.
 * None are made when records were lost before. False when the records make no sense or memory is short. */
bool record_decode(const struct record_batch *batch, const struct trace_listener *listener, struct trace *trace,
                   struct error *error);
#endif
