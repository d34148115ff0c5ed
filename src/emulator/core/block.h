/* A block in flight: its shared memory, barriers and clock. Its warps are the worker's. */
#ifndef LANESCOPE_EMULATOR_CORE_BLOCK_H
#define LANESCOPE_EMULATOR_CORE_BLOCK_H
#include "emulator/core/barrier.h"

struct order;        /* check/order.h: happens-before between the block's threads */
struct block_record; /* run/block_record.h */

enum block_mode { BLOCK_ONE_BY_ONE, BLOCK_FAST, BLOCK_RECORDED }; /* how its warps take turns */

enum { COPY_GROUPS = 32 }; /* groups of cp.async of a warp whose times are kept */

struct block {
    uint64_t number;
    enum block_mode mode;
    uint32_t next_warp; /* of one by one */
    uint32_t patience;  /* idle slices of each warp before the block makes room for others */
    uint32_t index[3];
    uint8_t *shared;
    uint32_t live_threads, live_warps;
    struct barrier barriers[BARRIERS];
    uint32_t waiting;   /* fragments */
    uint32_t fruitless; /* times that all waited since the last mbarrier completed; see mbarrier.c */
    uint32_t copies[WARP_LANES], copied[WARP_LANES]; /* of each warp: groups of cp.async begun, and waited for */
    uint64_t bulk_there;               /* model time at which all copies that mbarriers wait for are complete */
    uint64_t copies_there[WARP_LANES]; /* of each warp: model time at which all copies it began are complete */
    uint64_t group_there[WARP_LANES][COPY_GROUPS]; /* the same of those up to and with a group, by its number modulo
                                                      COPY_GROUPS */
    uint64_t barrier_time;                         /* worker.time when all its threads waited for each other last */
    uint64_t acquired;                             /* the same as warp.acquired, of all its warps */
    uint64_t acquired_by_any;                      /* the greatest warp.acquired */
    bool recorded;
    uint64_t clock;      /* model cycles */
    void **checks;       /* the state of each checker; see check/check.h */
    struct order *order; /* NULL: only barriers of the whole block order its threads, or no check wants to know */
    struct block_record *record;
    uint64_t instructions;
    struct {
        char *items;
        size_t count, capacity;
    } output; /* of printf */
};

/* All threads of the block waited for each other: the accesses that any of them acquired are acquired by all. */
static inline void block_meet(struct block *block, uint64_t time)
{
    block->barrier_time = time;
    block->acquired = block->acquired_by_any;
}

/* Ends a group of a warp's cp.asyncs. Returns the number of groups so far. */
static inline uint32_t block_end_group(struct block *block, uint32_t warp)
{
    block->group_there[warp][block->copies[warp] % COPY_GROUPS] = block->copies_there[warp];
    return ++block->copies[warp];
}
#endif
