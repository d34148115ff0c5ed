/* memory/ holds the emulated memory: where things lie, loads and stores of any width and space, atomics and copies.
 * Bounds and alignment are checked here on every access. */
#ifndef LANESCOPE_EMULATOR_MEMORY_MEMORY_H
#define LANESCOPE_EMULATOR_MEMORY_MEMORY_H
#include "emulator/core/emulation.h"

/* A piece of memory outside shared and local memory, by its generic address. */
struct region {
    uint64_t base, size;
    uint8_t *host;
    const char *name;
    bool read_only;
    bool shared_by_all; /* a buffer or a variable; not the heap */
    bool unwritten;     /* the launch did not fill it */
    bool owned;         /* host is the run's, freed with it */
    const void *memory; /* launch_buffer.memory */
    /* Of the checkers, NULL where they do not look: a bit for each byte that was written (check/unwritten_global.c);
     * the accesses to each word, by page (check/races_global.c). */
    uint64_t *written;
    bool written_kept; /* `written` is the launch's */
    struct watched_page **pages;
    struct owners *owners; /* check/proof_global.c; NULL: it does not look */
};

/* An array in shared memory, by name. Dynamic arrays share all memory behind the others. */
enum { ARRAYS_MAX = 256 };
struct shared_array {
    const struct ptx_variable *variable;
    const char *name;
    uint64_t base, size; /* offsets in shared memory */
};

/* op->extra of a memory instruction. A lane moves ACCESS_BYTES at most. Source: PTX ISA 9.0, vectors of ld and st. */
enum { ACCESS_BYTES = 32 };
struct access {
    enum ptx_space space;
    bool store, wide;        /* wide: the address is a 64-bit row */
    bool is_signed, silent;  /* silent: makes no event, such as a read of a parameter */
    bool strong;             /* volatile, relaxed, acquire, release */
    bool staged;             /* the bytes that lanes store lie in worker.staged, not in rows */
    uint8_t bytes, elements; /* of one element; how many */
    uint8_t total;           /* bytes a lane */
    uint8_t reach;           /* with `used`: bytes up to the end of the last element that is used */
    uint32_t used;           /* of a load of which not all is used, a bit for each byte that is; else 0 */
    uint8_t row_bytes;       /* 2, 4, 8: size of the registers */
    uint8_t operation;       /* of an atomic: enum atomic_operation */
    enum ptx_type type;
    uint32_t rows[8];                 /* PTX_NO_INDEX: sink */
    uint32_t results[8];              /* of an atomic */
    uint64_t offset;                  /* of the source of a copy */
    const struct shared_array *array; /* that the address was computed from; NULL: not known */
    uint32_t cache;                   /* index in worker.recent */
    uint32_t batch;                   /* index of the first in worker.batches */
};

/* The addresses that ops last found in an address row. A loop moves all of them, but lanes keep their distances from
 * the first lane. Ops of one straight run that use the same row share an entry while the row is not written; see
 * lanes/memory.inc. */
struct recent {
    uint64_t distances[WARP_LANES] __attribute__((aligned(64)));
    uint32_t narrow[WARP_LANES]; /* the same in 32 bits */
    uint64_t run;                /* warp.run when the row was looked at last */
    uint64_t base;               /* of the first lane then */
    const struct region *region;
    uint64_t low, high, bits; /* of the distances: least, most, all or-ed */
    uint64_t shape;           /* enum shape, and the way from the first half warp to the second; 0: no such shape */
    unsigned char use;        /* enum use: what the accesses do that use the entry */
};
/* In each half of a warp the accesses are a run (each lane beside the one before) or all the same. The rest of the
 * number is the way. */
enum shape { SHAPE_KNOWN = 1, SHAPE_FIRST_RUN = 2, SHAPE_SECOND_RUN = 4, SHAPE_PLACE = 3, SHAPE_WAY = 8 };

/* Accesses of one shape that were counted but not yet passed on; see trace_listener.accesses. An op has one entry for
 * each place within 32 bytes where its accesses begin, because that changes as a loop goes on. */
enum { BATCH_SHAPES = 8 };
struct batch {
    const struct op *op; /* NULL: none */
    uint64_t shape, first, times;
    const struct batch_members *members; /* NULL: the op alone */
};
/* Ops that access memory together through one address row, as compiled code finds them: their distances from the first.
 * Their batch is the first op's. Its shape has SHAPE_TOGETHER turned, so that it is no shape of the op alone, and
 * batch.first is the place before any op's own offset is added. */
struct batch_members {
    uint32_t count, ops[];
};
#define SHAPE_TOGETHER (UINT64_C(1) << 62)

/* Counts a poll after a read that may belong to a loop that waits, when it read the same values as the last time.
 * x: the operands of an atomic, or NULL. */
void memory_note_poll(struct warp *w, const struct access *access, uint32_t mask, const uint64_t *x);
/* Checks an access as a whole: `r` says where, region NULL in shared memory. All lanes are known to be inside, those
 * that are not active at the place of one that is. False: memory_load or memory_store must check it. */
bool memory_check_whole(struct warp *w, const struct op *op, const struct recent *r, const struct region *region,
                        unsigned bytes, bool store);
/* The same for the lanes of a mask at w->addresses. */
bool memory_check_lanes(struct warp *w, const struct op *op, uint32_t mask, bool atomic);
/* The region that holds a generic address, or NULL. */
const struct region *memory_region(const struct emulation *emulation, uint64_t address);
/* The same for an access whose entry has another region, or none: notes what the entry's accesses may do there. */
const struct region *memory_find(const struct emulation *emulation, const struct recent *recent, uint64_t address);
/* The host bytes of one lane's access, or NULL after a fault. The address is one of the access's space. */
uint8_t *memory_resolve(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, unsigned bytes,
                        unsigned lane, bool store);
/* Where all lanes of the mask access one buffer, or all shared memory, aligned: the host's place for address 0, as a
 * number: adding an address gives its place. 0: some lane does not, or nobody knows. */
uintptr_t memory_plain(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses);
/* The host bytes at a generic address, to read only; NULL without a fault when they are not there. */
const uint8_t *memory_peek(const struct warp *w, uint64_t address, unsigned bytes, unsigned lane);
/* The shared array at an offset in shared memory, or NULL. */
const struct shared_array *memory_array(const struct emulation *emulation, uint64_t offset);

/* layout.c: gives buffers, variables and parameters their addresses before a run; and frees that memory after it. */
bool memory_lay_out(struct emulation *emulation, struct error *error);
void memory_forget(struct emulation *emulation);
#endif
