/* What the probes write on the GPU and how the host reads it. Memory for records is cut into chunks. Each warp has two
 * of its own from the start: one for lane 0, one for the first other lane that leads a group without lane 0. Further
 * ones are taken from all warps' common memory. A lane that leads its group (the lowest active lane) owns the chunk it
 * writes to, so that no record needs an atomic. Two divergent groups of a warp have two leaders and cannot meet.
 *
 * Most of what can be known beforehand is not written. A run is a stretch of instructions that lanes pass together: one
 * record tells of all its events. Where affine.h knows how the lanes of an access lie, the record holds one lane's
 * address, or nothing more where an earlier access of the run used the same register. A kernel whose records are all
 * runs, each passed at most once by a lane, has a fixed place in the chunk for each.
 *
 * The layouts here are the ones that single.c, record.c, matrix.c and values.c of cuda/probe write, field by field. */
#ifndef LANESCOPE_CUDA_RECORD_LAYOUT_H
#define LANESCOPE_CUDA_RECORD_LAYOUT_H
#include "ptx/matrix.h"
#include "trace/trace.h"

enum record_kind {
    RECORD_NONE, /* memory nobody wrote */
    RECORD_CHUNK,
    RECORD_RUN,     /* a run's number in place of the site: other and what follows are as its entries say */
    RECORD_AFFINE,  /* 16 bytes follow, struct record_line: lanes in rows, each lane a step from the one before it, each
                       row a step from the row above */
    RECORD_FULL32,  /* the same of all 32 lanes in shared or local memory, in one struct record: mask holds lane 0's
                       address, other the step in its low half and the row's step in its high half, both signed; the
                       step in all of it where there is one row */
    RECORD_LANES32, /* 32 addresses of 4 bytes follow */
    RECORD_LANES64, /* 32 addresses of 8 bytes follow */
    RECORD_GIVEN,   /* what an instruction was given that record_unfold knows of: a struct record_line with its address
                       follows, other is its stride or its bytes */
    RECORD_VALUES,  /* the head of a struct record_values, where values are wanted; other: bit 0 set for an access to
                       shared or local memory; of a copy in bulk, whose pieces stand in the place of lanes, the lane that
                       made it in bits 8 to 12 */
    RECORD_KINDS
};

struct record {
    uint32_t tag;   /* kind in the top 8 bits, site below */
    uint32_t mask;  /* lanes */
    uint32_t other; /* see enum record_kind; RECORD_AFFINE: the step */
    uint32_t clock; /* low half of %clock64: less than 2^32 cycles, some seconds, lie between two records of a chunk */
};

enum record_event { RECORD_ACCESS, RECORD_ARRIVE, RECORD_RELEASE, RECORD_BRANCH };

/* An event of a run, and where in the record its word lies. */
struct record_entry {
    enum record_event event;
    uint32_t site;
    bool small;     /* an access to shared or local memory: its word has 4 bytes, else 8 */
    uint32_t at;    /* ACCESS: what the address's register held; BRANCH: the lanes that take it; ARRIVE: the clock, 0
                       when it is the record's; else 0 */
    int64_t offset; /* ACCESS: what is added to the register */
    uint64_t column, row; /* ACCESS: steps between lanes */
};

/* All its events have the record's mask, and the clock of the first one, but an arrival at a barrier, which has its
 * own: a few instructions without branch or barrier lie between. */
struct record_run {
    const struct record_entry *entries;
    uint32_t entry_count;
    uint32_t bytes; /* of its record, a multiple of 16 */
    uint32_t place; /* in its chunk; 0 when records follow one another */
};

/* Where values are wanted, the record of each access. */
struct record_value {
    uint64_t address;
    uint64_t value; /* see trace.values */
};
struct record_values {
    struct record head;
    struct record_value lanes[WARP_LANES]; /* those not in the mask say nothing */
};
/* An instruction whose accesses are not one address a lane: a matrix's load or store, or a copy in bulk. */
struct record_unfold {
    struct ptx_matrix form; /* of a matrix */
    bool in_bulk, small;    /* small: addresses of 4 bytes */
};

enum { RECORD_OWN_CHUNKS = 2 /* a warp */ };

struct record_layout {
    bool values; /* accesses are RECORD_VALUES, and no others */
    const struct record_run *runs;
    uint32_t run_count;
    uint32_t chunk_bytes;                        /* where each run has its place: a chunk holds them all; else 0 */
    const struct record_unfold *const *unfolded; /* by site, NULL for what is as it was recorded; NULL: all is */
};
/* A chunk of so many bytes holds several of the largest records. */
enum { RECORD_VALUES_CHUNK = 4096 };

struct record_line {
    uint64_t address; /* the lowest active lane's */
    int32_t row;      /* from a lane to the one below it in the next row */
    uint32_t spare;
};

struct record_chunk { /* the first 32 bytes of a chunk */
    uint32_t tag;     /* RECORD_CHUNK in the top 8 bits, the warp in its block below; 0: nobody took it */
    uint32_t sm;      /* %smid; 0 in the first chunk of all warps but a block's first */
    uint64_t clock;   /* %clock64, no later than its first record */
    uint64_t timer;   /* %globaltimer, nanoseconds, when the block's first warp began; 0 in all other chunks */
    uint64_t block;   /* linear; 0 in a warp's own chunks, whose place says it */
};

/* A variable of the probed module, filled in by the host before the launch. */
struct record_control {
    uint64_t first, span; /* blocks recorded: first .. first + span */
    uint64_t own;         /* where the warps' own chunks start, two a warp, a multiple of 16 */
    uint64_t more;        /* where further chunks start */
    uint64_t more_chunks;
    uint64_t counters; /* where a struct record_counters lies */
    uint32_t chunk_bytes;
    uint32_t warps;     /* of a block */
    uint32_t row_shift; /* a row has 2^row_shift lanes */
    uint32_t spare;
};

struct record_counters {
    uint64_t taken; /* further chunks asked for; more than more_chunks once they are out */
    uint64_t lost;  /* records that found no room */
};

/* What the module's own little kernel finds out: where the windows of shared and local memory lie. */
struct record_windows {
    uint32_t shared_base, spare; /* of the first byte a block has, in the .shared window */
    uint64_t shared_generic;     /* the .shared window in generic addresses */
    uint64_t local_generic;
};
#define RECORD_WINDOW_BYTES (UINT64_C(1) << 24) /* both windows are 16 MiB, aligned to it (PTX ISA: isspacep) */

static inline enum record_kind record_kind_of(uint32_t tag)
{
    return (enum record_kind)(tag >> 24);
}
#define RECORD_SITE_MASK UINT32_C(0x00ffffff)
#define RECORD_TAG(kind, site) ((uint32_t)(kind) << 24 | ((site)&RECORD_SITE_MASK))
#endif
