/* The records that the probes write on the GPU and the host reads. Memory for records is cut into chunks. Each warp has
 * two chunks from the start: one for lane 0, and one for the first other lane that leads a group without lane 0.
 * Further chunks come from memory that all warps share. The leader of a group is its lowest active lane. It owns the
 * chunk that it writes to, so no record needs an atomic. Two divergent groups of a warp have two leaders, which never
 * write to the same chunk.
 *
 * Facts that are known before the launch are mostly not written. A run is a stretch of instructions that lanes pass
 * together; one record describes all its events. Where affine.h knows the lanes' addresses, the record holds one lane's
 * address, or nothing when an earlier access of the run used the same register. If all records of a kernel are runs and
 * a lane passes each at most once, each run has a fixed place in the chunk.
 *
 * The files single.c, run_record.c, matrix.c and values.c of cuda/probe write these layouts field by field. */
#ifndef LANESCOPE_CUDA_RECORD_LAYOUT_H
#define LANESCOPE_CUDA_RECORD_LAYOUT_H
#include "ptx/matrix.h"
#include "trace/trace.h"

enum record_kind {
    RECORD_NONE, /* unwritten memory */
    RECORD_CHUNK,
    RECORD_RUN, /* a run, whose number stands in place of the site; its entries say what `other` and the following words
                   mean */
    RECORD_AFFINE, /* 16 bytes follow, struct record_line: lanes in rows, with one step between lanes and another
                      between rows */
    RECORD_FULL32, /* the same for all 32 lanes in shared or local memory, within one struct record: mask holds lane 0's
                      address; other holds the lane's step in its low half and the row's step in its high half, both
                      signed, or the lane's step alone when there is one row */
    RECORD_LANES32, /* 32 addresses of 4 bytes follow */
    RECORD_LANES64, /* 32 addresses of 8 bytes follow */
    RECORD_GIVEN,   /* the operands of an instruction that record_unfold expands: a struct record_line with its address
                       follows, and other is its stride or its bytes */
    RECORD_VALUES,  /* the head of a struct record_values; other: bit 0 is set for an access to shared or local memory;
                       for a bulk copy, whose pieces take the place of lanes, bits 8 to 12 hold the copying lane; of a
                      matrix product, from bit 8 on the number of the part */
    RECORD_KINDS
};

struct record {
    uint32_t tag;   /* kind in the top 8 bits, site below */
    uint32_t mask;  /* lanes */
    uint32_t other; /* see enum record_kind; RECORD_AFFINE: the step */
    uint32_t clock; /* low half of %clock64; two records of a chunk are less than 2^32 cycles (some seconds) apart */
};

enum record_event { RECORD_ACCESS, RECORD_ARRIVE, RECORD_RELEASE, RECORD_BRANCH };

/* An event of a run, and the place of its word in the record. */
struct record_entry {
    enum record_event event;
    uint32_t site;
    bool small;     /* an access to shared or local memory, whose word has 4 bytes instead of 8 */
    uint32_t at;    /* offset of the word. ACCESS: the value of the address's register; BRANCH: the lanes that take it;
                       ARRIVE: the clock, or 0 when the record's clock holds; else 0 */
    int64_t offset; /* ACCESS: added to the register */
    uint64_t column, row; /* ACCESS: steps between lanes */
};

/* All events of a run have the record's mask and the clock of the first one, because only a few instructions without
 * branches or barriers lie between them. An arrival at a barrier has its own clock. */
struct record_run {
    const struct record_entry *entries;
    uint32_t entry_count;
    uint32_t bytes; /* of its record; a multiple of 16 */
    uint32_t place; /* offset in its chunk; 0 when records follow one another */
};

/* The record of an access with values. */
struct record_value {
    uint64_t address;
    uint64_t value; /* see trace.values */
};
struct record_values {
    struct record head;
    struct record_value lanes[WARP_LANES]; /* lanes outside the mask hold nothing */
};
/* An instruction whose accesses are not one address per lane: a matrix load or store, or a bulk copy. */
struct record_unfold {
    struct ptx_matrix form; /* of a matrix instruction */
    bool in_bulk, small;    /* small: addresses of 4 bytes */
};

enum { RECORD_OWN_CHUNKS = 2 /* per warp */ };

struct record_layout {
    bool values; /* accesses are RECORD_VALUES, and nothing else is */
    const struct record_run *runs;
    uint32_t run_count;
    uint32_t chunk_bytes; /* with fixed places for runs: the size of a chunk, which holds all of them; else 0 */
    const struct record_unfold *const *unfolded; /* by site, NULL for sites recorded as they are; or NULL */
};
/* A chunk of this size holds several of the largest records. */
enum { RECORD_VALUES_CHUNK = 4096 };
/* Return the size of a chunk that the layout requires (0: any), and that of its largest record. */
static inline uint32_t record_chunk_bytes(const struct record_layout *layout)
{
    return layout->values ? RECORD_VALUES_CHUNK : layout->chunk_bytes;
}
static inline uint32_t record_most_bytes(const struct record_layout *layout)
{
    return layout->values ? sizeof(struct record_values) : sizeof(struct record) + WARP_LANES * sizeof(uint64_t);
}

struct record_line {
    uint64_t address; /* of the lowest active lane */
    int32_t row;      /* from a lane to the lane below it in the next row */
    uint32_t spare;
};

struct record_chunk { /* the first 32 bytes of a chunk */
    uint32_t tag;     /* RECORD_CHUNK in the top 8 bits, the warp's number in its block below; 0: unused */
    uint32_t sm;      /* %smid; 0 in the first chunks of all warps except a block's first warp */
    uint64_t clock;   /* %clock64, not later than the first record */
    uint64_t timer;   /* %globaltimer in nanoseconds when the block's first warp began; 0 in all other chunks */
    uint64_t block;   /* linear number; 0 in a warp's own chunks, whose position tells it */
};

/* A variable of the probed module that the host fills in before the launch. */
struct record_control {
    uint64_t first, span; /* the recorded blocks are first .. first + span */
    uint64_t own;         /* address of the warps' own chunks, two per warp; a multiple of 16 */
    uint64_t more;        /* address of the further chunks */
    uint64_t more_chunks;
    uint64_t counters; /* address of a struct record_counters */
    uint32_t chunk_bytes;
    uint32_t warps;     /* per block */
    uint32_t row_shift; /* a row has 2^row_shift lanes */
    uint32_t spare;
};

struct record_counters {
    uint64_t taken; /* number of further chunks requested; more than more_chunks when they ran out */
    uint64_t lost;  /* records without room */
};

/* The result of the module's window kernel: the windows of shared, local and constant memory. */
struct record_windows {
    uint32_t shared_base, spare; /* address of a block's first byte in the .shared window */
    uint64_t shared_generic;     /* generic address of the .shared window */
    uint64_t local_generic;
    uint64_t constant_generic; /* of the .const window; the kernel gives the control variable's address in the window,
                                  and the host subtracts it from the variable's generic address */
};
#define RECORD_WINDOW_BYTES (UINT64_C(1) << 24) /* 16 MiB each, and aligned to it (PTX ISA: isspacep) */

static inline enum record_kind record_kind_of(uint32_t tag)
{
    return (enum record_kind)(tag >> 24);
}
#define RECORD_SITE_MASK UINT32_C(0x00ffffff)
#define RECORD_TAG(kind, site) ((uint32_t)(kind) << 24 | ((site)&RECORD_SITE_MASK))
#endif
