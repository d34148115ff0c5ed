/* A warp: its registers, the lanes that run now (warp->active), the other fragments of lanes, and the joins where
 * lanes that diverged reconverge. A register is a row of 32 values in a frame, one for each lane. */
#ifndef LANESCOPE_EMULATOR_CORE_WARP_H
#define LANESCOPE_EMULATOR_CORE_WARP_H
#include "emulator/core/op.h"
#include <string.h>

struct block;
struct recent; /* memory/memory.h */
struct batch;  /* memory/memory.h */
struct worker;

/* The registers of one call of a function, for all lanes of a warp. Owned by the worker; the kernel's own frame is
 * warp->bottom and belongs to the warp. */
struct frame {
    struct frame *parent;      /* of the caller; or the next free one */
    struct frame *made_before; /* of the worker's frames */
    const struct code *code;
    uint32_t local_base;
    uint32_t depth;
    uint8_t rows[] __attribute__((aligned(64)));
};

struct join { /* where lanes that diverged reconverge */
    const struct op *at;
    struct frame *frame;
    struct frame *callee; /* of a call: the frame that returns here */
    uint32_t expected, arrived;
    int32_t parent; /* -1: none */
    uint32_t site;
    const struct op *call;
};

enum fragment_state { FRAGMENT_READY, FRAGMENT_BARRIER, FRAGMENT_WARP_BARRIER, FRAGMENT_MBARRIER };
struct fragment { /* lanes of a warp that run together */
    const struct op *pc;
    struct frame *frame;
    uint32_t mask;
    int32_t join;
    enum fragment_state state;
    uint32_t barrier, wanted; /* the barrier's number; or the lanes that a warp-wide instruction waits for */
    bool gathered;
    const struct op *wait; /* the op that it waits at */
    uint64_t ready;        /* model time */
};

enum warp_state { WARP_READY, WARP_WAITING, WARP_DONE, WARP_FAULT };

struct warp {
    uint8_t *rows; /* of the current frame */
    uint32_t mask; /* lanes of this instruction */
    uint32_t active, active_count;
    const struct op *pc;
    struct frame *frame;
    int32_t join;
    enum variant variant;
    bool watched, checked; /* a listener or a record wants events; a check wants accesses */
    bool whole;            /* a check may have them as a whole: see memory_check_whole */
    bool together;         /* alike accesses may be passed to the listener together */
    bool in_order;         /* and those to global memory are also passed to it in their order */
    uint32_t live;         /* lanes that have not ended */
    enum warp_state state;
    struct worker *worker;
    struct block *block;
    uint32_t number, carry; /* carry: the CC flag of each lane */
    uint64_t sync_time;     /* worker.time when lanes of the warp waited for each other last */
    uint64_t acquired;      /* accesses up to then were acquired through atomics; see check/races_global.c */
    struct fragment others[WARP_LANES];
    uint32_t other_count;
    struct join *joins;
    uint32_t join_count, join_capacity;
    int32_t free_join;
    struct frame *bottom;       /* the kernel's own */
    uint8_t *local;             /* emulation.local_bytes for each lane */
    uint32_t stack[WARP_LANES]; /* where alloca's memory begins; it grows down from emulation.stack_bytes */
    struct recent *recent;      /* the worker's */
    struct batch *batches;      /* the worker's */
    uint64_t run;               /* straight runs of the worker so far */
    uint64_t ready;             /* model time of its next instruction */
    uint64_t hold;              /* model cycles that the instruction holds the warp */
    uint64_t flight;            /* model cycles until what it accesses is there */
    uint64_t instructions;
    int64_t slice;        /* instructions left before other fragments and warps have their turn */
    uint32_t polls;       /* reads that look like waiting for another thread, since the last turn without one */
    uint32_t idle;        /* consecutive slices spent on polling; see schedule.c */
    uint32_t slice_polls; /* polls of this slice that read the same value again */
    uint64_t slice_start; /* instructions when the slice began */
    bool timed;           /* it read a clock in this slice: it may wait for time to pass */
    bool gathered;        /* all lanes that this warp-wide instruction names are there */
    bool parted;          /* lanes left a join early because others poll; see control_yield */
    struct trace_event event;
    uint64_t addresses[WARP_LANES] __attribute__((aligned(64)));
    uint64_t values[WARP_LANES];
};

static inline enum variant variant_of(uint32_t mask)
{
    if (mask == ALL_LANES)
        return FOR_ALL;
    return __builtin_popcount(mask) <= FEW_LANES ? FOR_FEW : FOR_SOME;
}

static inline uint32_t *predicate(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}

static inline unsigned lowest(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* Runs the statement for each lane l of a mask. */
#define EACH_LANE(l, lanes)                                                                                            \
    for (uint32_t l##_left = (lanes), l; l##_left && (l = lowest(l##_left), 1); l##_left &= l##_left - 1)

/* A lane of a row as bits: row_bytes 8, or 4 for all narrower registers. */
static inline uint64_t lane_get(const struct warp *w, uint32_t row, unsigned row_bytes, unsigned lane)
{
    const uint8_t *at = w->rows + row;
    if (row_bytes == 8) {
        uint64_t v;
        memcpy(&v, at + 8 * lane, 8);
        return v;
    }
    uint32_t v;
    memcpy(&v, at + 4 * lane, 4);
    return v;
}

static inline void lane_set(struct warp *w, uint32_t row, unsigned row_bytes, unsigned lane, uint64_t value)
{
    uint8_t *at = w->rows + row;
    if (row_bytes == 8) {
        memcpy(at + 8 * lane, &value, 8);
    } else {
        uint32_t v = row_bytes == 2 ? (uint16_t)value : (uint32_t)value;
        memcpy(at + 4 * lane, &v, 4);
    }
}

static inline void set_active(struct warp *w, uint32_t mask)
{
    w->active = w->mask = mask;
    w->active_count = (uint32_t)__builtin_popcount(mask);
    w->variant = mask == ALL_LANES ? FOR_ALL : w->active_count <= FEW_LANES ? FOR_FEW : FOR_SOME;
}

/* op->combine of a shuffle, and of a vote. */
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

/* Local memory for alloca: bytes of a thread, and the alignment when PTX names none. */
enum { ALLOCA_BYTES = 32 << 10, ALLOCA_ALIGNMENT = 8 };
#endif
